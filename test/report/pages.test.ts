/** The page of a workflow in a browser, as somebody uses it. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { readRunAnswers } from '../../src/batch/answers.js';
import { compile, type Json } from '../../src/index.js';
import { temporaryFolder } from '../cli/fake-io.js';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  noBrowser,
  type OpenPage,
  useBrowser,
} from './browser.js';
import { type ExampleResult, putPages, putRun } from './example-run.js';
import { hostileWorkflow } from './hostile-workflow.js';

const { folder } = temporaryFolder();
const { open } = useBrowser();
const examples = new Map<string, ExampleResult>();

const sources: Readonly<Record<string, string>> = {
  pattern: readFileSync('golden/worked-pattern/input.json', 'utf8'),
  cycle: readFileSync('golden/cycle-open/input.json', 'utf8'),
  endpoint: readFileSync('golden/missing-endpoint-open/input.json', 'utf8'),
  guard: readFileSync('golden/guard/input.json', 'utf8'),
  invalid: readFileSync('golden/edges-to-nowhere/input.json', 'utf8'),
  broken: '{"nodes": [',
  wide: JSON.stringify(wideWorkflow()),
  hostile: JSON.stringify(hostileWorkflow),
};

/** Twenty ways out of one stage. */
function wideWorkflow(): object {
  const topics = Array.from({ length: 20 }, (_, index) => `topic ${index}`);
  const nodes = ['hello', ...topics].map((id) => ({ id, type: 'conversation', systemPrompt: id }));
  const edges = topics.map((to) => ({ from: 'hello', to, condition: `asks for ${to}` }));
  return { name: 'Wide', nodes, edges };
}

function pageOf(name: string): string {
  return join(folder, examples.get(name)!.result.key, 'report.html');
}

const openPage = (name: string, options = {}): Promise<OpenPage> => open(pageOf(name), options);

/** A4, in pixels. */
const paper = { width: 794, height: 1123 };

/** Labels of the shapes that are lit. */
async function litLabels(page: OpenPage): Promise<string[]> {
  const labels: string[] = await page.evaluate(
    `[...document.querySelectorAll('.canvas g.node.lit')].map((each) => each.querySelector('title').textContent)`,
  );
  return labels;
}

/** Whether it can be seen without scrolling. */
async function isInWindow(page: OpenPage, shape: Locator): Promise<boolean> {
  const box = await shape.boundingBox();
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  if (box === null) return false;
  const isAcross = box.x >= 0 && box.x + box.width <= width;
  return isAcross && box.y >= 0 && box.y + box.height <= height;
}

beforeAll(async () => {
  const workflows = Object.entries(sources).map(([name, text]) => ({
    source: `${name}.json`,
    text,
  }));
  const made = await putRun(folder, workflows);
  Object.keys(sources).forEach((name, index) => {
    examples.set(name, made[index]!);
  });
  await putPages(folder);
}, 60_000);

describe.skipIf(noBrowser)('the page of a workflow', () => {
  it.each(Object.keys(sources))('opens without a fault: %s', async (name) => {
    const page = await openPage(name);
    const { result } = examples.get(name)!;
    expect(await page.locator('h1').textContent()).toBeTruthy();
    expect(await page.locator('#findings .finding').count()).toBe(result.diagnostics.length);
    expect(await page.locator('#ledger-rows tbody tr').count()).toBe(result.ledger.length);
    expect(await page.locator('.checklist details').count()).toBe(result.checklist.length);
    expect(await page.locator('fieldset.question').count()).toBe(result.questions.length);
    expect(page.faults).toEqual([]);
  });

  it.each(['invalid', 'broken'])('shows no controls of pictures that are not: %s', async (name) => {
    const page = await openPage(name);
    const text = await page.locator('main').textContent();
    expect(text).toContain('There is nothing to draw.');
    expect(text).toContain('There is no squad yet.');
    expect(text).not.toContain('Point at a shape');
    expect(await page.locator('#actual-size').count()).toBe(0);
  });

  it('lights up on the other side what belongs to a shape', async () => {
    const page = await openPage('pattern');
    await page.locator('.picture-workflow .node', { hasText: 'collection' }).hover();
    expect(await litLabels(page)).toEqual(['collection (gather)', 'greeting (start · assistant)']);
    expect(await page.locator('#linked').textContent()).toContain('collection');
    await page.locator('.picture-squad .node', { hasText: 'greeting' }).hover();
    expect((await litLabels(page)).sort()).toEqual([
      'collection (gather)',
      'greeting (start · assistant)',
      'greeting (start · conversation)',
    ]);
    await page.locator('h1').hover();
    expect(await litLabels(page)).toEqual([]);
    expect(await page.locator('#linked').isHidden()).toBe(true);
  });

  it('lights up the handoff of an edge, and its condition', async () => {
    const page = await openPage('pattern');
    await page.locator('.picture-workflow .edge-label').first().hover();
    const lit = await page.evaluate(
      `[...document.querySelectorAll('.canvas .edge.lit')].map((each) => each.dataset.id)`,
    );
    expect(lit).toEqual([
      expect.stringMatching(/^\/edges\/[12]$/),
      expect.stringMatching(/^\/squad\/members\/0\/.*\/destinations\/[01]$/),
    ]);
  });

  it('brings what lights up into sight, and moves no more than the box', async () => {
    const page = await openPage('wide', { reducedMotion: 'reduce' });
    const squad = page.locator('.picture-squad').locator('..');
    const fitted: number = await squad.evaluate(
      (each: { scrollWidth: number; clientWidth: number }) => each.scrollWidth - each.clientWidth,
    );
    expect(fitted).toBe(0);
    await page.getByLabel('Actual size').check();
    await page.locator('#pictures').scrollIntoViewIfNeeded();
    const before = await page.evaluate('scrollY');
    const scrolled: number[] = [];
    for (const topic of ['topic 0', 'topic 19']) {
      const end = page.locator('.picture-workflow .node', { hasText: topic }).first();
      await end.dispatchEvent('pointerover');
      const lit = page.locator('.picture-squad .node.lit');
      const [shape, box] = [await lit.boundingBox(), await squad.boundingBox()];
      expect(shape!.x).toBeGreaterThan(box!.x);
      expect(shape!.x + shape!.width).toBeLessThan(box!.x + box!.width);
      scrolled.push(await squad.evaluate((each: { scrollLeft: number }) => each.scrollLeft));
    }
    expect(Math.abs(scrolled[0]! - scrolled[1]!)).toBeGreaterThan(100);
    expect(await page.evaluate('scrollY')).toBe(before);
  });

  it('lights up the node that a line came from, and the lines of a node', async () => {
    const page = await openPage('pattern');
    const line = page.locator('.lines li', { hasText: 'find a free appointment' });
    await line.hover();
    expect(await litLabels(page)).toContain('booking (conversation)');
    expect(await line.locator('.from').textContent()).toContain('/nodes/2/systemPrompt');
    await page.locator('.picture-workflow .node', { hasText: 'goodbye' }).hover();
    expect(await page.locator('.lines li.lit', { hasText: 'Thank you for calling' }).count()).toBe(
      2,
    );
  });

  it('is used by the keyboard alone', async () => {
    const page = await openPage('pattern');
    const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
    await page.locator('.picture-workflow .node', { hasText: 'greeting' }).focus();
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toMatch(/^collection 1 gather; belongs to greeting/);
    expect(await litLabels(page)).toEqual(['collection (gather)', 'greeting (start · assistant)']);
    await page.keyboard.press('Enter');
    // Tab leads to what belongs to it.
    await page.keyboard.press('Tab');
    expect(await focused()).toMatch(/^greeting 1 start · assistant/);
    await page.evaluate('document.activeElement.blur()');
    expect(await litLabels(page)).toContain('collection (gather)');
    await page.keyboard.press('Escape');
    expect(await litLabels(page)).toEqual([]);
    expect(page.faults).toEqual([]);
  });

  it('keeps what was clicked, until it is clicked again', async () => {
    const page = await openPage('pattern');
    const shape = page.locator('.picture-workflow .node', { hasText: 'collection' });
    const away = () => page.locator('h1').hover();
    await shape.click();
    await away();
    await page.evaluate('document.activeElement.blur()');
    expect(await litLabels(page)).toEqual(['collection (gather)', 'greeting (start · assistant)']);
    await shape.click();
    await away();
    await page.evaluate('document.activeElement.blur()');
    expect(await litLabels(page)).toEqual([]);
  });

  it('leads from a text to its shape, which comes into sight on a small screen too', async () => {
    const small = { viewport: { width: 390, height: 500 } };
    const page = await openPage('pattern', { ...small, reducedMotion: 'reduce' });
    const link = page.locator('.member h3 a', { hasText: 'booking' });
    await link.scrollIntoViewIfNeeded();
    const shape = page.locator('.picture-squad .node', { hasText: 'booking' });
    await expect.poll(() => isInWindow(page, shape)).toBe(false);
    await link.click();
    await page.locator('h1').dispatchEvent('pointerover');
    await page.evaluate('document.activeElement.blur()');
    expect(await litLabels(page)).toContain('booking (assistant)');
    await expect.poll(() => isInWindow(page, shape)).toBe(true);
  });

  it('filters the ledger', async () => {
    const page = await openPage('pattern');
    const visible = page.locator('#ledger-rows tbody tr:visible');
    const { ledger } = examples.get('pattern')!.result;
    expect(await visible.count()).toBe(ledger.length);
    await page.getByLabel('converted (').uncheck();
    expect(await visible.count()).toBe(ledger.filter(({ status }) => status === 'folded').length);
  });

  it('prints with everything open and without controls', async () => {
    const page = await openPage('guard', { colorScheme: 'dark', viewport: paper });
    const ground = 'getComputedStyle(document.body).backgroundColor';
    expect(await page.evaluate(ground)).not.toBe('rgb(255, 255, 255)');
    expect(await page.locator('.checklist .evidence li:visible').count()).toBeLessThan(
      await page.locator('.checklist .evidence li').count(),
    );
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.checklist .evidence li:visible').count()).toBe(
      await page.locator('.checklist .evidence li').count(),
    );
    expect(await page.locator('button:visible').count()).toBe(0);
    expect(await page.evaluate(ground)).toBe('rgb(255, 255, 255)');
    await expectNoSidewaysScroll(page);
  });

  it.each(['guard', 'endpoint'])('can be used by everybody: %s', async (name) => {
    const grounds = new Set<unknown>();
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1280, 390]) {
        const page = await openPage(name, { colorScheme, viewport: { width, height: 844 } });
        grounds.add(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
        await expectNoSidewaysScroll(page);
        await expectAccessible(page);
        expect(page.faults).toEqual([]);
      }
    }
    expect(grounds.size).toBe(2);
  });

  it('can be read without JavaScript', async () => {
    const page = await openPage('cycle', { javaScriptEnabled: false });
    expect(await page.locator('fieldset.question').textContent()).toContain(
      'Make them one assistant',
    );
    expect(await page.locator('button:visible').count()).toBe(0);
    expect(page.faults).toEqual([]);
  });
});

describe.skipIf(noBrowser)('the form of open questions', () => {
  async function saved(page: OpenPage): Promise<{ name: string; text: string }> {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('[data-file$="answers.json"]').click(),
    ]);
    const name = download.suggestedFilename();
    return { name, text: readFileSync(await download.path(), 'utf8') };
  }

  const status = (page: OpenPage) => page.locator('#status').textContent();
  const answersIn = ({ text }: { text: string }, name: string): unknown[] => {
    const { key } = examples.get(name)!.result;
    return Object.values(JSON.parse(text).workflows[key].answers);
  };

  it('compiles an answer at once, and gives the files that migrate takes and makes', async () => {
    const page = await openPage('cycle', { permissions: ['clipboard-read', 'clipboard-write'] });
    const { result } = examples.get('cycle')!;
    const { id, subject } = result.questions[0]!;
    await page.locator('#accept-proposals').click();
    expect(await status(page)).toMatch(/^Complete and verified/);
    expect(await page.locator('fieldset.question').count()).toBe(0);
    expect(await page.locator('figcaption').allTextContents()).toEqual(['Workflow', 'Squad']);
    const { name, text } = await saved(page);
    expect(name).toBe(`${result.key}.answers.json`);
    const answers = { [id]: { choice: 'consolidate', subject } };
    expect(JSON.parse(text)).toEqual({ policies: {}, workflows: { [result.key]: { answers } } });
    expect(readRunAnswers([{ name, text }], []).diagnostics).toEqual([]);
    await page.locator('[data-copy="command"]').click();
    await expect.poll(() => status(page)).toBe('Copied.');
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toContain(`--answers ${name}`);
    const [made] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('[data-file="squad.json"]').click(),
    ]);
    const plain = { answers: { [id]: { choice: 'consolidate' } } };
    const { output } = compile(result.workflow, { answers: plain });
    expect(JSON.parse(readFileSync(await made.path(), 'utf8'))).toEqual(output);
    await page.locator('[data-take-back]').click();
    expect(await page.locator('fieldset.question').count()).toBe(1);
    expect(page.faults).toEqual([]);
  });

  it('gathers groups of stages', async () => {
    const page = await openPage('cycle');
    await page.getByLabel(/^\s*Choose which stages/).check();
    await page.getByLabel('collect', { exact: true }).selectOption('group 1');
    await page.getByLabel('confirm', { exact: true }).selectOption('group 1');
    await page.locator('[data-answer]').click();
    const [answer] = answersIn(await saved(page), 'cycle');
    expect(answer).toMatchObject({ choice: 'group', value: [['collect', 'confirm']] });
  });

  it('asks for the values of a choice, and says beside it what does not fit', async () => {
    const page = await openPage('endpoint');
    const question = page.locator('fieldset.question').first();
    const fault = async () => {
      await question.locator('[data-answer]').click();
      return question.locator('.fault').textContent();
    };
    expect(await fault()).toBe('Choose one.');
    await question.getByLabel(/^\s*Give the address/).check();
    expect(await fault()).toContain('value must have “url”');
    await question.getByLabel(/^\s*url/).fill('https://example.test/{{bill_id}}');
    expect(await fault()).toContain('value must have “method”');
    await question.getByLabel(/^\s*method/).selectOption('GET');
    await question.getByLabel(/^\s*timeoutSeconds/).fill('900');
    expect(await fault()).toContain('timeoutSeconds must be at most 300');
    await question.getByLabel(/^\s*timeoutSeconds/).fill('30');
    await question.getByLabel(/^\s*body/).fill('{"type": ');
    expect(await fault()).toBe('This is not JSON.');
    await question.getByLabel(/^\s*body/).fill('{"type": "object"}');
    expect(await status(page)).toMatch(/^2 questions open/);
    await question.locator('[data-answer]').click();
    expect(await status(page)).toMatch(/^1 question open/);
    const [answer] = answersIn(await saved(page), 'endpoint');
    expect(answer).toMatchObject({
      choice: 'request',
      value: {
        url: 'https://example.test/{{bill_id}}',
        method: 'GET',
        timeoutSeconds: 30,
        body: { type: 'object' },
      },
    });
    expect(page.faults).toEqual([]);
  });

  it('is followed by a call that can be walked', async () => {
    const page = await openPage('pattern');
    await page.locator('[data-begin]').click();
    await page.locator('[data-choice="0"]').click();
    await page.locator('[data-choice="1"]').click();
    expect(await page.locator('#call').textContent()).toContain('payment');
    expect(await page.locator('.handoff').textContent()).toContain('carries full_name');
    expect(page.faults).toEqual([]);
  });
});

describe.skipIf(noBrowser)('a hostile workflow', () => {
  it('is shown as text, and nothing of it runs', async () => {
    const page = await openPage('hostile');
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(await page.locator('script').count()).toBe(4);
    expect(
      await page.locator('img, iframe, object, embed, link, base, style ~ style').count(),
    ).toBe(0);
    const handlers = await page.evaluate(`[...document.querySelectorAll('*')].flatMap((each) =>
      [...each.attributes].map(({ name }) => name)).filter((name) => name.startsWith('on') || name === 'style')`);
    expect(handlers).toEqual([]);
    const addresses: string[] = await page.evaluate(
      '[...document.querySelectorAll("a")].map((each) => each.getAttribute("href"))',
    );
    expect(addresses.filter((each) => !/^(?:\.\/|\.\.\/|#)/.test(each))).toEqual([]);
    const name = (hostileWorkflow as { name: string }).name.replace('\u202e', '[U+202E]');
    expect(await page.locator('h1').textContent()).toBe(name);
    for (const shape of await page.locator('.canvas g.node').all()) await shape.hover();
    expect(page.faults).toEqual([]);
  });

  it('has its answers under its own names', async () => {
    const page = await openPage('hostile');
    const { result } = examples.get('hostile')!;
    expect(result.questions.length).toBeGreaterThan(1);
    await page.locator('#accept-proposals').click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('[data-file$="answers.json"]').click(),
    ]);
    const text = readFileSync(await download.path(), 'utf8');
    const ids = Object.keys(JSON.parse(text).workflows[result.key].answers);
    const proposed = result.questions.filter(({ proposal }) => proposal !== null);
    expect(ids).toEqual(proposed.map(({ id }) => id));
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(page.faults).toEqual([]);
  });
});

describe('secrets', () => {
  it('are on no page, though the squad has them', async () => {
    const secret = 'sk-live-0123456789abcdef';
    const { folder: out } = temporaryFolderOf('secrets');
    const workflow: Json = {
      name: 'Secret',
      nodes: [
        { id: 'talk', type: 'conversation', systemPrompt: `Never say ${secret}.` },
        {
          id: 'ask',
          type: 'apiRequest',
          url: 'https://example.test',
          method: 'GET',
          headers: { Authorization: secret },
        },
      ],
      edges: [{ from: 'talk', to: 'ask' }],
    };
    const [example] = await putRun(out, [{ source: 's.json', text: JSON.stringify(workflow) }]);
    expect(example?.result.status).toBe('complete');
    expect(JSON.stringify(example?.squad)).toContain(secret);
    const pages = [...(await putPages(out)).values()];
    expect(pages).toHaveLength(3);
    expect(pages[0]).toContain('Never say ••••.');
    expect(pages.join('\n')).not.toContain(secret);
  });
});

function temporaryFolderOf(name: string): { folder: string } {
  const inner = join(folder, `.${name}`);
  mkdirSync(inner);
  return { folder: inner };
}
