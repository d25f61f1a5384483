/**
 * The boundary `tools`: with the stages so far as atoms, an atom joins the stage that holds all its
 * predecessors, unless it has tools and one of them has tools and the two sets differ; never when
 * it holds the start or a global node, nor where an answer keeps the two apart.
 *
 * Predecessors stand first in the order of the visits, so that what an atom joins is complete when
 * it comes to it, and one visit is enough. Around a circle, which only answers leave, it is visited
 * until nothing joins: at most once more, as its stages are kept apart. An atom that all others
 * lead to, because all hold a tool that leads to it, can only join when two stages are left.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import { type Rows, reverseRows, sortByKey } from '../rows.js';
import { numberComponents } from '../strong-components.js';
import { createDisjointSets } from './disjoint-sets.js';
import { clash, type Labels, uniteLabels } from './labels.js';
import { callsOfSource, givenToolsOf } from './own-behaviour.js';
import type { Quotient } from './quotient.js';
import { type Bundles, flagEntered, joinByRoot, type Stages } from './stages.js';
import { computeSteps } from './steps.js';

export function joinSameTools(quotient: Quotient, atoms: Stages, bundles: Bundles): Stages {
  const { rows, common, isCommon } = computeSteps(quotient, atoms, bundles);
  const entered = flagEntered(quotient, atoms);
  const unions = createUnions(atoms);
  const plan: Plan = {
    before: reverseRows(rows),
    mayJoin: (atom) => entered[atom] === 0 && isCommon[atom] === 0,
    tools: numberToolSets(quotient, atoms, bundles),
    unions,
  };
  for (const circle of predecessorsFirst(rows)) {
    let joined = true;
    while (joined) joined = circle.map((it) => visit(plan, it)).includes(true) && circle.length > 1;
  }
  const waiting = common.filter((atom) => entered[atom] === 0);
  if (waiting.length > 0 && unions.left() === 2) joinLast(plan, waiting);
  return joinByRoot(atoms, unions.find, (root) => unions.labels[root]!);
}

interface Plan {
  readonly before: Rows;
  readonly mayJoin: (atom: number) => boolean;
  /** For each atom its set of tools, by number; 0 for none. */
  readonly tools: Int32Array;
  readonly unions: Unions;
}

/** Atoms that have joined, and what answers say about them. */
interface Unions {
  readonly find: (atom: number) => number;
  readonly labels: readonly Labels[];
  /** How many stages are left. */
  readonly left: () => number;
  /** False where an answer keeps the two apart. */
  readonly join: (home: number, atom: number) => boolean;
}

function createUnions({ count, labels: given }: Stages): Unions {
  const { find, unite } = createDisjointSets(count);
  const labels = [...given];
  let left = count;
  const join = (home: number, atom: number): boolean => {
    const [into, from] = [find(home), find(atom)];
    if (clash(labels[into]!, labels[from]!)) return false;
    const together = uniteLabels(labels[into]!, labels[from]!);
    labels[unite(into, from)] = together;
    left -= 1;
    return true;
  };
  return { find, labels, left: () => left, join };
}

/** Joins the atom to the stage that holds all its predecessors; those of its own do not count. */
function visit({ before, mayJoin, tools, unions }: Plan, atom: number): boolean {
  if (!mayJoin(atom)) return false;
  const own = unions.find(atom);
  let home = -1;
  for (let slot = before.offsets[atom]!; slot < before.offsets[atom + 1]!; slot += 1) {
    const other = before.targets[slot]!;
    if (differ(tools[atom]!, tools[other]!)) return false;
    const set = unions.find(other);
    if (set === own || set === home) continue;
    if (home !== -1) return false;
    home = set;
  }
  return home !== -1 && unions.join(home, atom);
}

/** One of the atoms that all others lead to joins the only other stage, if any of them can. */
function joinLast({ tools, unions }: Plan, waiting: readonly number[]): void {
  const sets = new Set(tools.filter((set) => set !== 0));
  const one = unions.find(0);
  const two = Array.from(tools.keys(), unions.find).find((set) => set !== one)!;
  for (const atom of waiting) {
    const own = tools[atom]!;
    const isAlike = own === 0 || sets.size === 1;
    const home = unions.find(atom) === one ? two : one;
    if (isAlike && unions.join(home, atom)) return;
  }
}

/** Two sets of tools hinder only where both are there. */
function differ(one: number, other: number): boolean {
  return one !== 0 && other !== 0 && one !== other;
}

/** Atoms in topological order, those of a circle together. */
function predecessorsFirst(rows: Rows): number[][] {
  const components = numberComponents(rows);
  const { offsets, order } = sortByKey(components.length, components);
  const circles: number[][] = [];
  for (let at = 0; at < order.length; at = offsets[components[order[at]!]! + 1]!) {
    circles.push([...order.subarray(at, offsets[components[order[at]!]! + 1]!)]);
  }
  return circles;
}

/**
 * For each atom a number for the set of its requests, custom tools and transfers; 0 for none. Those
 * that every stage was given are nobody's own.
 */
function numberToolSets(quotient: Quotient, atoms: Stages, bundles: Bundles): Int32Array {
  const own: Set<string>[] = atoms.held.map((held) => new Set(held.map((it) => `bundle ${it}`)));
  const ofBundle: string[][] = bundles.onward.map(() => []);
  quotient.nodes.forEach((node, vertex) => {
    const stage = atoms.of[vertex]!;
    const found = listTools(quotient, node);
    if (stage === -1) {
      for (const tool of found) ofBundle[bundles.of[vertex]!]!.push(tool);
      return;
    }
    if (quotient.graph.nodeAt(node).role === 'act') own[stage]!.add(`vertex ${vertex}`);
    for (const tool of found) own[stage]!.add(tool);
  });
  const numbers = new Map([['', 0]]);
  return Int32Array.from(own, (tools, stage) => {
    for (const bundle of atoms.held[stage]!) for (const it of ofBundle[bundle]!) tools.add(it);
    const key = JSON.stringify([...tools].sort()).slice(1, -1);
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  });
}

/** The custom tools that a node calls, those that it offers, and the transfers that it leads to. */
function listTools({ graph, representative }: Quotient, node: NodeIndex): string[] {
  const own = graph.nodeAt(node);
  const tools = callsOfSource(own).map(({ tool }) => `custom ${tool}`);
  if (own.role === 'talk') tools.push(...givenToolsOf(own).map((it) => `given ${it}`));
  const { offsets, targets } = graph.successors;
  for (let slot = offsets[node]!; slot < offsets[node + 1]!; slot += 1) {
    const to = targets[slot]! as NodeIndex;
    if (graph.nodeAt(to).type === 'transferCall') tools.push(`exit ${representative[to]}`);
  }
  return tools;
}
