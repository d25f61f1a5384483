import { describe, expect, it } from 'vitest';
import { editsOf, findCallers, withEdits } from '../../src/platform/callers.js';
import { linesOf, placeAt } from '../../src/platform/text-lines.js';
import { unifiedDiff } from '../../src/platform/unified-diff.js';

const squadIds = new Map([
  ['abc', 'xyz'],
  ["it's", 'a "b" \'c\' \\'],
]);

/** The text after the rewrite, and the places left: `line:column why`. */
function outcome(path: string, text: string): [changed: string, left: string[]] {
  const found = findCallers(path, text, squadIds);
  const lines = linesOf(text);
  const left = found.byHand.map(({ offset, why }) => {
    const { line, column } = placeAt(lines, offset);
    return `${line}:${column} ${why}`;
  });
  return [withEdits(text, editsOf(found)), left];
}

describe('in scripts', () => {
  it.each([
    ["f({ \\u{77}orkflowI\\u{00064}: 'abc' })", "f({ squadId: 'xyz' })"],
    ["f({ workflowId: 'abc' })", "f({ squadId: 'xyz' })"],
    ['f({ "workflowId" : "abc" , })', 'f({ "squadId" : "xyz" , })'],
    ['f({ \'workflowId\': "abc" })', 'f({ \'squadId\': "xyz" })'],
    ["f({ work\\u0066lowId: '\\x61bc' })", "f({ squadId: 'xyz' })"],
    ['f({ workflowId: "it\'s" })', 'f({ squadId: "a \\"b\\" \'c\' \\\\" })'],
    ["f({ workflowId: 'it\\'s' })", "f({ squadId: 'a \"b\" \\'c\\' \\\\' })"],
    [
      "f({/* a */workflowId/* b */:/* c */'abc'/* d */})",
      "f({/* a */squadId/* b */:/* c */'xyz'/* d */})",
    ],
    [
      "f({ ...rest, workflowId: 'abc', n: [{ workflowId: 'abc' }] })",
      "f({ ...rest, squadId: 'xyz', n: [{ squadId: 'xyz' }] })",
    ],
    ["f({ é: '😀', workflowId: 'abc' })", "f({ é: '😀', squadId: 'xyz' })"],
    ["#!/usr/bin/env node\nf({ workflowId: 'abc' })", "#!/usr/bin/env node\nf({ squadId: 'xyz' })"],
    ["// workflowId: 'abc'\n/* { workflowId } */", "// workflowId: 'abc'\n/* { workflowId } */"],
    [
      "f({ workflowIds: 'abc', myWorkflowId: 'abc' })",
      "f({ workflowIds: 'abc', myWorkflowId: 'abc' })",
    ],
    ['function workflowId() {} workflowId();', 'function workflowId() {} workflowId();'],
  ])('%s', (before, after) => {
    for (const path of ['a.js', 'a.mjs', 'a.cjs', 'a.jsx', 'a.ts', 'a.mts', 'a.tsx']) {
      expect(outcome(path, before)).toEqual([after, []]);
    }
  });

  it.each([
    ['f({ workflowId })', ['1:5 shorthand']],
    ["f({ ['workflowId']: 'abc' })", ['1:6 computed']],
    ["f({ [`workflowId`]: 'abc' })", ['1:6 computed']],
    ["f({ [key]: 'abc', [other]: 'no' }) // workflowId", ['1:6 computed']],
    ['f({ workflowId: id })', ['1:5 expression']],
    ["f({ workflowId: ('abc' as string) })", ['1:5 expression']],
    ['f({ workflowId() {}, get x() { return 1 } })', ['1:5 expression']],
    ['f({ workflowId: `abc` })', ['1:5 template']],
    ["f({ workflowId: 'nope' })", ['1:5 not-in-map']],
    ["f({ workflowId: 'abc', squadId: 'x' })", ['1:5 clash']],
    ["f({ workflowId: 'abc', workflowId: 'abc' })", ['1:5 clash', '1:24 clash']],
    ["f({ workflowId: 'abc', ['squadId']: 'x' })", ['1:5 clash']],
    ['a.workflowId = b?.workflowId;', ['1:3 access', '1:19 access']],
    ["a['workflowId'];", ['1:3 access']],
    ['const { workflowId } = a;', ['1:9 access']],
    ["const { workflowId: id = 'abc' } = a;", ['1:9 access']],
    ["class A { workflowId = 'abc'; #workflowId = 1 }", ['1:11 declaration']],
    ["const workflowId = 'abc';", ['1:7 variable']],
    ["const workflowId = 'nope';", []],
    ['send(\'{"workflowId":"abc"}\');', ['1:6 text']],
    ['send(`{"workflowId":"$' + '{id}"}`);', ['1:6 text']],
    ["send(\n\n  'workflowId', 'abc');", ['3:3 text']],
    ['f({ workflowId: {', ['1:5 unreadable']],
  ])('leaves %s', (before, left) => {
    for (const path of ['a.ts', 'a.mts', 'a.tsx']) {
      const [after, found] = outcome(path, before);
      // Where a template string begins, its sign or its text, is the parser's choice.
      const places = found.map((each) => each.replace('1:7 text', '1:6 text'));
      expect([after, places]).toEqual([before, left]);
    }
  });

  it('leaves types and attributes', () => {
    expect(outcome('a.ts', 'interface A { workflowId: string }')[1]).toEqual(['1:15 declaration']);
    expect(outcome('a.ts', "type A = Pick<B, 'workflowId'>")[1]).toEqual(['1:18 text']);
    expect(outcome('a.tsx', 'x = <A workflowId="abc" />')[1]).toEqual(['1:8 declaration']);
  });

  it('reads 100,000 nested objects without overflow, one way or the other', () => {
    const depth = 100_000;
    const deep = `${'{"workflowId":'.repeat(depth)}1${'}'.repeat(depth)}`;
    expect(outcome('a.json', deep)[1].length).toBe(depth);
    expect(outcome('a.ts', `x = ${deep}`)[1].length).toBe(depth);
  });
});

describe('in JSON', () => {
  it.each([
    ['{"workflowId":"abc"}', '{"squadId":"xyz"}'],
    [
      '// c\n{ /* workflowId */\t"workflowId" :\t"abc", }\n',
      '// c\n{ /* workflowId */\t"squadId" :\t"xyz", }\n',
    ],
    ['{"work\\u0066lowId":"a\\u0062c"}', '{"squadId":"xyz"}'],
    [
      '[{"a":{"workflowId":"abc"}},{"workflowId":"it\'s"}]',
      '[{"a":{"squadId":"xyz"}},{"squadId":"a \\"b\\" \'c\' \\\\"}]',
    ],
    ['{"__proto__":{"workflowId":"abc"}}', '{"__proto__":{"squadId":"xyz"}}'],
    [
      '{"n":1e999,"n":12345678901234567890,"workflowId":"abc"}',
      '{"n":1e999,"n":12345678901234567890,"squadId":"xyz"}',
    ],
    ['{"workflowIds":"abc","x":["abc"]}', '{"workflowIds":"abc","x":["abc"]}'],
  ])('%s', (before, after) => expect(outcome('a.json', before)).toEqual([after, []]));

  it.each([
    ['{"workflowId":"no"}', ['1:2 not-in-map']],
    ['{"workflowId":1}', ['1:2 expression']],
    ['{"workflowId":{"workflowId":null}}', ['1:2 expression', '1:16 expression']],
    ['{"workflowId":"abc","squadId":"x"}', ['1:2 clash']],
    ['{"workflowId":"abc","workflowId":"abc"}', ['1:2 clash', '1:21 clash']],
    ['{"required":["workflowId"],"body":"{\\"workflowId\\":1}"}', ['1:14 text', '1:35 text']],
    ['{"{{workflowId}}":1}', ['1:2 text']],
  ])('leaves %s', (before, left) => expect(outcome('a.json', before)).toEqual([before, left]));

  it.each([
    '{"workflowId":"abc"',
    '{"workflowId":"abc"}}',
    '{"workflowId" "abc"}',
    "{'workflowId':'abc'}",
    '{"workflowId":"abc" "b":1}',
    '{"workflowId":,}',
    '{"workflowId":"abc]',
    '{workflowId:"abc"}',
    '{"workflowId":"abc"} {}',
    '["workflowId"}',
    '{"a":1,,"workflowId":"abc"}',
  ])('leaves what is no JSON: %s', (before) => {
    const [after, left] = outcome('a.json', before);
    expect([after, left.length]).toEqual([before, 1]);
    expect(left[0]).toMatch(/unreadable$/);
  });
});

describe('in other languages', () => {
  it.each([
    ['a.py', 'call(workflowId="abc")  # workflowId', ['1:6 language', '1:27 language']],
    ['a.yml', '# workflowId\n  # workflowId\nworkflowId: abc', ['3:1 language']],
    ['Makefile', 'run:\n\tcurl -d workflowId=abc', ['2:10 language']],
    ['a.go', '`json:"workflowId"`', ['1:8 language']],
    ['a.go', 'xworkflowId workflowIdx $workflowId workflowId$', []],
  ])('%s: %s', (path, text, left) => expect(outcome(path, text)).toEqual([text, left]));
});

describe('the diff', () => {
  const numbered = (count: number) => Array.from({ length: count }, (_, at) => `l${at + 1}\n`);

  it('has hunks of their own where changes are far apart', () => {
    const text = numbered(20).join('');
    const edits = [2, 19].map((line) => {
      const start = text.indexOf(`l${line}\n`);
      return { start, end: start + 1, text: 'new\n' };
    });
    expect(unifiedDiff('f', text, edits)).toBe(
      '--- a/f\n+++ b/f\n' +
        '@@ -1,5 +1,6 @@\n l1\n-l2\n+new\n+2\n l3\n l4\n l5\n' +
        '@@ -16,5 +17,6 @@\n l16\n l17\n l18\n-l19\n+new\n+19\n l20\n',
    );
  });

  it('shows adjacent lines as one change', () => {
    const edits = [0, 3].map((start) => ({ start, end: start + 1, text: 'x' }));
    expect(unifiedDiff('f', 'l1\nl2\nl3\n', edits)).toBe(
      '--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n-l1\n-l2\n+x1\n+x2\n l3\n',
    );
  });

  it('is one hunk where contexts touch, and keeps the ends of lines', () => {
    const text = numbered(9).join('').replaceAll('\n', '\r\n').trimEnd();
    const edits = [text.indexOf('l1'), text.indexOf('l9')].map((start) => {
      return { start, end: start + 1, text: 'x' };
    });
    const out = unifiedDiff('f', text, edits);
    expect(out.match(/^@@.*/gm)).toEqual(['@@ -1,4 +1,4 @@', '@@ -6,4 +6,4 @@']);
    expect(out).toContain('-l1\r\n+x1\r\n l2\r\n');
    expect(out).toMatch(/-l9\n\\ No newline at end of file\n\+x9\n\\ No newline at end of file\n$/);
  });
});
