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
 * What an open question is about needs an answer. Places are read off the source map, so the ledger
 * cannot claim what the document does not hold.
 */
import { groupBy } from '../../graph/lists.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import { child, type JsonPointer, type NodeIndex } from '../ir/ids.js';
import type { Json } from '../ir/json.js';
import type { Traced } from '../ir/provenance.js';
import type { RegionMap } from '../ir/region-map.js';
import type { LedgerEntry, LedgerKind } from '../ir/result.js';
import { textsOf } from '../ir/texts.js';
import {
  conditionKey,
  type GivenTool,
  givenToolKey,
  type NamedSetting,
  type Settings,
  settingNames,
  type Workflow,
  type WorkflowEdge,
  type WorkflowNode,
} from '../ir/workflow.js';
import type { Assembled } from './assemble.js';

export interface LedgerInput {
  readonly graph: FlowGraph;
  readonly map: RegionMap;
  readonly assembled: Assembled;
  /** Places that open questions are about. */
  readonly open: ReadonlySet<JsonPointer>;
}

export function writeLedger(input: LedgerInput): LedgerEntry[] {
  const { nodes, edges } = input.graph.workflow;
  const places = findPlaces(input);
  const fateOfEdge = createEdgeFates(input);
  const entries = [
    ...nodes.flatMap((node) => entriesOfNode(input, places, node)),
    ...edges.flatMap((edge) => entriesOfEdge(edge, fateOfEdge(edge), places)),
    ...entriesOfWorkflow(input.graph.workflow, places),
  ];
  return entries.map((it) => (input.open.has(it.at) ? { ...it, status: 'needs-answer' } : it));
}

/** What became of a thing, and where it stands. */
type Fate = Pick<LedgerEntry, 'status' | 'reason' | 'outputs'>;

function entriesOfNode(input: LedgerInput, places: Places, node: WorkflowNode): LedgerEntry[] {
  const { graph, map } = input;
  // Equal nodes have equal texts, and only those of the one that stands for them are written.
  const twin = graph.workflow.nodes[map.representative[node.index]!]!;
  const twinTexts = textsOf(twin);
  const fate = fateOfNode(input, places, node.index);
  const entry = (kind: LedgerKind, at: JsonPointer, outputs: readonly JsonPointer[]) => {
    return { at, kind, ...fate, ...(fate.status === 'dropped' ? {} : { outputs }) };
  };
  const text = (kind: LedgerKind, at: JsonPointer, twinAt: JsonPointer) =>
    entry(kind, at, places.of(twinAt));
  const whole = (kind: LedgerKind) => (it: Traced<Json>) => entriesOfWhole(kind, it, fate, places);
  const condition = node.global?.condition ?? null;
  return [
    { at: node.at, kind: 'node', ...fate },
    ...textsOf(node).flatMap(({ kind, value }, at) => {
      return kind === null ? [] : [text(kind, value.at, (twinTexts[at]?.value ?? value).at)];
    }),
    ...passedOf(node).flatMap(whole('field')),
    ...node.tools.map((tool) => {
      const isOwn = (place: JsonPointer) => fate.outputs.some((it) => place.startsWith(`${it}/`));
      return entry('tool', tool.at, places.ofTool(tool).filter(isOwn));
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
      // One of a schema stands there as all that is inside of its property.
      const own = places.of(same);
      return entry('variable', at, own.length > 0 ? own : places.within(same));
    }),
    ...settingsOf(node.settings, node.assistant?.settings).flatMap(whole('setting')),
  ];
}

function fateOfNode({ graph, map }: LedgerInput, places: Places, node: NodeIndex): Fate {
  const { workflow, rank } = graph;
  if (rank[node] === -1) return { status: 'dropped', reason: 'unreachable', outputs: [] };
  const { role, global } = workflow.nodes[node]!;
  const isExit = role === 'exit';
  const outputs =
    isExit && global !== null
      ? map.regions.flatMap(({ first }) => places.members(first).slice(0, 1))
      : places.members(node);
  const standsFor = map.representative[node]!;
  if (standsFor !== node) {
    return { status: 'folded', reason: `equal to ${workflow.nodes[standsFor]!.id}`, outputs };
  }
  if (isExit) return { status: 'folded', reason: 'exit of the assistants before it', outputs };
  return { status: 'converted', outputs };
}

/** A value that is carried whole; one that stands nowhere was overridden. */
function entriesOfWhole(
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

function entriesOfEdge({ at, condition }: WorkflowEdge, fate: Fate, places: Places): LedgerEntry[] {
  const edge: LedgerEntry = { at, kind: 'edge', ...fate };
  if (condition === null) return [edge];
  const own = places.of(condition.at);
  const outputs = own.length > 0 && fate.status === 'converted' ? own : fate.outputs;
  return [edge, { at: condition.at, kind: 'condition', ...fate, outputs }];
}

/** An edge is the last of the steps that do the same: equal nodes are one, as are equal conditions. */
function createEdgeFates({ graph, map, assembled }: LedgerInput): (edge: WorkflowEdge) => Fate {
  const { nodes, edges } = graph.workflow;
  const keyOf = ({ from, to, condition }: WorkflowEdge) =>
    `${map.representative[from]} ${map.representative[to]} ${conditionKey(condition)}`;
  const placed = map.regions.flatMap(({ index, steps }) => {
    const member = assembled.memberAt(index);
    return steps.map(({ edge, from }) => {
      const own = (assembled.edges.get(edge) ?? []).filter((at) => at.startsWith(`${member}/`));
      // Where no tool of its own says it, a saved assistant is the only place there is.
      const isSaved = (nodes[from]!.assistant?.savedAs ?? null) !== null;
      const prompt = isSaved ? member : `${member}/assistant/model/messages/0/content`;
      return { edge: edges[edge]!, outputs: own.length > 0 ? own : [prompt] };
    });
  });
  const steps = groupBy(placed, ({ edge }) => keyOf(edge));
  const left = new Map(graph.leftOut.map((it) => [it.edge, it]));
  const byPlace = new Map(edges.map((edge) => [edge.at, edge]));
  return (edge) => {
    const { reason, of = '' } = left.get(edge.index) ?? {};
    if (reason === 'unreachable') return { status: 'dropped', reason, outputs: [] };
    if (reason === 'leaves-exit') {
      return { status: 'dropped', reason: 'leaves an exit', outputs: [] };
    }
    // Nobody was asked about the condition of a copy; it shares the fate of the edge it repeats.
    const same = steps.get(keyOf(byPlace.get(of) ?? edge)) ?? [];
    const outputs = same.flatMap((it) => it.outputs);
    const step = reason === 'copy' ? of : (same.at(-1)?.edge ?? edge).at;
    if (step === edge.at) return { status: 'converted', outputs };
    return { status: 'folded', reason: `same step as ${step}`, outputs };
  };
}

function entriesOfWorkflow(workflow: Workflow, places: Places): LedgerEntry[] {
  const { globalPrompt, unknownFields, absorbed, settings, shared } = workflow;
  const converted: Fate = { status: 'converted', outputs: [] };
  const prompt = globalPrompt === null ? [] : [globalPrompt.at];
  return [
    ...prompt.map((at): LedgerEntry => {
      return { at, kind: 'instruction', status: 'converted', outputs: places.of(at) };
    }),
    ...settingsOf(settings, shared).flatMap((it) => {
      return entriesOfWhole('setting', it, converted, places);
    }),
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

/** Model, voice and transcriber, as far as they are set, then others. */
function settingsOf(settings: Settings, others: readonly NamedSetting[] = []): Traced<Json>[] {
  const set = settingNames.flatMap((name): Traced<Json> | [] => settings[name] ?? []);
  return [...set, ...others.map(({ value }) => value)];
}

/** Fields of a node's tool that are carried as they are. */
function passedOf({ request, transfer }: WorkflowNode): Traced<Json>[] {
  const destinations = transfer === null ? [] : [transfer, ...transfer.others];
  const ofRequest = request === null ? [] : [...request.passed, ...request.statics];
  return [...ofRequest, ...destinations.flatMap((it) => it.passed)].map(({ value }) => value);
}

type Places = ReturnType<typeof findPlaces>;

/** Places of the document, by what of the source stands there; each once. */
function findPlaces({ graph: { workflow }, map, assembled }: LedgerInput) {
  const bySource = new Map<JsonPointer, Set<JsonPointer>>();
  for (const { output, origin } of assembled.sourceMap) {
    if (origin.kind === 'source') note(bySource, origin.at, output);
    if (origin.kind === 'synthesized') for (const at of origin.from) note(bySource, at, output);
  }
  const of = (at: JsonPointer) => [...(bySource.get(at) ?? [])];
  const whole = listWhole(workflow);
  const carried = new Map<JsonPointer, Set<JsonPointer>>();
  for (const [at, outputs] of bySource) {
    let above = at;
    while (above !== '' && !whole.has(above)) above = above.slice(0, above.lastIndexOf('/'));
    if (above !== '') for (const output of outputs) note(carried, above, output);
  }
  const tools = new Map<string, Set<JsonPointer>>();
  for (const tool of workflow.nodes.flatMap((node) => node.tools)) {
    const { value, savedAs, at } = tool;
    // Every tool has a type, which stands where the tool does.
    const types = of(child(at, 'type')).map((place) => place.slice(0, -'/type'.length));
    const ids = savedAs?.origin.kind === 'source' ? of(savedAs.origin.at) : [];
    for (const place of value === null ? ids : types) note(tools, givenToolKey(tool), place);
  }
  const members = new Map<NodeIndex, Set<JsonPointer>>();
  for (const { index, nodes, steps } of map.regions) {
    const exits = steps.filter(({ kind }) => kind === 'exit').map(({ to }) => to);
    for (const node of [...nodes, ...exits]) note(members, node, assembled.memberAt(index));
  }
  return {
    of,
    /** The same for an object or a list of the source that is carried whole. */
    within: (at: JsonPointer) => [...(carried.get(at) ?? [])],
    /** Equal tools of one assistant are written once: one stands where any of its equals does. */
    ofTool: (tool: GivenTool) => [...(tools.get(givenToolKey(tool)) ?? [])],
    /** The members that hold the node, or the equal one that stands for it. */
    members: (node: NodeIndex) => [...(members.get(map.representative[node]!) ?? [])],
  };
}

/** Places of the source's values that are carried whole. */
function listWhole({ nodes, settings, shared }: Workflow): Set<JsonPointer> {
  const values = [
    ...settingsOf(settings, shared),
    ...nodes.flatMap((it) => [...settingsOf(it.settings, it.assistant?.settings), ...passedOf(it)]),
  ];
  const schemas = nodes.flatMap(({ request }) =>
    request?.responseSchema ? request.responses : [],
  );
  return new Set([
    ...schemas.map(({ sourceAt }) => sourceAt),
    ...values.flatMap(({ origin }) => (origin.kind === 'source' ? [origin.at] : [])),
  ]);
}

function note<Key>(sets: Map<Key, Set<JsonPointer>>, key: Key, place: JsonPointer): void {
  sets.set(key, (sets.get(key) ?? new Set()).add(place));
}
