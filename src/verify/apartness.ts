/**
 * Which assistants an answer may have kept apart.
 *
 * The answers name stages, and the checks know only that one was given. It can have kept two
 * assistants apart where they share a cycle of the workflow, or where their nodes ask for
 * different settings; anything else is no work of an answer.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import { settingNames } from '../compiler/ir/workflow.js';
import type { Comparison } from './comparison.js';
import { rowsOfLists } from './rows.js';
import { numberComponents } from './strong-components.js';

export type Apartness = (one: number, other: number) => boolean;

export function readApartness(comparison: Comparison): Apartness {
  if (!comparison.waivers.some(({ item }) => item === 2)) return () => false;
  const cycles = listCycles(comparison);
  const settings = listSettings(comparison);
  return (one, other) => {
    for (const cycle of cycles[one] ?? []) if (cycles[other]?.has(cycle)) return true;
    return new Set([...(settings[one] ?? []), ...(settings[other] ?? [])]).size > 1;
  };
}

/** For each member the cycles of the workflow that it has a part in. */
function listCycles({ graph, owners, squad }: Comparison): Set<number>[] {
  const successors: NodeIndex[][] = graph.workflow.nodes.map(() => []);
  for (const { from, to } of graph.edges) {
    if (graph.nodeAt(to).role !== 'exit') successors[from]!.push(to);
  }
  const components = numberComponents(rowsOfLists(successors));
  const cycles = squad.members.map(() => new Set<number>());
  for (const { from, to } of graph.edges) {
    // A step of a node to itself makes no cycle of stages.
    if (from === to || components[from] !== components[to]) continue;
    for (const node of [from, to]) {
      for (const member of owners.of(node)) cycles[member]?.add(components[node]!);
    }
  }
  return cycles;
}

/** For each member the settings that its talk nodes ask for, as comparable texts. */
function listSettings({ graph, owners, squad }: Comparison): Set<string>[] {
  const settings = squad.members.map(() => new Set<string>());
  for (const index of graph.reachable) {
    const node = graph.nodeAt(index);
    if (node.role !== 'talk') continue;
    const wanted = settingNames.map(
      (name) => (node.settings[name] ?? graph.workflow.settings[name])?.value ?? null,
    );
    for (const member of owners.of(index)) settings[member]?.add(JSON.stringify(wanted));
  }
  return settings;
}
