import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCallers } from '../../src/platform/callers.js';
import { patchOf, withEdits } from '../../src/platform/patch.js';
import { seed } from '../seed.js';

const squadIds = new Map([
  ['abc', 'xyz'],
  ['odd', 'a "b"'],
]);

/** The text after the rewrite, and the places left: `line:column why`. */
function outcome(text: string): [changed: string, left: string[]] {
  const found = findCallers(text, squadIds);
  const left = found.filter(({ why }) => why !== null);
  return [
    withEdits(
      text,
      found.flatMap(({ edit }) => edit ?? []),
    ),
    left.map(({ line, column, why }) => `${line}:${column} ${why}`),
  ];
}

describe('a name with a literal id is rewritten', () => {
  it.each([
    ["f({ workflowId: 'abc' })", "f({ squadId: 'xyz' })"],
    ['f({ "workflowId" : "abc" , })', 'f({ "squadId" : "xyz" , })'],
    ["f({ ...rest, workflowId: 'abc', n: [{ workflowId: 'abc' }] })", null],
    ['{"workflowId":"abc"}', '{"squadId":"xyz"}'],
    ['{\r\n  "workflowId" :\t"abc"\r\n}', '{\r\n  "squadId" :\t"xyz"\r\n}'],
    ['send("{\\"workflowId\\":\\"abc\\"}")', 'send("{\\"squadId\\":\\"xyz\\"}")'],
    ['curl -d \'{"workflowId": "abc"}\'', 'curl -d \'{"squadId": "xyz"}\''],
    ['call(workflow_id="abc")', 'call(squad_id="xyz")'],
    ['<Call workflowId="abc" />', '<Call squadId="xyz" />'],
    ['run:\n  workflowId: abc\n  other: 1', 'run:\n  squadId: xyz\n  other: 1'],
    ['workflowId: abc # the desk', 'squadId: xyz # the desk'],
    ["const workflowId = 'abc';", "const squadId = 'xyz';"],
    ["f({ é: '😀', workflowId: 'abc' })", "f({ é: '😀', squadId: 'xyz' })"],
  ])('%j', (before, after) => {
    const expected = after ?? before.replaceAll("workflowId: 'abc'", "squadId: 'xyz'");
    expect(outcome(before)).toEqual([expected, []]);
  });
});

describe('a human is told of every other place', () => {
  it.each([
    ['f({ workflowId })', ['1:5 name']],
    ['f({ workflowId: id })', ['1:5 name']],
    ['f({ workflowId: id,\n  workflowId: other\n})', ['1:5 name', '2:3 name']],
    ['f({ workflowId: `abc` })', ['1:5 name', '1:18 id']],
    ["f({ ['workflowId']: 'abc' })", ['1:7 name', '1:22 id']],
    ['a.workflowId = b?.workflowId;', ['1:3 name', '1:19 name']],
    ['interface A { workflowId: string }', ['1:15 name']],
    ['# workflowId', ['1:3 name']],
    ["const DESK = 'abc';", ['1:15 id']],
    ['DESK_ID=abc\n', ['1:9 id']],
    ['const ids = { desk: "abc", bar: "abc" };', ['1:22 id', '1:34 id']],
    ['fetch("https://x.example/workflow/abc")', ['1:35 id']],
    ["f({ workflowId: 'nope' })", ['1:5 not-in-map']],
    ["f({ workflowId: 'odd' })", ['1:5 not-in-map']],
    ["f({ workflowId: 'abc', squadId: 'x' })", ['1:5 clash']],
    ["f({ squadId: 'x' }, { workflowId: other })", ['1:23 name']],
    ['f({ workflowIds: 1, myWorkflowId: 1, workflowIdx: 1, $workflowId: 1 })', []],
    ["x = 'abcd' + 'dabc' + 'abc-d' + 'd_abc'", []],
  ])('%j', (before, left) => expect(outcome(before)).toEqual([before, left]));

  it('in a text of any length, without taking long over it', () => {
    const text = `${'{"workflowId":'.repeat(100_000)}1`;
    expect(outcome(text)[1]).toHaveLength(100_000);
  });
});

describe('the diff', () => {
  it('shows what a text was and is, with the ends of lines', () => {
    const lines = Array.from({ length: 9 }, (_, at) => `l${at + 1}\r\n`);
    const text = lines.join('').trimEnd();
    const out = patchOf('f', text, text.replace('l1', 'x').replace('l9', 'y'));
    expect(out.match(/^@@.*/gm)).toEqual(['@@ -1,4 +1,4 @@', '@@ -6,4 +6,4 @@']);
    expect(out).toContain('--- a/f\n+++ b/f\n');
    expect(out).toContain('-l1\r\n+x\r\n l2\r\n');
    expect(out).toMatch(/-l9\n\\ No newline at end of file\n\+y\n\\ No newline at end of file\n$/);
    expect(patchOf('f', text, text)).toBe('');
  });
});

describe('callers in documents', () => {
  const replaced = new Map([
    ['a', 'b'],
    ['b', 'c'],
  ]);
  const documents = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('a', 'b', 'z', null, 1),
      tie('array'),
      tie('object'),
    ),
    array: fc.array(tie('value'), { maxLength: 3 }),
    object: fc.dictionary(
      fc.constantFrom('workflowId', 'squadId', 'x', '__proto__'),
      tie('value'),
      {
        maxKeys: 3,
        noNullPrototype: true,
      },
    ),
  })).value;
  const rewritten = (text: string) =>
    withEdits(
      text,
      findCallers(text, replaced).flatMap(({ edit }) => edit ?? []),
    );

  it('become squads, and a second run changes nothing', () => {
    fc.assert(
      fc.property(documents, fc.constantFrom(0, 2), (document, space) => {
        const text = JSON.stringify(document, null, space);
        const after = rewritten(text);
        expect(JSON.parse(after)).toEqual(expected(JSON.parse(text)));
        expect(rewritten(after)).toBe(after);
      }),
      { seed, numRuns: 1000 },
    );
  });

  /** The same by hand, on the value. */
  function expected(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(expected);
    if (typeof value !== 'object' || value === null) return value;
    const clashes = 'squadId' in value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => {
        const squadId = key === 'workflowId' && !clashes ? replaced.get(member) : undefined;
        return squadId === undefined ? [key, expected(member)] : ['squadId', squadId];
      }),
    );
  }
});
