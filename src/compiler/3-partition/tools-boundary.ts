/**
 * The boundary `tools`: assistants are split only where the tools differ.
 *
 * With the stages so far as atoms, v joins the stage that holds all its predecessor atoms, unless
 * v has tools and one of those atoms has tools and the two sets differ; never when v holds the
 * start or a global node. Atoms are visited predecessors first; where an answer keeps a cycle
 * apart there is no such order, and the visit is repeated until nothing joins: each repetition
 * leaves fewer stages.
 */
import { buildSuccessors } from '../graph/adjacency.js';
import { computeComponents } from '../graph/components.js';
import { createDisjointSets, type DisjointSets } from '../graph/disjoint-sets.js';
import type { NodeIndex } from '../ir/ids.js';
import { givenToolKey } from '../ir/workflow.js';
import {
  computeStageSteps,
  isEntered,
  joinGroups,
  joinSets,
  type Stage,
  type StageGraph,
  type StageSteps,
} from './stages.js';

export function joinAcrossSameTools(within: StageGraph, atoms: readonly Stage[]): Stage[] {
  const steps = computeStageSteps(within, atoms);
  const tools = atoms.map((atom) => toolsOf(within, atom));
  const sets = createDisjointSets(atoms.length);
  const groups = atoms.map((atom) => atom.groups);
  const order = predecessorsFirst(steps);
  let joined = true;
  while (joined) {
    joined = false;
    for (const atom of order) {
      const home = homeOf(atom, steps, sets);
      if (home === null || isEntered(within, atoms[atom]!)) continue;
      if (differInTools(atom, steps, tools)) continue;
      const both = joinGroups(groups[home]!, groups[sets.find(atom)]!);
      if (both === null) continue;
      sets.union(home, atom);
      groups[sets.find(atom)] = both;
      joined = true;
    }
  }
  return joinSets(within, atoms, sets, groups, 'tools-boundary');
}

/**
 * The stage that holds all predecessors of the atom, where there is one. Predecessors in its own
 * stage, which joined it before and lead back through a tool that they were given, do not count.
 */
function homeOf(atom: number, steps: StageSteps, sets: DisjointSets): number | null {
  const own = sets.find(atom);
  const homes = new Set([...steps.predecessors[atom]!].map((before) => sets.find(before)));
  homes.delete(own);
  const [home, ...others] = homes;
  return home === undefined || others.length > 0 ? null : home;
}

function differInTools(atom: number, steps: StageSteps, tools: readonly string[]): boolean {
  const own = tools[atom]!;
  if (own === '') return false;
  return [...steps.predecessors[atom]!].some(
    (before) => tools[before] !== '' && tools[before] !== own,
  );
}

/** The atom's own requests, transfers and given tools, as one comparable text. */
function toolsOf(within: StageGraph, atom: Stage): string {
  const { workflow, successors } = within.graph;
  const found = new Set<string>();
  for (const node of atom.nodes) {
    // What every stage was given is nobody's own.
    if (atom.given.has(node)) continue;
    const { role, calls, tools } = workflow.nodes[node]!;
    if (role === 'act') found.add(`node ${node}`);
    else for (const tool of tools) found.add(`given ${givenToolKey(tool)}`);
    for (const call of calls) found.add(`custom ${call.tool}`);
    for (let slot = successors.offsets[node]!; slot < successors.offsets[node + 1]!; slot += 1) {
      const target = within.representative[successors.targets[slot]!]! as NodeIndex;
      if (workflow.nodes[target]!.type === 'transferCall') found.add(`node ${target}`);
    }
  }
  return [...found].sort().join('\n');
}

function predecessorsFirst(steps: StageSteps): number[] {
  const sources: number[] = [];
  const targets: number[] = [];
  steps.successors.forEach((after, from) => {
    for (const to of after) {
      sources.push(from);
      targets.push(to);
    }
  });
  const count = steps.successors.length;
  const components = computeComponents(
    buildSuccessors(count, { sources, targets, edges: sources }),
  );
  const order = Array.from({ length: count }, (_, atom) => atom);
  return order.sort((a, b) => components.of[b]! - components.of[a]! || a - b);
}
