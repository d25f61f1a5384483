/** The page of a workflow and the summary of a run in a browser, as somebody uses them. */
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { readRunAnswers } from '../../src/batch/answers.js';
import { compile } from '../../src/index.js';
import type { WorkflowRow } from '../../src/report/model.js';
import { temporaryFolder } from '../cli/fake-io.js';
import {
  download,
  expectNoSidewaysScroll,
  expectUsable,
  noBrowser,
  type OpenPage,
  useBrowser,
} from './browser.js';
import {
  type ExampleResult,
  goldenText,
  hostileTexts,
  hostileWorkflow,
  putPages,
  putRun,
  putSummary,
  rowWith,
} from './example-run.js';

const { folder } = temporaryFolder();
const browser = useBrowser();
const examples = new Map<string, ExampleResult>();

/** Twenty branches of one stage. */
function wideWorkflow(): object {
  const topics = Array.from({ length: 20 }, (_, index) => `topic ${index}`);
  const nodes = ['hello', ...topics].map((id) => ({ id, type: 'conversation', systemPrompt: id }));
  const edges = topics.map((to) => ({ from: 'hello', to, condition: `asks for ${to}` }));
  return { name: 'Wide', nodes, edges };
}

const sources = {
  pattern: goldenText('worked-pattern'),
  cycle: goldenText('cycle-open'),
  endpoint: goldenText('missing-endpoint-open'),
  guard: goldenText('guard'),
  invalid: goldenText('edges-to-nowhere'),
  broken: '{"nodes": [',
  wide: JSON.stringify(wideWorkflow()),
  hostile: JSON.stringify(hostileWorkflow),
};

beforeAll(async () => {
  const made = await putRun(folder, sources);
  for (const [at, name] of Object.keys(sources).entries()) examples.set(name, made[at]!);
  await putPages(folder);
}, 60_000);

const pathOf = (name: string) => join(folder, examples.get(name)!.result.key, 'report.html');
const openPage = (name: string, options = {}) => browser.open(pathOf(name), options);
const status = (page: OpenPage) => page.locator('#status').textContent();
const node = (page: OpenPage, picture: 'workflow' | 'squad', hasText: string) =>
  page.locator(`.picture-${picture} .node`, { hasText }).first();

async function litLabels(page: OpenPage): Promise<string[]> {
  const lit = await page.locator('.canvas g.node.lit > title').allTextContents();
  return lit.sort();
}

async function isInWindow(page: OpenPage, shape: Locator): Promise<boolean> {
  const { x, y, width, height } = (await shape.boundingBox())!;
  const window = page.viewportSize()!;
  return x >= 0 && y >= 0 && x + width <= window.width && y + height <= window.height;
}

const collection = ['collection (gather)', 'greeting (start · assistant)'];

describe.skipIf(noBrowser)('the page of a workflow', () => {
  it.each(Object.keys(sources))('has no fault: %s', async (name) => {
    const page = await openPage(name);
    expect(await page.locator('h1').textContent()).toBeTruthy();
    expect(page.faults).toEqual([]);
  });

  it('can be read without JavaScript', async () => {
    const page = await openPage('cycle', { javaScriptEnabled: false });
    const question = await page.locator('fieldset.question').textContent();
    expect(question).toContain('Make them one assistant');
    expect(await page.locator('button:visible').count()).toBe(0);
  });

  it('lights up what belongs together: shapes, lines of prompts, edges', async () => {
    const page = await openPage('pattern');
    await node(page, 'workflow', 'collection').hover();
    expect(await litLabels(page)).toEqual(collection);
    expect(await page.locator('#linked').textContent()).toContain('collection');
    await node(page, 'squad', 'greeting').hover();
    expect(await litLabels(page)).toEqual([...collection, 'greeting (start · conversation)']);
    const line = page.locator('.lines li', { hasText: 'find a free appointment' });
    await line.hover();
    expect(await litLabels(page)).toContain('booking (conversation)');
    expect(await line.locator('.from').textContent()).toContain('/nodes/2/systemPrompt');
    await node(page, 'workflow', 'goodbye').hover();
    expect(await page.locator('.lines li.lit', { hasText: 'Thank you for calling' }).count()).toBe(
      2,
    );
    await page.locator('.picture-workflow .edge-label').first().hover();
    const lit: string[] = await page.evaluate(
      `[...document.querySelectorAll('.canvas .edge.lit')].map((each) => each.dataset.id)`,
    );
    expect(lit[0]).toMatch(/^\/edges\/[12]$/);
    expect(lit[1]).toMatch(/^\/squad\/members\/0\/.*\/destinations\/[01]$/);
    await page.locator('h1').hover();
    expect(await page.locator('#linked').isHidden()).toBe(true);
    // What was clicked stays, until it is clicked again.
    for (const kept of [collection, []]) {
      await node(page, 'workflow', 'collection').click();
      await page.locator('h1').hover();
      await page.evaluate('document.activeElement.blur()');
      expect(await litLabels(page)).toEqual(kept);
    }
  });

  it('can be used with the keyboard alone', async () => {
    const page = await openPage('pattern');
    const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
    await node(page, 'workflow', 'greeting').focus();
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toMatch(/^collection 1 gather; belongs to greeting/);
    expect(await litLabels(page)).toEqual(collection);
    await page.keyboard.press('Enter');
    // Tab leads to what belongs to it.
    await page.keyboard.press('Tab');
    expect(await focused()).toMatch(/^greeting 1 start · assistant/);
    await page.evaluate('document.activeElement.blur()');
    expect(await litLabels(page)).toEqual(collection);
    await page.keyboard.press('Escape');
    expect(await litLabels(page)).toEqual([]);
  });

  it('fits pictures to the width; in actual size it scrolls to what lights up', async () => {
    const page = await openPage('wide');
    const squad = page.locator('.picture-squad').locator('..');
    const scrolled = (what: string): Promise<number> => squad.evaluate(`(box) => box.${what}`);
    expect(await scrolled('scrollWidth')).toBe(await scrolled('clientWidth'));
    await page.getByLabel('Actual size').check();
    const before = await page.evaluate('scrollY');
    for (const topic of ['topic 0', 'topic 19']) {
      await node(page, 'workflow', topic).dispatchEvent('pointerover');
      const lit = await page.locator('.picture-squad .node.lit').boundingBox();
      const box = await squad.boundingBox();
      expect(lit!.x).toBeGreaterThan(box!.x);
      expect(lit!.x + lit!.width).toBeLessThan(box!.x + box!.width);
    }
    expect(await page.evaluate('scrollY')).toBe(before);
  });

  it('leads from a text to its shape', async () => {
    const small = { viewport: { width: 390, height: 500 }, reducedMotion: 'reduce' };
    const page = await openPage('pattern', small);
    const shape = node(page, 'squad', 'booking');
    await page.locator('.member h3 a', { hasText: 'booking' }).click();
    expect(await litLabels(page)).toContain('booking (assistant)');
    await expect.poll(() => isInWindow(page, shape)).toBe(true);
  });

  it('filters the ledger', async () => {
    const page = await openPage('pattern');
    await page.getByLabel('converted (').uncheck();
    const { ledger } = examples.get('pattern')!.result;
    const left = ledger.filter(({ status }) => status !== 'converted');
    expect(await page.locator('#ledger-rows tbody tr:visible').count()).toBe(left.length);
  });

  it('prints with everything open and without controls', async () => {
    const viewport = { width: 794, height: 1123 };
    const page = await openPage('guard', { colorScheme: 'dark', viewport });
    const evidence = page.locator('.checklist .evidence li');
    const visible = page.locator('.checklist .evidence li:visible');
    expect(await visible.count()).toBeLessThan(await evidence.count());
    await page.emulateMedia({ media: 'print' });
    expect(await visible.count()).toBe(await evidence.count());
    expect(await page.locator('button:visible').count()).toBe(0);
    const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(ground).toBe('rgb(255, 255, 255)');
    await expectNoSidewaysScroll(page);
  });

  it('can be used by everybody', () => expectUsable(browser, pathOf('endpoint')));
});

describe.skipIf(noBrowser)('the form of open questions', () => {
  const answersIn = (text: string, name: string): Record<string, object> =>
    JSON.parse(text).workflows[examples.get(name)!.result.key].answers;

  it('compiles an answer at once, and gives the files that migrate reads and writes', async () => {
    const page = await openPage('cycle', { permissions: ['clipboard-read', 'clipboard-write'] });
    const { result } = examples.get('cycle')!;
    const { id, subject } = result.questions[0]!;
    await page.locator('#accept-proposals').click();
    expect(await status(page)).toMatch(/^Complete and verified/);
    expect(await page.locator('fieldset.question').count()).toBe(0);
    expect(await page.locator('figcaption').allTextContents()).toEqual(['Workflow', 'Squad']);
    const { name, text } = await download(page, 'answers.json');
    expect(name).toBe(`${result.key}.answers.json`);
    expect(answersIn(text, 'cycle')).toEqual({ [id]: { choice: 'consolidate', subject } });
    expect(readRunAnswers([{ name, text }], []).diagnostics).toEqual([]);
    await page.locator('[data-copy="command"]').click();
    await expect.poll(() => status(page)).toBe('Copied.');
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`--answers ${name}`);
    const answers = { answers: { [id]: { choice: 'consolidate' } } };
    const { output } = compile(result.workflow, { answers });
    expect(JSON.parse((await download(page, 'squad.json')).text)).toEqual(output);
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
    const [answer] = Object.values(answersIn((await download(page, 'answers.json')).text, 'cycle'));
    expect(answer).toMatchObject({ choice: 'group', value: [['collect', 'confirm']] });
  });

  it('asks for the values of a choice, and says beside it what does not fit', async () => {
    const page = await openPage('endpoint');
    const question = page.locator('fieldset.question').first();
    const expectFault = async (fault: string) => {
      await question.locator('[data-answer]').click();
      expect(await question.locator('.fault').textContent()).toContain(fault);
    };
    await expectFault('Choose one.');
    await question.getByLabel(/^\s*Give the address/).check();
    await expectFault('value must have “url”');
    await question.getByLabel(/^\s*url/).fill('https://example.test/{{bill_id}}');
    await expectFault('value must have “method”');
    await question.getByLabel(/^\s*method/).selectOption('GET');
    await question.getByLabel(/^\s*timeoutSeconds/).fill('900');
    await expectFault('timeoutSeconds must be at most 300');
    await question.getByLabel(/^\s*timeoutSeconds/).fill('30');
    await question.getByLabel(/^\s*body/).fill('{"type": ');
    await expectFault('This is not JSON.');
    await question.getByLabel(/^\s*body/).fill('{"type": "object"}');
    expect(await status(page)).toMatch(/^2 questions open/);
    await question.locator('[data-answer]').click();
    expect(await status(page)).toMatch(/^1 question open/);
    const url = 'https://example.test/{{bill_id}}';
    const value = { url, method: 'GET', timeoutSeconds: 30, body: { type: 'object' } };
    const { text } = await download(page, 'answers.json');
    expect(Object.values(answersIn(text, 'endpoint'))[0]).toMatchObject({
      choice: 'request',
      value,
    });
    expect(page.faults).toEqual([]);
  });
});

it.skipIf(noBrowser)(
  'a hostile workflow is shown as text, answered, and nothing of it runs',
  async () => {
    const page = await openPage('hostile');
    const { result } = examples.get('hostile')!;
    expect(await page.locator('script').count()).toBe(4);
    expect(
      await page.locator('img, iframe, object, embed, link, base, style ~ style').count(),
    ).toBe(0);
    const attributes: [string, string][] = await page.evaluate(`[...document.querySelectorAll('*')]
    .flatMap((each) => [...each.attributes].map(({ name, value }) => [name, value]))`);
    const bad = attributes.filter(([name, value]) => {
      return /^(?:on|style$)/.test(name) || (name === 'href' && !/^(?:\.\/|\.\.\/|#)/.test(value));
    });
    expect(bad).toEqual([]);
    const name = String(hostileWorkflow['name']).replace('\u202e', '[U+202E]');
    expect(await page.locator('h1').textContent()).toBe(name);
    for (const shape of await page.locator('.canvas g.node').all()) await shape.hover();
    await page.locator('#accept-proposals').click();
    const { text } = await download(page, 'answers.json');
    const proposed = result.questions.filter(({ proposal }) => proposal !== null);
    expect(proposed.length).toBeGreaterThan(0);
    const { answers } = JSON.parse(text).workflows[result.key];
    expect(Object.keys(answers)).toEqual(proposed.map(({ id }) => id));
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(page.faults).toEqual([]);
  },
);

/** Every tenth needs answers, every hundredth work. */
function fleetRow(index: number): WorkflowRow {
  const key = `clinic-${index.toString(16).padStart(8, '0')}`;
  const [isInvalid, isOpen] = [index % 100 === 0, index % 10 === 0];
  return rowWith({
    ...{ index, key, folder: key, source: 'fleet.jsonl', line: index + 1, name: `Clinic ${index}` },
    status: isInvalid ? 'invalid' : isOpen ? 'needs-answers' : 'complete',
    questions: isOpen && !isInvalid ? { 'missing-auth': 1, 'cyclic-stages': 2 } : {},
    assessment: {
      ...{ size: 1, minutes: 5 * (1 + ((index * 7) % 11)), automatic: 1, manual: 0 },
      level: isInvalid ? 'C' : isOpen ? 'B' : 'A',
    },
  });
}

describe.skipIf(noBrowser)('the summary in a browser', () => {
  const pathOf = (name: string) => join(folder, 'fleets', name, 'summary.html');
  const open = (name: string, options = {}) => browser.open(pathOf(name), options);
  const shown = (page: OpenPage) => page.locator('#shown').textContent();
  const rows = (page: OpenPage) => page.locator('#fleet tbody tr:visible');

  beforeAll(async () => {
    const hostile = hostileTexts.map((name, index) => rowWith({ index, name, source: name }));
    const fleets = {
      small: Array.from({ length: 300 }, (_, index) => fleetRow(index)),
      large: Array.from({ length: 60_001 }, (_, index) => fleetRow(index)),
      hostile,
    };
    for (const [name, fleet] of Object.entries(fleets)) {
      await putSummary(join(folder, 'fleets', name), fleet);
      await putPages(join(folder, 'fleets', name));
    }
  }, 60_000);

  it('filters by words, status and level, and prints what is shown', async () => {
    const page = await open('small');
    const filters: [label: string, value: string, count: number][] = [
      ['Find', 'clinic 29 fleet.jsonl:30', 2],
      ['Find', 'cyclic-stages', 27],
      ['Status', 'invalid', 0],
      ['Find', '', 3],
      ['Status', 'any', 300],
      ['Level', 'B', 27],
    ];
    for (const [label, value, count] of filters) {
      if (label === 'Find') await page.getByLabel(label).fill(value);
      else await page.getByLabel(label).selectOption(value);
      expect(await shown(page)).toBe(`${count} of 300 workflows shown.`);
    }
    await page.emulateMedia({ media: 'print' });
    expect(await rows(page).count()).toBe(27);
    expect(page.faults).toEqual([]);
  });

  it('sorts by a column: up, down, then by need', async () => {
    const page = await open('small');
    const minutes = page.getByRole('button', { name: 'Minutes' });
    const head = page.locator('th', { has: minutes });
    const orders = [
      ['ascending', 'Clinic 0', 'Clinic 110', 'Clinic 220'],
      ['descending', 'Clinic 80', 'Clinic 190', 'Clinic 3'],
      ['none', 'Clinic 100', 'Clinic 200', 'Clinic 0'],
    ];
    for (const [order, ...names] of orders) {
      await minutes.click();
      expect(await head.getAttribute('aria-sort')).toBe(order);
      const all = await page.locator('#fleet tbody th').allTextContents();
      expect(all.slice(0, 3)).toEqual(names);
    }
  });

  it('lists of a large run those that need somebody, the most urgent first', async () => {
    const page = await open('large');
    const text = await page.locator('main').textContent();
    expect(text?.replace(/\s+/g, ' ')).toContain(
      '6,001 of 60,001 workflows need attention. The 5,000 most urgent are listed here;',
    );
    expect(await shown(page)).toBe('5000 of 5000 workflows shown.');
    expect(await rows(page).first().locator('td').nth(1).textContent()).toBe('invalid');
  });

  it('has the totals and all rows without JavaScript', async () => {
    const page = await open('small', { javaScriptEnabled: false });
    expect(await page.locator('h1').textContent()).toBe('Migration of 300 workflows');
    expect(await rows(page).count()).toBe(300);
    expect(await page.locator('.filters:visible').count()).toBe(0);
  });

  it('can be used by everybody, with the status beside the name on a phone', async () => {
    await expectUsable(browser, pathOf('small'));
    const source = (page: OpenPage) => page.getByText('fleet.jsonl:1', { exact: true });
    const narrow = await open('small', { viewport: { width: 390, height: 844 } });
    const status = await rows(narrow).first().locator('.badge').first().boundingBox();
    expect(status!.x + status!.width).toBeLessThan(390);
    expect(await source(narrow).isVisible()).toBe(false);
    expect(await source(await open('small')).isVisible()).toBe(true);
  }, 60_000);

  it('shows hostile names as text', async () => {
    const page = await open('hostile');
    expect(await page.locator('script').count()).toBe(2);
    expect(await page.locator('img').count()).toBe(0);
    await page.getByLabel('Find').fill('<script>');
    expect(await rows(page).locator('th').allTextContents()).toEqual(['<script>alert(1)</script>']);
    expect(page.faults).toEqual([]);
  });
});
