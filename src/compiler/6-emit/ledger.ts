/**
 * What became of each item of the source.
 *
 * In: the workflow with its graph and regions, and the assembled document. Out: one entry for each
 * node, edge, variable, spoken line, instruction, condition, transfer message, tool, setting and
 * unknown field.
 *
 *     kind                           status                      outputs
 *     node                           see outcomeOfNode           its members
 *     line, instruction, variable …  as its node                 where its text stands
 *     setting, field                 converted, or overridden    what remains of it
 *     edge                           as its step                 its handoff or transfer, or the prompt
 *     condition of an edge           as its edge                 where it stands, else as the edge
 *     unknown field                  dropped                     none
 *
 * The subject of an open question needs an answer. Places come from the source map, so the ledger
 * cannot claim what is not in the document.
 */
import { append } from '../../graph/lists.js';
import type { Json } from '../../text/json.js';
import { child, type JsonPointer } from '../../text/pointer.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Traced } from '../ir/provenance.js';
import type { RegionMap } from '../ir/region-map.js';
import type { LedgerEntry, LedgerKind } from '../ir/result.js';
import { textsOf } from '../ir/texts.js';
import {
  conditionKey,
  destinationsOf,
  type GivenTool,
  givenToolKey,
  type NamedSetting,
  partsOf,
  type Settings,
  settingNames,
  type WorkflowEdge,
  type WorkflowNode,
} from '../ir/workflow.js';
import type { Assembled } from './assemble.js';

export interface LedgerInput {
  readonly graph: FlowGraph;
  readonly map: RegionMap;
  readonly assembled: Assembled;
  /** Places that are subjects of open questions. */
  readonly open: ReadonlySet<JsonPointer>;
}

export function writeLedger(input: LedgerInput): LedgerEntry[] {
  const { nodes, edges, ...workflow } = input.graph.workflow;
  const places = findPlaces(input);
  const outcomeOfEdge = edgeOutcomes(input);
  const whole: Outcome = { status: 'converted', outputs: [] };
  const entries = [
    ...nodes.flatMap((node) => entriesOfNode(input, places, node)),
    ...edges.flatMap((edge) => entriesOfEdge(edge, outcomeOfEdge(edge), places)),
    ...(workflow.globalPrompt === null ? [] : partsOf(workflow.globalPrompt)).map(({ at }) =>
      entryOf('instruction', at, whole, places.of(at)),
    ),
    ...entriesOfWhole('setting', settingsOf(workflow.settings, workflow.shared), whole, places),
    ...workflow.absorbed.map(({ at, kind, reason, ...absorption }) => {
      const status = absorption.status ?? (kind === 'field' ? 'dropped' : 'folded');
      return entryOf(kind, at, { status, reason, outputs: [] });
    }),
    ...workflow.unknownFields.map((at) =>
      entryOf('field', at, dropped('squadc does not use this field')),
    ),
  ];
  return entries.map((it) => (input.open.has(it.at) ? { ...it, status: 'needs-answer' } : it));
}

/** What became of an item, and where it stands. */
type Outcome = Pick<LedgerEntry, 'status' | 'reason' | 'outputs'>;

const dropped = (reason: string): Outcome => ({ status: 'dropped', reason, outputs: [] });

function entryOf(kind: LedgerKind, at: JsonPointer, it: Outcome, outputs = it.outputs) {
  const { status, reason } = it;
  return { at, kind, status, ...(reason !== undefined && { reason }), outputs };
}

/** Values that are carried over whole; one that stands nowhere was overridden. */
function entriesOfWhole(
  kind: LedgerKind,
  values: readonly Traced<Json>[],
  outcome: Outcome,
  places: Places,
): LedgerEntry[] {
  return values.flatMap(({ origin }) => {
    if (origin.kind !== 'source') return [];
    if (outcome.status === 'dropped') return entryOf(kind, origin.at, outcome);
    const outputs = places.within(origin.at);
    const own: Outcome =
      outputs.length > 0 ? { status: 'converted', outputs } : dropped('overridden');
    return entryOf(kind, origin.at, own);
  });
}

function entriesOfNode(input: LedgerInput, places: Places, node: WorkflowNode): LedgerEntry[] {
  const { graph, map } = input;
  const outcome = outcomeOfNode(input, places, node.index);
  // Equal nodes are written once, at the node that represents them.
  const equal = graph.workflow.nodes[map.representative[node.index]!]!;
  const add = (kind: LedgerKind, at: JsonPointer, outputs: readonly JsonPointer[]) =>
    entryOf(kind, at, outcome, outcome.status === 'dropped' ? [] : outputs);
  const listEntries = (itemsOf: (node: WorkflowNode) => readonly Item[]) => {
    const written = equal === node ? [] : itemsOf(equal);
    return itemsOf(node).flatMap(({ kind, ats, sources }, index) => {
      const from = written[index]?.sources ?? sources;
      return ats.map((at, part) => add(kind, at, places.ofItem(from[part] ?? from[0]!)));
    });
  };
  const { at, tools, settings, assistant } = node;
  // A condition that an answer gave stands at the node.
  const { at: conditionAt } = node.global?.condition ?? node;
  const outputs = places.of(conditionAt);
  // A global node is entered from others only: where there are none, nothing needs its condition.
  const needed = outputs.length > 0 ? outcome : dropped('no other node');
  const isOwn = (place: JsonPointer) => outcome.outputs.some((it) => place.startsWith(`${it}/`));
  return [
    entryOf('node', at, outcome),
    ...listEntries(listTexts),
    ...entriesOfWhole('field', listPassed(node), outcome, places),
    ...tools.map((tool) => add('tool', tool.at, places.ofTool(tool).filter(isOwn))),
    ...(conditionAt === at ? [] : [entryOf('condition', conditionAt, needed, outputs)]),
    ...listEntries(listVariables),
    ...entriesOfWhole('setting', settingsOf(settings, assistant?.settings), outcome, places),
  ];
}

/** An item of a node: the places of its parts, and what the source map has for them. */
interface Item {
  readonly kind: LedgerKind;
  readonly ats: readonly JsonPointer[];
  readonly sources: readonly JsonPointer[];
}

function listTexts(node: WorkflowNode): Item[] {
  return textsOf(node).flatMap(({ kind, value }) => {
    const ats = partsOf(value).map((part) => part.at);
    return kind === null ? [] : { kind, ats, sources: ats };
  });
}

function listVariables({ at: own, captures, request }: WorkflowNode): Item[] {
  const captured = captures.flatMap(({ at, alias, origin, places: { name } }): Item[] => {
    const listed = (place: JsonPointer) => (origin.kind === 'source' ? [place] : []);
    const own: Item = { kind: 'variable', ats: listed(at), sources: [name ?? at] };
    if (alias === undefined) return [own];
    return [own, { kind: 'instruction', ats: listed(alias.at), sources: [alias.at] }];
  });
  const responses = (request?.responses ?? []).map(({ at, sourceAt }): Item => {
    // One that an answer adds has no place of its own.
    return { kind: 'variable', ats: at === own ? [] : [at], sources: [sourceAt] };
  });
  return [...captured, ...responses];
}

function outcomeOfNode(input: LedgerInput, places: Places, node: NodeIndex): Outcome {
  const { map, assembled } = input;
  const { workflow, rank } = input.graph;
  if (rank[node] === -1) return dropped('unreachable');
  const { role, global } = workflow.nodes[node]!;
  const isExit = role === 'exit';
  const everywhere = () => map.regions.map(({ index }) => assembled.memberAt(index));
  const outputs = isExit && global !== null ? everywhere() : places.members(node);
  const equal = map.representative[node]!;
  const reason =
    equal === node ? 'exit of the assistants before it' : `equal to ${workflow.nodes[equal]!.id}`;
  if (equal === node && !isExit) return { status: 'converted', outputs };
  return { status: 'folded', reason, outputs };
}

function entriesOfEdge({ at, condition, addedBy }: WorkflowEdge, outcome: Outcome, places: Places) {
  // An edge that an answer added stands nowhere in the source.
  if (addedBy !== undefined) return [];
  const edge = entryOf('edge', at, outcome);
  if (condition === null) return [edge];
  const own = places.of(condition.at);
  const outputs = own.length > 0 && outcome.status === 'converted' ? own : outcome.outputs;
  return [edge, entryOf('condition', condition.at, outcome, outputs)];
}

/** Steps with equal ends and equal conditions are one; the last such edge represents them. */
function edgeOutcomes({ graph, map, assembled }: LedgerInput): (edge: WorkflowEdge) => Outcome {
  const { nodes, edges } = graph.workflow;
  const keyOf = ({ from, to, condition }: WorkflowEdge) =>
    `${map.representative[from]} ${map.representative[to]} ${conditionKey(condition)}`;
  const steps = new Map<string, { edge: WorkflowEdge; outputs: readonly JsonPointer[] }[]>();
  for (const region of map.regions) {
    const member = assembled.memberAt(region.index);
    for (const { edge, from } of region.steps) {
      const own = (assembled.edges.get(edge) ?? []).filter((at) => at.startsWith(`${member}/`));
      // Without a tool of its own, a step of a saved assistant has only the member as its place.
      const isSaved = (nodes[from]!.assistant?.savedAs ?? null) !== null;
      const prompt = isSaved ? member : `${member}/assistant/model/messages/0/content`;
      const outputs = own.length > 0 ? own : [prompt];
      append(steps, keyOf(edges[edge]!), { edge: edges[edge]!, outputs });
    }
  }
  const left = new Map(graph.leftOut.map((it) => [it.edge, it]));
  return (edge) => {
    const { reason, of = edge.index } = left.get(edge.index) ?? {};
    if (reason === 'unreachable') return dropped(reason);
    if (reason === 'leaves-exit') return dropped('leaves an exit');
    // No question is asked about a copy's condition; it shares the outcome of the edge it repeats.
    const same = steps.get(keyOf(edges[of]!)) ?? [];
    const outputs = same.flatMap((it) => it.outputs);
    const { at: step } = reason === 'copy' ? edges[of]! : (same.at(-1)?.edge ?? edge);
    if (step === edge.at) return { status: 'converted', outputs };
    return { status: 'folded', reason: `same step as ${step}`, outputs };
  };
}

/** Model, voice and transcriber where set, then the others. */
function settingsOf(settings: Settings, others: readonly NamedSetting[] = []): Traced<Json>[] {
  return [...settingNames.flatMap((name) => settings[name] ?? []), ...others.map((it) => it.value)];
}

/** Fields of a node's tool that are carried over unchanged. */
function listPassed({ request, transfer }: WorkflowNode): Traced<Json>[] {
  const destinations = destinationsOf({ transfer });
  const settings = [request?.passed, request?.statics, ...destinations.map((it) => it.passed)];
  return [
    ...settings.flatMap((it) => it ?? []).map(({ value }) => value),
    transfer?.messages ?? [],
  ].flat();
}

type Places = ReturnType<typeof findPlaces>;

/** Places in the document by the place in the source that they come from, without repetition. */
function findPlaces({ graph: { workflow }, map, assembled }: LedgerInput) {
  const bySource = new Map<JsonPointer, JsonPointer[]>();
  /** The same, including the places of the members of an object or a list. */
  const byWhole = new Map<JsonPointer, JsonPointer[]>();
  const add = (at: JsonPointer, output: JsonPointer): void => {
    append(bySource, at, output);
    const [owner = ''] = /^.*?\/(?:nodes|edges)\/\d+/.exec(at) ?? [];
    for (let whole = at; whole.length > owner.length; ) {
      append(byWhole, whole, output);
      whole = whole.slice(0, whole.lastIndexOf('/'));
    }
  };
  for (const { output, origin } of assembled.sourceMap) {
    if ('at' in origin && origin.at !== undefined) add(origin.at, output);
    if (origin.kind === 'synthesized') for (const at of origin.from) add(at, output);
  }
  const of = (at: JsonPointer) => [...new Set(bySource.get(at))];
  const within = (at: JsonPointer) => [...new Set(byWhole.get(at))];
  const tools = new Map<string, JsonPointer[]>();
  for (const tool of workflow.nodes.flatMap((node) => node.tools)) {
    const { value, savedAs, at } = tool;
    // Every tool has a `type`, whose place gives that of the tool.
    const types = of(child(at, 'type')).map((place) => place.slice(0, -'/type'.length));
    const ids = savedAs?.origin.kind === 'source' ? of(savedAs.origin.at) : [];
    for (const place of value === null ? ids : types) append(tools, givenToolKey(tool), place);
  }
  const members = new Map<NodeIndex, JsonPointer[]>();
  for (const { index, nodes, steps } of map.regions) {
    const exits = steps.flatMap(({ kind, to }) => (kind === 'exit' ? to : []));
    for (const node of [...nodes, ...exits]) append(members, node, assembled.memberAt(index));
  }
  return {
    of,
    /** The same for an object or a list that is carried over whole. */
    within,
    /** A response of a schema stands there as the members of its property. */
    ofItem: (at: JsonPointer) => (of(at).length > 0 ? of(at) : within(at)),
    /** Equal tools of an assistant are written once: a tool stands wherever an equal one does. */
    ofTool: (tool: GivenTool) => [...new Set(tools.get(givenToolKey(tool)))],
    /** The members that contain the node or its representative. */
    members: (node: NodeIndex) => [...new Set(members.get(map.representative[node]!))],
  };
}
