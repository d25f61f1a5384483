/**
 * What is asked about cycles of stages, and what the answers keep apart.
 *
 * The questions are those that the compiler asks, to the letter of their ids: an answer is given to
 * an id.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type { Decision, Inquiry } from '../../compiler/ir/inquiry.js';
import type { Json } from '../../compiler/ir/json.js';
import type { Target } from '../../compiler/ir/options.js';
import { subjectOfStages, tornApart } from '../../diagnostics/questions/stages.js';
import { ask } from '../../diagnostics/questions.js';
import { loneLabel, type Split } from './labels.js';
import type { Quotient } from './quotient.js';

export interface Cycle {
  /** The nodes of the component that stand for their classes, in walk order. */
  readonly standing: readonly NodeIndex[];
  /** The same with the nodes that they stand for. */
  readonly all: readonly NodeIndex[];
}

/** Components in which several nodes talk, in walk order. */
export function listCycles(
  { graph, nodes, vertexOf, talks }: Quotient,
  components: Int32Array,
): Cycle[] {
  const talking = new Int32Array(nodes.length);
  let isAny = false;
  for (let vertex = 0; vertex < nodes.length; vertex += 1) {
    if (talks[vertex] === 0) continue;
    const component = components[vertex]!;
    talking[component]! += 1;
    if (talking[component] === 2) isAny = true;
  }
  if (!isAny) return noCycles;
  const cycles = new Map<number, { readonly standing: NodeIndex[]; readonly all: NodeIndex[] }>();
  for (const node of graph.order) {
    const vertex = vertexOf[node]!;
    const component = vertex === -1 ? -1 : components[vertex]!;
    if (component === -1 || talking[component]! < 2) continue;
    let cycle = cycles.get(component);
    if (cycle === undefined) {
      cycle = { standing: [], all: [] };
      cycles.set(component, cycle);
    }
    cycle.all.push(node);
    if (nodes[vertex] === node) cycle.standing.push(node);
  }
  return [...cycles.values()];
}

const noCycles: Cycle[] = [];

export function askAboutCycle(quotient: Quotient, cycle: Cycle, target: Target): Inquiry {
  const { nodeAt } = quotient.graph;
  const ids = cycle.all.map((node) => nodeAt(node).id);
  const stages = cycle.standing
    .filter((node) => nodeAt(node).role === 'talk')
    .map((node) => nodeAt(node).id);
  return {
    question: ask('cyclic-stages', subjectOfStages(stages), {
      at: cycle.standing.map((node) => nodeAt(node).at),
      args: { stages },
      target,
      proposal: 'consolidate',
      allowed: { group: ids },
    }),
    subject: { of: 'nodes', nodes: cycle.standing },
    allowed: new Map([['group', new Set(ids)]]),
    objection: (choice, value) =>
      choice === 'group' ? objectToGroups(numberGroups(quotient, cycle, value)) : null,
    assumed: { choice: 'consolidate' },
  };
}

/** What the decision keeps apart; null where the cycle is to be one stage. */
export function splitByCycle(
  quotient: Quotient,
  cycle: Cycle,
  { choice, value }: Decision,
): Split | null {
  if (choice === 'consolidate') return null;
  const vertices = cycle.standing.map((node) => quotient.vertexOf[node]!);
  const labels = new Map(vertices.map((vertex) => [vertex, loneLabel(vertex)]));
  if (choice !== 'group') return labels;
  const named = numberGroups(quotient, cycle, value);
  // Without a talk node a group is no assistant: its tools leave by phase 5, each by itself.
  const talking = new Set(
    [...named].flatMap(([vertex, groups]) => (quotient.talks[vertex] === 1 ? groups : [])),
  );
  for (const [vertex, [group]] of named) {
    if (talking.has(group!)) labels.set(vertex, group!);
  }
  return labels;
}

/** By vertex, the groups that name one of its nodes. */
function numberGroups(
  { graph, vertexOf }: Quotient,
  { all }: Cycle,
  value: Json,
): ReadonlyMap<number, readonly number[]> {
  const vertices = new Map(all.map((node) => [graph.nodeAt(node).id, vertexOf[node]!]));
  const named = new Map<number, number[]>();
  (value as readonly (readonly string[])[]).forEach((ids, group) => {
    for (const id of ids) {
      const vertex = vertices.get(id);
      if (vertex === undefined) continue;
      const groups = named.get(vertex);
      if (groups === undefined) named.set(vertex, [group]);
      else if (groups.at(-1) !== group) groups.push(group);
    }
  });
  return named;
}

/** Equal nodes are one node, so two groups cannot have one each. */
function objectToGroups(groups: ReadonlyMap<number, readonly number[]>): string | null {
  return [...groups.values()].some((list) => list.length > 1) ? tornApart : null;
}
