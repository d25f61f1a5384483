/** The page of a run in a browser. */
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { WorkflowRow } from '../../src/report/model.js';
import { temporaryFolder } from '../cli/fake-io.js';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  noBrowser,
  type OpenPage,
  useBrowser,
} from './browser.js';
import { putPages, putSummary } from './example-run.js';
import { hostileTexts, rowWith } from './rows.js';

const { folder } = temporaryFolder();
const { open } = useBrowser();

/** A run of so many workflows; every tenth needs answers, every hundredth work. */
async function putFleet(name: string, amount: number): Promise<string> {
  const out = join(folder, name);
  const rows = Array.from({ length: amount }, (_, index) => fleetRow(index));
  await putSummary(out, rows);
  await putPages(out);
  return join(out, 'summary.html');
}

function fleetRow(index: number): WorkflowRow {
  const key = `clinic-${index.toString(16).padStart(8, '0')}`;
  const minutes = 5 * (1 + ((index * 7) % 11));
  const common = {
    index,
    key,
    folder: key,
    source: 'fleet.jsonl',
    line: index + 1,
    name: `Clinic ${index}`,
  };
  const facts = { size: 1, minutes, automatic: 1, manual: 0 } as const;
  if (index % 100 === 0) {
    return rowWith({
      ...common,
      status: 'invalid',
      errors: 2,
      assessment: { ...facts, level: 'C' },
    });
  }
  if (index % 10 === 0) {
    const questions = { 'missing-auth': 1, 'cyclic-stages': 2 };
    return rowWith({
      ...common,
      status: 'needs-answers',
      questions,
      assessment: { ...facts, level: 'B' },
    });
  }
  return rowWith({ ...common, assessment: { ...facts, level: 'A' } });
}

const files: Record<'small' | 'large' | 'hostile', string> = { small: '', large: '', hostile: '' };

beforeAll(async () => {
  files.small = await putFleet('small', 300);
  files.large = await putFleet('large', 60_001);
  const out = join(folder, 'hostile');
  const rows = hostileTexts.map((name, index) => {
    const key = `w-${index.toString(16).padStart(8, '0')}`;
    return rowWith({ index, key, folder: key, name, source: name });
  });
  await putSummary(out, rows);
  await putPages(out);
  files.hostile = join(out, 'summary.html');
}, 60_000);

const shown = (page: OpenPage) => page.locator('#shown').textContent();
const names = async (page: OpenPage) =>
  (await page.locator('#fleet tbody th').allTextContents()).slice(0, 3);

describe.skipIf(noBrowser)('the page of a run', () => {
  it('filters by words, status and level', async () => {
    const page = await open(files.small);
    await page.getByLabel('Find').fill('clinic 29 fleet.jsonl:30');
    expect(await shown(page)).toBe('2 of 300 workflows shown.');
    await page.getByLabel('Find').fill('cyclic-stages');
    expect(await shown(page)).toBe('27 of 300 workflows shown.');
    await page.getByLabel('Status').selectOption('invalid');
    expect(await shown(page)).toBe('0 of 300 workflows shown.');
    await page.getByLabel('Find').fill('');
    expect(await shown(page)).toBe('3 of 300 workflows shown.');
    await page.getByLabel('Status').selectOption('any');
    await page.getByLabel('Level').selectOption('B');
    expect(await shown(page)).toBe('27 of 300 workflows shown.');
  });

  it('sorts by its columns, and says so', async () => {
    const page = await open(files.small);
    const minutes = page.getByRole('button', { name: 'Minutes' });
    const head = page.locator('th', { has: minutes });
    expect(await head.getAttribute('aria-sort')).toBe('none');
    await minutes.click();
    expect(await head.getAttribute('aria-sort')).toBe('ascending');
    expect(await names(page)).toEqual(['Clinic 0', 'Clinic 110', 'Clinic 220']);
    await minutes.click();
    expect(await head.getAttribute('aria-sort')).toBe('descending');
    expect(await names(page)).toEqual(['Clinic 80', 'Clinic 190', 'Clinic 3']);
    await minutes.click();
    // As the page has them: what needs a person first, and of that the most work.
    expect(await names(page)).toEqual(['Clinic 100', 'Clinic 200', 'Clinic 0']);
  });

  it('prints the rows that are shown', async () => {
    const page = await open(files.small);
    await page.getByLabel('Level').selectOption('B');
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('#fleet tbody tr:visible').count()).toBe(27);
    expect(page.faults).toEqual([]);
  });

  it('shows of a large run those that need a person, the gravest first, and says so', async () => {
    const page = await open(files.large);
    const text = await page.locator('main').textContent();
    expect(text).toContain('Workflows that need attention');
    expect(text?.replace(/\s+/g, ' ')).toContain(
      '6,001 of 60,001 workflows need attention. The 5,000 most urgent are listed here;',
    );
    expect(await shown(page)).toBe('5000 of 5000 workflows shown.');
    expect(await page.locator('#fleet tbody tr').first().locator('td').nth(1).textContent()).toBe(
      'invalid',
    );
    expect(await page.locator('main a[href="./summary.csv"]').count()).toBe(1);
    expect(page.faults).toEqual([]);
  });

  it('has the totals and all rows without JavaScript', async () => {
    const page = await open(files.small, { javaScriptEnabled: false });
    expect(await page.locator('h1').textContent()).toBe('Migration of 300 workflows');
    expect(await page.locator('#fleet tbody tr').count()).toBe(300);
    expect(await page.locator('body').textContent()).toContain('27');
    expect(await page.locator('.filters:visible').count()).toBe(0);
  });

  it('can be used by everybody', async () => {
    for (const width of [1280, 390]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await open(files.small, { colorScheme, viewport: { width, height: 844 } });
        await expectNoSidewaysScroll(page);
        await expectAccessible(page);
      }
    }
  });

  it('shows the status beside the name on a telephone, and the source where there is room', async () => {
    const source = (page: OpenPage) => page.getByText('fleet.jsonl:1', { exact: true });
    const narrow = await open(files.small, { viewport: { width: 390, height: 844 } });
    const status = await narrow.locator('#fleet tbody .badge').first().boundingBox();
    expect(status!.x + status!.width).toBeLessThan(390);
    expect(await source(narrow).isVisible()).toBe(false);
    expect(await source(await open(files.small)).isVisible()).toBe(true);
  });

  it('shows hostile names as text', async () => {
    const page = await open(files.hostile);
    expect(await page.locator('#fleet tbody tr').count()).toBeGreaterThan(10);
    expect(await page.locator('script').count()).toBe(2);
    expect(await page.locator('img').count()).toBe(0);
    await page.getByLabel('Find').fill('<script>');
    expect(await shown(page)).toBe(`1 of ${hostileTexts.length} workflows shown.`);
    expect(await page.locator('#fleet tbody tr:visible th').textContent()).toBe(
      '<script>alert(1)</script>',
    );
    expect(page.faults).toEqual([]);
  });
});
