/** Diagnostics and questions in a terminal: places, excerpts, secrets, choices and proposals. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, renderDiagnostic, renderQuestion } from '../../src/index.js';
import { flow, sketch } from '../compiler/build.js';
import { runs, seed } from '../seed.js';

type Style = Parameters<typeof renderDiagnostic>[2];
type SourcePlace = Exclude<Parameters<typeof renderDiagnostic>[1], string | null>;

const same = (text: string) => text;
const plain: Style = { bold: same, red: same, yellow: same, cyan: same, dim: same };
const tagged: Style = {
  bold: (text) => `<b>${text}</b>`,
  red: (text) => `<r>${text}</r>`,
  yellow: (text) => `<y>${text}</y>`,
  cyan: (text) => `<c>${text}</c>`,
  dim: (text) => `<d>${text}</d>`,
};

const broken = compile(flow({ collect: 'p' }, 'collect > colect'));
const edge = broken.diagnostics.find(({ code }) => code === 'flow/missing-node')!;
const help =
  'help: If you meant “collect”, correct the id; otherwise add the node or delete the edge.';

const text = '{\n  "edges": [\n    { "from": "collect", "to": "colect" }\n  ]\n}\n';
const place = (more: Partial<SourcePlace> = {}): SourcePlace => {
  return { file: 'calls/a.json', text, line: 3, column: 32, length: 8, ...more };
};

describe('renderDiagnostic', () => {
  const linesOf = (...args: Parameters<typeof renderDiagnostic>) =>
    renderDiagnostic(...args).split('\n');

  it('shows the line, and marks the place with carets', () => {
    expect(linesOf(edge, place(), plain)).toEqual([
      'error[flow/missing-node]: This edge leads to “colect”, but no node has that id.',
      ' --> calls/a.json:3:32',
      '  |',
      '3 |     { "from": "collect", "to": "colect" }',
      '  |                                ^^^^^^^^',
      `  = ${help}`,
    ]);
  });

  it('gives the pointer, or the place in words, if there is no text', () => {
    expect(linesOf(edge, null, plain)[1]).toBe(' --> workflow /edges/0/to');
    const { diagnostics } = compile(flow({ a: 'p' }), { target: 'x' } as object);
    const option = diagnostics.find(({ code }) => code === 'api/option')!;
    expect(linesOf(option, null, plain)[1]).toBe(' --> options /target');
    expect(linesOf({ ...option, at: '' }, null, plain)[1]).toBe(' --> options');
    expect(linesOf(edge, '--policy \u001bx=y', plain)[1]).toBe(' --> --policy \\u001bx=y');
  });

  it('lists at most five related places', () => {
    const related = ['', '/nodes/1', '/nodes/2', '/nodes/3', '/nodes/4', '/nodes/5', '/nodes/6'];
    expect(linesOf({ ...edge, related }, null, plain)[2]).toBe(
      '  = see also: the document, /nodes/1, /nodes/2, /nodes/3, /nodes/4, 2 more',
    );
  });

  it('has a color for each severity, and a gutter as wide as the line number', () => {
    const found = { ...edge, message: 'M', help: 'H', code: 'c' };
    const source = place({ text: `${'\n'.repeat(9)}[1]`, line: 10, column: 2, length: 1 });
    expect(linesOf(found, source, tagged)).toEqual([
      '<b><r>error[c]</r></b><b>: M</b>',
      '  <d>--></d> calls/a.json:10:2',
      '   <d>|</d>',
      '<d>10</d> <d>|</d> [1]',
      '   <d>|</d> <r> ^</r>',
      '   <d>=</d> <b>help</b>: H',
    ]);
    const at = (severity: 'warning' | 'info') =>
      renderDiagnostic({ ...found, severity }, source, tagged);
    expect(at('warning')).toContain('<y> ^</y>');
    expect(at('info')).toContain('<c>info[c]</c>');
  });

  it('wraps lines in a narrow terminal', () => {
    const lines = linesOf(edge, null, plain, 40);
    expect(lines).toEqual([
      'error[flow/missing-node]: This edge',
      'leads to “colect”, but no node has that',
      'id.',
      ' --> workflow /edges/0/to',
      '  = help: If you meant “collect”,',
      '    correct the id; otherwise add the',
      '    node or delete the edge.',
    ]);
    const long = { ...edge, message: 'x'.repeat(30), help: '日'.repeat(12) };
    const words = linesOf(long, null, plain, 20);
    expect(words).toEqual(expect.arrayContaining(['x'.repeat(20), `    ${'日'.repeat(8)}`]));
  });

  it('lets no text of the source control the terminal', () => {
    const texts = { message: '\u001b]0;x', help: '\u202e', at: '/\u0007', related: ['\u001b'] };
    const found = { ...edge, ...texts };
    const source = place({ file: 'a\u001b[1m', text: '"\u001b[2J\u202e"', line: 1, column: 1 });
    for (const shown of [source, '\u001b', null]) {
      expect(renderDiagnostic(found, shown, plain)).not.toMatch(/[^\P{C}\n]/u);
    }
  });
});

/** The line as it is shown, and the mark below it. */
function excerptOf(more: Partial<SourcePlace>): readonly [line: string, mark: string] {
  const shown = renderDiagnostic(edge, place({ line: 1, ...more }), plain).split('\n');
  const from = shown[1]!.indexOf('-->') + 3;
  return [shown[3]!.slice(from), shown[4]!.slice(from)];
}

/** The excerpt of the first place where `mark` stands in a text of one line. */
const around = (line: string, mark: string) =>
  excerptOf({ text: line, column: line.indexOf(mark) + 1, length: mark.length });

describe('an excerpt', () => {
  it.each(['\n', '\r\n', '\r'])('finds the line if lines end in %j', (end) => {
    const lines = ['one', 'two', 'three'].join(end);
    expect(excerptOf({ text: lines, line: 2, column: 2, length: 2 })).toEqual(['two', ' ^^']);
    expect(excerptOf({ text: lines, line: 3, column: 1, length: 99 })).toEqual(['three', '^^^^^']);
  });

  it.each([
    ['the end of a line', { text: 'ab\ncd', column: 3, length: 1 }, ['ab', '  ^']],
    ['a column far behind it', { text: 'ab', column: 10_000, length: 3 }, ['ab', '  ^']],
    ['a byte order mark', { text: '\ufeffab', column: 2, length: 1 }, ['ab', ' ^']],
    ['a tab', { text: '\t"x"', column: 2, length: 3 }, ['    "x"', '    ^^^']],
    ['wide characters', { text: 'a 日本', column: 3, length: 2 }, ['a 日本', '  ^^^^']],
    ['emoji', { text: '"😀" x', column: 6, length: 1 }, ['"😀" x', '     ^']],
    ['an accent of its own', { text: 'e\u0301 x', column: 4, length: 1 }, ['e\u0301 x', '  ^']],
    [
      'controls',
      { text: '\u001b[2J\u202e\ud800x', column: 7, length: 1 },
      ['␛[2J\ufffd\ufffdx', '      ^'],
    ],
  ])('keeps the mark in place at %s', (_, at, shown) => expect(excerptOf(at)).toEqual(shown));

  it('cuts a long line on the sides that do not fit', () => {
    const [a, b] = ['a', 'b'].map((each) => each.repeat(500));
    expect(around(`${a}HERE${b}`, 'HERE')).toEqual([
      `…${'a'.repeat(40)}HERE${'b'.repeat(54)}…`,
      `${' '.repeat(41)}^^^^`,
    ]);
    expect(around(`HERE${b}`, 'HERE')).toEqual([`HERE${'b'.repeat(94)}…`, '^^^^']);
    expect(around(`${a}HERE`, 'HERE')).toEqual([`…${'a'.repeat(40)}HERE`, `${' '.repeat(41)}^^^^`]);
    expect(around(`${'a'.repeat(96)}HERE`, 'HERE')[0]).toBe(`${'a'.repeat(96)}HERE`);
  });

  it.each([
    ['{ "Authorization": "s", "url": "u" }', '{ "Authorization": "••••", "url": "u" }'],
    ['{"x-api-key":"a\\"b","x":1}', '{"x-api-key":"••••","x":1}'],
    ['{"\\u0061uthorization":"s"}', '{"\\u0061uthorization":"••••"}'],
    ['{"token":123,"a":1}', '{"token":"••••","a":1}'],
    ['{"token":{"v":["]}",{"w":"s"}]},"a":1}', '{"token":"••••","a":1}'],
    ['{"clientSecret":"abc', '{"clientSecret":"••••"'],
    ['{ "name": "token", "text": "my secret" }', '{ "name": "token", "text": "my secret" }'],
    ['{"headers":[{"key":"s","a":1}]}', '{"headers":[{"key":"••••","a":1}]}'],
    ['{"auth":1}],"a":{"token":"s"}', '{"auth":"••••"}],"a":{"token":"••••"}'],
    ['{"output":[{"key":"s"}],"keyTerms":["s"]}', '{"output":[{"key":"s"}],"keyTerms":["s"]}'],
    ['{"policies":{"mising-auth":"none"}}', '{"policies":{"mising-auth":"none"}}'],
    [
      '{"answers":{"a":{"secret":"s"}},"auth":"s"}',
      '{"answers":{"a":{"secret":"s"}},"auth":"••••"}',
    ],
    ['{"answers":{"a":{"headers":{"key":"s"}}}}', '{"answers":{"a":{"headers":{"key":"••••"}}}}'],
  ])('hides secrets: %s', (line, shown) => {
    expect(excerptOf({ text: line, column: 1, length: 1 })[0]).toBe(shown);
  });

  it('marks a hidden value as a whole, and finds its key on an earlier line', () => {
    const line = '{ "apiKey": "abcdef", "x": 1 }';
    expect(around(line, 'def')).toEqual([
      '{ "apiKey": "••••", "x": 1 }',
      `${' '.repeat(12)}^^^^^^`,
    ]);
    const lines = '{\n "Authorization": {\n  "value": "Bearer s"\n }\n}';
    expect(excerptOf({ text: lines, line: 3, column: 3, length: 7 })[0]).not.toContain('Bearer');
  });

  it('hides what it cannot place, even far inside a line', () => {
    const line = `{"token":"${'s'.repeat(60_000)}","a":"open"}`;
    expect(excerptOf({ text: line, column: 50_000, length: 1 })[0]).not.toContain('s');
    expect(around(line, 'open')[0]).toContain('open');
  });

  it('is one safe line of at most 100 columns without secrets, whatever the text', () => {
    const unit = fc.constantFrom(...'a \t日😀\u0301\u001b"\n\u202e', '\ud800');
    const secret = fc.string({ unit: 'grapheme', maxLength: 30 }).map((it) => `S3CR3T${it}S3CR3T`);
    const key = fc.constantFrom('Authorization', 'x-api-key', 'token', 'clientSecret');
    const leaf = fc.oneof(fc.string({ unit }), fc.dictionary(key, secret, { maxKeys: 2 }));
    const json = fc.dictionary(fc.string({ unit }), fc.array(leaf, { maxLength: 4 }));
    const anyText = fc.oneof(
      fc.string({ unit, maxLength: 400 }),
      fc.tuple(json, fc.constantFrom(0, 2)).map(([it, indent]) => JSON.stringify(it, null, indent)),
    );
    fc.assert(
      fc.property(anyText, fc.nat(12), fc.nat(500), fc.nat(600), (it, line, column, length) => {
        const [shown, mark] = excerptOf({ text: it, line: line + 1, column: column + 1, length });
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]|S3CR|R3T"/u);
        expect(columnsOf(shown)).toBeLessThanOrEqual(100);
        expect(mark).toMatch(/^ *\^+$/u);
        expect(mark.length).toBeLessThanOrEqual(101);
      }),
      { seed, numRuns: runs(300) },
    );
  });
});

/** A second opinion on widths, for the characters of the property above. */
function columnsOf(line: string): number {
  return [...line].reduce((sum, it) => sum + (/[日😀]/u.test(it) ? 2 : it === '\u0301' ? 0 : 1), 0);
}

describe('renderQuestion', () => {
  const lookup = { type: 'apiRequest', systemPrompt: undefined };
  const { questions } = compile(sketch('a > b: c | b > a: d | a > lookup: e', { lookup }));
  const starts = compile(sketch('p > z | q > z')).questions;
  const questionOf = (kind: string) =>
    [...starts, ...questions].find((each) => each.kind === kind) ?? expect.fail(kind);
  const linesOf = (...args: Parameters<typeof renderQuestion>) =>
    renderQuestion(...args).split('\n');

  it('shows the text, the choices with their effects, and the proposal as an answer', () => {
    const cycle = questionOf('cyclic-stages');
    const lines = linesOf(cycle, plain);
    expect(lines[0]).toBe(`question[${cycle.id}]: ${cycle.text}`);
    expect(lines.filter((line) => /^ {2}[*-] /.test(line))).toEqual(
      cycle.choices.map(({ key, label }) =>
        key === 'consolidate' ? `  * consolidate (proposed): ${label}` : `  - ${key}: ${label}`,
      ),
    );
    for (const { effect } of cycle.choices) expect(lines).toContain(`    ${effect}`);
    expect(JSON.parse(lines.at(-1)!.slice('  = proposed: '.length))).toEqual({
      answers: { [cycle.id]: { choice: 'consolidate' } },
    });
  });

  it('shows the value that a choice needs, and proposes one', () => {
    const start = linesOf(questionOf('ambiguous-start'), plain);
    expect(start).toContain('    value: the id of the node that a call starts at; one of p, z, q');
    expect(start.at(-1)).toBe(
      '  = proposed: {"answers":{"ambiguous-start:workflow":{"choice":"node","value":"p"}}}',
    );
    const endpoint = linesOf(questionOf('missing-endpoint'), plain);
    expect(endpoint).toContain(
      '    value: { url: the address; may contain {{variables}}; method: the HTTP method; one of GET, POST, PUT, PATCH, DELETE }',
    );
    expect(endpoint.join()).not.toContain('proposed');
  });

  it('shows the places that it is about, with the file only at the first', () => {
    const at = (line: number) => ({ file: 'calls/\u001b.json', line, column: 5 });
    const placeLine = (places: number[]) =>
      linesOf(questionOf('cyclic-stages'), plain, places.map(at))[1];
    expect(placeLine([1, 2, 3, 4, 5, 6, 7])).toBe(
      '  --> calls/\\u001b.json:1:5, 2:5, 3:5, 4:5, 5:5, 2 more',
    );
    expect(placeLine([])).toContain('* consolidate');
  });

  it('shows the answer as JSON on one safe line, whatever the id contains', () => {
    const id = 'cyclic-stages:a"\n\u202eb';
    const shown = renderQuestion({ ...questionOf('cyclic-stages'), id }, tagged);
    expect(shown.startsWith('<b><c>question[')).toBe(true);
    expect(shown).not.toMatch(/\u202e/u);
    expect(JSON.parse(shown.slice(shown.lastIndexOf('</b>: {') + 6))).toEqual({
      answers: { [id]: { choice: 'consolidate' } },
    });
  });
});
