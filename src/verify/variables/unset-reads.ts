/**
 * Reads of variables that no definition reaches.
 *
 * Any definition from which a walk comes to the read will do, whatever else the walk sets, so
 * components count as one vertex each. From every node a call can step to every global node: what
 * is set anywhere is set, on some walk, wherever a global node leads.
 */
import { builtInVariables } from '../../compiler/ir/built-ins.js';
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type { UnreachedReads } from '../../compiler/ir/inquiry.js';
import type { SourceGraph } from '../source-graph.js';
import { type CallOrder, markAfterGlobals } from './call-order.js';
import { enteringWord, joinComponents } from './component-flow.js';
import { testOf } from './lists.js';
import { type Fact, propagate } from './propagation.js';
import { listSetting, type Variable } from './sites.js';

/** By name, in the order of the variables; `supplied` are those that are there from the start. */
export function findUnsetReads(
  graph: SourceGraph,
  variables: ReadonlyMap<string, Variable>,
  supplied: ReadonlySet<string>,
): ReadonlyMap<string, UnreachedReads> {
  const isAfterGlobals = testAfterGlobals(graph);
  const unset = new Map<Variable, readonly Read[]>();
  const doubtful: Doubtful[] = [];
  for (const variable of variables.values()) {
    if (supplied.has(variable.name)) continue;
    const reads = listOpenReads(graph, isAfterGlobals, variable);
    if (!isSet(variable)) {
      const isRead = reads.length > 0 || isReadEverywhere(variable);
      if (isRead && !builtInVariables.has(variable.name)) unset.set(variable, reads);
    } else if (reads.length > 0) {
      doubtful.push(toFact(graph.callOrder(), variable, reads));
    }
  }
  for (const [variable, reads] of findUnreached(graph, doubtful)) unset.set(variable, reads);
  if (unset.size === 0) return nothingUnset;
  const found = [...unset].sort(([one], [other]) => one.rank - other.rank);
  return new Map(found.map(([variable, reads]) => [variable.name, toUnreached(variable, reads)]));
}

const nothingUnset: ReadonlyMap<string, UnreachedReads> = new Map();

/** Tests whether a walk from a global node comes to the node. */
function testAfterGlobals(graph: SourceGraph): (node: NodeIndex) => boolean {
  if (graph.globals.length === 0) return () => false;
  const marked = markAfterGlobals(graph);
  return (node) => marked[node] === 1;
}

/** A read by the node's own texts, on entry, or by a condition of its edges. */
interface Read {
  readonly node: NodeIndex;
  readonly by: 'texts' | 'conditions';
}

/** What is read everywhere is only asked about when nothing sets it anywhere. */
function toUnreached(variable: Variable, reads: readonly Read[]): UnreachedReads {
  const nodesBy = (by: Read['by']) =>
    new Set(reads.filter((read) => read.by === by).map(({ node }) => node));
  return {
    texts: nodesBy('texts'),
    conditions: nodesBy('conditions'),
    globals: new Set(isSet(variable) ? [] : variable.globalReads),
    globalPrompt: variable.inGlobalPrompt && !isSet(variable),
  };
}

function isSet({ captures, responses }: Variable): boolean {
  return captures.length + responses.length > 0;
}

function isReadEverywhere({ globalReads, inGlobalPrompt }: Variable): boolean {
  return globalReads.length > 0 || inGlobalPrompt;
}

/** The reads that are not plainly reached; what a node captures itself, its texts may name. */
function listOpenReads(
  graph: SourceGraph,
  isAfterGlobals: (node: NodeIndex) => boolean,
  variable: Variable,
): readonly Read[] {
  const { entryReads, aliasReads, exitReads } = variable;
  if (entryReads.length + aliasReads.length + exitReads.length === 0) return noReads;
  if (isCapturedBefore(graph, variable)) return noReads;
  return lookAtReads(graph, isAfterGlobals, variable);
}

const noReads: readonly Read[] = [];

/** As `listOpenReads`, each read by itself. */
function lookAtReads(
  graph: SourceGraph,
  isAfterGlobals: (node: NodeIndex) => boolean,
  variable: Variable,
): readonly Read[] {
  const { entryReads, aliasReads, exitReads, captures, responses, givenTo } = variable;
  const setting = listSetting(variable);
  const sets = testOf(setting);
  const goesOn = (node: NodeIndex) => graph.nodeAt(node).role !== 'exit';
  const isSetAtStart = sets(graph.start) && goesOn(graph.start);
  const isSetSomewhere = graph.globals.length > 0 && (setting.some(goesOn) || givenTo.some(goesOn));
  const captured = testOf(captures.map(({ node }) => node));
  const given = testOf(givenTo);
  const isOpen = (node: NodeIndex): boolean =>
    !captured(node) &&
    !given(node) &&
    !(isSetAtStart && node !== graph.start) &&
    !(isSetSomewhere && isAfterGlobals(node)) &&
    !isSetRightBefore(graph, node, sets);
  const responded = testOf(responses);
  const reads: Read[] = [];
  for (const node of entryReads) if (isOpen(node)) reads.push({ node, by: 'texts' });
  for (const node of aliasReads) {
    if (!responded(node) && isOpen(node)) reads.push({ node, by: 'texts' });
  }
  for (const node of exitReads) {
    if (!responded(node) && isOpen(node)) reads.push({ node, by: 'conditions' });
  }
  return reads;
}

/** Whether its only capture is at the start or right before each read, as it is with most. */
function isCapturedBefore(
  graph: SourceGraph,
  { captures, entryReads, aliasReads, exitReads }: Variable,
): boolean {
  if (captures.length !== 1 || aliasReads.length > 0) return false;
  const { node } = captures[0]!;
  // An exit ends the call, whatever it captures.
  if (graph.nodeAt(node).role === 'exit') return false;
  return areRightBehind(graph, entryReads, node) && areRightBehind(graph, exitReads, node);
}

/** Whether each of the nodes is that one or follows it, at once or because calls begin there. */
function areRightBehind(graph: SourceGraph, nodes: readonly NodeIndex[], home: NodeIndex): boolean {
  if (home === graph.start) return true;
  for (const node of nodes) {
    if (node !== home && !isSetRightBefore(graph, node, (it) => it === home)) return false;
  }
  return true;
}

/** Looks at the first few nodes that lead there: most reads need no search. */
function isSetRightBefore(
  graph: SourceGraph,
  node: NodeIndex,
  sets: (node: NodeIndex) => boolean,
): boolean {
  const { offsets, targets } = graph.predecessors();
  const stop = Math.min(offsets[node + 1]!, offsets[node]! + 4);
  for (let slot = offsets[node]!; slot < stop; slot += 1) {
    if (sets(targets[slot]! as NodeIndex)) return true;
  }
  return false;
}

/** A variable as a fact that begins in the components of its definitions. */
interface Doubtful extends Fact {
  readonly variable: Variable;
  readonly reads: readonly Read[];
}

function toFact(
  { components, positions }: CallOrder,
  variable: Variable,
  reads: readonly Read[],
): Doubtful {
  const componentOf = (node: NodeIndex) => components[positions[node]!]!;
  const last = reads.reduce((max, { node }) => Math.max(max, componentOf(node)), -1);
  const begins = listSetting(variable).map(componentOf);
  return { variable, reads, begins, ends: [], last };
}

function findUnreached(
  graph: SourceGraph,
  doubtful: readonly Doubtful[],
): [Variable, readonly Read[]][] {
  if (doubtful.length === 0) return [];
  const order = graph.callOrder();
  const components = joinComponents(order);
  const unreached: [Variable, readonly Read[]][] = [];
  propagate(components.flow, doubtful, ({ facts, holds }) => {
    facts.forEach(({ variable, reads }, bit) => {
      const isUnreached = ({ node }: Read): boolean => {
        const component = order.components[order.positions[node]!]!;
        return (enteringWord(components, holds, component) & (1 << bit)) === 0;
      };
      const found = reads.filter(isUnreached);
      if (found.length > 0) unreached.push([variable, found]);
    });
  });
  return unreached;
}
