/**
 * How long the playground takes from a paste to the squad on the page, for 30 nodes; asked are 300 ms.
 *
 *     npm run pages && npm run bench:playground
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const ids = Array.from({ length: 29 }, (_, index) => `stage_${index}`);
const talks = ids.map((id) => ({ id, type: 'conversation', systemPrompt: `Talk about ${id}.` }));
const branches = ids.slice(1).map((to, at) => {
  return { from: ids[Math.floor(at / 2)], to, condition: `they want ${to}` };
});
const ends = ids.slice(14).map((from) => ({ from, to: 'bye' }));
const nodes = [...talks, { id: 'bye', type: 'endCall' }];
const text = JSON.stringify({ name: 'Thirty', nodes, edges: [...branches, ...ends] });

const browser = await chromium.launch({
  executablePath: process.env['SQUADC_CHROMIUM'] ?? '/usr/bin/chromium',
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
const page = await browser.newPage();
await page.goto(pathToFileURL(resolve('src/report/playground.generated.html')).href);
const rows = [];
for (let paste = 1; paste <= 5; paste += 1) {
  const ms = await page.evaluate(`new Promise((done) => {
    const editor = document.querySelector('#workflow');
    const outcome = document.querySelector('#outcome');
    outcome.replaceChildren();
    const begun = performance.now();
    editor.value = ${JSON.stringify(text)};
    editor.dispatchEvent(new ClipboardEvent('paste', { bubbles: true }));
    new MutationObserver((_, observer) => {
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun)));
    }).observe(outcome, { childList: true });
  })`);
  rows.push({ paste, ms: Math.round(Number(ms)) });
}
await browser.close();
console.table(rows);
