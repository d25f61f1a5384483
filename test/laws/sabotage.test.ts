/** Every law can fail: each notices a compiler that breaks it. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { laws, neverThrows, type SpecWorkflow } from '../../src/testing.js';
import { captures, exported, flow, request, transfer } from '../compiler/build.js';
import { drawn, worked } from './graphs.js';

/** A result that can be changed. */
// biome-ignore lint/suspicious/noExplicitAny: the point is to break what the types promise
type Spoilt = any;
type Sabotage = (result: Spoilt, workflow: SpecWorkflow) => unknown;

const sabotage = vi.hoisted(() => ({ current: (() => {}) as Sabotage }));

vi.mock('../../src/index.js', async (original) => {
  const actual = await original<typeof import('../../src/index.js')>();
  const compile = (workflow: SpecWorkflow, options?: object) => {
    const result = JSON.parse(JSON.stringify(actual.compile(workflow, options)));
    sabotage.current(result, workflow);
    return result;
  };
  return { ...actual, compile };
});

const { assign } = Object;
const members = ({ output }: Spoilt): Spoilt => output.squad.members;
const assistant = (result: Spoilt): Spoilt => members(result)[0].assistant;
const destination = (result: Spoilt): Spoilt => assistant(result).model.tools[0].destinations[0];
const properties = (result: Spoilt): Spoilt =>
  destination(result).variableExtractionPlan.schema.properties;
const entry = ({ ledger }: Spoilt, at: string): Spoilt =>
  ledger.find((each: Spoilt) => each.at === at && /^(?:node|edge)$/.test(each.kind)) ?? {};
const without = (list: string, isGone: (each: Spoilt) => boolean): Sabotage => {
  return (result) => assign(result, { [list]: result[list].filter((it: Spoilt) => !isGone(it)) });
};
const reword =
  (from: string | RegExp, to: string | ((found: string) => string)): Sabotage =>
  (result) => {
    for (const { assistant: each } of members(result)) {
      const [first] = each.model.messages;
      first.content = first.content.replace(from, to as string);
    }
  };
/** The second step of the worked pattern gets an assistant of its own. */
const split: Sabotage = (result) => {
  const [first] = members(result);
  const { assistant: second } = members(result)[members(result).push(structuredClone(first)) - 1];
  const content = first.assistant.model.messages[0].content.split('Step 2\n')[1];
  assign(second, { name: 'collect', firstMessage: '' });
  second.model.messages[0].content = content;
  first.assistant.model.messages[0].content =
    'Greet the caller.\n- When done: hand off to "collect".\n';
  const destination = { assistantName: 'collect', description: 'when done with greet' };
  first.assistant.model.tools = [{ type: 'handoff', destinations: [destination] }];
};
/** The fault, limited to workflows in which a law has put this name. */
const where =
  (name: string, fault: Sabotage): Sabotage =>
  (result, workflow) =>
    JSON.stringify(workflow).includes(`"${name}"`) && fault(result, workflow);

let calls = 0;
const choices = [{ key: 'node', label: '', effect: '' }];
const question = { id: 'q', kind: 'ambiguous-start', at: [], text: '', choices };

/** By law, the faults of a compiler that break it. */
const faults: Readonly<Record<keyof typeof laws, Readonly<Record<string, Sabotage>>>> = {
  inputNotMutated: {
    'the workflow is changed': (_, workflow) => assign(workflow, { name: 'Another' }),
  },
  deterministic: { 'the result counts calls': ({ stats }) => assign(stats, { nodes: calls++ }) },
  permutationStable: {
    'the order of nodes names an assistant': (result, { nodes }) =>
      assign(assistant(result), { name: nodes[1]?.id }),
    'the ledger depends on the order of nodes': ({ ledger }, { nodes }) =>
      nodes[0]?.id !== 'greet' && assign(ledger[0], { outputs: [] }),
  },
  textsStandWordForWord: {
    'a text is reworded': reword('Greet the caller.', 'Greet callers.'),
    'a text is only part of another one': (result, workflow) => {
      reword('\nGreet.\n', '\n')(result, workflow);
      const start = assistant(result).model.messages[0].content.indexOf('Greet.');
      const at = '/nodes/0/systemPrompt';
      const quotation = result.sourceMap.find((each: Spoilt) => each.origin.at === at);
      quotation.range = [start, start + 'Greet.'.length];
    },
  },
  partitionCovers: {
    'the ledger names no assistant': (it) => assign(entry(it, '/nodes/3'), { outputs: [] }),
    'a node is in another assistant': split,
  },
  groupingCanonical: { 'a chain is split': split },
  groupingMinimal: { 'a handoff has no reason': split },
  plansSound: { 'a property is lost': (result) => delete properties(result).account },
  plansMinimal: {
    'a property is invented': (it) => assign(properties(it), { topic: { type: 'string' } }),
  },
  valuesHold: {
    'a handoff loses what it carries': (result) => delete properties(result).account,
    'an old value is rendered for good': reword(/{% (?:end)?raw %}/g, (mark) =>
      ' '.repeat(mark.length),
    ),
    'an old value is not given': reword('Known on entry', 'Known of entry'),
    'an assistant speaks a line at the wrong moment': (result) => {
      members(result)[1].assistant.firstMessageMode = 'assistant-speaks-first';
      const at = '/squad/members/1/assistant/firstMessage';
      const origin = { kind: 'source', at: '/nodes/0/firstMessage' };
      members(result)[1].assistant.firstMessage = 'Hello.';
      result.sourceMap.push({ output: at, origin });
    },
    'a request does not ask for what it needs': (it) => delete assistant(it).model.tools[0].body,
    'a request does not require what it needs': (it) =>
      delete assistant(it).model.tools[0].body.required,
    'a response is not kept': (it) => delete assistant(it).model.tools[0].variableExtractionPlan,
    'a request has a fixed value': (result) => {
      assistant(result).model.tools[0].body.properties.x.value = 'x';
    },
  },
  linesSpoken: {
    'one way to a transfer is silent': reword('say "', 'hum "'),
    'the platform says what the model says': (result) => {
      const { tools } = assistant(result).model;
      tools[0].destinations[0].message = 'One moment, {{x}}.';
      const origin = { kind: 'source', at: '/nodes/2/transferPlan/message' };
      const output = '/squad/members/0/assistant/model/tools/0/destinations/0/message';
      result.sourceMap.push({ output, origin });
    },
    'nobody says the line of a tool': ({ output }) => {
      const [message] = output.members[0].assistant.model.messages;
      message.content = message.content.replace('Say: "', 'Hum: "');
    },
  },
  questionsTerminate: {
    'a question stays open': (result) =>
      assign(result, { status: 'needs-answers', output: null, questions: [question] }),
  },
  staleAnswersReported: {
    'answers are ignored': without('diagnostics', (each) => each.in === 'answers'),
  },
  ledgerConserves: {
    'texts are left out': without('ledger', ({ kind }) => kind === 'instruction'),
  },
  sourceMapCovers: {
    'names have no origin': without('sourceMap', ({ output }) => output.endsWith('/name')),
  },
  squadVerified: {
    'a plan is lost': (result) => delete destination(result).variableExtractionPlan,
  },
  dialectsAgree: {
    'a wrapper changes a line': (result, workflow) =>
      'workflow' in workflow && assign(assistant(result), { firstMessage: 'Hi.' }),
    'exports get other questions': ({ questions }, { nodes }) =>
      nodes?.[0]?.systemPrompt === undefined && questions[0] && assign(questions[0], { text: '' }),
    'a pointer belongs to another dialect': ({ sourceMap }) => {
      const prompt = sourceMap.find(({ origin }: Spoilt) => /\/prompt$/.test(origin.at));
      if (prompt) prompt.origin.at = prompt.origin.at.replace('prompt', 'systemPrompt');
    },
    'the mark of the start is lost': (result, workflow) =>
      String(workflow.nodes?.[0]?.type) === 'start' &&
      without('ledger', ({ at }) => at === '/nodes/0')(result, workflow),
    'a text is reported as left out': ({ ledger }, { orgId }) => {
      const text = ledger.find(({ kind }: Spoilt) => kind === 'instruction');
      if (orgId) text.status = 'dropped';
    },
  },
  renamingStable: {
    'a prompt contains an id': (result, { nodes }) => reword(/$/, nodes[1]!.id)(result, worked()),
    'the order of ids names an assistant': (result, { nodes }) =>
      nodes[0]?.id !== 'greet' &&
      nodes[0]?.name === undefined &&
      assign(assistant(result), { name: nodes.map(({ id }) => id).sort()[0] }),
  },
  unreachableIgnored: {
    'the number of nodes is a setting': (result, { nodes }) =>
      assign(assistant(result).model, { temperature: nodes.length }),
    'a node is left out without a warning': ({ diagnostics }) => diagnostics.shift(),
  },
  copiedEdgeFolded: {
    'the number of edges is a setting': (result, { edges }) =>
      assign(assistant(result).model, { temperature: edges.length }),
    'a copy is left out without a warning': without('diagnostics', () => true),
    'the copy is in another place': (it) => assign(entry(it, '/edges/5'), { outputs: [] }),
  },
  captureAdded: {
    'a plan carries it': where('spare', (it) => assign(properties(it), { spare: {} })),
    'no prompt asks for it': reword('- Find out spare', '- Find out'),
  },
  insertedStepAdded: {
    'its text is lost': reword('Do the work of inserted.', ''),
    'later steps keep their numbers': where('inserted', reword('go to step 5', 'go to step 4')),
  },
  splitStepAdded: {
    'nothing leads to the second part': where(
      'second',
      reword(/When done: go to step \d\./g, 'Go on.'),
    ),
    'the second part gets its own assistant': where('second', (result) =>
      members(result).push(members(result)[0]),
    ),
  },
};

/** Faults that need a workflow other than the worked pattern, or numbers. */
const nested = worked();
nested.nodes[0]!.systemPrompt = 'Greet.';
nested.nodes[1]!.systemPrompt = 'Greet. Ask for topic and account.';
const unclear = worked();
unclear.nodes.splice(-1, 1, { id: 'end', type: 'transferCall' });
const transferring = flow(
  { a: 'A', b: captures('x'), t: transfer({ transferPlan: { message: 'One moment, {{x}}.' } }) },
  'a > t: hurry | a > b: time | b > t',
) as SpecWorkflow;
const messages = [{ type: 'request-start', content: 'Hold on, {{x}}.' }];
const a = { variableExtractionPlan: { output: [{ title: 'x', type: 'string' }] } };
const waiting = exported(
  { a, t: { type: 'tool', tool: request({ messages }) }, b: {} },
  'a > t | t > b',
);
const again = drawn('a > b: 1 | a > c: 2 | c > d', 'a sets, c sets reads, d reads');
const requesting = drawn('a > t | t > b', 'a sets, t sends');
const workflows: Readonly<Record<string, SpecWorkflow>> = {
  'an old value is rendered for good': again,
  'an old value is not given': drawn(
    's > c: 1 | s > b: 2 | c > d | d > c',
    's sets, d sets, c reads',
  ),
  'a request does not ask for what it needs': requesting,
  'a request does not require what it needs': requesting,
  'a request has a fixed value': requesting,
  'one way to a transfer is silent': transferring,
  'the platform says what the model says': transferring,
  'nobody says the line of a tool': waiting as object as SpecWorkflow,
  'a response is not kept': drawn('t > a | a > b: 1 | a > c: 2', 't responds, b reads'),
  'a text is only part of another one': nested,
  'exports get other questions': unclear,
  'later steps keep their numbers': drawn('a > b | b > c | c > d'),
};
const numbers: Readonly<Record<string, readonly number[]>> = {
  'the order of ids names an assistant': [1],
};

beforeEach(() => {
  sabotage.current = () => {};
});

describe.each(Object.entries(faults))('%s', (name, each) => {
  it.each(Object.entries(each))('fails if %s', (what, fault) => {
    const law = laws[name as keyof typeof laws];
    const workflow = workflows[what] ?? worked();
    const options = { numbers: numbers[what] ?? [] };
    expect(() => law(structuredClone(workflow), options)).not.toThrow();
    sabotage.current = fault;
    expect(() => law(structuredClone(workflow), options)).toThrow();
  });
});

it('neverThrows fails for a result that contradicts itself', () => {
  sabotage.current = (result) => assign(result, { output: null });
  expect(() => neverThrows(worked())).toThrow();
});
