/** The result of `compile` as a whole, its options, and `emit`. */
import { describe, expect, it } from 'vitest';
import * as library from '../../src/index.js';
import { type CompileOptions, explain } from '../../src/index.js';
import { emit } from '../../src/report/representations.js';
import {
  answer,
  captures,
  compile,
  end,
  exported,
  flow,
  request,
  told,
  transfer,
} from './build.js';

const branches = { a: captures('x'), b: 'Use {{x}}.', c: 'C.' };
const workflow = flow(branches, 'a > b: one | a > c: two');
const open = flow({ a: 'A', x: transfer({ destination: undefined }) }, 'a > x');
const broken = flow({ a: { type: 'menu' } });
const wrong = { boundary: 'x', answers: { policies: { nothing: 'x' } } } as object;

describe('a result', () => {
  it('is complete, with a verified squad and its counts', () => {
    const result = compile(workflow);
    expect(result).toMatchObject({ status: 'complete', draft: null, questions: [] });
    expect(result.checklist.map(({ holds }) => holds)).toEqual(Array(9).fill(true));
    const { tools, questions, ...counts } = result.stats;
    expect([tools, questions, ...Object.values(counts)]).toEqual([0, 0, 3, 2, 3, 2, 1]);
    const calling = flow({ a: 'A', t: request(), x: end, y: transfer() }, 'a > t | t > x | t > y');
    expect(compile(calling, { target: 'vapi' }).stats).toMatchObject({ handoffs: 0, tools: 2 });
  });

  it('needs answers, with a draft that is valid as well', () => {
    const result = compile(open);
    expect(result).toMatchObject({ status: 'needs-answers', output: null });
    expect(JSON.stringify(result.draft)).toContain('TODO');
    expect(result.checklist).toHaveLength(9);
    expect(result.ledger.find(({ at }) => at === '/nodes/1')!.status).toBe('needs-answer');
  });

  it('is invalid if an answer is, and keeps the question', () => {
    const result = compile(open, answer('missing-destination:x', 'phone'));
    expect(result).toMatchObject({ status: 'invalid', output: null, draft: null });
    expect(result).toMatchObject({ checklist: [], sourceMap: [], ledger: [] });
    expect(result.questions.map(({ id }) => id)).toEqual(['missing-destination:x']);
  });

  it('is invalid with all faults of workflow, options and answers at once', () => {
    const result = compile(broken, wrong);
    expect(result).toMatchObject({ status: 'invalid', output: null, draft: null, questions: [] });
    expect(told(result)).toEqual([
      'shape/unknown-node-type /nodes/0/type',
      'api/option /boundary',
      'api/policy-kind /policies/nothing',
    ]);
    for (const { code } of result.diagnostics) expect(explain(code)).not.toBeNull();
  });
});

describe('an option', () => {
  it.each<[CompileOptions | null | undefined, string]>([
    [undefined, '"squad":'],
    [Object.create(null), '"type":"all"'],
    [{ target: 'vapi' }, '{"name":"By hand","members"'],
    [{ model: { provider: 'p', model: 'm', b: 1 } as never }, '"b":1,"model":"m","provider":"p"'],
    [{ memberOverrides: { z: 1, voice: { v: 1 } } }, '"memberOverrides":{"voice":{"v":1},"z":1}'],
    [{ handoffTools: 'separate' }, '"destinations":[{'],
    [{ target: 'vapi', pass: 'arguments' }, '"required":["destination","x"]'],
    [{ context: { type: 'lastNMessages', maxMessages: 4 } }, '"maxMessages":4'],
    [{ context: { type: 'none', more: 1 } as never }, '"contextEngineeringPlan":{"type":"none"}'],
    [{ names: { a: 'Desk' } }, '"name":"Desk"'],
    [{ names: undefined, target: undefined, dynamicVariables: null } as never, '"squad":'],
  ])('takes effect: %j', (options, part) => {
    expect(JSON.stringify(compile(workflow, options as CompileOptions).output)).toContain(part);
  });

  it.each<[unknown, ...string[]]>([
    [7, '/options'],
    [[], '/options'],
    [{ target: 'team' }, '/target'],
    [{ model: 'gpt-4o' }, '/model'],
    [{ model: { provider: '', model: 'x' } }, '/model'],
    [{ model: { provider: 'openai' } }, '/model'],
    ...['messages', 'tools', 'toolIds', 'toolRefs'].flatMap((key): [object, string][] => [
      [{ model: { provider: 'p', model: 'm', [key]: [] } }, '/model'],
      [{ memberOverrides: { model: { [key]: [] } } }, '/memberOverrides'],
    ]),
    [{ memberOverrides: ['voice'] }, '/memberOverrides'],
    [{ memberOverrides: { name: 'x' } }, '/memberOverrides'],
    [{ memberOverrides: { firstMessage: 'x' } }, '/memberOverrides'],
    [{ memberOverrides: { model: 'gpt' } }, '/memberOverrides'],
    [{ toolNames: { t: { name: 'a b' } } }, '/toolNames'],
    [{ handoffTools: true }, '/handoffTools'],
    [{ pass: 'plan-b' }, '/pass'],
    [{ pass: 'arguments' }, '/pass'],
    [{ context: 'all' }, '/context'],
    [{ context: { type: 'summary' } }, '/context'],
    [{ context: { type: 'lastNMessages', maxMessages: 0 } }, '/context'],
    [{ context: { type: 'lastNMessages', maxMessages: 1.5 } }, '/context'],
    [{ boundary: 'none' }, '/boundary'],
    [{ names: ['a'] }, '/names'],
    [{ names: { a: ' ' } }, '/names'],
    [{ dynamicVariables: 'x' }, '/dynamicVariables'],
    [{ criticalVariables: [7] }, '/criticalVariables'],
    [{ target: 7, boundary: 'x', names: [] }, '/target', '/boundary', '/names'],
  ])('is reported if it is invalid: %j', (options, ...places) => {
    const result = library.compile(workflow, options as CompileOptions);
    expect(result.status).toBe('invalid');
    expect(told(result)).toEqual(places.map((at) => `api/option ${at}`));
    expect(result.diagnostics.every((it) => it.in === 'options')).toBe(true);
  });

  it('is reported with all its faults, and with the reason why a setting is not allowed', () => {
    const options: object = {
      model: { provider: '', tools: [], messages: [] },
      memberOverrides: { name: 'x', model: { toolIds: [] } },
      dynamicVariables: [7, ' '],
    };
    const { diagnostics } = compile(workflow, options as CompileOptions);
    const own = 'comes from the workflow, so it cannot be set here';
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'The option “model” is invalid: it must have “model”.',
      'The option “model” is invalid: provider must be a text that is not blank.',
      `The option “model” is invalid: \`messages\` ${own}.`,
      `The option “model” is invalid: \`tools\` ${own}.`,
      `The option “memberOverrides” is invalid: \`name\` ${own}.`,
      `The option “memberOverrides” is invalid: \`model.toolIds\` ${own}.`,
      'The option “dynamicVariables” is invalid: 0 must be a text.',
      'The option “dynamicVariables” is invalid: 1 must be a text that is not blank.',
    ]);
  });

  it('is reported if it is unknown, with the one that was probably meant', () => {
    const result = compile(workflow, { toString: 1, boundry: 'tools' } as CompileOptions);
    expect(told(result)).toEqual(['api/unknown-option /boundry', 'api/unknown-option /toString']);
    const [{ message, help }] = result.diagnostics as [(typeof result.diagnostics)[0]];
    expect(`${message} ${help}`).toContain('boundary');
    expect(result.status).toBe('complete');
  });

  it.each<[string, object, number]>([
    ['a text reads them', { prompt: 'Hi {{customer_id}} and {{custmer_id}}.' }, 0],
    ['only a setting reads them', { voice: { voiceId: '{{ custmer_id }}' } }, 2],
    ['an unknown tool may read them', { toolIds: ['t'] }, 0],
  ])('can name variables, with a warning unless %s', (_, node, count) => {
    const source = exported({ a: node });
    const options = {
      dynamicVariables: ['customer_id', 'custmer_id'],
      criticalVariables: ['customer_id'],
    };
    const { diagnostics } = compile(source, options);
    const unread = diagnostics.filter(({ code }) => code === 'api/unread-variable');
    const places = ['/criticalVariables', '/dynamicVariables'];
    expect(unread.map(({ at }) => at)).toEqual(places.slice(0, count));
    for (const { message } of unread) expect(message).toContain('did you mean “custmer_id”?');
  });

  it('never runs the caller’s code', () => {
    const get = () => expect.unreachable('it was read');
    const options = Object.defineProperty({}, 'target', { get, enumerable: true });
    expect(told(library.compile(workflow, options))).toEqual(['api/option /target']);
    const trapped = new Proxy({}, { get, has: get, ownKeys: get, getPrototypeOf: get });
    expect(told(library.compile(workflow, trapped))).toEqual(['api/option ']);
  });
});

it.each(['flow-graph', 'regions', 'squad-ir'] as const)('emit shows %s as plain JSON', (what) => {
  const { document, result } = emit(workflow, {}, what);
  expect([result.status, JSON.parse(JSON.stringify(document))]).toEqual(['complete', document]);
  expect(JSON.stringify(document)).toContain('"a"');
  expect(emit({}, {}, what).document).toBeNull();
});
