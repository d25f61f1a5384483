/**
 * What leads where, where a call starts, and which stages belong together: cycles, global nodes from
 * which a call returns, different settings.
 */

import {
  describeDifferences,
  listDifferent,
  nameOf,
  nameOfStages,
  namesOf,
} from '../../../diagnostics/subjects.js';
import { groupBy } from '../../../graph/lists.js';
import { createDisjointSets } from '../../../graph/partitions.js';
import { flood } from '../../../graph/walks.js';
import type { Json } from '../../../text/json.js';
import type { FlowGraph } from '../../ir/flow-graph.js';
import type { EdgeIndex, NodeIndex } from '../../ir/ids.js';
import type { CycleFacts, Inquiry, StageFacts } from '../../ir/inquiry.js';
import type { Settled } from '../../ir/options.js';
import { singletonLabel } from '../../ir/region-map.js';
import type { Workflow, WorkflowNode } from '../../ir/workflow.js';
import type { Row } from './row.js';

/** If no edge says what follows what, asks whether each node leads to the next. */
export const ofEdges: Row<Workflow> = {
  kind: 'missing-edges',
  ask: ({ nodes, edges }) => {
    const listed = nodes.filter(({ global }) => global === null);
    const canGoOn = listed.some(({ role }) => role !== 'exit');
    if (edges.length > 0 || listed.length < 2 || !canGoOn) return [];
    const conditional = listed.filter(({ loneCondition }) => loneCondition !== null);
    const isChain = conditional.length === 0;
    const led = `An edge may once have led to ${namesOf(conditional)}, as conditions there suggest. `;
    const inOrder = { choice: 'in-order' };
    return {
      name: 'workflow',
      text: `The workflow has the nodes ${namesOf(listed)}, and no edge leads from one to another. ${isChain ? '' : led}Does each lead to the next?`,
      at: listed.map(({ at }) => at),
      subject: { of: 'edges' },
      // Nodes with entry conditions are unlikely to be a chain.
      proposal: isChain ? inOrder : null,
      assumed: inOrder,
    };
  },
  changes: {
    // Global nodes are left out, and nothing follows an exit.
    'in-order': ({ nodes, edges }, { inquiry }) => {
      const listed = nodes.filter(({ global }) => global === null);
      for (const [place, { index: to }] of listed.slice(1).entries()) {
        const { index: from, at, role } = listed[place]!;
        const index = edges.length as EdgeIndex;
        const edge = { index, at, from, to, condition: null, addedBy: inquiry.question.id };
        if (role !== 'exit') edges.push(edge);
      }
    },
  },
};

export const ofStart: Row<Workflow> = {
  kind: 'ambiguous-start',
  ask: (workflow) => {
    const { roots, walkable, proposed } = startsOf(workflow);
    if (workflow.markedStart !== null || roots.length === 1 || walkable.length === 0) return [];
    const candidates = roots.length > 0 ? roots : walkable;
    return {
      name: 'workflow',
      text: `The workflow does not say where a call starts. It could be ${namesOf(candidates, 'or')}. Which node comes first?`,
      at: candidates.map(({ at }) => at),
      subject: { of: 'start' },
      proposal: { choice: 'node', value: proposed.id },
      allowed: { node: walkable.map(({ id }) => id) },
    };
  },
};

/** Self-loops and edges out of exits do not count as entering a node. */
function startsOf({ nodes, edges }: Workflow) {
  const leading = edges.filter(({ from, to }) => from !== to && nodes[from]!.role !== 'exit');
  const entered = new Set(leading.map(({ to }) => to));
  const walkable = nodes.filter(({ role }) => role !== 'exit');
  const plain = walkable.filter((node) => node.global === null);
  const roots = plain.filter(({ index }) => !entered.has(index));
  const [proposed = nodes[0]!] = [...roots, ...plain, ...walkable];
  return { roots, walkable, proposed };
}

/**
 * Where a call begins: at the node that the dialect marks; else at the only node without
 * predecessors that is neither an exit nor global; else a human decides, by the id. It is an exit if
 * there are only exits or the marked start is one.
 */
export function findStart(workflow: Workflow, answer: unknown): WorkflowNode {
  const { nodes, markedStart } = workflow;
  if (markedStart !== null) return nodes[markedStart]!;
  const { walkable, proposed } = startsOf(workflow);
  return walkable.find(({ id }) => id === answer) ?? proposed;
}

export const ofCycles: Row<CycleFacts> = {
  kind: 'cyclic-stages',
  ask: ({ graph, representative, components }) => {
    const isTalk = talksIn(graph);
    const cycles = components.filter((members) => members.filter(isTalk).length > 1);
    const equals = groupBy(graph.order, (node) => representative[node]!);
    return cycles.map((members) => {
      const all = members.flatMap((node) => equals.get(node)!);
      all.sort((one, other) => graph.rank[one]! - graph.rank[other]!);
      const inOrder = all.filter((node) => representative[node] === node);
      const nodes = inOrder.map((node) => graph.workflow.nodes[node]!);
      const stages = nodes.filter(({ role }) => role === 'talk');
      return {
        name: nameOfStages(stages),
        text: `The stages ${namesOf(stages)} lead back to each other. As separate assistants they would hand the call back and forth. Should they become one assistant, or stay separate?`,
        at: nodes.map(({ at }) => at),
        subject: { of: 'nodes', nodes: inOrder },
        proposal: { choice: 'consolidate' },
        allowed: { group: all.map((node) => graph.workflow.nodes[node]!.id) },
      };
    });
  },
  check: ({ choice, value }, facts) => {
    if (choice !== 'group') return null;
    // Equal nodes are one node, so two groups cannot have one each.
    const all = readGroups(facts, value).flatMap((group) => [...group]);
    if (new Set(all).size === all.length) return null;
    return 'two groups contain nodes that behave the same and become one';
  },
  regroups: { 'keep-split': keepApart, group: keepApart },
};

/** In the order in which they are asked; answers that change the grouping come before the next. */
export const ofStages: readonly Row<StageFacts>[] = [
  {
    kind: 'global-returns',
    ask: ({ graph: { workflow }, returns }) =>
      returns.map(({ global, to }) => {
        const node = workflow.nodes[global]!;
        const stages = to.map((it) => workflow.nodes[it]!);
        return {
          name: node.id,
          text: `The node ${nameOf(node)} can be entered from anywhere, and edges lead on from it to ${namesOf(stages)}, so the call can go back and forth. Should they stay separate?`,
          at: [node, ...stages].map(({ at }) => at),
          subject: { of: 'node', node: global },
          proposal: { choice: 'keep-split' },
        };
      }),
    regroups: {
      consolidate: ({ subject }) => (subject.of === 'node' ? { joined: subject.node } : null),
    },
  },
  {
    kind: 'conflicting-settings',
    ask: ({ graph, stages }, options) =>
      stages.flatMap((stage) => {
        const talk = stage.nodes.filter(talksIn(graph));
        const nodes = talk.map((it) => graph.workflow.nodes[it]!);
        const names = listDifferent(nodes, graph.workflow, options);
        if (names.length === 0) return [];
        return {
          name: nameOfStages(nodes),
          text: `${namesOf(nodes)} become one assistant, but differ in ${describeDifferences(nodes, names, graph.workflow)}. One assistant can have only one of each. Which one applies?`,
          at: nodes.map(({ at }) => at),
          subject: { of: 'nodes', nodes: talk },
          proposal: { choice: 'first' },
          allowed: { use: nodes.map(({ id }) => id) },
        };
      }),
    regroups: { 'keep-split': cutAtSettings },
  },
];

const talksIn =
  ({ workflow: { nodes } }: FlowGraph) =>
  (node: NodeIndex) =>
    nodes[node]!.role === 'talk';

/** The nodes of each group of an answer, replaced by their representatives. */
function readGroups({ graph, representative }: CycleFacts, value: Json): ReadonlySet<NodeIndex>[] {
  const nodes = graph.order.map((node) => graph.workflow.nodes[node]!);
  const known = new Map(nodes.map(({ id, index }) => [id, representative[index]!]));
  const groups = value as readonly (readonly string[])[];
  return groups.map((ids) => new Set(ids.flatMap((id) => known.get(id) ?? [])));
}

/** Keeps the nodes of a cycle apart, or the groups that the answer names. */
function keepApart({ subject }: Inquiry, facts: CycleFacts, _: Settled, value: Json) {
  if (subject.of !== 'nodes') return null;
  const labels = new Map(subject.nodes.map((node) => [node, singletonLabel(node)]));
  for (const [number, named] of (value === null ? [] : readGroups(facts, value)).entries()) {
    // A group without a talk node is no assistant: phase 5 places each of its tools separately.
    const isAssistant = [...named].some(talksIn(facts.graph));
    for (const node of isAssistant ? named : []) labels.set(node, `group ${number}`);
  }
  return { apart: labels };
}

/**
 * Cuts every step within a stage whose ends have different settings: talk nodes stay together if
 * they have the same and steps join them, directly or through tools.
 */
function cutAtSettings({ subject }: Inquiry, { graph, stages }: StageFacts, options: Settled) {
  if (subject.of !== 'nodes') return null;
  const home = stages.find(({ nodes }) => nodes.includes(subject.nodes[0]!))!;
  const stepsFrom = groupBy(home.inner, ({ from }) => from);
  const after = (from: NodeIndex) => (stepsFrom.get(from) ?? []).map(({ to }) => to);
  const isTalk = talksIn(graph);
  const sets = createDisjointSets(graph.workflow.nodes.length);
  for (const node of subject.nodes) {
    for (const other of [...flood(after(node), after, isTalk)].filter(isTalk)) {
      const both = [graph.workflow.nodes[node]!, graph.workflow.nodes[other]!];
      if (listDifferent(both, graph.workflow, options, true).length === 0) sets.union(node, other);
    }
  }
  return { apart: new Map(subject.nodes.map((node) => [node, `part ${sets.find(node)}`])) };
}
