/**
 * Nodes that are assistants already: a saved one is the member with its id and no other, and nobody
 * else's node is; one that the source holds whole stands in the squad and is not taken from
 * elsewhere.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { WorkflowNode } from '../compiler/ir/workflow.js';
import { ofGrouping } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import { type Finding, finding } from './item.js';
import type { SourceGraph } from './source-graph.js';
import type { Member } from './squad-reading.js';

/** The ids of the saved assistants that the source itself names: no more unseen than in it. */
export function listNamed({ nodeAt, order }: SourceGraph): ReadonlySet<string> {
  let named: Set<string> | null = null;
  for (const index of order) {
    const id = idOf(nodeAt(index));
    if (id !== null) named = (named ?? new Set()).add(id);
  }
  return named ?? nobody;
}

const nobody: ReadonlySet<string> = new Set();

export function idOf({ assistant }: WorkflowNode): string | null {
  return assistant?.savedAs?.value ?? null;
}

export function findReadyFaults(comparison: Comparison): Finding[] {
  const { graph, squad } = comparison;
  // Most workflows and squads have no such assistant.
  const isReady = (index: NodeIndex) => graph.nodeAt(index).assistant !== null;
  const isAny = squad.members.some(({ saved }) => saved) || graph.order.some(isReady);
  return isAny ? findFaults(comparison) : [];
}

function findFaults(comparison: Comparison): Finding[] {
  const { graph, owners } = comparison;
  return graph.order.flatMap((index) => {
    if (owners.standsFor(index) !== index) return [];
    const node = graph.nodeAt(index);
    const homes = [...owners.of(index)].map((it) => comparison.squad.members[it]!);
    const id = idOf(node);
    if (node.assistant !== null && id === null) return checkWhole(comparison, node, homes);
    return id === null ? checkOthers(comparison, node, homes) : checkSaved(node, id, homes);
  });
}

function checkSaved(node: WorkflowNode, id: string, homes: readonly Member[]): Finding[] {
  const isThere = homes.some((it) => it.saved && it.assistantId === id);
  if (isThere) return [finding(true, ofGrouping.saved(node.id, id), [node.at], placesOf(homes))];
  return [finding(false, ofGrouping.notSaved(node.id, id), [node.at], placesOf(homes))];
}

function checkWhole(
  { nameOf }: Comparison,
  node: WorkflowNode,
  homes: readonly Member[],
): Finding[] {
  if (homes.length === 0) return [finding(false, ofGrouping.nobodys(node.id), [node.at], [])];
  return homes
    .filter(({ saved }) => saved)
    .map(({ index, at }) =>
      finding(false, ofGrouping.elsewhere(nameOf(index), node.id), [node.at], [at]),
    );
}

/** A saved assistant that the source names has its own node and no other. */
function checkOthers(
  { nameOf }: Comparison,
  node: WorkflowNode,
  homes: readonly Member[],
): Finding[] {
  return homes
    .filter(({ saved, unseen }) => saved && !unseen)
    .map(({ index, at }) =>
      finding(false, ofGrouping.elsewhere(nameOf(index), node.id), [node.at], [at]),
    );
}

function placesOf(members: readonly Member[]): string[] {
  return members.map(({ at }) => at);
}
