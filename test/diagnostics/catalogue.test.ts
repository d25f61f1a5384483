/**
 * The catalogue: the form of every message, some sentences word for word, and an input for every code
 * and every kind of question, in a golden case or here. Codes of a run over many workflows are provoked
 * in test/batch/run.test.ts, codes of bound tools in test/serve/bind.test.ts.
 */
import { describe, expect, it } from 'vitest';
import { diagnose } from '../../src/diagnostics/diagnose.js';
import { type CompileOptions, codes, compile, explain, verify } from '../../src/index.js';
import { captures, exported, flow, request, says, sketch, transfer } from '../compiler/build.js';
import { listFolders, readCase } from '../golden/cases.js';

/** One line, a sentence with a full stop, and no gap where something should be named. */
function expectSentence(text: string): void {
  expect(text).toMatch(/^[A-Z“<{][^\n]*\.$/u);
  const ours = text.replace(/“[^”]*”/gu, '“it”');
  expect(ours).not.toMatch(/ {2}|\.\.$|!|undefined(?!-)|\[object|\bNaN\b|must NOT|,[a-z]/u);
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

interface Provocation {
  readonly workflow: unknown;
  readonly options?: CompileOptions;
  /** A squad to check against the workflow; without one, the workflow is compiled. */
  readonly squad?: unknown;
}

const vapi = { target: 'vapi' } as const;
/** A saved assistant. */
const saved = (assistantId: string) => ({ type: 'assistant', assistantId, prompt: undefined });
const consolidated = { policies: { 'cyclic-stages': 'consolidate' } };

const cafe = 'Offer a table.';
const onlyCafe = flow({ cafe });
const memberOf = (content: string, tools: readonly object[] = []) => {
  const messages = [{ role: 'system', content }];
  return {
    assistant: { name: 'C', model: { provider: 'openai', model: 'gpt-4o', messages, tools } },
  };
};
const withSetting = (setting: object) => ({ ...memberOf(cafe), assistantOverrides: setting });
const squadOf = (...members: readonly object[]) => ({ squad: { members } });
const ofCafe = squadOf(memberOf(cafe));
const zebra = { memberOverrides: { zebra: 1 } };

/** Code → an input that provokes it. */
const provocations: Readonly<Record<string, () => Provocation>> = {
  'shape/text-too-long': () => ({ workflow: flow({ cafe: 'x'.repeat(2 ** 24 + 2 ** 22) }) }),
  'shape/not-json': () => ({ workflow: flow({ cafe: { systemPrompt: () => cafe } }) }),
  'shape/too-large': () => ({ workflow: flow({ cafe }, '', { list: Array(30_000).fill(1) }) }),
  'shape/liquid-too-large': () => {
    return { workflow: flow({ cafe: '{% if a %}{% endif %}'.repeat(2000) }) };
  },
  'api/unread-variable': () => ({ workflow: onlyCafe, options: { dynamicVariables: ['guest'] } }),
  'shape/raw-tag': () => {
    return { workflow: flow({ cafe, bar: 'Mix.' }, 'cafe > bar: {% raw %}{{ open }}{% endraw %}') };
  },
  'data/template-key': () => {
    return { workflow: flow({ cafe, book: request({ headers: { '{{kind}}': 'y' } }) }) };
  },
  'data/masked-secret': () => {
    return { workflow: flow({ cafe, book: request({ headers: { 'X-Api-Key': '••••' } }) }) };
  },
  'shape/no-edges': () => ({ workflow: { name: 'Café', nodes: onlyCafe.nodes } }),
  'shape/assistant-id': () => ({ workflow: exported({ bar: saved('the bar') }) }),
  'flow/several-starts': () => {
    return { workflow: exported({ cafe: { isStart: true }, bar: { isStart: true } }) };
  },
  // A price that the caller names on one walk and that a tool returns on the other.
  'data/mixed-source': () => ({
    workflow: flow(
      {
        ...{ cafe, say: captures('price'), check: 'Is that right?' },
        ask: request({ responseVariables: [{ name: 'price', path: 'price' }] }),
        ...{ refund: 'Pay back {{price}}.', voucher: 'Send {{price}}.' },
      },
      'cafe > say: 1 | cafe > ask: 2 | say > check | ask > check | check > cafe: 3 | check > refund: 4 | check > voucher: 5',
    ),
    options: {
      answers: {
        answers: { 'ambiguous-start:workflow': { choice: 'node', value: 'cafe' } },
        ...consolidated,
      },
    },
  }),
  // A variable with two reads, one of which has since got a capture before it.
  'data/never-set': () => ({
    workflow: flow(
      { cafe: 'Greet {{guest}}.', table: 'Ask for the name.', seat: 'Seat {{guest}}.' },
      'cafe > table | table > seat',
    ),
    options: {
      answers: {
        answers: { 'undefined-variable:guest': { choice: 'captured-at', value: 'table' } },
      },
    },
  }),
  'lower/too-large': () => {
    const globals = Array.from({ length: 150 }, (_, at) => {
      return [`g${at}`, { ...says(cafe), isGlobal: true, condition: `asks for ${at}` }] as const;
    });
    return { workflow: flow({ cafe, ...Object.fromEntries(globals) }) };
  },
  'lower/saved-needs-prompt': () => {
    const end = { type: 'hangup', firstMessage: 'Goodbye.', prompt: undefined };
    return { workflow: exported({ bar: saved('asst-bar'), end }, 'bar > end'), options: vapi };
  },
  'lower/saved-twice': () => {
    const nodes = { bar: saved('asst-bar'), terrace: saved('asst-bar') };
    return { workflow: exported(nodes, 'bar > terrace'), options: vapi };
  },
  'check/not-a-squad': () => ({ workflow: onlyCafe, squad: onlyCafe }),
  'check/item-fails': () => ({ workflow: onlyCafe, squad: squadOf() }),
  'shape/no-texts': () => ({
    workflow: { nodes: [{ name: 'a', type: 'conversation' }], edges: [] },
  }),
  'shape/no-place': () => {
    const node = { name: 'a', type: 'conversation', prompt: 'Talk.', silenceTimeoutSeconds: 30 };
    return { workflow: { nodes: [node], edges: [] } };
  },
  'check/not-placed': () => ({ workflow: onlyCafe, squad: squadOf() }),
  'check/walk': () => ({ workflow: onlyCafe, squad: squadOf(memberOf('Be silent.')) }),
  'check/not-seen': () => ({ workflow: onlyCafe, squad: squadOf({ assistantId: 'elsewhere' }) }),
  'check/setting-differs': () => {
    return { workflow: { ...onlyCafe, model: { provider: 'openai', model: 'x' } }, squad: ofCafe };
  },
  'check/setting-unknown': () => {
    return { workflow: onlyCafe, squad: { squad: { ...ofCafe.squad, ...zebra } }, options: zebra };
  },
  'check/setting-added': () => {
    return { workflow: onlyCafe, squad: squadOf(withSetting({ analysisPlan: {} })) };
  },
  'check/setting-open': () => {
    return { workflow: onlyCafe, squad: squadOf(withSetting({ credentialIds: ['c'] })) };
  },
  'check/undecided': () => {
    return { workflow: onlyCafe, squad: { members: [{ ...memberOf(cafe), assistantId: 'a' }] } };
  },
  // A transfer that has no question.
  'check/open-question': () => {
    const owner = transfer({ destination: undefined });
    return { workflow: flow({ cafe, owner }, 'cafe > owner: complains'), squad: ofCafe };
  },
  // An assistant whose prompt describes two nodes in prose.
  'check/not-decided': () => {
    const cake = 'Take the order of a cake.';
    return {
      workflow: flow({ cafe, cake }, 'cafe > cake'),
      squad: squadOf(memberOf(`${cafe} Then: ${cake}`)),
    };
  },
};

const ofGoldens = listFolders().map((name) => {
  const { reading, options } = readCase(name) ?? expect.fail(name);
  const { questions, diagnostics } = compile(reading.workflow, options);
  return { name, questions, diagnostics: [...reading.diagnostics, ...diagnostics] };
});
const ofProvocations = Object.entries(provocations).map(([name, provoke]) => {
  const { workflow, options, squad } = provoke();
  const { diagnostics } =
    squad === undefined ? compile(workflow, options) : verify(workflow, squad, options);
  return { name, questions: [], diagnostics };
});

it.each(ofProvocations)('$name is reported', ({ name, diagnostics }) => {
  expect(diagnostics.map(({ code }) => code)).toContain(name);
});

it.each([...ofProvocations, ...ofGoldens])(
  'the messages of $name are complete sentences',
  ({ diagnostics }) => {
    for (const { code, at, severity, message, help } of diagnostics) {
      for (const text of [message, help]) expectSentence(text);
      expect(Math.max(at.length, message.length)).toBeLessThan(1000);
      expect(severity).toBe(explain(code)?.severity);
    }
  },
);

it('the tests provoke exactly the codes of the catalogue', () => {
  const provoked = new Set(Object.keys(provocations));
  for (const { questions, diagnostics } of ofGoldens) {
    for (const { code } of diagnostics) provoked.add(code);
    for (const { kind } of questions) provoked.add(kind);
  }
  const ofWorkflows = codes().filter((code) => !/^(?:batch|tools|replay)\//.test(code));
  expect([...provoked].sort()).toEqual(ofWorkflows.sort());
});
