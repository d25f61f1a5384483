/**
 * What became of every thing of the source.
 *
 * In: the workflow with its graph and regions, and the assembled document. Out: one entry for each
 * node, edge, variable, spoken line, instruction, condition, transfer message, setting and unknown
 * field. Where a text stands is read off the source map, so the ledger cannot claim what the
 * document does not hold.
 */

import { append, extend } from '../../graph/lists.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { JsonPointer, NodeIndex } from '../ir/ids.js';
import type { Json } from '../ir/json.js';
import type { Traced } from '../ir/provenance.js';
import type { RegionMap } from '../ir/region-map.js';
import type { LedgerEntry, LedgerKind, SourceMapEntry } from '../ir/result.js';
import {
  type Capture,
  placesOf,
  type Settings,
  settingNames,
  type Text,
  type Transfer,
  type Workflow,
  type WorkflowNode,
} from '../ir/workflow.js';
import type { Assembled } from './assemble.js';
import { carriedBy, indexWithin, listCarried, settingsOfAssistant } from './ledger-of-carried.js';
import { entriesOfEdges } from './ledger-of-edges.js';
import { entriesOfReplaced } from './ledger-of-operations.js';
import { type EntriesOfTools, trackTools } from './ledger-of-tools.js';

export interface LedgerInput {
  readonly graph: FlowGraph;
  readonly map: RegionMap;
  readonly assembled: Assembled;
  /** Places that open questions are about. */
  readonly open: ReadonlySet<JsonPointer>;
}

export function writeLedger(input: LedgerInput): LedgerEntry[] {
  const where = createWhere(input);
  const { workflow } = input.graph;
  const entries: LedgerEntry[] = [];
  for (const node of workflow.nodes) extend(entries, entriesOfNode(input, where, node));
  extend(entries, entriesOfEdges(input, where.of));
  extend(entries, entriesOfWorkflow(workflow, where));
  return entries.map((entry) => markOpen(entry, input.open));
}

/** Finds where things of the source stand in the document. */
interface Where {
  readonly members: (node: NodeIndex) => JsonPointer[];
  readonly of: (at: JsonPointer) => JsonPointer[];
  /** The same for an object or a list of the source. */
  readonly within: (at: JsonPointer) => JsonPointer[];
  readonly toolsOf: EntriesOfTools;
}

function createWhere({ graph, map, assembled }: LedgerInput): Where {
  const bySource = indexBySource(assembled.notes().sourceMap);
  const members = new Map<NodeIndex, JsonPointer[]>();
  for (const region of map.regions) {
    const held = new Set([
      ...region.nodes,
      ...region.steps.flatMap((step) => (step.kind === 'exit' ? [step.to] : [])),
    ]);
    for (const node of held) append(members, node, assembled.memberAt(region.index));
  }
  const byCarried = indexWithin(listCarried(graph.workflow), bySource);
  const of = (at: JsonPointer) => distinct(bySource.get(at));
  return {
    members: (node) => members.get(map.representative[node]! as NodeIndex) ?? [],
    of,
    within: (at) => distinct(byCarried.get(at)),
    toolsOf: trackTools(graph.workflow, of),
  };
}

/** A list of its own; most have one place or none. */
function distinct(places: readonly JsonPointer[] = []): JsonPointer[] {
  return places.length < 2 ? places.slice() : [...new Set(places)];
}

function indexBySource(sourceMap: readonly SourceMapEntry[]): Map<JsonPointer, JsonPointer[]> {
  const index = new Map<JsonPointer, JsonPointer[]>();
  for (const { output, origin } of sourceMap) {
    if (origin.kind === 'source') append(index, origin.at, output);
    if (origin.kind === 'synthesized') for (const at of origin.from) append(index, at, output);
  }
  return index;
}

/** What became of a thing, and where it stands. */
export type Fate = Pick<LedgerEntry, 'status' | 'reason' | 'outputs'>;

function entriesOfNode(input: LedgerInput, where: Where, node: WorkflowNode): LedgerEntry[] {
  const { graph, map } = input;
  const standsFor = graph.workflow.nodes[map.representative[node.index]!]!;
  const fate = fateOfNode(input, where, node);
  const text = (kind: LedgerKind, own: Text | null, twin: Text | null): LedgerEntry[] =>
    own === null ? [] : [{ at: own.at, kind, ...fateOfText(fate, where, (twin ?? own).at) }];
  const twins = standsFor.captures;
  return [
    { at: node.at, kind: 'node', ...fate },
    ...text('line', node.firstMessage, standsFor.firstMessage),
    ...text('instruction', node.systemPrompt, standsFor.systemPrompt),
    ...text(
      'instruction',
      node.request?.description ?? null,
      standsFor.request?.description ?? null,
    ),
    ...destinationsOf(node).flatMap(({ message, description }, index) => {
      const twin = destinationsOf(standsFor)[index];
      return [
        ...text('transfer-message', message, twin?.message ?? null),
        ...text('instruction', description, twin?.description ?? null),
      ];
    }),
    ...carriedBy(node).flatMap((value) => entryOfCarried(value, 'field', fate, where)),
    ...entriesOfReplaced(node, fate, where.within),
    ...where.toolsOf(node, fate),
    ...text('condition', node.global?.condition ?? null, null),
    ...node.captures.flatMap((capture, at) =>
      entriesOfCapture(capture, twins[at] ?? capture, fate, where),
    ),
    ...(node.request?.responses ?? []).map((response, index) => {
      const twin = standsFor.request?.responses[index] ?? response;
      const entry = entryOfVariable(response.at, twin.sourceAt, fate, where);
      // One of a schema stands there as all that is inside of its property.
      return entry.outputs.length > 0 ? entry : { ...entry, outputs: where.within(twin.sourceAt) };
    }),
    ...entriesOfSettings(node.settings, fate, where),
    ...settingsOfAssistant(node).flatMap((it) => entryOfCarried(it, 'setting', fate, where)),
  ];
}

function fateOfNode({ graph, map }: LedgerInput, where: Where, node: WorkflowNode): Fate {
  if (graph.rank[node.index] === -1) {
    return { status: 'dropped', reason: 'unreachable', outputs: [] };
  }
  const standsFor = map.representative[node.index]! as NodeIndex;
  const outputs =
    node.role === 'exit' && node.global !== null
      ? map.regions.flatMap((region) => where.members(region.first).slice(0, 1))
      : where.members(node.index);
  const members = [...new Set(outputs)];
  if (standsFor !== node.index) {
    const { id } = graph.workflow.nodes[standsFor]!;
    return { status: 'folded', reason: `equal to ${id}`, outputs: members };
  }
  if (node.role === 'exit') {
    return { status: 'folded', reason: 'exit of the assistants before it', outputs: members };
  }
  return { status: 'converted', outputs: members };
}

/** A text shares the fate of its node; where the node stands, the text stands too. */
function fateOfText(fate: Fate, where: Where, at: JsonPointer): Fate {
  if (fate.status === 'dropped') return fate;
  const outputs = where.of(at);
  return fate.status === 'folded' ? { ...fate, outputs } : { status: 'converted', outputs };
}

/** A variable that the node finds out or derives; what derives it stands where it is told, and in plans. */
function entriesOfCapture(
  capture: Capture,
  twin: Capture,
  fate: Fate,
  where: Where,
): LedgerEntry[] {
  if (capture.origin.kind !== 'source') return [];
  const { alias } = capture;
  return [
    entryOfVariable(capture.at, placesOf(twin).name ?? twin.at, fate, where),
    ...(alias === undefined
      ? []
      : [
          {
            at: alias.at,
            kind: 'instruction' as const,
            ...fateOfText(fate, where, twin.alias?.at ?? alias.at),
          },
        ]),
  ];
}

function entryOfVariable(at: JsonPointer, key: JsonPointer, fate: Fate, where: Where): LedgerEntry {
  return { at, kind: 'variable', ...fateOfText(fate, where, key) };
}

function destinationsOf({ transfer }: WorkflowNode): readonly Transfer[] {
  return transfer === null ? [] : [transfer, ...transfer.others];
}

function entriesOfWorkflow(workflow: Workflow, where: Where): LedgerEntry[] {
  const converted: Fate = { status: 'converted', outputs: [] };
  const { globalPrompt, unknownFields } = workflow;
  return [
    ...(globalPrompt === null
      ? []
      : [
          {
            at: globalPrompt.at,
            kind: 'instruction' as const,
            ...fateOfText(converted, where, globalPrompt.at),
          },
        ]),
    ...entriesOfSettings(workflow.settings, converted, where),
    ...workflow.shared.flatMap(({ value }) => entryOfCarried(value, 'setting', converted, where)),
    ...workflow.absorbed.map(
      ({ at, kind, reason }): LedgerEntry => ({
        at,
        kind,
        status: kind === 'field' ? 'dropped' : 'folded',
        reason,
        outputs: [],
      }),
    ),
    ...unknownFields.map(
      (at): LedgerEntry => ({
        at,
        kind: 'field',
        status: 'dropped',
        reason: 'no rule reads this field',
        outputs: [],
      }),
    ),
  ];
}

/** A setting that another one overrides is dropped, and says so. */
function entriesOfSettings(settings: Settings, fate: Fate, where: Where): LedgerEntry[] {
  return settingNames.flatMap((name): LedgerEntry[] => {
    const setting = settings[name];
    return setting === undefined ? [] : entryOfCarried(setting, 'setting', fate, where);
  });
}

/** A value that is carried whole; one that stands nowhere was overridden. */
function entryOfCarried(
  { origin }: Traced<Json>,
  kind: LedgerKind,
  fate: Fate,
  where: Where,
): LedgerEntry[] {
  if (origin.kind !== 'source') return [];
  const { at } = origin;
  if (fate.status === 'dropped') return [{ at, kind, ...fate }];
  const outputs = where.within(at);
  return outputs.length > 0
    ? [{ at, kind, status: 'converted', outputs }]
    : [{ at, kind, status: 'dropped', reason: 'overridden', outputs }];
}

function markOpen(entry: LedgerEntry, open: ReadonlySet<JsonPointer>): LedgerEntry {
  return open.has(entry.at) ? { ...entry, status: 'needs-answer' } : entry;
}
