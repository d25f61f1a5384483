import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layOut } from '../../../src/report/graph/layout.js';
import { pictureOfResult } from '../../../src/report/graph/pictures.js';
import { renderSvg } from '../../../src/report/graph/render-svg.js';
import { pictureCss, toneCount, toneOf } from '../../../src/report/graph/svg-style.js';
import { plainText } from '../../../src/report/graph/wrap-text.js';
import { runs, seed } from '../../seed.js';
import { compiledFacts, compiledPictures, goldenWorkflow, sketch } from './compiled-pictures.js';
import { hostileLabel } from './hostile-labels.js';
import { readSvg } from './svg-check.js';

describe('an SVG', () => {
  it('holds every text as a text, whatever it is', () => {
    const labels = fc.tuple(hostileLabel(), hostileLabel(), hostileLabel(), hostileLabel());
    fc.assert(
      fc.property(labels, ([title, a, b, condition]) => {
        const picture = { ...sketch([a, b], [[0, 1, condition]]), title, groups: [a] };
        const svg = renderSvg(picture, layOut(picture), { theme: 'auto' });
        const { texts } = readSvg(svg);
        const shown = texts.flatMap(({ element, text }) => (element === 'title' ? text : []));
        const whole = (text: string) => plainText(text).length <= 2000;
        if (whole(a)) expect(shown).toContain(`${plainText(a)} (start · conversation)`.trim());
        expect(svg).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/u);
      }),
      { seed, numRuns: runs(100) },
    );
  });

  it('stands alone: one document with its style, nothing to load, nothing that runs', () => {
    const { workflow } = compiledPictures(goldenWorkflow('vapi-export'));
    const svg = renderSvg(workflow, layOut(workflow), { theme: 'auto' });
    expect(svg).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<svg [^>]* role="img"/);
    expect(svg).toContain('prefers-color-scheme:dark');
    expect(svg).not.toMatch(/url\(|@import|href|<script|\son[a-z]+=/);
    expect(svg.match(/https?:[^"]*/g)).toEqual(['http://www.w3.org/2000/svg']);
  });

  it('is an element without style of its own inside of a page', () => {
    const { facts, squad } = compiledFacts(goldenWorkflow('worked-pattern'));
    for (const svg of Object.values(pictureOfResult(facts, squad))) {
      expect(svg).toMatch(/^<svg [^>]* role="group"/);
      expect(svg).not.toMatch(/<style|style=|<\?xml/);
      readSvg(svg);
    }
  });

  it('carries the ids of what belongs to an element in the other picture', () => {
    const { facts, squad } = compiledFacts(goldenWorkflow('worked-pattern'));
    const drawn = pictureOfResult(facts, squad);
    const idsOf = (svg: string) =>
      new Set([...svg.matchAll(/ data-id="([^"]*)"/g)].map(([, id]) => id));
    const linksOf = (svg: string) =>
      [...svg.matchAll(/ data-links="([^"]*)"/g)].flatMap(([, links]) => links!.split(' '));
    expect(linksOf(drawn.workflow).length).toBeGreaterThan(5);
    for (const id of linksOf(drawn.workflow)) expect(idsOf(drawn.squad)).toContain(id);
    for (const id of linksOf(drawn.squad)) expect(idsOf(drawn.workflow)).toContain(id);
  });

  it('is empty where there is nothing to draw', () => {
    const facts = { workflow: null, ledger: [], answers: {} };
    expect(pictureOfResult(facts, null)).toEqual({ workflow: '', squad: '' });
  });

  it('keeps to one theme where it is asked to', () => {
    expect(pictureCss('light')).not.toContain('@media');
    expect(pictureCss('dark')).not.toContain('@media');
    expect(pictureCss('auto')).toContain(pictureCss('light'));
  });
});

describe('the colours', () => {
  it('can be read: WCAG AA for every text on what lies behind it', () => {
    for (let group = 0; group < toneCount; group += 1) {
      const { light, dark } = toneOf(group);
      expect(contrast('#ffffff', light[0])).toBeGreaterThan(4.5);
      expect(contrast('#52525b', light[1])).toBeGreaterThan(4.5);
      expect(contrast('#111114', dark[0])).toBeGreaterThan(4.5);
      expect(contrast('#b4b4c0', dark[1])).toBeGreaterThan(4.5);
    }
    for (const colour of ['#ffffff', '#52525b']) expect(pictureCss('light')).toContain(colour);
    for (const colour of ['#111114', '#b4b4c0']) expect(pictureCss('dark')).toContain(colour);
  });
});

function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high! + 0.05) / (low! + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
