/** The pages in a browser, as somebody uses them: a workflow, a fleet, the playground. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { globSync } from 'tinyglobby';
import { beforeAll, describe, expect, it } from 'vitest';
import { readRunAnswers } from '../../src/batch/answers.js';
import { compile, readWorkflow } from '../../src/index.js';
import { renderDocument } from '../../src/report/document.js';
import { html, trusted } from '../../src/report/html.js';
import type { ResultFile } from '../../src/report/model.js';
import { migrate, rowsOf } from '../batch/migrating.js';
import { temporaryFolder } from '../cli/fake-io.js';
import {
  download,
  expectNoSidewaysScroll,
  expectUsable,
  noBrowser,
  type OpenPage,
  useBrowser,
} from './browser.js';
import { goldenText, hostileTexts, hostileWorkflow, putSummary, rowWith } from './example-run.js';

const { folder, put, read, squadc } = temporaryFolder();
const open = useBrowser();
const results = new Map<string, ResultFile>();

const topics = Array.from({ length: 20 }, (_, index) => `topic ${index}`);
const wide = {
  name: 'Wide',
  nodes: ['hello', ...topics].map((id) => ({ id, type: 'conversation', systemPrompt: id })),
  edges: topics.map((to) => ({ from: 'hello', to, condition: `asks for ${to}` })),
};
const sources = {
  pattern: goldenText('worked-pattern'),
  cycle: goldenText('cycle-open'),
  endpoint: goldenText('missing-endpoint-open'),
  broken: '{"nodes": [',
  wide: JSON.stringify(wide),
  hostile: JSON.stringify(hostileWorkflow),
};

beforeAll(async () => {
  for (const [name, text] of Object.entries(sources)) put(`in/${name}.json`, text);
  await migrate(['in', '-o', 'out'], { cwd: folder });
  for (const { source, key } of rowsOf(join(folder, 'out'))) {
    const result = JSON.parse(read(`out/${key}/result.json`));
    results.set(basename(source, '.json'), result);
  }
}, 60_000);

const keyOf = (name: string) => results.get(name)!.key;
const openPage = (name: string, options = {}) =>
  open(join(folder, 'out', keyOf(name), 'report.html'), options);
const status = (page: OpenPage) => page.locator('#status').textContent();
const node = (page: OpenPage, picture: 'workflow' | 'squad', hasText: string) =>
  page.locator(`.picture-${picture} .node`, { hasText }).first();

async function litLabels(page: OpenPage): Promise<string[]> {
  const lit = await page.locator('.canvas g.node.lit > title').allTextContents();
  return lit.sort();
}

describe.skipIf(noBrowser)('the page of a workflow', () => {
  it('highlights shapes, lines of prompts and edges that belong together', async () => {
    const page = await openPage('pattern');
    const collection = ['collection (gather)', 'greeting (start · assistant)'];
    await node(page, 'workflow', 'collection').hover();
    expect(await litLabels(page)).toEqual(collection);
    await page.locator('.lines li', { hasText: 'find a free appointment' }).hover();
    expect(await litLabels(page)).toContain('booking (conversation)');
    await node(page, 'workflow', 'goodbye').hover();
    expect(await page.locator('.lines li.lit', { hasText: 'Thank you for' }).count()).toBe(2);
    await page.locator('.picture-workflow .edge-label').first().hover();
    expect(await page.locator('.canvas .edge.lit').count()).toBe(2);
    // What was clicked stays, until it is clicked again.
    for (const kept of [collection, []]) {
      await node(page, 'workflow', 'collection').click();
      await page.locator('h1').hover();
      await page.evaluate('document.activeElement.blur()');
      expect(await litLabels(page)).toEqual(kept);
      expect(await page.locator('#linked').isHidden()).toBe(kept.length === 0);
    }
    // The keyboard does the same: arrows, Enter, Escape, and Tab to what belongs to a shape.
    const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
    await node(page, 'workflow', 'greeting').focus();
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toMatch(/^collection 1 gather; belongs to greeting/);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused()).toMatch(/^greeting 1 start · assistant/);
    await page.evaluate('document.activeElement.blur()');
    expect(await litLabels(page)).toEqual(collection);
    await page.keyboard.press('Escape');
    expect(await litLabels(page)).toEqual([]);
    expect(page.faults).toEqual([]);
  });

  it('fits pictures to its width, and a text leads to its shape', async () => {
    const page = await openPage('wide', { viewport: { width: 390, height: 500 } });
    const box = `document.querySelector('.picture-squad').parentElement`;
    expect(await page.evaluate(`${box}.scrollWidth - ${box}.clientWidth`)).toBe(0);
    await page.locator('.member h3 a', { hasText: 'topic 7' }).click();
    expect(await litLabels(page)).toContain('topic 7 (assistant)');
    await expect.poll(() => page.evaluate('scrollY')).toBeLessThan(2000);
  });

  it('can be read without JavaScript, and on paper with everything open', async () => {
    const page = await openPage('cycle', { javaScriptEnabled: false, colorScheme: 'dark' });
    const question = page.locator('fieldset.question');
    expect(await question.textContent()).toContain('Make them one assistant');
    expect(await page.locator('button:visible').count()).toBe(0);
    const evidence = page.locator('.checklist .evidence li');
    const visible = page.locator('.checklist .evidence li:visible');
    expect(await visible.count()).toBeLessThan(await evidence.count());
    await page.emulateMedia({ media: 'print' });
    expect(await visible.count()).toBe(await evidence.count());
    const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(ground).toBe('rgb(255, 255, 255)');
  });

  it('is accessible at both widths, in light and dark', async () =>
    expectUsable(await openPage('endpoint')));

  it('shows a hostile workflow as text, which can be answered; nothing of it runs', async () => {
    const page = await openPage('hostile');
    expect(await page.locator('script').count()).toBe(4);
    const loading = 'img, iframe, object, embed, link, base, style ~ style';
    expect(await page.locator(loading).count()).toBe(0);
    for (const shape of await page.locator('.canvas g.node').all()) {
      await shape.dispatchEvent('pointerover');
    }
    await page.locator('#accept-proposals').click();
    const answered = Object.keys(answersIn(await download(page, 'answers.json'), 'hostile'));
    expect(answered.length).toBeGreaterThan(0);
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(page.faults).toEqual([]);
  });
});

const answersIn = (text: string, name: string): Record<string, object> =>
  JSON.parse(text).workflows[keyOf(name)].answers;

describe.skipIf(noBrowser)('the form of open questions', () => {
  it('compiles at once when a question is answered, and offers the files of squadc migrate', async () => {
    const page = await openPage('cycle', { permissions: ['clipboard-read', 'clipboard-write'] });
    const result = results.get('cycle')!;
    const { id, subject } = result.questions[0]!;
    await page.locator('#accept-proposals').click();
    expect(await status(page)).toMatch(/^Complete and verified/);
    expect(await page.locator('figcaption').allTextContents()).toEqual(['Workflow', 'Squad']);
    const name = `${result.key}.answers.json`;
    const text = await download(page, name);
    expect(answersIn(text, 'cycle')).toEqual({ [id]: { choice: 'consolidate', subject } });
    expect(readRunAnswers([{ name, text }], []).diagnostics).toEqual([]);
    await page.locator('[data-copy="command"]').click();
    await expect.poll(() => status(page)).toBe('Copied.');
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`--answers ${name}`);
    const answers = { answers: { [id]: { choice: 'consolidate' } } };
    const { output } = compile(result.workflow, { answers });
    expect(JSON.parse(await download(page, 'squad.json'))).toEqual(output);
    expect(await download(page, 'findings.md')).toContain('\n## Findings\n');
    // Taken back, it is asked again, and answered with groups of stages.
    await page.locator('[data-take-back]').click();
    await page.getByLabel(/^\s*Choose which stages/).check();
    await page.getByLabel('collect', { exact: true }).selectOption('group 1');
    await page.getByLabel('confirm', { exact: true }).selectOption('group 1');
    await page.locator('[data-answer]').click();
    const [answer] = Object.values(answersIn(await download(page, 'answers.json'), 'cycle'));
    expect(answer).toMatchObject({ choice: 'group', value: [['collect', 'confirm']] });
    expect(page.faults).toEqual([]);
  });

  it('asks for the values of a choice, and shows errors beside their field', async () => {
    const page = await openPage('endpoint');
    const question = page.locator('fieldset.question').first();
    const field = (label: string) => question.getByLabel(new RegExp(`^\\s*${label}`));
    const expectFault = async (fault: string) => {
      await question.locator('[data-answer]').click();
      expect(await question.locator('.fault').textContent()).toContain(fault);
    };
    await expectFault('Choose one.');
    await field('Give the address').check();
    await expectFault('value must have “url”');
    await field('url').fill('https://example.test/{{bill_id}}');
    await field('method').selectOption('GET');
    await field('timeoutSeconds').fill('900');
    await expectFault('timeoutSeconds must be at most 300');
    await field('body').fill('{"type": ');
    await expectFault('This is not JSON.');
    expect(await status(page)).toMatch(/^2 questions open/);
    await field('timeoutSeconds').fill('30');
    await field('body').fill('{"type": "object"}');
    await question.locator('[data-answer]').click();
    expect(await status(page)).toMatch(/^1 question open/);
    const url = 'https://example.test/{{bill_id}}';
    const value = { url, method: 'GET', timeoutSeconds: 30, body: { type: 'object' } };
    const [answer] = Object.values(answersIn(await download(page, 'answers.json'), 'endpoint'));
    expect(answer).toMatchObject({ choice: 'request', value });
    expect(page.faults).toEqual([]);
  });
});

describe.skipIf(noBrowser)('the summary', () => {
  /** Every tenth needs answers. */
  const clinics = Array.from({ length: 30 }, (_, index) => {
    const isOpen = index % 10 === 0;
    const minutes = 5 * (1 + ((index * 7) % 11));
    return rowWith({
      ...{ name: `Clinic ${index}`, source: 'fleet.jsonl', line: index + 1 },
      ...(isOpen && { status: 'needs-answers', questions: { 'cyclic-stages': 2 } }),
      assessment: { level: isOpen ? 'B' : 'A', size: 1, minutes, automatic: 1, manual: 0 },
    });
  });
  const hostile = hostileTexts.map((name) => rowWith({ name, source: name }));

  it('filters by words, status and level, and sorts by a column: up, down, then by need', async () => {
    await putSummary(join(folder, 'fleet'), [...clinics, ...hostile]);
    await squadc('report fleet --no-pages');
    const page = await open(join(folder, 'fleet/summary.html'));
    const all = clinics.length + hostile.length;
    const rows = page.locator('#fleet tbody tr:visible');
    const select = (label: string, value: string) => page.getByLabel(label).selectOption(value);
    const search = (text: string) => page.getByLabel('Find').fill(text);
    for (const [filter, count] of [
      [() => search('clinic 29 fleet.jsonl:30'), 1],
      [() => search('cyclic-stages'), 3],
      [() => select('Status', 'invalid'), 0],
      [() => select('Status', 'any'), 3],
      [() => search(''), all],
      [() => select('Level', 'B'), 3],
      [() => select('Level', 'any'), all],
      [() => search('<script>'), 1],
      [() => search('fleet.jsonl'), 30],
    ] as const) {
      await filter();
      expect(await page.textContent('#shown')).toBe(`${count} of ${all} workflows shown.`);
      expect(await rows.count()).toBe(count);
    }
    const minutes = page.getByRole('button', { name: 'Minutes' });
    const head = page.locator('th', { has: minutes });
    for (const [order, ...names] of [
      ['ascending', 'Clinic 0', 'Clinic 11', 'Clinic 22'],
      ['descending', 'Clinic 3', 'Clinic 14', 'Clinic 25'],
      ['none', 'Clinic 20', 'Clinic 10', 'Clinic 0'],
    ]) {
      await minutes.click();
      expect(await head.getAttribute('aria-sort')).toBe(order);
      expect((await rows.locator('th').allTextContents()).slice(0, 3)).toEqual(names);
    }
    expect(await page.locator('script').count()).toBe(2);
    expect(await page.locator('img').count()).toBe(0);
    await expectUsable(page);
    // On a phone the status stands beside the name, and the source has no room.
    const badge = await rows.first().locator('.badge').first().boundingBox();
    expect(badge!.x + badge!.width).toBeLessThan(390);
    expect(await page.getByText('fleet.jsonl:1', { exact: true }).isVisible()).toBe(false);
  });
});

/** Golden cases, and the three workflows of a corpus that ask the most. */
function workflowsToAnswer(): (readonly [name: string, text: string])[] {
  const goldens = ['missing-endpoint-open', 'conflicting-settings-open', 'vapi-export'];
  const own = goldens.map((name) => [name, goldenText(name)] as const);
  const corpus = process.env['SQUADC_CORPUS'];
  if (corpus === undefined) return own;
  const all = globSync('*.json', { cwd: corpus }).flatMap((name) => {
    const text = readFileSync(join(corpus, name), 'utf8');
    const { status, questions } = compile(readWorkflow(text).workflow);
    return status === 'invalid' ? [] : [{ name, text, count: questions.length }];
  });
  const most = all.sort((a, b) => b.count - a.count).slice(0, 3);
  return [...own, ...most.map(({ name, text }) => [name, text] as const)];
}

const playground = 'dist/playground.html';

async function paste(page: OpenPage, text: string): Promise<void> {
  await page.fill('#workflow', '');
  await expect.poll(() => status(page)).toBe('');
  await page.fill('#workflow', text);
  await expect.poll(() => status(page)).not.toBe('');
}

/** Answers all questions: by the proposal, else by the first choice, a request or a number. */
async function answerAll(page: OpenPage): Promise<void> {
  for (let asked = 0; (await page.locator('fieldset.question').count()) > 0; asked += 1) {
    expect(asked).toBeLessThan(9);
    const question = page.locator('fieldset.question').first();
    if ((await question.locator('input[value="request"]').count()) > 0) {
      await question.locator('input[value="request"]').check();
      const fields = question.locator('[data-value="request"]');
      await fields.getByLabel(/^\s*url/).fill('https://api.example.com/slots');
      await fields.getByLabel(/^\s*method/).selectOption({ label: 'GET' });
    } else if ((await question.locator('input[value="number"]').count()) > 0) {
      await question.locator('input[value="number"]').check();
      await question.locator('[data-value="number"] input').first().fill('+12025550123');
    } else if ((await question.locator('input:checked').count()) === 0) {
      await question.locator('input').first().check();
    }
    await question.locator('[data-answer]').click();
  }
}

it('squadc playground writes the page, or prints its address; it is under 450 kB compressed', async () => {
  const page = readFileSync(playground, 'utf8');
  expect((await squadc('playground -o page.html')).exitCode).toBe(0);
  expect(read('page.html')).toBe(page);
  const { out } = await squadc('playground');
  expect(readFileSync(new URL(out.trim()), 'utf8')).toBe(page);
  expect(gzipSync(page).length).toBeLessThan(450_000);
});

describe.skipIf(noBrowser)('the playground', () => {
  it('makes the same squads as the command', async () => {
    const page = await open(playground);
    for (const [name, text] of workflowsToAnswer()) {
      await paste(page, text);
      await answerAll(page);
      expect(await status(page), name).toMatch(/^Complete and verified/);
      put('workflow.json', text);
      const isAnswered = (await page.locator('#answers').count()) > 0;
      put('answers.json', isAnswered ? await download(page, 'answers.json') : {});
      const { exitCode, out } = await squadc('compile workflow.json --answers answers.json');
      expect([exitCode, await download(page, 'squad.json')]).toEqual([0, out]);
      const taken = page.locator('[data-take-back]');
      while ((await taken.count()) > 0) await taken.first().click();
    }
    expect(page.faults).toEqual([]);
  });

  it('walks every edge of the worked pattern', async () => {
    const page = await open(playground);
    await page.selectOption('#example', { label: 'A clinic: one question, two branches' });
    await page.click('[data-begin]');
    for (const [branch, prompt] of ['Help «full_name» to find a free appointment', ''].entries()) {
      for (const choice of [0, branch, 0]) await page.click(`[data-choice="${choice}"]`);
      const text = await page.innerText('#call');
      const name = ['booking', 'payment'][branch];
      for (const part of [`${name}, carries full_name`, prompt, 'The call has ended.']) {
        expect(text).toContain(part);
      }
      for (let step = 0; step < 3; step += 1) await page.click('[data-back]');
    }
    await page.locator('#values summary').click();
    await page.fill('[data-variable="full_name"]', 'Ada');
    await page.press('[data-variable="full_name"]', 'Tab');
    for (const choice of [0, 0]) await page.click(`[data-choice="${choice}"]`);
    expect(await page.innerText('.prompt')).toContain('Help Ada to find');
    expect(await page.innerText('.prompt + .facts')).toMatch(/full_name\s+Ada/);
    expect(page.faults).toEqual([]);
  });

  it('is accessible with any texts', async () => {
    const page = await open(playground, { viewport: { width: 390, height: 844 } });
    for (const text of [JSON.stringify(hostileWorkflow), '[1, 2', goldenText('cycle-open')]) {
      await paste(page, text);
      await expectNoSidewaysScroll(page);
    }
    await expectUsable(page);
  });
});

it.skipIf(noBrowser)('what is injected into a page neither runs nor loads', async () => {
  const address = 'http://127.0.0.1:9/';
  const body = html`${trusted('<script>document.title = "ran"</script>')}
    ${trusted(`<img src="${address}" onerror="document.title = 1"><iframe src="${address}"></iframe>`)}
    ${trusted('<style>body { display: none }</style>')}`;
  const script = { text: 'window.own = true;' };
  put('page.html', renderDocument({ title: 'still', style: 'b{color:red}', script, body }));
  const page = await open(join(folder, 'page.html'));
  expect(await page.title()).toBe('still');
  expect(await page.evaluate('getComputedStyle(document.body).display')).toBe('block');
  expect(await page.evaluate('window.own')).toBe(true);
  // The script, the handler, the style, the image and the frame.
  const blocked = page.faults.filter((fault) => fault.includes('Content Security Policy'));
  expect(blocked).toHaveLength(5);
});
