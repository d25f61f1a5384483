import { describe, expect, it } from 'vitest';
import { type Answers, type CompileOptions, compile, verify } from '../../src/index.js';
import {
  answer,
  capture,
  end,
  type Fields,
  promptsOf,
  request,
  run,
  said,
  talk,
  toolsOf,
  workflow,
} from './documents.js';

const vapi = { target: 'vapi' } as const;
/** The id of the only open question. */
const idIn = (document: unknown, options?: CompileOptions) =>
  run(document, options).questions[0]!.id;

/** Answers the only question, and the squad holds. */
function answered(
  document: unknown,
  choice: string,
  value?: unknown,
  options: CompileOptions = {},
) {
  const given = { dynamicVariables: ['key'], ...options };
  const all = { ...given, ...answer(idIn(document, options), choice, value) };
  const result = compile(document, all);
  expect(result.questions).toEqual([]);
  expect(result.status).toBe('complete');
  expect(verify(document, result.output, all).holds).toBe(true);
  return result;
}

const membersOf = (result: Parameters<typeof promptsOf>[0]) => promptsOf(result).split('\n====\n');

describe('a transfer', () => {
  const document = workflow({ a: talk('A.'), t: { type: 'transferCall' } }, ['a > t']);
  it.each<[string, string, Fields]>([
    ['number', '+4930123456', { type: 'number', number: '+4930123456' }],
    ['sip', 'sip:desk@example.com', { type: 'sip', sipUri: 'sip:desk@example.com' }],
  ])('goes to a %s', (choice, value, destination) => {
    expect(toolsOf(answered(document, choice, value))).toMatchObject([
      { destinations: [destination] },
    ]);
  });

  it('goes nowhere while nobody says where to', () => {
    expect(toolsOf(run(document))).toMatchObject([{ destinations: [{ number: 'TODO' }] }]);
  });
});

describe('a request', () => {
  const body = { type: 'object', properties: { day: { type: 'string' } } };
  it('calls what the answer says', () => {
    const document = workflow({ a: talk('A.'), r: request({ url: undefined, body }) }, ['a > r']);
    const value = {
      url: 'https://x.example/{{key}}',
      method: 'POST',
      headers: { 'X-Api-Key': '{{key}}' },
      timeoutSeconds: 5,
    };
    expect(toolsOf(answered(document, 'request', value))).toMatchObject([{ ...value, body }]);
  });

  it('keeps its own headers where the answer has none, and is asked how it authenticates', () => {
    const document = workflow(
      { a: talk('A.'), r: request({ url: undefined, headers: { A: 'b' } }) },
      ['a > r'],
    );
    const endpoint = answer('missing-endpoint:r', 'request', {
      url: 'https://x.example',
      method: 'GET',
    });
    const { questions, draft } = run(document, endpoint);
    expect(questions.map(({ id }) => id)).toEqual(['missing-auth:r']);
    expect(JSON.stringify(draft)).toContain('"headers":{"A":"b"}');
  });

  const silent = (headers?: Fields) =>
    workflow({ a: talk('A.'), r: request({ headers }) }, ['a > r']);
  const header = { header: 'X-Api-Key', secret: 'shop_key' };
  it.each<[string, unknown, Fields | undefined, Fields]>([
    ['none', undefined, undefined, {}],
    ['header', header, undefined, { headers: { 'X-Api-Key': '{{shop_key}}' } }],
    ['header', header, { Accept: '*' }, { headers: { Accept: '*', 'X-Api-Key': '{{shop_key}}' } }],
    [
      'header',
      header,
      { type: 'object', properties: { Accept: { type: 'string', value: '*' } } },
      {
        headers: {
          properties: { Accept: {}, 'X-Api-Key': { type: 'string', value: '{{shop_key}}' } },
        },
      },
    ],
    ['credential', { credentialId: 'c-1' }, undefined, { credentialId: 'c-1' }],
  ])('proves who sends it: %s %j, beside %j', (choice, value, headers, tool) => {
    const result = answered(silent(headers), choice, value);
    expect(toolsOf(result)).toMatchObject([tool]);
    expect(said(result, 'lower/supplied')).toHaveLength(choice === 'header' ? 1 : 0);
  });

  it('may say it twice, which is told', () => {
    const document = silent({ Authorization: 'x' });
    const exported = {
      name: 'Twice',
      nodes: [
        { name: 'a', type: 'conversation', prompt: 'A.' },
        { name: 'r', type: 'apiRequest', ...(document.nodes[1] as object), credentialId: 'c' },
      ],
      edges: [{ from: 'a', to: 'r' }],
    };
    expect(said(run(exported), 'data/two')).toEqual([
      'data/two-authorizations /nodes/1/credentialId',
    ]);
  });
});

describe('an exact condition', () => {
  const document = workflow({ a: talk('Ask.', capture('plan')), b: talk('B.'), c: talk('C.') }, [
    "a > b: plan == 'gold'",
    'a > c: else',
  ]);
  it('is judged by the assistant', () => {
    expect(promptsOf(answered(document, 'prose'))).toContain("plan == 'gold'");
  });

  it('needs its values before', () => {
    const [prose, extract] = ['prose', 'extract'].map((it) => promptsOf(answered(document, it)));
    expect(extract).not.toBe(prose);
    expect(extract).toMatch(/plan/);
  });

  it('needs a tool before, which is to be provided, or one that is there', () => {
    const provided = answered(document, 'tool', { tool: 'Check plan' });
    expect(toolsOf(provided)).toMatchObject([
      { type: 'function', function: { name: 'Check_plan' } },
      {},
    ]);
    expect(promptsOf(provided)).toContain('Check_plan');
    const responseVariables = [{ name: 'plan', path: 'p' }];
    const own = workflow(
      {
        r: request({ name: 'look up', responseVariables }),
        a: talk('A.'),
        b: talk('B.'),
        c: talk('C.'),
      },
      ['r > a', "a > b: plan == 'gold'", 'a > c: else'],
    );
    for (const tool of ['r', 'look up']) {
      const functions = toolsOf(answered(own, 'tool', { tool })).filter(
        ({ type }) => type === 'function',
      );
      expect(functions).toEqual([]);
    }
  });

  it('is kept exact by the platform', () => {
    const guarded = answered(document, 'guard', undefined, {
      ...vapi,
      dynamicVariables: ['plan', 'key'],
    });
    const plans = toolsOf(guarded).flatMap(({ rejectionPlan }) => rejectionPlan ?? []);
    expect(JSON.stringify(plans)).toContain(`plan == 'gold'`);
  });

  it('may stand on a global node', () => {
    const global = workflow({
      a: talk('Ask.', capture('n')),
      g: talk('G.', { isGlobal: true, condition: 'n >= 3' }),
    });
    expect(promptsOf(answered(global, 'prose'))).toContain('n >= 3');
  });
});

describe('a variable that must not be missing', () => {
  const document = workflow(
    { a: talk('Ask.', capture('x')), b: talk('Use {{x}}.'), c: talk('C.') },
    ['a > b: one', 'a > c: two'],
  );
  const options = { ...vapi, criticalVariables: ['x'] };
  it.each<[string, unknown, string[], boolean]>([
    ['best-effort', undefined, ['variableExtractionPlan'], false],
    ['argument', undefined, ['"required":["destination","x"]'], false],
    ['tool', { tool: 'store_x' }, ['"name":"store_x"'], true],
  ])('crosses by %s', (choice, value, parts, isTool) => {
    const result = answered(document, choice, value, options);
    for (const part of parts) expect(JSON.stringify(result.output)).toContain(part);
    expect(promptsOf(result).includes('store_x')).toBe(isTool);
  });
});

describe('a variable that nothing sets', () => {
  const document = workflow(
    {
      a: talk('To {{stret}}.', {
        firstMessage: '{{ stret | upcase }}, {{street}}',
        ...capture('street'),
      }),
      r: request({ url: 'https://x.example/{{stret}}', body: { to: ['{{stret}}', 'stret'] } }),
      g: talk('G.', { isGlobal: true, condition: 'lost in {{stret}}' }),
    },
    ['a > r: {{stret}} is right'],
  );

  it('is the caller’s', () => {
    const result = answered(document, 'caller');
    expect(promptsOf(result)).toContain('To {{stret}}.');
    expect(said(result, 'lower/supplied')).toHaveLength(1);
  });

  it('is another one, in every text that reads it and nowhere else', () => {
    const result = answered(document, 'rename', 'street');
    const text = JSON.stringify(result.output);
    expect(text).not.toMatch(/\{\{\s*stret\b/);
    for (const part of [
      '{{ street | upcase }}, {{street}}',
      'To {{street}}.',
      'x.example/{{street}}',
      '"{{street}}","stret"',
      'lost in {{street}}',
      '{{street}} is right',
    ]) {
      expect(text).toContain(part);
    }
    const fromAnswer = result.sourceMap.filter(({ origin }) => origin.kind === 'answer');
    expect(fromAnswer.length).toBeGreaterThan(2);
  });

  it('is another one in an expression, and in its guard', () => {
    const exact = workflow({ a: talk('A.', capture('plan')), b: talk('B.'), c: talk('C.') }, [
      "a > b: plann == 'gold'",
      'a > c: else',
    ]);
    const { questions } = run(exact, vapi);
    const [logical, unset] = ['logical', 'undefined'].map(
      (kind) => questions.find(({ id }) => id.startsWith(kind))!.id,
    );
    const answers = {
      [logical!]: { choice: 'guard' },
      [unset!]: { choice: 'rename', value: 'plan' },
    };
    const { output, questions: left } = run(exact, { ...vapi, answers: { answers } });
    expect(left).toEqual([]);
    expect(JSON.stringify(output)).toContain("plan == 'gold'");
    expect(JSON.stringify(output)).not.toContain('plann');
  });

  it('is captured where the answer says', () => {
    const source = workflow({ a: talk('A.'), b: talk('Hi {{who}}.') }, ['a > b']);
    expect(promptsOf(answered(source, 'captured-at', 'a'))).toMatch(/find out who \(string\): who/);
  });
});

describe('stages, settings and the start', () => {
  const cycle = workflow({ a: talk('A.'), b: talk('B.'), c: talk('C.'), d: talk('D.') }, [
    'a > b',
    'b > c: on',
    'c > d: on',
    'd > b: back',
    'c > b: back',
  ]);
  it.each<[string, unknown, number]>([
    ['consolidate', undefined, 1],
    ['keep-split', undefined, 4],
    ['group', [['b', 'c']], 3],
  ])('a cycle: %s %j', (choice, value, count) => {
    expect(membersOf(answered(cycle, choice, value))).toHaveLength(count);
  });

  const voices = workflow(
    { a: talk('A.', { voice: { voiceId: 'x' } }), b: talk('B.', { voice: { voiceId: 'y' } }) },
    ['a > b'],
  );
  it.each<[string, unknown, string[]]>([
    ['first', undefined, ['x']],
    ['use', 'b', ['y']],
    ['keep-split', undefined, ['x', 'y']],
  ])('two voices: %s %j', (choice, value, expected) => {
    const text = JSON.stringify(answered(voices, choice, value).output);
    expect(text.match(/(?<="voiceId":")\w/g)).toEqual(expected);
  });

  it('the node that the answer names', () => {
    const open = workflow({ a: talk('Do a.'), b: talk('Do b.'), x: end }, ['a > x', 'b > x']);
    expect(promptsOf(answered(open, 'node', 'b'))).toContain('Do b.');
  });
});

describe('policies', () => {
  const silent = workflow(
    {
      a: talk('A.'),
      r: request({ headers: undefined }),
      s: request({ headers: undefined, url: 'https://y.example' }),
    },
    ['a > r', 'r > s'],
  );
  it('answer every question of their kind; a single answer wins', () => {
    const answers = { 'missing-auth:s': { choice: 'credential', value: { credentialId: 'c' } } };
    const { status, output } = run(silent, {
      answers: { answers, policies: { 'missing-auth': 'none' } },
    });
    expect(status).toBe('complete');
    expect(JSON.stringify(output).match(/credentialId/g)).toHaveLength(1);
  });

  it('answer where they can, and leave the other questions open', () => {
    const document = workflow({ a: talk('A.'), b: talk('B.'), c: talk('C.') }, [
      'a > b: n == 1',
      'a > c: if n == 2 or so',
    ]);
    const policies = { 'logical-condition': 'guard' };
    const { questions } = run(document, {
      ...vapi,
      dynamicVariables: ['n'],
      answers: { policies },
    });
    expect(questions.map(({ id }) => id.replace(/~.*/, ''))).toEqual(['logical-condition:a->c']);
  });

  it.each<[Fields, string]>([
    [{ 'missing-number': 'x' }, 'api/policy-kind /policies/missing-number'],
    [{ constructor: 'x' }, 'api/answer-shape /policies/constructor'],
    [{ 'missing-auth': 'all' }, 'api/policy-choice /policies/missing-auth'],
    [{ 'missing-auth': 'header' }, 'api/policy-needs-value /policies/missing-auth'],
    [{ 'logical-condition': 'guard' }, 'api/policy-choice /policies/logical-condition'],
  ])('that are wrong: %j', (policies, expected) => {
    const result = run(silent, { answers: { policies } as Answers });
    expect(said(result)).toEqual([expected]);
    expect(result.questions).toHaveLength(2);
  });
});

describe('an answer that does not fit leaves its question open', () => {
  const all = workflow(
    {
      a: talk('A {{stret}}.', capture('street')),
      b: talk('B.'),
      c: talk('C.'),
      r: request({ url: undefined, headers: undefined }),
      t: { type: 'transferCall' },
    },
    ['a > b: plan == 1', 'b > c: on', 'c > b: back', 'b > r: ask', 'r > t'],
  );
  const logical = (document: unknown) =>
    run(document).questions.find(({ kind }) => kind === 'logical-condition')!.id;
  const cycle = run(all).questions.find(({ kind }) => kind === 'cyclic-stages')!.id;
  const exact = logical(all);
  it.each<[string, string, unknown, string]>([
    ['missing-destination:t', 'fax', undefined, 'choice'],
    ['missing-destination:t', 'number', undefined, 'value'],
    ['missing-destination:t', 'number', '030-123', 'value'],
    ['missing-destination:t', 'sip', 'sip:{{', 'value'],
    ['missing-endpoint:r', 'request', { url: 'https://x.example' }, 'value'],
    ['missing-endpoint:r', 'request', { url: '{% if %}', method: 'GET' }, 'value'],
    [
      'missing-endpoint:r',
      'request',
      { url: 'https://x.example', method: 'GET', headers: { 'X-Api-Key': 'secret' } },
      'value',
    ],
    ['missing-endpoint:r', 'operation', { operation: 'bills.get' }, 'value'],
    ['missing-auth:r', 'none', 'x', 'value'],
    ['missing-auth:r', 'header', { header: 'A', secret: 'my secret' }, 'value'],
    ['missing-auth:r', 'constructor', undefined, 'choice'],
    ['undefined-variable:stret', 'rename', 'stret', 'value'],
    ['undefined-variable:stret', 'rename', 'avenue', 'value'],
    ['undefined-variable:stret', 'captured-at', 't', 'value'],
    ['undefined-variable:stret', 'captured-at', 'nowhere', 'value'],
    [cycle, 'group', [['b', 'a']], 'value'],
    [cycle, 'group', [['b'], ['b', 'c']], 'value'],
    [exact, 'guard', undefined, 'choice'],
    [exact, 'tool', { tool: 'r' }, 'value'],
  ])('%s: %s %j', (id, choice, value, field) => {
    const result = run(all, answer(id, choice, value));
    const at = `/answers/${id.replaceAll('~', '~0')}${field === 'choice' ? '/choice' : ''}`;
    expect(said(result)).toEqual([`api/answer-${field} ${at}`]);
    expect(result.status).toBe('invalid');
    expect(result.questions.map((each) => each.id)).toContain(id);
  });

  it.each<[unknown, string]>([
    [7, 'api/answer-shape '],
    [{ answer: {} }, 'api/answer-shape '],
    [{ answers: { a: { value: 1 } } }, 'api/answer-shape /answers/a'],
    [{ answers: { a: { choice: 'b', more: 1 } } }, 'api/answer-shape /answers/a'],
    [{ policies: { 'missing-auth': 1 } }, 'api/answer-shape /policies/missing-auth'],
    [{ answers: { a: { choice: 'b', value: () => 1 } } }, 'api/answer-shape /answers/a/value'],
  ])('answers of another shape: %j', (answers, expected) => {
    const result = run(all, { answers: answers as Answers });
    expect(said(result)).toEqual([expected]);
    expect(result.diagnostics.find(({ code }) => code === 'api/answer-shape')?.in).toBe('answers');
  });

  it('and one to a question that nobody asked is told', () => {
    const given = answer('missing-destination:gone', 'number', '+4930123456');
    const result = run(workflow({ a: talk('A.') }), given);
    expect(said(result)).toEqual(['api/stale-answer /answers/missing-destination:gone']);
    expect(result.status).toBe('complete');
  });
});
