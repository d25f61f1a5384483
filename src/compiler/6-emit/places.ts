/**
 * Where the things of the source stand in the document.
 *
 * In: the graph, its regions and the assembled document. Out: places of the document for a node, a
 * text, a value that is carried whole, a tool and an edge. They are read off the source map, so the
 * ledger cannot claim what the document does not hold.
 */
import { append, groupBy } from '../../graph/lists.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import { child, type EdgeIndex, type JsonPointer, type NodeIndex } from '../ir/ids.js';
import type { Json } from '../ir/json.js';
import type { Traced } from '../ir/provenance.js';
import type { RegionMap } from '../ir/region-map.js';
import type { SourceMapEntry } from '../ir/result.js';
import {
  conditionKey,
  type GivenTool,
  givenToolKey,
  type Settings,
  settingNames,
  type Workflow,
  type WorkflowEdge,
  type WorkflowNode,
} from '../ir/workflow.js';
import type { Assembled } from './assemble.js';

export interface Places {
  /** The members that hold the node, or the equal one that stands for it. */
  readonly members: (node: NodeIndex) => readonly JsonPointer[];
  readonly of: (at: JsonPointer) => readonly JsonPointer[];
  /** The same for an object or a list of the source that is carried whole. */
  readonly within: (at: JsonPointer) => readonly JsonPointer[];
  /** Equal tools of one assistant are written once, so a tool stands where any of its equals does. */
  readonly ofTool: (tool: GivenTool) => readonly JsonPointer[];
  /** The step that an edge is, or that an equal one is in its place. */
  readonly ofEdge: (edge: WorkflowEdge) => PlacedStep | undefined;
}

export interface PlacedStep {
  readonly edge: EdgeIndex;
  readonly outputs: readonly JsonPointer[];
}

export function findPlaces(graph: FlowGraph, map: RegionMap, assembled: Assembled): Places {
  const { workflow } = graph;
  const bySource = indexBySource(assembled.sourceMap);
  const of = (at: JsonPointer) => distinct(bySource.get(at));
  const carried = indexWithin(listCarried(workflow), bySource);
  const tools = new Map<string, JsonPointer[]>();
  for (const tool of workflow.nodes.flatMap((node) => node.tools)) {
    for (const place of placesOfTool(tool, of)) append(tools, givenToolKey(tool), place);
  }
  const members = new Map<NodeIndex, JsonPointer[]>();
  for (const { index, nodes, steps } of map.regions) {
    const exits = steps.filter(({ kind }) => kind === 'exit').map(({ to }) => to);
    for (const node of new Set([...nodes, ...exits])) {
      append(members, node, assembled.memberAt(index));
    }
  }
  return {
    members: (node) => members.get(map.representative[node]! as NodeIndex) ?? [],
    of,
    within: (at) => distinct(carried.get(at)),
    ofTool: (tool) => distinct(tools.get(givenToolKey(tool))),
    ofEdge: placeSteps(graph, map, assembled),
  };
}

function distinct(places: readonly JsonPointer[] = []): readonly JsonPointer[] {
  return [...new Set(places)];
}

function indexBySource(sourceMap: readonly SourceMapEntry[]): Map<JsonPointer, JsonPointer[]> {
  const index = new Map<JsonPointer, JsonPointer[]>();
  for (const { output, origin } of sourceMap) {
    if (origin.kind === 'source') append(index, origin.at, output);
    if (origin.kind === 'synthesized') for (const at of origin.from) append(index, at, output);
  }
  return index;
}

/** What stands inside of a value that is carried whole, under the place of the value itself. */
function indexWithin(
  places: ReadonlySet<JsonPointer>,
  bySource: ReadonlyMap<JsonPointer, readonly JsonPointer[]>,
): Map<JsonPointer, JsonPointer[]> {
  const index = new Map<JsonPointer, JsonPointer[]>();
  for (const [at, outputs] of bySource) {
    let above = at;
    while (above !== '' && !places.has(above)) above = above.slice(0, above.lastIndexOf('/'));
    if (above !== '') for (const output of outputs) append(index, above, output);
  }
  return index;
}

/** Places of the source's values that are carried whole. */
function listCarried({ nodes, settings, shared }: Workflow): Set<JsonPointer> {
  const values = [
    ...valuesOf(settings),
    ...shared.map(({ value }) => value),
    ...nodes.flatMap((node) => [...valuesOf(node.settings), ...ownSettings(node), ...passed(node)]),
  ];
  const schemas = nodes.flatMap(({ request }) =>
    request === null || request.responseSchema === null ? [] : request.responses,
  );
  return new Set([
    ...schemas.map(({ sourceAt }) => sourceAt),
    ...values.flatMap(({ origin }) => (origin.kind === 'source' ? [origin.at] : [])),
  ]);
}

/** Model, voice and transcriber, as far as they are set. */
export function valuesOf(settings: Settings): readonly Traced<Json>[] {
  return settingNames.flatMap((name): Traced<Json>[] => {
    const setting = settings[name];
    return setting === undefined ? [] : [setting];
  });
}

/** The further settings of a node that is an assistant already. */
export function ownSettings({ assistant }: WorkflowNode): readonly Traced<Json>[] {
  return (assistant?.settings ?? []).map(({ value }) => value);
}

/** Fields of a node's tool that are carried as they are. */
export function passed({ request, transfer }: WorkflowNode): readonly Traced<Json>[] {
  const destinations = transfer === null ? [] : [transfer, ...transfer.others];
  return [
    ...(request === null ? [] : [...request.passed, ...request.statics]),
    ...destinations.flatMap((it) => it.passed),
  ].map(({ value }) => value);
}

/** Every tool has a type, which stands where the tool does. */
function placesOfTool({ value, savedAs, at }: GivenTool, of: Places['of']): readonly JsonPointer[] {
  if (value === null) return savedAs?.origin.kind === 'source' ? of(savedAs.origin.at) : [];
  return of(child(at, 'type')).map((place) => place.slice(0, -'/type'.length));
}

/** Where each step stands, by what it does: its ends, as equal nodes are one, and its condition. */
function placeSteps(
  graph: FlowGraph,
  { regions, representative }: RegionMap,
  assembled: Assembled,
) {
  const { nodes, edges } = graph.workflow;
  const keyOf = ({ from, to, condition }: WorkflowEdge) =>
    `${representative[from]} ${representative[to]} ${conditionKey(condition)}`;
  const all = regions.flatMap(({ index, steps }) => {
    const member = assembled.memberAt(index);
    return steps.map(({ edge, from }) => {
      const tools = assembled.edges.get(edge) ?? [];
      const own = tools.filter((at) => at.startsWith(`${member}/`));
      // Where no tool of its own says it, a saved assistant is the only place there is.
      const isSaved = (nodes[from]!.assistant?.savedAs ?? null) !== null;
      const prompt = isSaved ? member : `${member}/assistant/model/messages/0/content`;
      return { edge, outputs: own.length > 0 ? own : [prompt] };
    });
  });
  const byKey = groupBy(all, ({ edge }) => keyOf(edges[edge]!));
  return (edge: WorkflowEdge): PlacedStep | undefined => {
    const steps = byKey.get(keyOf(edge));
    const last = steps?.at(-1);
    return last && { edge: last.edge, outputs: steps!.flatMap(({ outputs }) => outputs) };
  };
}
