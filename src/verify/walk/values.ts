/**
 * Whether every read finds in the squad what it finds in the workflow, one variable at a time.
 *
 * A value is an event: what set the variable last. In the workflow a read finds the latest event. In
 * the squad a capture is known to the conversation of its assistant, until a handoff carries it into
 * the bag of the call; a tool's response is in the bag at once. A prompt is rendered when the
 * assistant becomes active, a tool when it runs, with what the model fills in. Only which events are
 * equal matters, so the search is finite; it goes on only while a read can follow.
 */

import { plain } from '../../call/prompt.js';
import type { Destination } from '../../call/squad.js';
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type { WorkflowEdge } from '../../compiler/ir/workflow.js';
import { ofDifferences } from '../../diagnostics/checklist.js';
import { append, groupBy } from '../../graph/lists.js';
import { flood } from '../../graph/walks.js';
import { type Finding, fault } from '../finding.js';
import type { Flows, PairSpot, SpotStep } from './crossing.js';
import { callTo, type Move, type Pair, type Step } from './find.js';
import {
  type Moment,
  type Occurrence,
  type PairReads,
  readsAt,
  type Texts,
} from './occurrences.js';
import type { Read } from './reads.js';

interface Values extends Texts {
  readonly pairs: readonly Pair[];
  readonly spots: readonly PairSpot[];
  readonly stepOf: ReadonlyMap<Move, SpotStep>;
  readonly flows: Flows;
  readonly reads: readonly Read[];
  /** Variables with a value from the start. */
  readonly given: ReadonlySet<string>;
  readonly carriedBy: (destination: Destination) => ReadonlySet<string>;
}

/** A read that finds another value, and the call that shows it. */
export interface ValueFinding extends Finding {
  readonly variable: string;
  readonly call: readonly Step[];
}

export function compareValues(values: Values): { values: ValueFinding[]; early: Finding[] } {
  const { pairs, reads, readings, flows, given } = values;
  const keyOf = (member: number, node: NodeIndex | null, it: Pick<Read, 'text' | 'use'>) =>
    `${member} ${node} ${it.text.at} ${it.use.start}`;
  const readAs = (kind: Read['kind']) => {
    const same = reads.filter((it) => it.kind === kind);
    const keys = new Set(same.map((it) => keyOf(it.spot.member, it.node, it)));
    return ({ member, node }: Pair, it: Occurrence) =>
      keys.has(keyOf(member, node, it)) || keys.has(keyOf(member, null, it));
  };
  const [isEarly, isTold] = [readAs('early'), readAs('told')];
  const found: ValueFinding[] = [];
  const findings: Finding[] = [];
  const all = pairs.map((pair): PairReads => {
    const isOpen = (it: Occurrence) => !isEarly(pair, it);
    const { entry, leave } = readsAt(values, pair, findings);
    return { entry: entry.filter(isOpen), leave: leave.filter(isOpen) };
  });
  const known = new Set<string>();
  const note = (pair: Pair, { text, use, at }: Occurrence, call: readonly Step[]) => {
    const key = `${pair.member} ${text.at} ${use.name} ${at}`;
    if (known.has(key)) return;
    known.add(key);
    const { called } = readings[pair.member]!.member;
    const words = ofDifferences.valueLost(called, use.name, plain(text));
    const own = fault(words, [text, values.graph.nodeAt(pair.node)], [at], 4);
    found.push({ ...own, variable: use.name, call });
  };
  const mixed = listMixed(values);
  for (const [index, { entry, leave }] of all.entries()) {
    const pair = pairs[index]!;
    const { firstMessage } = values.graph.nodeAt(pair.node);
    for (const it of [...entry, ...leave]) {
      const { name } = it.use;
      // A line may be the first message as well, which is rendered.
      const isLate = it.text !== firstMessage && it.moment === 'active' && isTold(pair, it);
      if (mixed.has(name) && isLate) note(pair, it, callTo(pair));
      // What nothing sets is as it was when the call began.
      if (flows.setters.has(name) || it.moment !== 'told' || !given.has(name)) continue;
      if (!readings[pair.member]!.prompt?.known.includes(name)) note(pair, it, callTo(pair));
    }
  }
  const showing = new Map<string, number[]>();
  for (const [pair, { entry, leave }] of all.entries())
    for (const { use, moment } of [...entry, ...leave])
      if (moment === 'shown' || moment === 'active') append(showing, use.name, pair);
  for (const name of flows.setters.keys()) {
    if (mixed.has(name)) continue;
    for (const [call, it] of explore(values, name, all, showing.get(name) ?? [])) {
      note(pairs[call.pair]!, it, callOf(pairs, call));
    }
  }
  return { values: found, early: findings };
}

/**
 * Variables that some destination carries from the conversation, although on another call that it
 * makes a tool's response is newer; a warning tells.
 */
function listMixed({ pairs, stepOf, flows, destinationOf }: Values): ReadonlySet<string> {
  const moves = pairs.flatMap((it) => it.moves).filter((it) => stepOf.get(it)?.isHandoff);
  const together = groupBy(moves, (move) => destinationOf(move) ?? move);
  return new Set(
    [...together.values()].flatMap((same) => {
      const crossing = same.flatMap((it) => flows.crossings(stepOf.get(it)!));
      const isResponse = (name: string) =>
        same.some((it) => flows.onLeaving(name, it.from.index).responses.size > 0);
      return crossing.flatMap(({ name }) => (isResponse(name) ? name : []));
    }),
  );
}

function callOf(pairs: readonly Pair[], last: Call): Step[] {
  const call: Step[] = [];
  let at = last;
  for (; at.before !== null; at = at.before) call.push({ ...pairs[at.pair]!, edge: at.edge });
  return [...callTo(pairs[at.pair]!), ...call.reverse()];
}

/** A call so far; null is no value. */
interface Call {
  readonly pair: number;
  readonly source: string | null;
  /** What the conversation of the assistant knows, and what it has captured itself. */
  readonly told: string | null;
  readonly captured: string | null;
  readonly bag: string | null;
  /** The bag when the assistant became active. */
  readonly active: string | null;
  readonly before: Call | null;
  readonly edge: WorkflowEdge | null;
}

function valueAt(moment: Moment, { told, bag, active }: Call): string | null {
  if (moment === 'told') return told;
  if (moment === 'shown') return active ?? told;
  if (moment === 'active') return active;
  return moment === 'now' ? bag : (told ?? bag);
}

/** An event that is none of those that the call knows. */
function freshIn({ source, told, captured, bag, active }: Call, event: string): string {
  const known = [source, told, captured, bag, active];
  let fresh = event;
  while (known.includes(fresh)) fresh += '’';
  return fresh;
}

/** The reads that find another value of the variable. */
function explore(values: Values, name: string, all: readonly PairReads[], showing: number[]) {
  const { pairs, spots, flows, readings, given, destinationOf, carriedBy } = values;
  const wrong: [Call, Occurrence][] = [];
  const calls = new Map<string, Call>();
  // A prompt goes on showing what it was rendered with, also when a tool has replaced the value.
  const live = new Set([...flows.liveAt(name), ...flood(showing, flows.before)]);
  const isGiven = given.has(name);
  const add = (call: Call): void => {
    const { pair, source, told, captured, bag, active } = call;
    if (!live.has(pair)) return;
    const parts = [null, source, told, captured, bag, active];
    const key = [pair, ...parts.map((it) => parts.indexOf(it))].join();
    if (!calls.has(key)) calls.set(key, call);
  };
  const knows = (member: number) => readings[member]!.prompt?.known.includes(name) === true;
  const begin = (pair: number, value: string | null): Call => {
    const told = knows(pairs[pair]!.member) ? value : null;
    const rest = { captured: null, bag: value, active: value, before: null, edge: null };
    return { pair, source: value, told, ...rest };
  };
  const seeds = isGiven
    ? pairs.filter(({ parent }) => parent === null).map(({ index }) => index)
    : flows.setters.get(name)!;
  for (const seed of seeds) calls.set(`seed ${seed}`, begin(seed, isGiven ? 'the start' : null));
  const check = (call: Call, some: readonly Occurrence[]) => {
    for (const it of some) {
      if (it.use.name === name && valueAt(it.moment, call) !== call.source) wrong.push([call, it]);
    }
  };
  for (const call of calls.values()) {
    const { facts, steps } = spots[call.pair]!;
    const { entry, leave } = all[call.pair]!;
    check(call, entry);
    const event = freshIn(call, `${call.pair}`);
    const { site = null, responds, offers } = facts.effects.get(name) ?? {};
    const responded = { ...call, source: event, told: event, bag: event };
    const captured = { ...call, source: event, told: event, captured: event };
    // A capture can be missed; an alias cannot.
    const found = site === null ? [call] : site.capture.alias ? [captured] : [call, captured];
    const afters: Call[] = responds ? [responded] : [...found, ...(offers ? [responded] : [])];
    const onward = steps.filter(({ to }) => live.has(to));
    for (const after of afters) {
      check(after, leave);
      for (const { to, isHandoff, given: set, move } of onward) {
        const next = freshIn(after, `given ${call.pair} ${to}`);
        const now = set.includes(name) ? { ...after, source: next, told: next, bag: next } : after;
        if (!isHandoff) {
          add({ ...now, pair: to, before: call, edge: move.edge });
          continue;
        }
        const destination = destinationOf(move);
        // A handoff that is not there is a difference itself.
        if (destination === null || destination.leadsTo !== pairs[to]!.member) continue;
        const isCarried = carriedBy(destination).has(name);
        const bag = (isCarried ? now.captured : null) ?? now.bag;
        add({ ...begin(to, bag), source: now.source, before: call, edge: move.edge });
      }
    }
  }
  return wrong;
}
