/** Whatever is put into a template is text. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderDocument } from '../../src/report/document.js';
import {
  dataElement,
  escapeText,
  html,
  Markup,
  relativeAddress,
  trusted,
} from '../../src/report/html.js';
import { temporaryFolder } from '../cli/fake-io.js';
import { runs, seed } from '../seed.js';
import { noBrowser, useBrowser } from './browser.js';
import { hostileTexts } from './rows.js';

const texts = fc.oneof(
  fc.constantFrom(
    ...hostileTexts,
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    '</script><script>alert(1)</script>',
    '</title><script>alert(1)</script>',
    '<!-- --> <![CDATA[ ]]>',
    '</svg></style><script>alert(1)</script>',
    'javascript:alert(1)',
    '\u2028alert(1)\u2029',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom('<', '>', '"', "'", '`', '=', '/', '!', '-', '&', ';', 'a', ' ', '\0'),
    maxLength: 20,
  }),
);

describe('a template', () => {
  it('escapes texts, in content and in quotes', () => {
    expect(html`<p title="${'"&\''}">${'<b>'}</p>`.toString()).toBe(
      '<p title="&#34;&#38;&#39;">&#60;b&#62;</p>',
    );
  });

  it('takes markup, lists, numbers, and nothing', () => {
    const inner = html`<i>${1}</i>`;
    expect(html`${[inner, 'a<', [inner]]}${null}${false}`.toString()).toBe(
      '<i>1</i>a&#60;<i>1</i>',
    );
  });

  it('takes only markup inside of a tag', () => {
    const mark = html` hidden`;
    expect(html`<p${mark} class="${'a'}"${null}>`.toString()).toBe('<p hidden class="a">');
    expect(() => html`<p ${'onclick=alert(1)'}>`).toThrow(/only markup/);
  });

  it('refuses places that no escaping makes safe', () => {
    const value = html`x`;
    expect(() => html`<${value}>`).toThrow(/no value can stand here/);
    expect(() => html`<p></${value}>`).toThrow(/no value can stand here/);
    expect(() => html`<p id=${value}>`).toThrow(/no value can stand here/);
    expect(() => html`<p onclick="${value}">`).toThrow(/no value can stand here/);
    expect(() => html`<img src="${value}">`).toThrow(/no value can stand here/);
    expect(() => html`<p style="color: ${value}">`).toThrow(/no value can stand here/);
  });

  it('takes no look-alike for markup', () => {
    expect(() => new Markup('<b>', Symbol() as never)).toThrow(TypeError);
    const parsed = JSON.parse('{"text":"<b>","toString":"<b>"}');
    expect(() => html`${parsed}`.toString()).toThrow(TypeError);
  });

  it('shows controls and marks of direction', () => {
    expect(escapeText('a\0\u001b[1m\u0085\u202eb\r\n\t')).toBe(
      'a\u2400\u241b[1m[U+0085][U+202E]b\u240d\n\t',
    );
    expect(escapeText('half \ud800')).toBe('half \ufffd');
  });
});

describe('a relative address', () => {
  it('stays one, whatever the name is', () => {
    expect(relativeAddress('javascript:alert(1)')).toBe('./javascript%3Aalert(1)');
    expect(relativeAddress('a b/\ud800"?#.html')).toBe('./a%20b/%EF%BF%BD%22%3F%23.html');
    expect(relativeAddress('../summary.html')).toBe('./../summary.html');
  });
});

describe.skipIf(noBrowser)('in a browser', () => {
  const { folder } = temporaryFolder();
  const { open } = useBrowser();
  const style = 'b{color:red}';
  const text = 'window.seen = JSON.parse(document.querySelector("#data").textContent);';
  const script = { text };

  it('no text becomes an element, an attribute, a script', async () => {
    const samples = fc.sample(texts, { seed, numRuns: runs(400) });
    const body = html`${samples.map(
      (text) => html`<p class="sample" title="${text}" data-links="${text}">${text}</p>`,
    )}${dataElement('data', samples)}`;
    const file = join(folder, 'page.html');
    writeFileSync(file, renderDocument({ title: samples.join(' '), style, script, body }));
    const page = await open(file);
    const shown = await page.evaluate(`[...document.querySelectorAll('.sample')].map((each) => ({
      text: each.textContent, title: each.title, links: each.dataset.links,
      attributes: each.attributes.length, elements: each.children.length }))`);
    const decoded = samples.map(decode);
    expect(shown).toEqual(
      decoded.map((text) => ({ text, title: text, links: text, attributes: 3, elements: 0 })),
    );
    expect(await page.evaluate('document.querySelectorAll("body > *").length')).toBe(
      samples.length + 2,
    );
    expect(await page.evaluate('window.seen')).toEqual(JSON.parse(JSON.stringify(samples)));
    expect(page.faults).toEqual([]);
  });

  it('no other style, script, frame or form is allowed', () => {
    const page = renderDocument({ title: 'x', style, script, body: html`x` });
    const [, policy = ''] = /Policy" content="([^"]*)"/.exec(page) ?? [];
    const rules = policy
      .replace(/&#39;/g, "'")
      .replace(/sha256-[^']{44}/g, 'hash')
      .split('; ');
    expect(rules).toEqual([
      "default-src 'none'",
      "style-src 'hash'",
      "script-src 'strict-dynamic' 'hash'",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
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
      ${trusted(`<iframe src="http://127.0.0.1:${port}/"></iframe>`)} ${dataElement('data', null)}`;
    const file = join(folder, 'policy.html');
    writeFileSync(file, renderDocument({ title: 'still', style, script, body }));
    const page = await open(file);
    expect(await page.title()).toBe('still');
    expect(page.faults.join('\n')).toMatch(/Content Security Policy/);
    server.close();
    expect(asked).toBe(0);
  });
});

/** What a reader of markup makes of an escaped text: the characters that are shown. */
function decode(text: string): string {
  return escapeText(text).replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}
