/** The pages of a run: which files are written, and the summary in a browser. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { WorkflowRow } from '../../src/report/model.js';
import { NotASummary } from '../../src/report/read-summary.js';
import { temporaryFolder } from '../cli/fake-io.js';
import { expectUsable, noBrowser, type OpenPage, useBrowser } from './browser.js';
import { goldenText, hostileTexts, putPages, putRun, putSummary, rowWith } from './example-run.js';

const golden = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, goldenText(name)]));

const failed = rowWith({
  ...{ key: 'gone-0badcafe', folder: 'gone-0badcafe', status: 'failed' },
  failure: { code: 'batch/vanished', message: 'it is gone' },
});

describe('the files of a report', () => {
  it('are a page for each result, one for all and a script, the same each time', async () => {
    const { folder } = temporaryFolder();
    const made = await putRun(folder, golden('worked-pattern', 'cycle-open'), [failed]);
    const keys = made.map(({ result }) => result.key);
    const { written, report } = await putPages(folder);
    const pages = keys.map((key) => `${key}/report.html`);
    expect([...written.keys()]).toEqual([...pages, 'squadc.js', 'summary.html']);
    expect(report).toEqual({ workflows: 3, pages: 2, foreign: [], unread: [] });
    expect(written.get(pages[0]!)).toContain('href="../summary.html"');
    expect(written.get(pages[1]!)).toContain('Squad (draft)');
    expect((await putPages(folder)).written).toEqual(written);
    const all = [...written.values()].join('');
    expect(all).not.toContain(folder);
    expect(all).not.toContain(process.cwd());
    expect(all).not.toMatch(/\b\d{4}-\d\d-\d\dT\d\d:/);
    const { report: blocked } = await putPages(folder, 'all', 'foreign');
    expect(blocked.foreign).toEqual([...pages, 'squadc.js', 'summary.html']);
  });

  it('link the result if there is no page, and nothing if there is neither', async () => {
    const { folder } = temporaryFolder();
    const [pattern] = await putRun(folder, golden('worked-pattern'), [failed]);
    const { written } = await putPages(folder, 'none');
    expect([...written.keys()]).toEqual(['squadc.js', 'summary.html']);
    expect(written.get('summary.html')).toContain(`href="./${pattern!.result.key}/result.json"`);
    expect(written.get('summary.html')).not.toContain('./gone-0badcafe');
  });

  it('leave out results that cannot be read, which are named', async () => {
    const { folder } = temporaryFolder();
    const names = ['worked-pattern', 'cycle-open', 'guard', 'plain-chain'];
    const made = await putRun(folder, golden(...names));
    const [pattern, cycle, guard] = made.map(({ result }) => result.key);
    rmSync(join(folder, pattern!, 'squad.json'));
    writeFileSync(join(folder, cycle!, 'result.json'), '{"half": ');
    writeFileSync(join(folder, guard!, 'result.json'), '{"key": "other"}');
    const { report } = await putPages(folder);
    expect(report.pages).toBe(1);
    expect(report.unread).toEqual([
      { key: pattern, reason: 'squad.json cannot be read' },
      { key: cycle, reason: 'result.json cannot be read' },
      { key: guard, reason: 'result.json was not written by squadc' },
    ]);
  });

  it('have no secrets, though the squad has them', async () => {
    const { folder } = temporaryFolder();
    const secret = 'sk-live-0123456789abcdef';
    const talk = { id: 'talk', type: 'conversation', systemPrompt: `Never say ${secret}.` };
    const request = { type: 'apiRequest', url: 'https://example.test', method: 'GET' };
    const ask = { id: 'ask', ...request, headers: { Authorization: secret } };
    const workflow = { name: 'S', nodes: [talk, ask], edges: [{ from: 'talk', to: 'ask' }] };
    const [example] = await putRun(folder, { s: JSON.stringify(workflow) });
    expect(example?.result.status).toBe('complete');
    expect(JSON.stringify(example?.squad)).toContain(secret);
    const pages = [...(await putPages(folder)).written.values()];
    expect(pages[0]).toContain('Never say ••••.');
    expect(pages.join('\n')).not.toContain(secret);
  });

  it('are read and written nowhere else, and only for a summary of ours', async () => {
    const { folder, put } = temporaryFolder();
    for (const other of ['..', '../elsewhere', 'a/../..', '/etc', '', 'A b', 'ab/c/d']) {
      await putSummary(folder, [rowWith({ folder: other })]);
      await expect(putPages(folder)).rejects.toThrow(NotASummary);
    }
    for (const text of ['{"other": 1}', '{"squadc":"0.1.0","workflows":[]}', 'null']) {
      put('summary.json', text);
      await expect(putPages(folder)).rejects.toThrow(NotASummary);
    }
  });
});

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
  const { folder } = temporaryFolder();
  const browser = useBrowser();
  const pathOf = (name: string) => join(folder, name, 'summary.html');
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
      await putSummary(join(folder, name), fleet);
      await putPages(join(folder, name));
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
