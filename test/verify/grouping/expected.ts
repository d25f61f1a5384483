/** The grouping that the checks expect, in a form that is easy to compare. */
import { openDialogue } from '../../../src/compiler/1-read/decide.js';
import { readOptions } from '../../../src/compiler/1-read/read-options.js';
import { findStart } from '../../../src/compiler/1-read/start.js';
import { computeFlowGraph } from '../../../src/compiler/3-analyze/flow-graph.js';
import { partition } from '../../../src/compiler/4-group/partition.js';
import type { NodeIndex } from '../../../src/compiler/ir/ids.js';
import type { Decide, Decision } from '../../../src/compiler/ir/inquiry.js';
import type { CompileOptions, Settled } from '../../../src/compiler/ir/options.js';
import type { Workflow } from '../../../src/compiler/ir/workflow.js';
import { type Grouping, groupNodes } from '../../../src/verify/grouping/group-nodes.js';
import { readSource, type SourceGraph } from '../../../src/verify/source-graph.js';
import { type Plan, parsed } from '../../compiler/build.js';

export function settled(options: CompileOptions = {}): Settled {
  return readOptions(options).options;
}

/** The only start, or the first node. */
export function startOf(workflow: Workflow): NodeIndex {
  const start = findStart(workflow);
  return start.kind === 'found' ? start.node : (0 as NodeIndex);
}

export interface Grouped {
  /** Each assistant as the ids of its nodes, those that are equal to them included. */
  readonly assistants: readonly string[];
  /** Nodes for which an equal one stands, as `b = a`. */
  readonly equal: readonly string[];
  readonly decisions: readonly unknown[];
}

/** The grouping that the checks expect. */
export function expected(workflow: Workflow, options: Settled, decide: Decide): Grouped {
  const source = readSource(workflow, startOf(workflow));
  const { representative, stageCount, nodesOf, decisions } = groupNodes(source, options, decide);
  const nodes = Array.from({ length: stageCount }, (_, stage) => nodesOf(stage));
  return inOneForm(source, representative, nodes, decisions);
}

/** The grouping that the compiler makes. */
export function compiled(workflow: Workflow, options: Settled, decide: Decide): Grouped {
  const start = startOf(workflow);
  const { map, decisions } = partition(computeFlowGraph(workflow, start), options, decide);
  const nodes = map.regions.map((region) => new Set(region.nodes));
  return inOneForm(readSource(workflow, start), map.representative, nodes, decisions);
}

function inOneForm(
  { order, nodeAt }: SourceGraph,
  representative: Int32Array,
  nodes: readonly ReadonlySet<NodeIndex>[],
  decisions: readonly Decision[],
): Grouped {
  const standing = (node: NodeIndex) => representative[node]! as NodeIndex;
  return {
    assistants: nodes.map((held) =>
      order
        .filter((node) => held.has(standing(node)))
        .map((node) => nodeAt(node).id)
        .join(' '),
    ),
    equal: order
      .filter((node) => standing(node) !== node)
      .map((node) => `${nodeAt(node).id} = ${nodeAt(standing(node)).id}`),
    decisions: decisions.map(({ inquiry: { question, subject, allowed, assumed }, ...rest }) => ({
      ...rest,
      question,
      subject,
      allowed,
      assumed,
    })),
  };
}

/** The grouping of a plan, with the answers in the options, and what was said about these. */
export function groupingOf(
  plan: Plan,
  options: CompileOptions = {},
): Grouping & {
  readonly source: SourceGraph;
  readonly open: readonly string[];
  readonly faults: readonly string[];
} {
  const workflow = parsed(plan);
  const source = readSource(workflow, startOf(workflow));
  const ready = settled(options);
  const dialogue = openDialogue(ready.answers);
  const grouping = groupNodes(source, ready, dialogue.decide);
  return {
    ...grouping,
    source,
    open: dialogue.open.map(({ id }) => id),
    faults: dialogue.diagnostics.map(({ code }) => code),
  };
}

/** Each expected assistant of a plan as the ids of the nodes that stand for its own. */
export function stagesOf(plan: Plan, options: CompileOptions = {}): string[] {
  const { stageCount, nodesOf, source } = groupingOf(plan, options);
  return Array.from({ length: stageCount }, (_, stage) =>
    [...nodesOf(stage)].map((node) => source.nodeAt(node).id).join(' '),
  );
}
