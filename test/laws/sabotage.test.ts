/** Every law can fail: a compiler that breaks it is found out, on the worked pattern. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { CompileResult } from '../../src/compiler/ir/result.js';
import { laws, neverThrows, type SpecWorkflow } from '../../src/testing.js';
import { graph, worked } from './graphs.js';

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
  squadVerified: (result) => {
    delete destination(result).variableExtractionPlan;
  },
  dialectsAgree: ({ output }, workflow) => {
    if ('workflow' in workflow) output.squad.members[0].assistant.firstMessage = 'Hi.';
  },
  renamingStable: ({ output }, { nodes }) => {
    output.squad.members[1].assistant.model.messages[0].content += nodes[1]?.id;
  },
  unreachableIgnored: ({ output }, { nodes }) => {
    output.squad.members[0].assistant.model.temperature = nodes.length;
  },
  copiedEdgeFolded: ({ output }, { edges }) => {
    output.squad.members[0].assistant.model.temperature = edges.length;
  },
  captureAdded: (result, workflow) => {
    if (!isChanged(workflow, 'spare')) return;
    destination(result).variableExtractionPlan.schema.properties.spare = { type: 'string' };
  },
  insertedStepAdded: ({ output }) => {
    const [message] = output.squad.members[0].assistant.model.messages;
    message.content = message.content.replace('Do the work of inserted.', '');
  },
  splitStepAdded: ({ output }, workflow) => {
    if (!isChanged(workflow, 'second')) return;
    for (const { assistant } of output.squad.members) {
      const [message] = assistant.model.messages;
      message.content = message.content.replaceAll(/when done, go to step \d/g, 'go on');
    }
  },
};

/** Whether a law has put this name into the workflow. */
function isChanged(workflow: SpecWorkflow, name: string): boolean {
  return JSON.stringify(workflow).includes(`"${name}"`);
}

/** What else a law looks at: no branch of it may be blind. */
interface Fault {
  readonly law: keyof typeof laws;
  readonly what: string;
  readonly workflow: SpecWorkflow;
  readonly numbers?: readonly number[];
  readonly fault: Sabotage;
}

const moreFaults: readonly Fault[] = [
  {
    law: 'permutationStable',
    what: 'the ledger depends on the order of nodes',
    workflow: worked(),
    fault: ({ ledger }, { nodes }) => {
      if (nodes[0]?.id !== 'greet') ledger[0].outputs = [];
    },
  },
  {
    law: 'textsStandWordForWord',
    what: 'a text stands only inside of another one',
    workflow: withPrompts({ greet: 'Greet.', collect: 'Greet. Ask for topic and account.' }),
    fault: (result) => {
      const [message] = result.output.squad.members[0].assistant.model.messages;
      message.content = message.content.replace('\nGreet.\n', '\n');
      const at = '/nodes/0/systemPrompt';
      const entry = result.sourceMap.find((each: Spoilt) => each.origin.at === at);
      const start = message.content.indexOf('Greet.');
      entry.range = [start, start + 'Greet.'.length];
    },
  },
  {
    law: 'dialectsAgree',
    what: 'exports are asked otherwise',
    workflow: unclear(),
    fault: ({ questions }, { nodes }) => {
      if (nodes?.[0]?.systemPrompt === undefined && questions[0]) questions[0].text += ' Or?';
    },
  },
  {
    law: 'dialectsAgree',
    what: 'a place is that of another dialect',
    workflow: worked(),
    fault: ({ sourceMap }) => {
      const prompt = sourceMap.find(({ origin }: Spoilt) => /\/prompt$/.test(origin.at));
      if (prompt) prompt.origin.at = prompt.origin.at.replace('prompt', 'systemPrompt');
    },
  },
  {
    law: 'dialectsAgree',
    what: 'the mark of the start is lost',
    workflow: worked(),
    fault: (result, { nodes }) => {
      if (String(nodes?.[0]?.type) !== 'start') return;
      result.ledger = result.ledger.filter(({ at }: Spoilt) => at !== '/nodes/0');
    },
  },
  {
    law: 'dialectsAgree',
    what: 'a text is told to be left out',
    workflow: worked(),
    fault: (result, { orgId }) => {
      if (orgId)
        result.ledger.find(({ kind }: Spoilt) => kind === 'instruction').status = 'dropped';
    },
  },
  {
    law: 'renamingStable',
    what: 'the order of ids names an assistant',
    workflow: worked(),
    numbers: [1],
    fault: ({ output }, { nodes }) => {
      if (nodes[0]?.id === 'greet' || nodes[0]?.name !== undefined) return;
      output.squad.members[0].assistant.name = nodes.map(({ id }) => id).sort()[0];
    },
  },
  {
    law: 'unreachableIgnored',
    what: 'a node is left out silently',
    workflow: worked(),
    fault: (result) => {
      result.diagnostics = result.diagnostics.slice(1);
    },
  },
  {
    law: 'copiedEdgeFolded',
    what: 'a copy is left out silently',
    workflow: worked(),
    fault: (result) => {
      result.diagnostics = [];
    },
  },
  {
    law: 'copiedEdgeFolded',
    what: 'the copy stands somewhere else',
    workflow: worked(),
    fault: ({ ledger }) => {
      const copy = ledger.find(({ at }: Spoilt) => at === '/edges/5');
      if (copy) copy.outputs = [];
    },
  },
  {
    law: 'captureAdded',
    what: 'nothing tells to find it out',
    workflow: worked(),
    fault: ({ output }) => {
      const text = JSON.stringify(output).replaceAll('- find out spare', '- find out');
      output.squad = JSON.parse(text).squad;
    },
  },
  {
    law: 'insertedStepAdded',
    what: 'steps behind it keep their numbers',
    workflow: graph('a>b b>c c>d'),
    fault: ({ output }, workflow) => {
      if (!isChanged(workflow, 'inserted')) return;
      const [message] = output.squad.members[0].assistant.model.messages;
      message.content = message.content.replace('go to step 5', 'go to step 4');
    },
  },
  {
    law: 'splitStepAdded',
    what: 'the second part stands in an assistant of its own',
    workflow: worked(),
    fault: ({ output }, workflow) => {
      if (isChanged(workflow, 'second')) output.squad.members.push(output.squad.members[0]);
    },
  },
];

/** A workflow that is asked about: a transfer without a number. */
function unclear(): SpecWorkflow {
  const { nodes, ...rest } = worked();
  return { ...rest, nodes: [...nodes.slice(0, -1), { id: 'end', type: 'transferCall' }] };
}

function withPrompts(prompts: Readonly<Record<string, string>>): SpecWorkflow {
  const { nodes, ...rest } = worked();
  const changed = nodes.map((node) => {
    const systemPrompt = prompts[node.id];
    return systemPrompt === undefined ? node : { ...node, systemPrompt };
  });
  return { ...rest, nodes: changed };
}

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

describe.each(moreFaults)('$law', ({ law, what, workflow, numbers = [], fault }) => {
  it(`fails where ${what}`, () => {
    expect(() => laws[law](structuredClone(workflow), { numbers })).not.toThrow();
    sabotage.current = fault;
    expect(() => laws[law](structuredClone(workflow), { numbers })).toThrow();
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
