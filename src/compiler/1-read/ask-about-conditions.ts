/**
 * How an exact condition is to be met: conditions that are expressions need a human's word (spec/3,
 * "stop and ask").
 */
import { ask, type Proposal } from '../../diagnostics/questions.js';
import { digest } from '../ir/digest.js';
import type { EdgeIndex, NodeIndex } from '../ir/ids.js';
import type { Inquiry } from '../ir/inquiry.js';
import type { Target, Tools } from '../ir/options.js';
import type { Condition, Workflow, WorkflowNode } from '../ir/workflow.js';
import { createFindSetter, objectToTool } from '../names/find-request.js';
import { toLiquidExpression } from './logical.js';

/** What a call can reach, in walk order. */
export interface Scope {
  readonly workflow: Workflow;
  readonly order: readonly NodeIndex[];
  readonly edgesOf: (node: NodeIndex) => Iterable<number>;
  readonly target: Target;
  readonly tools: Tools;
}

/** Asks about one condition at a time; null where the condition is a sentence, or missing. */
export interface ConditionAsker {
  readonly ofEdge: (edge: EdgeIndex) => Inquiry | null;
  readonly ofGlobal: (node: WorkflowNode) => Inquiry | null;
}

export function createConditionAsker(scope: Scope): ConditionAsker {
  const { edges, nodes } = scope.workflow;
  // Most workflows have no such condition, and nobody needs to know.
  let sources: ValueSources | null = null;
  const listSources = () => {
    sources ??= {
      findSetter: createFindSetter(scope.workflow, scope.order),
      enumerated: listEnumerated(scope),
    };
    return sources;
  };
  return {
    ofEdge: (index) => {
      const { condition, from, to } = edges[index]!;
      const ends = [nodes[from]!.id, nodes[to]!.id] as const;
      const about = { of: 'edge', edge: index } as const;
      return condition && askAbout(scope, condition, ends, about, listSources);
    },
    ofGlobal: ({ global, id, index }) => {
      const condition = global?.condition ?? null;
      const about = { of: 'node', node: index } as const;
      return condition && askAbout(scope, condition, [id], about, listSources);
    },
  };
}

/** Where the values of variables come from. */
interface ValueSources {
  readonly findSetter: (variables: readonly string[]) => string | null;
  /** Variables that are captured as one of a list. */
  readonly enumerated: ReadonlySet<string>;
}

function askAbout(
  { workflow, order, target }: Scope,
  condition: Condition,
  [from, to]: readonly [from: string, to?: string],
  about: Inquiry['subject'],
  listSources: () => ValueSources,
): Inquiry | null {
  if (!condition.logical) return null;
  const { value, at } = condition;
  const ends = to === undefined ? [from] : [from, to];
  const variables = [...new Set(condition.uses.map((use) => use.name))];
  return {
    question: ask(
      'logical-condition',
      `${ends.join('->')}~${digest(JSON.stringify([...ends, value]))}`,
      {
        at: [at],
        args: { condition: value, variables, from, to: to ?? null },
        target,
        // Only what is an expression from end to end can decide by itself, and for `vapi` alone.
        without: target === 'vapi' && toLiquidExpression(value) !== null ? null : 'guard',
        ...proposeRouting(variables, listSources()),
      },
    ),
    subject: about,
    allowed: new Map(),
    objection: (choice, answer) =>
      choice === 'tool' ? objectToTool(workflow, order, variables, answer) : null,
    assumed: { choice: 'prose' },
  };
}

/** `extract` for an enumerated capture, `tool` where a tool sets the variable, else nothing. */
function proposeRouting(
  variables: readonly string[],
  { findSetter, enumerated }: ValueSources,
): Proposal {
  const setter = variables.length === 0 ? null : findSetter(variables);
  if (setter !== null) return { proposal: 'tool', proposalValue: { tool: setter } };
  const areEnumerated = variables.length > 0 && variables.every((name) => enumerated.has(name));
  return areEnumerated ? { proposal: 'extract' } : {};
}

/** Variables that some reachable node captures as one of a list. */
function listEnumerated({ workflow, order }: Scope): ReadonlySet<string> {
  const captures = order.flatMap((node) => workflow.nodes[node]!.captures);
  return new Set(captures.filter((it) => it.enum !== null).map((it) => it.name));
}
