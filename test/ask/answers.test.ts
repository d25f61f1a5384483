/** The effect of answers and policies, and how invalid ones are reported. */
import { describe, expect, it } from 'vitest';
import { type CompileOptions, compile, verify } from '../../src/index.js';
import { settle } from '../../src/testing.js';
import {
  type Any,
  answer,
  captures,
  compiled,
  type Fields,
  flow,
  otherToolsOf,
  request,
  says,
  told,
  transfer,
} from '../compiler/build.js';

const vapi = { target: 'vapi' } as const;
const idsOf = (workflow: unknown, options?: CompileOptions) =>
  compile(workflow, options).questions.map(({ id }) => id);

/** Answers the only question, and verifies the squad. */
function answered(workflow: object, choice: string, value?: unknown, options: CompileOptions = {}) {
  const [id = '', ...others] = idsOf(workflow, options);
  expect(others).toEqual([]);
  const all = { ...options, ...answer(id, choice, value) };
  const result = compiled(workflow, all);
  expect(verify(workflow, result.output, all).holds).toBe(true);
  return result;
}

describe('an answer about a request', () => {
  const accept = { Accept: { type: 'string', value: '*' } };
  const key = { 'X-Api-Key': { type: 'string', value: '{{shop_key}}' } };
  const declared = (properties: Fields) => ({ type: 'object', properties });
  it.each<[unknown, Fields]>([
    [{ Accept: '*' }, { Accept: '*', 'X-Api-Key': '{{shop_key}}' }],
    [declared(accept), declared({ ...accept, ...key })],
  ])('adds its header to %j', (headers, expected) => {
    const workflow = flow({ a: 'A.', r: request({ headers }) }, 'a > r');
    const result = answered(workflow, 'header', { header: 'X-Api-Key', secret: 'shop_key' });
    expect(otherToolsOf(result)).toMatchObject([{ headers: expected }]);
    expect(told(result, 'lower/supplied')).toHaveLength(1);
  });
});

describe('an answer about a variable', () => {
  const read = (name: string) => ({
    a: {
      ...says(`To {{${name}}}.`),
      firstMessage: `{{ ${name} | upcase }}, {{street}}`,
      ...captures('street'),
    },
    r: request({
      url: `https://x.example/{{${name}}}`,
      body: { to: [`{{${name}}}`, 'stret'] },
    }),
    g: { ...says('G.'), isGlobal: true, condition: `lost in {{${name}}}` },
  });
  const unset = (name: string) => flow(read(name), `a > r: {{${name}}} is right`);

  it('renames it in every text that reads it, and nowhere else', () => {
    const result = answered(unset('stret'), 'rename', 'street');
    expect(result.output).toEqual(compiled(unset('street')).output);
    const fromAnswer = result.sourceMap.filter(({ origin }) => origin.kind === 'answer');
    expect(fromAnswer.length).toBeGreaterThan(2);
  });
});

describe('a tool that answers an exact condition', () => {
  const calls = (tool: string) => (question: { readonly kind: string }) => {
    if (question.kind === 'values-after-call') return { choice: 'structured-output' };
    if (question.kind === 'undefined-variable') return { choice: 'caller' };
    return { choice: 'tool', value: { tool } };
  };
  const global = (prompt: string) => {
    return { g: { ...says(prompt), isGlobal: true, condition: "berth == 'outer'" } };
  };
  const berth = { ...says('A.'), ...captures('berth') };
  const branches = 'a > b: to hire | a > c: to repair';
  it.each<[string, Record<string, string | object>, string]>([
    ['only the tool knows', { a: 'A.', b: 'B.', c: 'C.', ...global('Not {{berth}}.') }, branches],
    ['no text reads', { a: 'A.', b: 'B.', c: 'C.', ...global('Go.') }, branches],
    ['a node finds out', { a: berth, b: 'B.', c: 'To {{berth}}.', ...global('Go.') }, branches],
    [
      'is read late',
      { a: berth, b: 'B.', c: 'C.', d: '{{berth}}', ...global('Go.') },
      `${branches} | b > d: x | c > d`,
    ],
    ['no node has', { a: {}, ...global('Go.') }, ''],
    [
      'a tool with the name of a request says',
      { a: 'A.', b: { ...request(), name: 'look up' }, c: 'C.', ...global('Go.') },
      'a > b | b > c',
    ],
    [
      'another step also asks of it',
      { a: 'A.', b: 'B.', c: 'C.', d: 'D.', ...global('Go.') },
      "a > b | b > c: pier == 'x' | b > d",
    ],
  ])('may judge a global node by what %s', (_, nodes, edges) => {
    for (const target of ['squad', 'vapi'] as const) {
      const { result } = settle(flow(nodes, edges), { target }, calls('look_up'));
      expect(result.status).toBe('complete');
    }
  });

  it.each(['_plan', 'x-y', 'x'.repeat(41)])('cannot set a variable called %s', (name) => {
    const nodes = { a: { ...says('A.'), ...captures(name) }, b: `To {{${name}}}.`, c: 'C.' };
    const branching = flow(nodes, [...['a > b: x', 'a > c: y']]);
    const judged = flow(nodes, `a > b: ${name.replace('-', '_')} == 'x' | a > c`);
    for (const workflow of [branching, ...(name === 'x-y' ? [] : [judged])]) {
      const options = { criticalVariables: workflow === branching ? [name] : [] };
      const { result } = settle(workflow, options, calls('look_up'));
      expect(told(result, 'api/answer-value')).toHaveLength(1);
    }
  });
});

describe('policies', () => {
  const silent = flow({ a: 'A.', r: request({ headers: undefined }) }, 'a > r');

  it('answer every question that offers the choice, and leave the others open', () => {
    const edges = 'a > b: n == 1 | a > c: if n == 2 or so';
    const answers = { policies: { 'logical-condition': 'guard' } };
    const options = { ...vapi, dynamicVariables: ['n'], answers };
    const open = idsOf(flow({ a: 'A.', b: 'B.', c: 'C.' }, edges), options);
    expect(open).toEqual([expect.stringMatching(/^logical-condition:a->c~/)]);
  });

  it('give every question the same value', () => {
    const more = request({ headers: undefined, url: 'https://api.example.com/more' });
    const workflow = flow(
      { a: 'A.', r: request({ headers: undefined }), b: 'B.', more },
      'a > r | r > b | b > more',
    );
    const policy = { choice: 'header', value: { header: 'X-Api-Key', secret: 'shop_key' } };
    const options = { answers: { policies: { 'missing-auth': policy } } };
    const result = compile(workflow, options);
    expect(result.status).toBe('complete');
    const headers = otherToolsOf(result).map((it: Any) => it.headers);
    expect(headers).toEqual(Array(2).fill({ 'X-Api-Key': '{{shop_key}}' }));
    expect(verify(workflow, result.output, options).verdict).toBe('holds');
  });

  it.each<[Fields, string]>([
    [{ 'missing-number': 'x' }, 'api/policy-kind /policies/missing-number'],
    [{ constructor: 'x' }, 'api/answer-shape /policies/constructor'],
    [{ 'missing-auth': 'all' }, 'api/policy-choice /policies/missing-auth'],
    [{ 'missing-auth': 'header' }, 'api/policy-value /policies/missing-auth'],
    [
      { 'missing-auth': { choice: 'header', value: {} } },
      'api/policy-value /policies/missing-auth',
    ],
    [{ 'missing-auth': { choice: 'none', value: 'x' } }, 'api/policy-value /policies/missing-auth'],
    [{ 'missing-auth': { choice: 'all', value: 'x' } }, 'api/policy-choice /policies/missing-auth'],
    [{ 'missing-auth': { choice: 'none' } }, 'api/answer-shape /policies/missing-auth'],
    [{ 'logical-condition': 'guard' }, 'api/policy-choice /policies/logical-condition'],
  ])('that are invalid are reported: %j', (policies, expected) => {
    const result = compile(silent, { answers: { policies } } as CompileOptions);
    expect(told(result, 'api/')).toEqual([expected]);
    expect(result.questions).toHaveLength(1);
  });
});

describe('an invalid answer is reported and leaves its question open', () => {
  const all = flow(
    {
      a: { ...says('A {{stret}}.'), ...captures('street') },
      b: 'B.',
      c: 'C.',
      r: request({ url: undefined, headers: undefined }),
      t: transfer({ destination: undefined }),
    },
    'a > b: plan == 1 | b > c: on | c > b: back | b > r: ask | r > t',
  );
  const [cycle, exact] = ['cyclic', 'logical'].map((it) =>
    idsOf(all).find((id) => id.startsWith(it)),
  );
  const url = 'https://x.example';
  it.each<[string | undefined, string, unknown, string]>([
    ['missing-destination:t', 'fax', undefined, 'choice'],
    ['missing-destination:t', 'number', undefined, 'value'],
    ['missing-destination:t', 'number', '030-123', 'value'],
    ['missing-destination:t', 'sip', 'sip:{{', 'value'],
    ['missing-endpoint:r', 'request', { url }, 'value'],
    ['missing-endpoint:r', 'request', { url: '{% if %}', method: 'GET' }, 'value'],
    [
      'missing-endpoint:r',
      'request',
      { url, method: 'GET', headers: { 'X-Api-Key': 'Bearer 1' } },
      'value',
    ],
    ['missing-endpoint:r', 'operation', { operation: 'bills.get' }, 'value'],
    ['missing-auth:r', 'none', 'x', 'value'],
    ['missing-auth:r', 'header', { header: 'A', secret: 'my secret' }, 'value'],
    ['missing-auth:r', 'constructor', undefined, 'choice'],
    ['undefined-variable:stret', 'caller', 'x', 'value'],
    ['undefined-variable:stret', 'rename', undefined, 'value'],
    ['undefined-variable:stret', 'rename', 7, 'value'],
    ['undefined-variable:stret', 'rename', 'stret', 'value'],
    ['undefined-variable:stret', 'rename', 'avenue', 'value'],
    ['undefined-variable:stret', 'captured-at', 't', 'value'],
    ['undefined-variable:stret', 'captured-at', 'nowhere', 'value'],
    [cycle, 'group', [['b', 'a']], 'value'],
    [cycle, 'group', [['b', 'z']], 'value'],
    [cycle, 'group', [['b'], ['b', 'c']], 'value'],
    [exact, 'guard', undefined, 'choice'],
    [exact, 'tool', { tool: 'r' }, 'value'],
  ])('%s: %s %j', (id = '', choice, value, field) => {
    const result = compile(all, answer(id, choice, value));
    const at = `/answers/${id.replaceAll('~', '~0')}${field === 'choice' ? '/choice' : ''}`;
    expect(told(result, 'api/')).toEqual([`api/answer-${field} ${at}`]);
    expect([result.status, result.output, result.draft]).toEqual(['invalid', null, null]);
    expect(result.questions.map((each) => each.id)).toContain(id);
    expect(JSON.stringify(result)).not.toContain('Bearer 1');
  });

  it('a group that separates equal nodes', () => {
    const edges = 'a > b: 1 | a > c: 2 | b > d | c > d | d > b: again | d > c: more';
    const twins = flow({ a: 'A.', b: 'Same.', c: 'Same.', d: 'D.' }, edges);
    const apart = answer(idsOf(twins)[0]!, 'group', [['b', 'd'], ['c']]);
    expect(told(compile(twins, apart), 'api/')[0]).toMatch(/^api\/answer-value /);
  });

  const key = (name: string) => JSON.parse(`{ "answers": { "${name}": { "choice": "x" } } }`);
  it.each<[unknown, string]>([
    ['caller', ''],
    [null, ''],
    [{ answer: {} }, ''],
    [{ answers: [] }, '/answers'],
    [{ answers: { a: 'caller' } }, '/answers/a'],
    [{ answers: { a: { value: 1 } } }, '/answers/a'],
    [{ answers: { a: { choice: 7 } } }, '/answers/a/choice'],
    [{ answers: { a: { choice: 'b', more: 1 } } }, '/answers/a'],
    [{ policies: ['caller'] }, '/policies'],
    [{ policies: { 'missing-auth': 1 } }, '/policies/missing-auth'],
    [key('constructor'), '/answers/constructor'],
    [JSON.parse('{ "__proto__": { "answers": {} } }'), '/__proto__'],
  ])('answers of the wrong shape: %j', (answers, at) => {
    const result = compile(all, { answers } as CompileOptions);
    expect(told(result, 'api/')).toEqual([`api/answer-shape ${at}`]);
    expect(result.diagnostics.find(({ code }) => code === 'api/answer-shape')?.in).toBe('answers');
    expect(result.questions.map(({ id }) => id)).toContain('undefined-variable:stret');
  });

  it('inherited properties are not answers', () => {
    const named = flow({ a: 'Talk of {{toString}} and {{valueOf}}.' });
    expect(idsOf(named, { answers: { answers: {}, policies: {} } })).toHaveLength(2);
  });
});
