/** What crosses and what is live by definition, tried out on walks with no thought for what it costs. */
import type { NodeIndex } from '../../../src/compiler/ir/ids.js';
import type { Capture } from '../../../src/compiler/ir/workflow.js';
import type { Owners } from '../../../src/verify/owners.js';
import type { Passage } from '../../../src/verify/passages.js';
import type { SourceGraph } from '../../../src/verify/source-graph.js';

/** A step: along an edge, or into a global node. */
interface Step {
  readonly to: NodeIndex;
  readonly isGlobal: boolean;
}

function stepsFrom(graph: SourceGraph, node: NodeIndex): Step[] {
  if (graph.nodeAt(node).role === 'exit') return [];
  const along = graph.leaving(node).map(({ to }) => ({ to, isGlobal: false }));
  return [...along, ...graph.globals.map(({ index }) => ({ to: index, isGlobal: true }))];
}

export function captureOf(graph: SourceGraph, node: NodeIndex, name: string): Capture | undefined {
  return graph.nodeAt(node).captures.findLast((capture) => capture.name === name);
}

function responds(graph: SourceGraph, node: NodeIndex, name: string): boolean {
  const { request, calls } = graph.nodeAt(node);
  return (
    request?.responses.some((response) => response.name === name) === true ||
    calls.some(({ variables }) => variables.includes(name))
  );
}

/** Whether a tool sets the variable on a step into the global node. */
function isGiven(graph: SourceGraph, { to, isGlobal }: Step, name: string): boolean {
  const call = graph.nodeAt(to).global?.condition?.call;
  return isGlobal && call?.variables.includes(name) === true;
}

export function readsOnEntry(graph: SourceGraph, node: NodeIndex, name: string): boolean {
  const { firstMessage, systemPrompt, captures, request } = graph.nodeAt(node);
  const { globalPrompt } = graph.workflow;
  const descriptions = captures.map(({ description }) => description);
  const texts = [firstMessage, systemPrompt, globalPrompt, ...descriptions];
  return [...texts, ...(request?.texts ?? [])].some((it) =>
    it?.uses.some((use) => use.name === name),
  );
}

/** Whether a condition of the node's own edges reads the variable. */
export function readsByEdges(graph: SourceGraph, node: NodeIndex, name: string): boolean {
  return graph.leaving(node).some(({ condition }) => reads(condition, name));
}

function readsOnLeaving(graph: SourceGraph, node: NodeIndex, name: string): boolean {
  if (graph.nodeAt(node).role === 'exit') return false;
  const entries = graph.globals.map(({ global }) => global!.condition);
  return readsByEdges(graph, node, name) || entries.some((it) => reads(it, name));
}

function reads(
  condition: NonNullable<SourceGraph['globals'][number]['global']>['condition'],
  name: string,
): boolean {
  return (
    condition !== null &&
    condition.routing !== 'tool' &&
    condition.uses.some((use) => use.name === name)
  );
}

function sets(graph: SourceGraph, node: NodeIndex, name: string): boolean {
  return captureOf(graph, node, name) !== undefined || responds(graph, node, name);
}

/** Whether some walk from the entry of the node reads the variable before it is set again. */
function isLive(graph: SourceGraph, node: NodeIndex, name: string): boolean {
  const met = new Set([node]);
  for (const at of met) {
    if (readsOnEntry(graph, at, name)) return true;
    if (sets(graph, at, name)) continue;
    if (readsOnLeaving(graph, at, name)) return true;
    for (const step of stepsFrom(graph, at)) if (!isGiven(graph, step, name)) met.add(step.to);
  }
  return false;
}

/** The captures that cross with the passage: walks inside the member, one capture at a time. */
export function crossingCaptures(
  graph: SourceGraph,
  owners: Pick<Owners, 'of'>,
  { member, from, to, edge }: Passage,
  name: string,
): Capture[] {
  if (!isLive(graph, to, name)) return [];
  if (isGiven(graph, { to, isGlobal: edge === null }, name)) return [];
  return [...graph.order].flatMap((site) => {
    const capture = captureOf(graph, site, name);
    if (capture === undefined || responds(graph, site, name)) return [];
    if (!owners.of(site).has(member)) return [];
    const latest = new Set([site]);
    for (const at of latest) {
      for (const step of stepsFrom(graph, at)) {
        const isInside = owners.of(step.to).has(member) && graph.nodeAt(step.to).role !== 'exit';
        if (!isInside || isGiven(graph, step, name) || sets(graph, step.to, name)) continue;
        latest.add(step.to);
      }
    }
    return from === null || latest.has(from) ? [capture] : [];
  });
}

/** The nodes whose entry, or whose leaving, some walk comes to with the variable set. */
export function reachedReads(
  graph: SourceGraph,
  name: string,
): { readonly entered: ReadonlySet<NodeIndex>; readonly left: ReadonlySet<NodeIndex> } {
  const entered = new Set<NodeIndex>();
  const left = new Set<NodeIndex>();
  for (let size = -1; size !== entered.size + left.size; ) {
    size = entered.size + left.size;
    for (const node of graph.order) {
      if (entered.has(node) || sets(graph, node, name)) left.add(node);
      for (const step of stepsFrom(graph, node)) {
        if (left.has(node) || isGiven(graph, step, name)) entered.add(step.to);
      }
    }
  }
  return { entered, left };
}
