/**
 * What a page holds: the text, the answers and the squad. Only an answer changes them, they survive a
 * reload, and a page that squadc wrote has tokens in the place of secrets.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { migrate, rowsOf } from '../batch/migrating.js';
import { temporaryFolder } from '../cli/fake-io.js';
import { runs, seed } from '../seed.js';
import { download, noBrowser, type OpenPage, useBrowser } from './browser.js';
import { goldenText } from './example-run.js';

const { folder, put } = temporaryFolder();
const open = useBrowser();
const playground = 'dist/playground.html';
const permissions = ['clipboard-read', 'clipboard-write'];
const secrets = ['sk-live-0123456789', 'pass-0123456789'];

/** A desk that stores orders; {{guest}} is asked about, and `success` is a field of the response. */
const desk = JSON.stringify({
  name: 'Orders',
  nodes: [
    { name: 'hello', type: 'conversation', isStart: true, prompt: 'Ask {{guest}} for the order.' },
    {
      ...{ name: 'store', type: 'apiRequest', method: 'POST', body: { order: '{{order}}' } },
      url: `https://desk:${secrets[1]}@api.example.com/orders?key=orders&page=1`,
      headers: { Authorization: `Bearer ${secrets[0]}` },
      output: [{ key: 'success', target: 'order_success', type: 'boolean' }],
    },
    { name: 'bye', type: 'conversation', prompt: `Say “stored successfully”, not ${secrets[0]}.` },
  ],
  edges: [
    { from: 'hello', to: 'store' },
    { from: 'store', to: 'bye' },
  ],
});
const sources = {
  desk,
  pattern: goldenText('worked-pattern'),
  cycle: goldenText('cycle-open'),
};
const reports = new Map<string, string>();

beforeAll(async () => {
  for (const [name, text] of Object.entries(sources)) put(`in/${name}.json`, text);
  await migrate(['in', '-o', 'out'], { cwd: folder });
  for (const { source, key } of rowsOf(join(folder, 'out'))) {
    reports.set(source.replace(/.*\/|\.json$/g, ''), join(folder, 'out', key, 'report.html'));
  }
}, 60_000);

const status = (page: OpenPage) => page.locator('#status').textContent();
const squadButton = (page: OpenPage) => page.locator('[data-file="squad.json"]');

async function pasted(text: string): Promise<OpenPage> {
  const page = await open(playground, { permissions });
  await page.fill('#workflow', text);
  await expect.poll(() => status(page)).not.toBe('');
  return page;
}

/** Answers the first question: by the proposal, else by the first choice. */
async function answer(page: OpenPage): Promise<void> {
  const question = page.locator('fieldset.question').first();
  if ((await question.count()) === 0) return;
  if ((await question.locator('input:checked').count()) === 0) {
    await question.locator('input').first().check();
  }
  await question.locator('[data-answer]').click();
}

/** Presses buttons in the page, and tells what it holds before and after; files are not saved. */
const pressing = `
  let taken = [];
  URL.createObjectURL = (blob) => (taken.push(blob), 'blob:none');
  HTMLAnchorElement.prototype.click = () => {};
  const held = async () => {
    taken = [];
    for (const each of document.querySelectorAll('[data-file$=".json"]')) each.click();
    const files = await Promise.all(taken.map((blob) => blob.text()));
    return [document.querySelector('#workflow')?.value, location.href, ...files];
  };
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const isOther = (each) => each.offsetParent && !each.matches('[data-answer], [data-accept], [data-take-back]');
  window.press = async (picks) => {
    const before = await held();
    for (const pick of picks) {
      const buttons = [...document.querySelectorAll('button')].filter(isOther);
      buttons[pick % buttons.length].click();
      await pause(2);
    }
    await pause(40);
    return [before, await held()];
  };`;

async function expectSteady(page: OpenPage): Promise<void> {
  await page.evaluate(pressing);
  const picks = fc.array(fc.nat(1000), { minLength: 1, maxLength: 15 });
  const steady = fc.asyncProperty(picks, async (each) => {
    const [before, after] = (await page.evaluate(`press(${JSON.stringify(each)})`)) as string[][];
    expect(after).toEqual(before);
  });
  await fc.assert(steady, { seed, numRuns: runs(4) });
}

describe.skipIf(noBrowser).each(Object.keys(sources))('of the workflow %s', (name) => {
  const text = sources[name as keyof typeof sources];
  it('no button but those that answer changes the text, the answers or the squad', async () => {
    for (const page of [await pasted(text), await open(reports.get(name)!, { permissions })]) {
      await expectSteady(page);
      await page.reload();
      await answer(page);
      await expectSteady(page);
      expect(page.faults.filter((fault) => !fault.includes('blob:none'))).toEqual([]);
    }
  });

  it('a report has pictures, can be answered, and keeps its answers', async () => {
    const page = await open(reports.get(name)!);
    expect(await page.locator('.canvas svg').count()).toBe(2);
    const asked = await page.locator('fieldset.question').count();
    await answer(page);
    expect(await page.locator('.canvas svg').count()).toBe(2);
    const left = await page.locator('fieldset.question').count();
    expect(left).toBeLessThan(Math.max(asked, 1));
    await page.reload();
    await expect.poll(() => page.locator('fieldset.question').count()).toBe(left);
    expect(await page.locator('#answers li').count()).toBe(Math.min(asked, 1));
    expect(page.faults).toEqual([]);
  });
});

const typo = '{ "name": "Broken",\n  "nodes": [ { "id": "a" }, ], "edges": [] ';
const foreign = '{"name":"Odd","nodes":[{"id":"a","type":"fax"}],"edges":[]}';
it.skipIf(noBrowser).each([
  [
    'no JSON',
    typo,
    /^Invalid, line 2: The text is not JSON: .*\. \d errors?, below under Findings\.$/,
  ],
  [
    'TypeScript',
    "const flow = { name: 'x' };",
    /^Invalid, line 1: The text is not JSON: it is an? .*TypeScript/,
  ],
  ['an unknown node', foreign, /^Invalid, line 1: “fax” is not a node type\. 1 error, below/],
])('the line at the editor says what is wrong with %s, and where', async (_, text, said) => {
  expect(await status(await pasted(text))).toMatch(said);
});

describe.skipIf(noBrowser)('secrets', () => {
  it('are not in a report, which says so and gives no squad', async () => {
    const page = await open(reports.get('desk')!);
    const file = readFileSync(reports.get('desk')!, 'utf8');
    for (const secret of secrets) expect(file).not.toContain(secret);
    expect(await page.locator('.tokens').count()).toBe(1);
    for (let turn = 0; turn < 9; turn += 1) await answer(page);
    expect(await status(page)).toMatch(/^Complete and verified/);
    expect(await squadButton(page).count()).toBe(0);
    expect(await page.innerText('main')).not.toContain('squadc-secret');
    await page.click('[data-begin]');
    await page.click('[data-choice="0"]');
    expect(await page.innerText('#call')).toContain('Bearer ••••');
    expect(await page.innerText('#call')).not.toContain('squadc-secret');
  });

  it('stay in the text and the squad of who pasted them, and a link has tokens', async () => {
    const page = await pasted(desk);
    await page.selectOption('#target', 'squad');
    for (let turn = 0; turn < 9; turn += 1) await answer(page);
    const squad = await download(page, 'squad.json');
    for (const secret of [...secrets, '"orders_']) {
      expect(squad.includes(secret)).toBe(secrets.includes(secret));
      expect(await page.innerText('#outcome')).not.toContain(secret);
    }
    await page.click('[data-copy="link"]');
    await expect.poll(() => status(page)).toBe('Copied.');
    const { hash } = new URL(String(await page.evaluate('navigator.clipboard.readText()')));
    // The same after a reload, and nothing of it in the address.
    expect(page.url()).not.toContain('#');
    await page.reload();
    await expect.poll(() => status(page)).toMatch(/^Complete and verified/);
    expect(await page.inputValue('#workflow')).toBe(desk);
    expect(await page.inputValue('#target')).toBe('squad');
    expect(await download(page, 'squad.json')).toBe(squad);
    const other = await open(playground);
    await other.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    await expect.poll(() => status(other)).toMatch(/^Complete and verified/);
    expect(await other.locator('.tokens').count()).toBe(1);
    expect(await squadButton(other).count()).toBe(0);
    // With the secrets put back, the squad is that of the sender.
    let filled = await other.inputValue('#workflow');
    for (const secret of secrets) expect(filled).not.toContain(secret);
    const tokens = [...new Set(filled.match(/squadc-secret-\d/g))].sort();
    expect(tokens).toHaveLength(4);
    for (const [at, token] of tokens.entries()) {
      filled = filled.replaceAll(token, ['desk', secrets[1]!, 'orders', secrets[0]!][at]!);
    }
    await other.fill('#workflow', filled);
    await expect.poll(() => squadButton(other).count()).toBe(1);
    expect(await download(other, 'squad.json')).toBe(squad);
    expect([...page.faults, ...other.faults]).toEqual([]);
  });

  it('a link that was damaged or changed says so, and changes nothing', async () => {
    const page = await pasted(desk);
    await page.click('[data-copy="link"]');
    await expect.poll(() => status(page)).toBe('Copied.');
    const { hash } = new URL(String(await page.evaluate('navigator.clipboard.readText()')));
    const middle = hash.length >> 1;
    const changed = hash[middle] === 'a' ? 'b' : 'a';
    for (const wrong of [
      hash.slice(0, -9),
      `${hash.slice(0, middle)}${changed}${hash.slice(middle + 1)}`,
      '#w1.damaged',
    ]) {
      await page.evaluate(`location.hash = ${JSON.stringify(wrong)}`);
      await expect.poll(() => status(page)).toMatch(/^This link was damaged/);
      expect(await page.inputValue('#workflow')).toBe(desk);
      await page.evaluate("location.hash = ''; document.querySelector('#status').textContent = ''");
    }
    await page.selectOption('#example', { index: 1 });
    expect(await status(page)).toMatch(/^An example would replace/);
    expect(await page.inputValue('#workflow')).toBe(desk);
    expect(page.faults).toEqual([]);
  });
});
