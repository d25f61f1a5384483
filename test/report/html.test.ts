/** Whatever is put into a template is text. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dataElement, html, Markup, relativeAddress } from '../../src/report/html.js';
import { runs, seed } from '../seed.js';
import { hostileText } from './example-run.js';

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

  it('lets no text, and no data for the script, leave its place', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const shown = html`<p title="${text}">${text}</p>${dataElement('data', text)}`.toString();
        const [, data = ''] =
          /^<p title="(?:[^"<>]*)">(?:[^<>]*)<\/p><script type="application\/json" id="data">([^<>&]*)<\/script>$/.exec(
            shown,
          ) ?? [];
        expect(JSON.parse(data)).toBe(text);
      }),
      { seed, numRuns: runs(300) },
    );
  });

  it.each([
    [() => html`<p ${'onclick=alert(1)'}>`, /only markup/],
    [() => html`<${value}>`, /no value can stand here/],
    [() => html`<p></${value}>`, /no value can stand here/],
    [() => html`<p id=${value}>`, /no value can stand here/],
    [() => html`<p onclick="${value}">`, /no value can stand here/],
    [() => html`<img src="${value}">`, /no value can stand here/],
    [() => html`<p style="color: ${value}">`, /no value can stand here/],
    [() => html`<p title=">" ${'onclick=alert(1)'}>`, /only markup/],
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
