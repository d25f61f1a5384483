/**
 * What a node of a workflow reads and sets, in the order in which it happens: its texts are read on
 * entry, then its captures happen, then its tools respond, then the conditions of its transitions
 * are read. The texts of an exit are read on leaving the node that leads to it.
 */
import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import type { NodeIndex } from '../compiler/ir/ids.js';
import { type Moment, textsOf } from '../compiler/ir/texts.js';
import type { CaptureSite } from '../compiler/ir/variables.js';
import type {
  Capture,
  Condition,
  GivenTool,
  Request,
  Text,
  WorkflowNode,
} from '../compiler/ir/workflow.js';
import { groupBy } from '../graph/lists.js';

/** A text of a node, and the tool that it belongs to. */
export interface Told {
  readonly text: Text;
  readonly moment: Exclude<Moment, 'handoff'>;
  readonly node: WorkflowNode;
  readonly tool: Request | GivenTool | null;
}

/** What a node does to a variable. */
export interface Effect {
  /** The last of its captures; null if only tools set it. */
  readonly site: CaptureSite | null;
  readonly responds: boolean;
  readonly offers: boolean;
  /** Whether an earlier value is gone when the node is left; a capture may fail, so it does not do. */
  readonly replaces: boolean;
}

export interface Facts {
  readonly node: WorkflowNode;
  readonly onEntry: readonly Told[];
  readonly captures: readonly Capture[];
  /** Variables that its tools set. */
  readonly responds: ReadonlySet<string>;
  /** Variables that a tool sets which may or may not be called. */
  readonly offers: ReadonlySet<string>;
  /** By variable, in the order in which they are set. */
  readonly effects: ReadonlyMap<string, Effect>;
  readonly conditions: readonly Condition[];
  /** The exits that it leads to. */
  readonly exits: readonly WorkflowNode[];
}

export function factsOf(graph: FlowGraph, node: WorkflowNode): Facts {
  const { nodes } = graph.workflow;
  const { captures, request, tools, calls, role, index } = node;
  const called = tools.flatMap((tool) => tool.variables);
  const own = (request?.responses ?? []).map(({ name }) => name);
  const asked = calls.flatMap(({ variables }) => variables);
  const others = graph.globals.filter((it) => it !== index);
  const leaving = graph.leaving[index]!;
  const ends = [...leaving.map(({ to }) => to), ...others].map((to) => nodes[to]!);
  const responds = new Set([...own, ...asked, ...(role === 'act' ? called : [])]);
  const offers = new Set(role === 'act' ? [] : called);
  return {
    node,
    onEntry: toldAt(node),
    captures,
    responds,
    offers,
    effects: effectsOf(node, responds, offers),
    conditions: [
      ...leaving.flatMap(({ condition }) => condition ?? []),
      ...others.flatMap((it) => nodes[it]!.global!.condition ?? []),
    ],
    exits: [...new Set(ends)].filter((it) => it.role === 'exit'),
  };
}

function effectsOf(
  { captures, index: node }: WorkflowNode,
  responds: ReadonlySet<string>,
  offers: ReadonlySet<string>,
): Map<string, Effect> {
  const byName = groupBy(captures, ({ name }) => name);
  const names = new Set([...byName.keys(), ...responds, ...offers]);
  return new Map(
    Array.from(names, (name): [string, Effect] => {
      const own = byName.get(name) ?? [];
      const last = own.at(-1);
      const effect = {
        site: last === undefined ? null : { node, capture: last },
        responds: responds.has(name),
        offers: offers.has(name),
        replaces: responds.has(name) || own.some(({ alias }) => alias !== undefined),
      };
      return [name, effect];
    }),
  );
}

export function toldAt(node: WorkflowNode): Told[] {
  return textsOf(node).flatMap(({ value: text, moment, tool = node.request }): Told[] =>
    moment === 'handoff' ? [] : [{ text, moment, node, tool: tool ?? null }],
  );
}

/** The variables of a condition; one whose values come from a tool reads none of the call. */
function readBy({ routing, uses }: Condition): readonly string[] {
  return routing === 'tool' ? [] : uses.map(({ name }) => name);
}

/** The variables that are read on leaving a node: by conditions and by the texts of exits. */
export function readOnLeaving({ conditions, exits }: Facts): readonly string[] {
  const said = exits.flatMap((exit) => toldAt(exit).flatMap(({ text }) => text.uses));
  return [...conditions.flatMap(readBy), ...said.map(({ name }) => name)];
}

/** The variables that a node derives from what they were before it. */
export function selfDerived({ captures }: WorkflowNode): string[] {
  const found = new Set(captures.flatMap(({ name, alias }) => (alias ? [] : name)));
  return captures.flatMap(({ name, alias }) =>
    !found.has(name) && alias?.uses.some((use) => use.name === name) ? name : [],
  );
}

/** A step of a call in a squad. */
interface Step {
  readonly to: number;
  readonly isHandoff: boolean;
  /** Variables that a tool sets before it. */
  readonly given: readonly string[];
}

/**
 * The variables that a node captures and that can be unknown when the call is over: on some walk to
 * its end no handoff carries the value, and nothing sets another. `spots` are nodes in assistants,
 * `setters` the spots that set each variable.
 */
export function listLost<S extends Step>(
  { workflow: { nodes }, leaving, globals }: FlowGraph,
  spots: readonly { readonly facts: Facts; readonly steps: readonly S[] }[],
  setters: ReadonlyMap<string, readonly number[]>,
  carries: (step: S, name: string) => boolean,
): ReadonlySet<string> {
  const isExit = (node: NodeIndex) => nodes[node]!.role === 'exit';
  const exits = globals.filter(isExit).map((it) => nodes[it]!.global!.condition?.call?.variables);
  const isLost = ([name, own]: readonly [string, readonly number[]]): boolean => {
    const effectAt = (spot: number) => spots[spot]!.facts.effects.get(name);
    const isGiven = exits.every((variables) => variables?.includes(name));
    const isEnd = (spot: number) => {
      const edges = leaving[spots[spot]!.facts.node.index]!;
      return !isGiven || edges.length === 0 || edges.some(({ to }) => isExit(to));
    };
    const capturing = own.filter((it) => effectAt(it)?.site && !effectAt(it)!.responds);
    if (capturing.some(isEnd)) return true;
    // Twice the spot; one more where the assistant that captured the value has been left.
    const reached = new Set(capturing.map((it) => 2 * it));
    for (const at of reached) {
      for (const step of spots[at >> 1]!.steps) {
        if (at % 2 === 0 && step.isHandoff && carries(step, name)) continue;
        if (step.given.includes(name) || effectAt(step.to)?.replaces) continue;
        if (isEnd(step.to)) return true;
        reached.add(2 * step.to + (step.isHandoff ? 1 : at % 2));
      }
    }
    return false;
  };
  return new Set([...setters].filter(isLost).map(([name]) => name));
}
