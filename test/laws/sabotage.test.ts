/** Every law can fail: a compiler that breaks it is found out, on the worked pattern. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { CompileResult } from '../../src/compiler/ir/result.js';
import { laws, neverThrows, type SpecWorkflow } from '../../src/testing/index.js';
import { worked } from './graphs.js';

/** A result that may be written to. */
// biome-ignore lint/suspicious/noExplicitAny: the point is to break what the types promise
type Spoilt = any;
type Sabotage = (result: Spoilt, workflow: SpecWorkflow) => void;

const sabotage = vi.hoisted(() => ({ current: (() => {}) as Sabotage }));

vi.mock('../../src/index.js', async (original) => {
  const actual = await original<typeof import('../../src/index.js')>();
  const compile = (workflow: SpecWorkflow, options?: object): CompileResult => {
    const result = structuredClone(JSON.parse(JSON.stringify(actual.compile(workflow, options))));
    sabotage.current(result, workflow);
    return result;
  };
  return { ...actual, compile };
});

const first = '/squad/members/0/assistant/model';
const destination = ({ output }: Spoilt): Spoilt =>
  output.squad.members[0].assistant.model.tools[0].destinations[0];
const entry = ({ ledger }: Spoilt, kind: string, at: string): Spoilt =>
  ledger.find((each: Spoilt) => each.kind === kind && each.at === at);
let calls = 0;

const faults: Readonly<Record<keyof typeof laws, Sabotage>> = {
  inputNotMutated: (_, workflow) => {
    workflow.name = 'Another';
  },
  deterministic: (result) => {
    calls += 1;
    result.stats.nodes = calls;
  },
  permutationStable: ({ output }, { nodes }) => {
    output.squad.members[0].assistant.name = nodes[1]?.id;
  },
  textsStandWordForWord: ({ output }) => {
    const [message] = output.squad.members[0].assistant.model.messages;
    message.content = message.content.replace('Greet the caller.', 'Greet callers.');
  },
  partitionCovers: (result) => {
    entry(result, 'node', '/nodes/3').outputs = [];
  },
  groupingCanonical: (result) => {
    entry(result, 'node', '/nodes/1').outputs = ['/squad/members/1'];
  },
  groupingMinimal: (result) => {
    entry(result, 'node', '/nodes/3').outputs = ['/squad/members/0'];
    entry(result, 'edge', '/edges/2').outputs = [`${first}/messages/0/content`];
  },
  plansSound: (result) => {
    delete destination(result).variableExtractionPlan.schema.properties.account;
  },
  plansMinimal: (result) => {
    destination(result).variableExtractionPlan.schema.properties.topic = { type: 'string' };
  },
  questionsTerminate: (result) => {
    const choices = [{ key: 'node', label: '', effect: '' }];
    const question = { id: 'q', kind: 'ambiguous-start', at: [], text: '', choices };
    Object.assign(result, { status: 'needs-answers', output: null, questions: [question] });
  },
  staleAnswersReported: (result) => {
    result.diagnostics = result.diagnostics.filter((each: Spoilt) => each.in !== 'answers');
  },
  ledgerConserves: (result) => {
    result.ledger = result.ledger.filter((each: Spoilt) => each.kind !== 'instruction');
  },
  sourceMapCovers: (result) => {
    result.sourceMap = result.sourceMap.filter((each: Spoilt) => !each.output.endsWith('/name'));
  },
};

beforeEach(() => {
  sabotage.current = () => {};
});

describe.each(Object.keys(laws) as (keyof typeof laws)[])('%s', (name) => {
  it('holds for the compiler as it is', () => {
    expect(() => laws[name](worked())).not.toThrow();
  });

  it('fails for one that breaks it', () => {
    sabotage.current = faults[name];
    expect(() => laws[name](worked())).toThrow();
  });
});

describe('neverThrows', () => {
  it('fails for a result that contradicts itself', () => {
    sabotage.current = (result) => {
      result.output = null;
    };
    expect(() => neverThrows(worked())).toThrow();
  });
});
