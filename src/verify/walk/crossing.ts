/**
 * What becomes of a variable on the way through assistants: where it is live, which captures of the
 * running conversation are known at a spot, and which of them cross a handoff (section 4).
 *
 * In: spots, which are nodes in assistants (of a squad, or of the expected grouping) with the steps
 * between them. A capture is known to its assistant only, until a handoff carries it. It may fail, so
 * it ends nothing: only a tool's response or a derived value does.
 */
import type { Facts } from '../../call/facts.js';
import { readOnLeaving, replaces } from '../../call/facts.js';
import type { NodeIndex } from '../../compiler/ir/ids.js';
import { aliasAmong, type CaptureSite } from '../../compiler/ir/variables.js';
import { append } from '../../graph/lists.js';
import { flood } from '../../graph/walks.js';

/** A node in an assistant. */
export interface Spot {
  readonly index: number;
  readonly member: number;
  readonly facts: Facts;
  readonly steps: readonly SpotStep[];
}

export interface SpotStep {
  readonly to: number;
  readonly isHandoff: boolean;
  /** Variables that a tool sets before the step, because its condition needs it. */
  readonly given: readonly string[];
}

/** A variable that crosses, with the captures that reach the handoff. */
export interface Crossing {
  readonly name: string;
  readonly captures: readonly CaptureSite[];
}

export interface Known {
  readonly captures: ReadonlySet<CaptureSite>;
  /** The nodes whose tools set it. */
  readonly responses: ReadonlySet<NodeIndex>;
}

export interface Flows {
  /** What of the conversation is known on entry to a spot, and on leaving it. */
  readonly onEntry: (name: string, spot: number) => Known;
  readonly onLeaving: (name: string, spot: number) => Known;
  readonly crossings: (step: SpotStep) => readonly Crossing[];
  readonly variables: readonly string[];
  readonly isLive: (name: string, spot: number) => boolean;
}

const nothing: Known = { captures: new Set(), responses: new Set() };

/** `everywhere` are the variables that all assistants read. */
export function traceFlows(spots: readonly Spot[], everywhere: ReadonlySet<string>): Flows {
  const leading = spots.map((): (readonly [number, SpotStep])[] => []);
  for (const { index, steps } of spots) for (const it of steps) leading[it.to]!.push([index, it]);
  const setters = new Map<string, Spot[]>();
  const readers = new Map<string, { entry: number[]; leave: number[] }>();
  const readersOf = (name: string) => {
    const known = readers.get(name) ?? { entry: [], leave: [] };
    readers.set(name, known);
    return known;
  };
  for (const spot of spots) {
    const { captures, responds, offers, onEntry } = spot.facts;
    const given = spot.steps.flatMap((step) => step.given);
    const set = [...captures.map(({ name }) => name), ...responds, ...offers, ...given];
    for (const name of new Set(set)) append(setters, name, spot);
    const read = onEntry.flatMap(({ text }) => text.uses.map((use) => use.name));
    for (const name of new Set([...read, ...everywhere])) readersOf(name).entry.push(spot.index);
    for (const name of new Set(readOnLeaving(spot.facts))) readersOf(name).leave.push(spot.index);
  }
  /** By variable, the steps at which an alias that crosses reads it. */
  const readAt = new Map<string, Set<SpotStep>>();
  const traces = new Map<string, ReturnType<typeof traceOne>>();
  const open = new Set(setters.keys());
  for (const name of open) {
    open.delete(name);
    const trace = traceOne(name);
    traces.set(name, trace);
    for (const [step, { captures }] of trace.crossing) {
      for (const use of aliasAmong(captures)?.capture.alias?.uses ?? []) {
        const known = readAt.get(use.name) ?? new Set();
        if (known.has(step)) continue;
        readAt.set(use.name, known.add(step));
        if (setters.has(use.name)) open.add(use.name);
      }
    }
  }
  const crossings = new Map<SpotStep, Crossing[]>();
  for (const name of setters.keys()) {
    for (const [step, it] of traces.get(name)!.crossing) append(crossings, step, it);
  }
  return {
    onEntry: (name, spot) => traces.get(name)?.entry.get(spot) ?? nothing,
    onLeaving: (name, spot) => traces.get(name)?.leave.get(spot) ?? nothing,
    crossings: (step) => crossings.get(step) ?? [],
    variables: [...new Set([...setters.keys(), ...readers.keys()])],
    isLive: (name, spot) => traces.get(name)?.live.has(spot) ?? false,
  };

  function traceOne(name: string) {
    const own = setters.get(name)!;
    const entry = new Map<number, Known>();
    const leave = new Map<number, Known>();
    const pending = new Set(own.map(({ index }) => index));
    for (const index of pending) {
      pending.delete(index);
      const { facts, steps } = spots[index]!;
      const after = setAt(facts, name, entry.get(index) ?? nothing);
      leave.set(index, after);
      for (const { to, isHandoff, given } of steps) {
        const from = given.includes(name) ? respondedBy(facts.node.index) : after;
        if (!isHandoff && grow(entry, to, from)) pending.add(to);
      }
    }
    const live = findLive(name);
    const crossing = new Map<SpotStep, Crossing>();
    for (const { steps, index } of spots) {
      const { captures } = leave.get(index) ?? nothing;
      for (const step of captures.size === 0 ? [] : steps) {
        if (!step.isHandoff || step.given.includes(name)) continue;
        if (!live.has(step.to) && !readAt.get(name)?.has(step)) continue;
        crossing.set(step, { name, captures: [...captures] });
      }
    }
    return { entry, leave, live, crossing };
  }

  /** The spots on entry to which some walk reads the variable before its value is replaced. */
  function findLive(name: string): ReadonlySet<number> {
    const { entry = [], leave = [] } = readers.get(name) ?? {};
    const goesOn = (index: number) => !replaces(spots[index]!.facts, name);
    const atHandoff = readAt.get(name) ?? new Set();
    const handing =
      atHandoff.size === 0
        ? []
        : spots.filter(({ steps }) => steps.some((it) => atHandoff.has(it)));
    const judged = [...leave, ...handing.map(({ index }) => index)].filter(goesOn);
    return flood([...entry, ...judged], (index) =>
      leading[index]!.flatMap(([from, { given }]) =>
        given.includes(name) || !goesOn(from) ? [] : [from],
      ),
    );
  }
}

const respondedBy = (node: NodeIndex): Known => ({
  captures: new Set(),
  responses: new Set([node]),
});

/** What is known of the variable after a node's work. */
function setAt(facts: Facts, name: string, before: Known): Known {
  const { captures, responds, offers, node } = facts;
  if (responds.has(name)) return respondedBy(node.index);
  const own = captures.filter((it) => it.name === name).slice(-1);
  const sites = own.map((capture) => siteOf(node.index, capture));
  const isDerived = own.some(({ alias }) => alias !== undefined);
  if (isDerived) return { captures: new Set(sites), responses: new Set() };
  return {
    captures: new Set([...before.captures, ...sites]),
    responses: offers.has(name) ? new Set([...before.responses, node.index]) : before.responses,
  };
}

const sites = new WeakMap<object, CaptureSite>();
/** The site of a capture, one object for each. */
function siteOf(node: NodeIndex, capture: CaptureSite['capture']): CaptureSite {
  const site = sites.get(capture) ?? { node, capture };
  sites.set(capture, site);
  return site;
}

/** Adds to what is known on entry to a spot; true if that is more than before. */
function grow(entry: Map<number, Known>, to: number, more: Known): boolean {
  const known = entry.get(to);
  const captures = new Set([...(known?.captures ?? []), ...more.captures]);
  const responses = new Set([...(known?.responses ?? []), ...more.responses]);
  const size = known === undefined ? 0 : known.captures.size + known.responses.size;
  if (captures.size + responses.size <= size) return false;
  entry.set(to, { captures, responses });
  return true;
}
