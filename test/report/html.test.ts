/** Whatever is put into a template is text, and a page runs and loads nothing that is not its own. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderDocument } from '../../src/report/document.js';
import { dataElement, html, Markup, relativeAddress, trusted } from '../../src/report/html.js';
import { temporaryFolder } from '../cli/fake-io.js';
import { runs, seed } from '../seed.js';
import { noBrowser, useBrowser } from './browser.js';
import { hostileTexts } from './example-run.js';

const signs = ['<', '>', '"', "'", '`', '=', '/', '!', '-', '&', ';', 'a', ' ', '\0'];
const texts = fc.oneof(
  fc.constantFrom(
    ...hostileTexts,
    ...['"><img src=x onerror=alert(1)>', "' onmouseover='alert(1)", 'javascript:alert(1)'],
    ...['</title><script>alert(1)</script>', '<!-- --> <![CDATA[ ]]>', '\u2028alert(1)\u2029'],
    '</svg></style><script>alert(1)</script>',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...signs), maxLength: 20 }),
);

const inner = html`<i>${1}</i>`;
const parsed = JSON.parse('{"text":"<b>","toString":"<b>"}');
const value = html`x`;

describe('a template', () => {
  it.each([
    [html`<p title="${'"&\''}">${'<b>'}</p>`, '<p title="&#34;&#38;&#39;">&#60;b&#62;</p>'],
    [html`${[inner, 'a<', [inner]]}${null}${false}`, '<i>1</i>a&#60;<i>1</i>'],
    [html`<p${html` hidden`} class="${'a'}"${null}>`, '<p hidden class="a">'],
    [html`${'a\0\u001b[1m\u0085\u202eb\r\n\t'}`, 'a\u2400\u241b[1m[U+0085][U+202E]b\u240d\n\t'],
    [html`${'half \ud800'}`, 'half \ufffd'],
  ])('%# escapes texts, and shows controls and marks of direction', (markup, text) => {
    expect(markup.toString()).toBe(text);
  });

  it.each([
    [() => html`<p ${'onclick=alert(1)'}>`, /only markup/],
    [() => html`<${value}>`, /no value can stand here/],
    [() => html`<p></${value}>`, /no value can stand here/],
    [() => html`<p id=${value}>`, /no value can stand here/],
    [() => html`<p onclick="${value}">`, /no value can stand here/],
    [() => html`<img src="${value}">`, /no value can stand here/],
    [() => html`<p style="color: ${value}">`, /no value can stand here/],
    [() => new Markup('<b>', Symbol() as never), TypeError],
    [() => html`${parsed}`.toString(), TypeError],
  ])('%# refuses what no escaping makes safe, and look-alikes of markup', (make, error) => {
    expect(make).toThrow(error);
  });
});

it.each([
  ['javascript:alert(1)', './javascript%3Aalert(1)'],
  ['a b/\ud800"?#.html', './a%20b/%EF%BF%BD%22%3F%23.html'],
  ['../summary.html', './../summary.html'],
])('the address of %s is relative', (path, address) => {
  expect(relativeAddress(path)).toBe(address);
});

describe.skipIf(noBrowser)('in a browser', () => {
  const { folder } = temporaryFolder();
  const { open } = useBrowser();
  const style = 'b{color:red}';
  const text = 'window.seen = JSON.parse(document.querySelector("#data").textContent);';

  async function openDocument(title: string, body: Markup) {
    const file = join(folder, 'page.html');
    writeFileSync(file, renderDocument({ title, style, script: { text }, body }));
    return open(file);
  }

  it('no text becomes an element, an attribute or a script', async () => {
    const samples = fc.sample(texts, { seed, numRuns: runs(400) });
    const body = html`${samples.map(
      (text) => html`<p class="sample" title="${text}" data-links="${text}">${text}</p>`,
    )}${dataElement('data', samples)}`;
    const page = await openDocument(samples.join(' '), body);
    const shown = await page.evaluate(`[...document.querySelectorAll('.sample')].map((each) => ({
      text: each.textContent, title: each.title, links: each.dataset.links,
      attributes: each.attributes.length, elements: each.children.length }))`);
    const decoded = samples.map((text) =>
      html`${text}`.toString().replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code)),
    );
    expect(shown).toEqual(
      decoded.map((text) => ({ text, title: text, links: text, attributes: 3, elements: 0 })),
    );
    const elements = await page.evaluate('document.querySelectorAll("body > *").length');
    expect(elements).toBe(samples.length + 2);
    expect(await page.evaluate('window.seen')).toEqual(JSON.parse(JSON.stringify(samples)));
    expect(page.faults).toEqual([]);
  });

  it('what is not of the page neither runs nor loads', async () => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const body = html`${trusted('<script>document.title = "ran"</script>')}
      ${trusted(`<img src="http://127.0.0.1:${port}/" onerror="document.title = 1">`)}
      ${trusted(`<iframe src="http://127.0.0.1:${port}/"></iframe>`)}
      ${trusted('<style>body { display: none }</style>')} ${dataElement('data', null)}`;
    const page = await openDocument('still', body);
    expect(await page.title()).toBe('still');
    expect(await page.evaluate('getComputedStyle(document.body).display')).toBe('block');
    const policy = await page.locator('meta[http-equiv]').getAttribute('content');
    for (const rule of ["default-src 'none'", "base-uri 'none'", "form-action 'none'"]) {
      expect(policy).toContain(rule);
    }
    expect(page.faults.join('\n')).toMatch(/Content Security Policy/);
    server.close();
    expect(asked).toBe(0);
  });
});
