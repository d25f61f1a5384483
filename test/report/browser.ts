/**
 * Chromium for the tests of pages: the one that SQUADC_CHROMIUM names, else that of the system.
 * Without one these tests are skipped, and say so.
 */
import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';

const candidates = [process.env['SQUADC_CHROMIUM'] ?? '', '/usr/bin/chromium'];
export const executablePath = candidates.find((path) => path !== '' && existsSync(path));

export const noBrowser = executablePath === undefined;
if (noBrowser) {
  console.warn('No Chromium (SQUADC_CHROMIUM or /usr/bin/chromium): its tests are skipped.');
}

export interface OpenPage extends Page {
  /** What must not happen: errors, messages on the console, requests, dialogs. */
  readonly faults: string[];
}

/** A browser for all tests of a file; pages are closed with it. */
export function useBrowser() {
  let browser: Browser | null = null;
  beforeAll(async () => {
    if (executablePath === undefined) return;
    // Chromium refuses to run as root inside its sandbox.
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    browser = await chromium.launch({ executablePath, args });
  });
  afterAll(async () => browser?.close(), 60_000);
  /** Opens a file. */
  return async (path: string, options: BrowserContextOptions = {}): Promise<OpenPage> => {
    const viewport = { width: 1280, height: 900 };
    const context = await browser!.newContext({ viewport, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    const faults: string[] = [];
    page.on('console', (message) => faults.push(`console ${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
    page.on('dialog', async (dialog) => {
      faults.push(`dialog: ${dialog.message()}`);
      await dialog.dismiss();
    });
    const address = pathToFileURL(path).href;
    const scripts = ['squadc.js', '../squadc.js'].map((each) => new URL(each, address).href);
    page.on('request', (request) => {
      const [url = ''] = request.url().split('#');
      const isOwn = [address, ...scripts].includes(url) || url.startsWith('blob:');
      if (!isOwn) faults.push(`request: ${url}`);
    });
    await page.goto(address);
    // The page adds its script, which then shows what needs it.
    if (options.javaScriptEnabled !== false) {
      await page.locator('.scripted[hidden]').first().waitFor({ state: 'detached' });
    }
    return Object.assign(page, { faults });
  };
}

/** The text of a file that a button offers. */
export async function download(page: Page, name: string): Promise<string> {
  const [started] = await Promise.all([
    page.waitForEvent('download'),
    page.click(`[data-file$="${name}"]`),
  ]);
  expect(started.suggestedFilename()).toMatch(new RegExp(`${name}$`));
  return readFileSync(await started.path(), 'utf8');
}

/** The page is no wider than the window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const root = 'document.documentElement';
  const over = await page.evaluate(`${root}.scrollWidth - ${root}.clientWidth`);
  expect(over).toBeLessThanOrEqual(0);
}

/** At both widths, light and dark: nothing that axe calls serious, no sideways scroll, no fault. */
export async function expectUsable(page: OpenPage): Promise<void> {
  await page.evaluate(readFileSync('node_modules/axe-core/axe.min.js', 'utf8'));
  const grounds = new Set<unknown>();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    grounds.add(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await expectNoSidewaysScroll(page);
      const found = await page.evaluate(`axe.run(document, {
        resultTypes: ['violations'],
        rules: { 'label-content-name-mismatch': { enabled: true } },
      }).then(({ violations }) => violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 200)))`);
      expect([...(found as string[]), ...page.faults]).toEqual([]);
    }
  }
  expect(grounds.size).toBe(2);
}
