/**
 * What became of every thing of the source.
 *
 * In: the workflow with its graph and regions, and the assembled document. Out: one entry for each
 * node, edge, variable, spoken line, instruction, condition, transfer message, tool, setting and
 * unknown field.
 *
 *     kind                           status                      outputs
 *     node                           see fateOfNode              its members
 *     line, instruction, variable …  as its node                 where its text stands
 *     setting, field                 converted, or overridden    what is left of it
 *     edge                           as its step                 its handoff or transfer, or the prompt
 *     condition of an edge           as its edge                 where it stands, else as the edge
 *     unknown field                  dropped                     none
 *
 * What an open question is about needs an answer.
 */
import type { FlowGraph } from '../ir/flow-graph.js';
import type { JsonPointer, NodeIndex } from '../ir/ids.js';
import type { Json } from '../ir/json.js';
import type { Traced } from '../ir/provenance.js';
import type { RegionMap } from '../ir/region-map.js';
import type { LedgerEntry, LedgerKind } from '../ir/result.js';
import { textsOf } from '../ir/texts.js';
import type { Workflow, WorkflowEdge, WorkflowNode } from '../ir/workflow.js';
import type { Assembled } from './assemble.js';
import { findPlaces, ownSettings, type Places, passed, valuesOf } from './places.js';

export interface LedgerInput {
  readonly graph: FlowGraph;
  readonly map: RegionMap;
  readonly assembled: Assembled;
  /** Places that open questions are about. */
  readonly open: ReadonlySet<JsonPointer>;
}

export function writeLedger({ graph, map, assembled, open }: LedgerInput): LedgerEntry[] {
  const places = findPlaces(graph, map, assembled);
  const { workflow } = graph;
  const fateOf = fatesOfEdges(graph, places);
  return [
    ...workflow.nodes.flatMap((node) => entriesOfNode(graph, map, places, node)),
    ...workflow.edges.flatMap((edge) => entriesOfEdge(edge, fateOf(edge), places)),
    ...entriesOfWorkflow(workflow, places),
  ].map((it): LedgerEntry => (open.has(it.at) ? { ...it, status: 'needs-answer' } : it));
}

/** What became of a thing, and where it stands. */
type Fate = Pick<LedgerEntry, 'status' | 'reason' | 'outputs'>;

function entriesOfNode(
  graph: FlowGraph,
  map: RegionMap,
  places: Places,
  node: WorkflowNode,
): LedgerEntry[] {
  // Equal nodes have equal texts, and only those of the one that stands for them are written.
  const twin = graph.workflow.nodes[map.representative[node.index]!]!;
  const twinTexts = textsOf(twin);
  const fate = fateOfNode(graph, map, places, node);
  const entry = (kind: LedgerKind, at: JsonPointer, of: Fate): LedgerEntry => ({ at, kind, ...of });
  const text = (kind: LedgerKind, at: JsonPointer, twinAt: JsonPointer) =>
    entry(kind, at, fateOfText(fate, places.of(twinAt)));
  const whole = (kind: LedgerKind) => (value: Traced<Json>) =>
    wholeEntry(kind, value, fate, places);
  const condition = node.global?.condition ?? null;
  return [
    entry('node', node.at, fate),
    ...textsOf(node).flatMap(({ kind, value }, at) => {
      return kind === null ? [] : [text(kind, value.at, (twinTexts[at]?.value ?? value).at)];
    }),
    ...passed(node).flatMap(whole('field')),
    ...node.tools.map((tool) => {
      const isOwn = (place: JsonPointer) => fate.outputs.some((it) => place.startsWith(`${it}/`));
      return entry('tool', tool.at, { ...fate, outputs: places.ofTool(tool).filter(isOwn) });
    }),
    ...(condition === null ? [] : [text('condition', condition.at, condition.at)]),
    ...node.captures.flatMap((capture, at) => {
      if (capture.origin.kind !== 'source') return [];
      const same = twin.captures[at] ?? capture;
      const variable = text('variable', capture.at, same.places.name ?? same.at);
      const { alias } = capture;
      if (alias === undefined) return [variable];
      return [variable, text('instruction', alias.at, (same.alias ?? alias).at)];
    }),
    ...(node.request?.responses ?? []).map(({ at, sourceAt }, index) => {
      const same = twin.request?.responses[index]?.sourceAt ?? sourceAt;
      const found = text('variable', at, same);
      // One of a schema stands there as all that is inside of its property.
      return found.outputs.length > 0 ? found : { ...found, outputs: places.within(same) };
    }),
    ...valuesOf(node.settings).flatMap(whole('setting')),
    ...ownSettings(node).flatMap(whole('setting')),
  ];
}

function fateOfNode(
  { workflow, rank }: FlowGraph,
  { regions, representative }: RegionMap,
  places: Places,
  { index, role, global }: WorkflowNode,
): Fate {
  if (rank[index] === -1) return { status: 'dropped', reason: 'unreachable', outputs: [] };
  const isEverywhere = role === 'exit' && global !== null;
  const outputs = isEverywhere
    ? regions.flatMap(({ first }) => places.members(first).slice(0, 1))
    : [...places.members(index)];
  const standsFor = representative[index]! as NodeIndex;
  if (standsFor !== index) {
    const { id } = workflow.nodes[standsFor]!;
    return { status: 'folded', reason: `equal to ${id}`, outputs };
  }
  if (role === 'exit') {
    return { status: 'folded', reason: 'exit of the assistants before it', outputs };
  }
  return { status: 'converted', outputs };
}

/** A text shares the fate of its node; where the node stands, the text stands too. */
function fateOfText(fate: Fate, outputs: readonly JsonPointer[]): Fate {
  return fate.status === 'dropped' ? fate : { ...fate, outputs };
}

/** A value that is carried whole; one that stands nowhere was overridden. */
function wholeEntry(
  kind: LedgerKind,
  { origin }: Traced<Json>,
  fate: Fate,
  places: Places,
): LedgerEntry[] {
  if (origin.kind !== 'source') return [];
  const { at } = origin;
  if (fate.status === 'dropped') return [{ at, kind, ...fate }];
  const outputs = places.within(at);
  if (outputs.length > 0) return [{ at, kind, status: 'converted', outputs }];
  return [{ at, kind, status: 'dropped', reason: 'overridden', outputs }];
}

const reasons = { unreachable: 'unreachable', 'leaves-exit': 'leaves an exit' } as const;

function fatesOfEdges({ workflow, leftOut }: FlowGraph, places: Places) {
  const left = new Map(leftOut.map((it) => [it.edge, it]));
  const byPlace = new Map(workflow.edges.map((edge) => [edge.at, edge]));
  return (edge: WorkflowEdge): Fate => {
    const { reason, of = '' } = left.get(edge.index) ?? { reason: null };
    if (reason !== null && reason !== 'copy') {
      return { status: 'dropped', reason: reasons[reason], outputs: [] };
    }
    // Nobody was asked about the condition of a copy; it shares the fate of the edge it repeats.
    const step = places.ofEdge(byPlace.get(of) ?? edge);
    const outputs = step?.outputs ?? [];
    const same = reason === 'copy' ? of : workflow.edges[step?.edge ?? edge.index]!.at;
    if (same === edge.at) return { status: 'converted', outputs };
    return { status: 'folded', reason: `same step as ${same}`, outputs };
  };
}

function entriesOfEdge({ at, condition }: WorkflowEdge, fate: Fate, places: Places): LedgerEntry[] {
  const edge: LedgerEntry = { at, kind: 'edge', ...fate };
  if (condition === null) return [edge];
  const own = places.of(condition.at);
  const outputs = own.length > 0 && fate.status === 'converted' ? own : fate.outputs;
  return [edge, { at: condition.at, kind: 'condition', ...fate, outputs }];
}

function entriesOfWorkflow(workflow: Workflow, places: Places): LedgerEntry[] {
  const { globalPrompt, unknownFields, absorbed, settings, shared } = workflow;
  const converted: Fate = { status: 'converted', outputs: [] };
  const whole = (value: Traced<Json>) => wholeEntry('setting', value, converted, places);
  const prompt = globalPrompt === null ? [] : [globalPrompt.at];
  return [
    ...prompt.map((at): LedgerEntry => {
      return { at, kind: 'instruction', status: 'converted', outputs: places.of(at) };
    }),
    ...valuesOf(settings).flatMap(whole),
    ...shared.flatMap(({ value }) => whole(value)),
    ...absorbed.map(({ at, kind, reason }): LedgerEntry => {
      const status = kind === 'field' ? 'dropped' : 'folded';
      return { at, kind, status, reason, outputs: [] };
    }),
    ...unknownFields.map((at): LedgerEntry => {
      const reason = 'no rule reads this field';
      return { at, kind: 'field', status: 'dropped', reason, outputs: [] };
    }),
  ];
}
