/** The catalogue: the form of every message, and some sentences word for word. */
import { describe, expect, it } from 'vitest';
import { diagnose } from '../../src/diagnostics/diagnose.js';
import { codes, compile, explain } from '../../src/index.js';
import { flow, sketch } from '../compiler/build.js';
import { listFolders, readCase } from '../golden/cases.js';

/** One line, a sentence with a full stop, and no gap where something should be named. */
function expectSentence(text: string): void {
  expect(text).toMatch(/^[A-Z“<{][^\n]*\.$/u);
  const ours = text.replace(/“[^”]*”/gu, '“it”');
  expect(ours).not.toMatch(/ {2}|\.\.$|!|undefined|\[object|\bNaN\b/u);
  expect(ours).not.toMatch(/\$\{|(?<!\{)\{\w+(?::\w+)?\}(?!\})/u);
}

describe('explain', () => {
  const explained = codes().map((code) => explain(code)!);

  it.each(explained)('has a text for $code', (explanation) => {
    const { kind, severity, title, why = '', help, example, choices = [] } = explanation;
    expectSentence(`${title}.`);
    expectSentence(help);
    expect(help).not.toBe(`${title}.`);
    if (kind === 'diagnostic') {
      expect(['error', 'warning', 'info']).toContain(severity);
      if (example !== undefined) expectSentence(example);
    } else {
      expect(severity).toBeUndefined();
      for (const text of [why, example, ...choices.map(({ effect }) => effect)]) {
        expect(text).toMatch(/^[A-Z“][^\n]+[.?]$/u);
      }
      expect(choices.length).toBeGreaterThan(0);
    }
  });

  it('names the subject of a code, and shows an example if its sentence depends on the case', () => {
    expect(explain('flow/unreachable')).toEqual({
      code: 'flow/unreachable',
      kind: 'diagnostic',
      severity: 'warning',
      title: 'No call can reach <id>, so it was left out of the squad',
      help: 'Add the missing edge, make the node global, or delete it.',
    });
    expect(explain('flow/missing-node')).toMatchObject({
      severity: 'error',
      title: 'This edge leads to <…>, but no node has that id',
      example: 'This edge leads to “colect”, but no node has that id.',
    });
    expect(explain('api/unknown-option')?.title).toBe('There is no option <option>');
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', '', 'shape', 'shape/'])(
    'returns null for %j',
    (word) => expect(explain(word)).toBeNull(),
  );
});

describe('diagnostics of the golden cases', () => {
  const found = listFolders().flatMap((name) => {
    const { reading, options } = readCase(name) ?? expect.fail(name);
    return [...reading.diagnostics, ...compile(reading.workflow, options).diagnostics];
  });

  it('are complete sentences of the severity that explain gives', () => {
    expect(new Set(found.map(({ code }) => code)).size).toBeGreaterThan(50);
    for (const { code, severity, message, help } of found) {
      expectSentence(message);
      expectSentence(help);
      expect(severity).toBe(explain(code)?.severity);
    }
  });
});

interface Case {
  readonly code: string;
  readonly says: string;
  readonly help?: string;
  readonly of: ReturnType<typeof compile>;
}

const nodeOf = (fields: object) => compile(flow({ a: fields }));
const hostile = `a\n\u001b[31m\u202e${'b'.repeat(90)}`;
const plain = flow({ cafe: 'Talk.' });
const answered = (answers: unknown) => compile(plain, { answers: answers as never });

const cases: readonly Case[] = [
  {
    code: 'flow/missing-node',
    says: 'This edge leads to “cafes”, but no node has that id.',
    help: 'If you meant “cafe”, correct the id; otherwise add the node or delete the edge.',
    of: compile(flow({ cafe: 'Talk.' }, 'cafe > cafes')),
  },
  {
    code: 'flow/missing-node',
    says: 'This edge starts at “elsewhere”, but no node has that id.',
    help: 'Correct the id, add the missing node, or delete the edge.',
    of: compile(flow({ cafe: 'Talk.' }, 'elsewhere > cafe')),
  },
  {
    code: 'flow/endless',
    says: 'A call that reaches “a”, “b”, “c”, “d”, “e” and 2 more can never end: no path from there leads to an exit.',
    of: compile(sketch('a > b | b > c | c > d | d > e | e > f | f > h | h > a')),
  },
  {
    code: 'shape/unknown-node-type',
    says: '“endcal” is not a node type (did you mean “endCall”?).',
    help: 'Use conversation, gather, apiRequest, transferCall, endCall or hangup. A node that only speaks is a conversation.',
    of: nodeOf({ type: 'endcal' }),
  },
  {
    code: 'shape/unknown-field',
    says: `The field “a\\n\\u001b[31m\\u202e${'b'.repeat(51)}…” is unknown and has no effect on the squad.`,
    of: nodeOf({ systemPrompt: 'Talk.', [hostile]: 1 }),
  },
  {
    code: 'api/unknown-option',
    says: 'There is no option “tarjet” (did you mean “target”?).',
    of: compile(plain, { tarjet: 'squad' } as object),
  },
  {
    code: 'api/policy-choice',
    says: '“nope” is not a choice of “missing-auth” questions, which offer “none”, “header” and “credential”.',
    help: 'Use “none”, “header” or “credential” in the policy.',
    of: answered({ policies: { 'missing-auth': 'nope' } }),
  },
  ...[
    [5, 'they must be an object'],
    [{ answers: { q: {} } }, 'answers/q must have “choice”'],
    [{ 'a\nb': 1 }, 'they must not have “a\\nb”'],
    [{ policies: { 'missing-auth': 1 } }, 'policies/missing-auth must be a text'],
  ].map(([answers, problem]) => ({
    code: 'api/answer-shape',
    says: `The answers are invalid: ${problem}.`,
    of: answered(answers),
  })),
];

describe('a message', () => {
  it.each(cases)('$code: $says', ({ code, says, help, of }) => {
    const found = of.diagnostics.filter((each) => each.code === code);
    expect(found.map(({ message }) => message)).toContain(says);
    if (help !== undefined) expect(found.map((each) => each.help)).toContain(help);
  });

  it('lists every kind of question if a policy names an unknown one', () => {
    const [found] = answered({ policies: { 'missing-luck': 'none' } }).diagnostics;
    const kinds = codes().filter((code) => explain(code)?.kind === 'question');
    for (const kind of kinds) expect(found?.message).toContain(`“${kind}”`);
  });
});

describe('diagnose', () => {
  it('rejects wrong codes and arguments at compile time', () => {
    const wrong = [
      // @ts-expect-error no such code
      () => diagnose('flow/no-such-code', '', {}),
      // @ts-expect-error an argument is missing, of a sentence in words
      () => diagnose('flow/copied-edge', '', { from: 'a' }),
      // @ts-expect-error an argument is missing, of a sentence that is a function
      () => diagnose('flow/missing-node', '', { id: 'b', end: 'to' }),
      // @ts-expect-error an argument has another type
      () => diagnose('flow/endless', '', { ids: 'a' }),
      // @ts-expect-error an argument of another code
      () => diagnose('flow/unreachable', '', { id: 'a', ids: ['b'] }),
      // @ts-expect-error this code has no arguments
      () => diagnose('shape/no-name', '', { name: 'x' }),
      // @ts-expect-error no such document
      () => diagnose('shape/no-name', '', {}, { in: 'nowhere' }),
    ];
    expect(wrong).toHaveLength(7);
  });
});
