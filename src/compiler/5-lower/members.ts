/**
 * The assistants, and what they know of each other: when each of their steps is taken, and what leads
 * to them.
 *
 * A condition stands word for word. Where the source gives none, the sentence is squadc's own: after
 * what the assistant collects, or when it is done.
 */
import { append, groupBy } from '../../graph/lists.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { JsonObject } from '../ir/json.js';
import type { Settled } from '../ir/options.js';
import type { Traced } from '../ir/provenance.js';
import type { Region, RegionMap, Step } from '../ir/region-map.js';
import type { Plans } from '../ir/variables.js';
import { type When, whenDone, whenNeeded, whenReady } from '../ir/wording.js';
import type { Capture, Condition, ToolCall, WorkflowNode } from '../ir/workflow.js';
import type { Names } from './names.js';

/** What all assistants are made from. */
export interface Squad {
  readonly graph: FlowGraph;
  readonly map: RegionMap;
  readonly options: Settled;
  readonly plans: Plans;
  /** Whether the variable of this name crosses as an argument. */
  readonly isArgument: (variable: string) => boolean;
  readonly names: Names;
  readonly models: readonly Traced<JsonObject>[];
  readonly members: readonly Member[];
  /** By global node that is no exit, the assistant that holds it. */
  readonly homes: ReadonlyMap<NodeIndex, Member>;
  /** By entry, what leads there from other assistants. */
  readonly leads: ReadonlyMap<NodeIndex, readonly When[]>;
  /** The first capture of each variable, in walk order. */
  readonly captures: ReadonlyMap<string, Capture>;
}

/** One assistant. */
export interface Member {
  readonly region: Region;
  readonly name: string;
  /** The id of one that the platform keeps. */
  readonly savedAs: Traced<string> | null;
  /** The node whose first message the assistant speaks by itself; null where none is. */
  readonly spoken: NodeIndex | null;
  /** The numbers of the steps of its nodes. */
  readonly numbers: ReadonlyMap<NodeIndex, number>;
  /** The ways on, by the node that they leave. */
  readonly moves: ReadonlyMap<NodeIndex, readonly Move[]>;
}

/** A step, and when it is taken. */
export interface Move {
  readonly step: Step;
  readonly condition: Condition | null;
  readonly when: When;
}

export function createMember(graph: FlowGraph, region: Region, name: string): Member {
  const { nodes } = graph.workflow;
  const saved = region.nodes.map((node) => nodes[node]!.assistant?.savedAs ?? null);
  return {
    region,
    name,
    savedAs: saved.find((it) => it !== null) ?? null,
    spoken: region.entries.length === 1 ? region.first : null,
    numbers: new Map(region.nodes.map((node, at) => [node, at + 1])),
    moves: listMoves(graph, region, name),
  };
}

function listMoves(
  { workflow }: FlowGraph,
  { nodes, steps }: Region,
  name: string,
): Member['moves'] {
  // What is derived is not collected.
  const captures = nodes.flatMap((node) => workflow.nodes[node]!.captures);
  const found = captures.filter(({ alias }) => alias === undefined);
  const collected = [...new Set(found.map((capture) => capture.name))];
  const moves = new Map<NodeIndex, Move[]>();
  for (const [from, siblings] of groupBy(steps, (step) => step.from)) {
    const otherwise = siblings.some(({ edge }) => workflow.edges[edge]!.condition !== null);
    const whenOf = ({ kind, edge }: Step): When => {
      const { condition, at } = workflow.edges[edge]!;
      if (condition !== null) return { kind: 'condition', text: condition };
      if (kind === 'inner') return { kind: 'done', otherwise };
      const sentence =
        kind === 'handoff'
          ? whenReady(at, { name, collected, otherwise })
          : whenDone(at, { name, otherwise });
      return { kind: 'sentence', text: sentence };
    };
    for (const step of siblings) {
      const { condition } = workflow.edges[step.edge]!;
      append(moves, from, { step, condition, when: whenOf(step) });
    }
  }
  return moves;
}

/** When a global node is entered that is called by this name where it has no condition. */
export function whenCalledFor({ global, at }: WorkflowNode, name: string): Exclude<When, Done> {
  const condition = global?.condition ?? null;
  if (condition !== null) return { kind: 'condition', text: condition };
  return { kind: 'sentence', text: whenNeeded(at, name) };
}

type Done = Extract<When, { kind: 'done' }>;

/** A global tool that every assistant holds has no home; it is nobody's to hand off to. */
export function findHomes(members: readonly Member[]): Squad['homes'] {
  const homes = new Map<NodeIndex, Member>();
  for (const member of members) {
    const { globals, entries } = member.region;
    const own = new Set(entries);
    for (const node of globals) if (own.has(node)) homes.set(node, member);
  }
  return homes;
}

export function listLeads({ workflow }: FlowGraph, members: readonly Member[]): Squad['leads'] {
  const leads = new Map<NodeIndex, When[]>();
  for (const { region, moves, name } of members) {
    for (const { step, when } of [...moves.values()].flat()) {
      if (step.kind === 'handoff') append(leads, step.to, when);
    }
    for (const node of region.globals) {
      append(leads, node, whenCalledFor(workflow.nodes[node]!, name));
    }
  }
  return leads;
}

/** Calls of a node; what the conditions of global nodes need comes with the first of the assistant. */
export function listCalls(
  { workflow, globals }: FlowGraph,
  region: Region,
  index: NodeIndex,
): readonly ToolCall[] {
  const { calls } = workflow.nodes[index]!;
  if (index !== region.first || globals.length === 0) return calls;
  const conditions = globals.map((it) => workflow.nodes[it]!.global?.condition ?? null);
  return [...calls, ...conditions.flatMap((condition) => condition?.call ?? [])];
}

export function endsCall({ type }: WorkflowNode): boolean {
  return type === 'endCall' || type === 'hangup';
}
