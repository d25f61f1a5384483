/**
 * Chromium for tests of pages: the one that SQUADC_CHROMIUM names, else that of the system. Without
 * one these tests are skipped, and say so.
 */
import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';

/** Where Chromium is. */
const candidates = [process.env['SQUADC_CHROMIUM'] ?? '', '/usr/bin/chromium'];
export const executablePath = candidates.find((path) => path !== '' && existsSync(path));

/** Whether there is none. */
export const noBrowser = executablePath === undefined;

if (noBrowser) {
  console.warn('No Chromium (SQUADC_CHROMIUM or /usr/bin/chromium): its tests are skipped.');
}

export interface OpenPage extends Page {
  /** What must not have happened: errors, messages of the console, requests, dialogs. */
  readonly faults: string[];
}

export interface UsedBrowser {
  /** Opens a file; the page is closed with the browser. */
  open(path: string, options?: BrowserContextOptions): Promise<OpenPage>;
}

/** A browser for the tests of a file. */
export function useBrowser(): UsedBrowser {
  let browser: Browser | null = null;
  beforeAll(async () => {
    if (executablePath === undefined) return;
    // Chromium does not run as root with its sandbox.
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    browser = await chromium.launch({ executablePath, args });
  });
  afterAll(async () => {
    await browser?.close();
  });
  return {
    async open(path, options = {}) {
      const context = await browser!.newContext({
        viewport: { width: 1280, height: 900 },
        acceptDownloads: true,
        ...options,
      });
      const page = await context.newPage();
      page.setDefaultTimeout(10_000);
      const faults: string[] = [];
      page.on('console', (message) => faults.push(`console ${message.type()}: ${message.text()}`));
      page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
      page.on('dialog', async (dialog) => {
        faults.push(`dialog: ${dialog.message()}`);
        await dialog.dismiss();
      });
      const address = pathToFileURL(path).href;
      page.on('request', (request) => {
        const url = request.url();
        const isOwn =
          url.split('#')[0] === address || new URL('../squadc.js', address).href === url;
        const isBeside = new URL('squadc.js', address).href === url;
        if (!(isOwn || isBeside || url.startsWith('blob:'))) faults.push(`request: ${url}`);
      });
      await page.goto(address);
      // The script is added by the page, which is there before it, and shows what needs it.
      if (options.javaScriptEnabled !== false) {
        await page.locator('.scripted[hidden]').first().waitFor({ state: 'detached' });
      }
      return Object.assign(page, { faults });
    },
  };
}

/** The page as a whole is no wider than the window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const widths = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect(widths).toBeLessThanOrEqual(0);
}

const axe = 'node_modules/axe-core/axe.min.js';

/** Nothing that axe calls serious; skipped where it is not installed. */
export async function expectAccessible(page: Page): Promise<void> {
  if (!existsSync(axe)) return console.warn('axe-core is not installed: nothing is checked by it.');
  await page.evaluate(readFileSync(axe, 'utf8'));
  const found = await page.evaluate(`axe.run(document, {
    rules: { 'label-content-name-mismatch': { enabled: true } },
  }).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 200)))`);
  expect(found).toEqual([]);
}
