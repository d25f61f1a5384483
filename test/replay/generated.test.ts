/**
 * Calls of generated workflows and of their squads, in the platform's shape: all fit, and each that is
 * damaged once is found at the first item that no call has there, or is another call.
 *
 * What a call can leave in a record is looked up here by trying every way, one after the other.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nodeOf, type Step, stepsFrom } from '../../src/call/machine.js';
import type { FlowGraph } from '../../src/compiler/ir/flow-graph.js';
import { replay } from '../../src/index.js';
import type { Tracks } from '../../src/scenarios/explore.js';
import { randomWalk, readTracks, settle, stepsOf, workflowArbitrary } from '../../src/testing.js';
import { runs, seed } from '../seed.js';
import {
  callOfMarks,
  functionsAt,
  type Mark,
  marksOf,
  spoken,
  type Visit,
  visitsOf,
  workflowCall,
} from './calls.js';

/** The first item of a record that is on no way, by a search of all (place, items passed); -1 if none. */
function firstOff<Place>(
  items: number,
  start: Place,
  next: (place: Place) => readonly Place[],
  /** How many items a call may have passed after it has come to a place, given those before. */
  passed: (place: Place, before: number) => readonly number[],
  keyOf: (place: Place) => unknown,
): number {
  const met = new Set<string>();
  let furthest = 0;
  const queue: [Place, number][] = [[start, 0]];
  for (const [place, before] of queue) {
    for (const after of passed(place, before)) {
      furthest = Math.max(furthest, after);
      const key = `${keyOf(place)} ${after}`;
      if (met.has(key)) continue;
      met.add(key);
      for (const to of next(place)) queue.push([to, after]);
    }
  }
  return furthest === items ? -1 : furthest;
}

/** By the nodes of the workflow; a value must be set on the way. */
function firstOffNodes(graph: FlowGraph, visits: readonly Visit[]): number {
  const passed = (node: number, before: number) => {
    const { id, name, role } = nodeOf(graph, node);
    const found = role === 'talk' ? [] : [before];
    for (const label of new Set([id, name])) {
      for (let at = before; visits[at]?.[0] === label; at += 1) found.push(at + 1);
    }
    return found;
  };
  const next = (node: number) => stepsFrom(graph, node).map(({ to }) => to);
  return firstOff<number>(visits.length, graph.start, next, passed, (it) => it);
}

interface Spot {
  readonly at: number;
  /** The handoff by which the call came there; null inside of an assistant. */
  readonly by: string | null;
  readonly isEntry: boolean;
}

/** By the places of the squad: an assistant that becomes active, then functions at its places. */
function firstOffMarks({ graph, squad }: Tracks, marks: readonly Mark[]): number {
  const passed = ({ at, by, isEntry }: Spot, before: number) => {
    const place = squad.places[at]!;
    const { called } = squad.assistants[place.member]!.member;
    let from = before;
    if (isEntry) {
      const mark = marks[before];
      if (mark?.assistant !== called || (mark.function ?? by) !== by) return [];
      from += 1;
    }
    const ends = place.moves.flatMap(({ to, handoff }) => {
      const isExit = nodeOf(graph, squad.places[to]!.node).role === 'exit';
      return handoff?.tool?.name ?? (isExit ? functionsAt(squad, graph, to) : []);
    });
    const here = new Set([...functionsAt(squad, graph, at), ...ends]);
    const found = [from];
    const isHere = (mark: Mark | undefined) =>
      mark !== undefined && !mark.assistant && here.has(mark.function!);
    for (let to = from; isHere(marks[to]); to += 1) found.push(to + 1);
    return found;
  };
  const next = ({ at }: Spot) =>
    squad.places[at]!.moves.map(({ to, handoff }): Spot => {
      return { at: to, by: handoff?.tool?.name ?? null, isEntry: handoff !== null };
    });
  const start: Spot = { at: 0, by: null, isEntry: true };
  return firstOff(marks.length, start, next, passed, (it) => JSON.stringify(it));
}

/** A list with one thing wrong. */
const damages: Readonly<Record<string, <T>(all: readonly T[], at: number, other: T) => T[]>> = {
  dropped: (all, at) => all.toSpliced(at, 1),
  inserted: (all, at, other) => all.toSpliced(at, 0, other),
  swapped: (all, at) =>
    at + 1 < all.length ? all.toSpliced(at, 2, all[at + 1]!, all[at]!) : [...all],
  replaced: (all, at, other) => all.toSpliced(at, 1, other),
};

it('the calls of generated workflows fit, and damage is found where it is', () => {
  const seen: Record<string, { found: number; legal: number }> = {};
  let [calls, tried] = [0, 0];
  const count = (what: string, first: number, misfit: { readonly record: number } | null) => {
    expect([what, misfit?.record ?? -1]).toEqual([what, first]);
    seen[what] ??= { found: 0, legal: 0 };
    seen[what][first === -1 ? 'legal' : 'found'] += 1;
  };
  fc.assert(
    fc.property(
      workflowArbitrary({ size: 9 }),
      fc.array(fc.tuple(fc.array(fc.nat(99), { maxLength: 12 }), fc.nat(99), fc.nat(99)), {
        minLength: 10,
        maxLength: 10,
      }),
      (workflow, draws) => {
        const settlement = settle(workflow, { target: 'vapi' });
        if (settlement.result.output === null) return;
        tried += 1;
        const tracks = readTracks(workflow, settlement);
        const { graph } = tracks;
        const { output } = settlement.result;
        const replayer = replay(workflow, output, settlement.options);
        const names = [...graph.order.map((it) => nodeOf(graph, it).id), 'nobody'];
        for (const [numbers, one, other] of draws) {
          const steps: Step[] = stepsOf(graph, randomWalk(graph, numbers));
          const visits = visitsOf(graph, steps, one % 2 ? 'id' : 'name');
          const marks = marksOf(tracks, steps);
          calls += 2;
          expect(replayer.add(workflowCall(visits)).misfit).toBeNull();
          expect(replayer.add(callOfMarks(marks)).misfit).toBeNull();
          for (const [what, damage] of Object.entries(damages)) {
            const wrong = damage(visits, one % visits.length, [
              names[other % names.length]!,
            ] as const);
            const { misfit } = replayer.add(workflowCall(wrong.map(([name]) => [name])));
            count(
              `node ${what}`,
              firstOffNodes(
                graph,
                wrong.map(([name]) => [name]),
              ),
              misfit,
            );
          }
          const valued = visits.map(([name, values = []], at): Visit => {
            return [name, at === one % visits.length ? [...values, 'nobody sets this'] : values];
          });
          count('value added', one % visits.length, replayer.add(workflowCall(valued)).misfit);
          // Functions are in another list than assistants: a list without a handoff says nothing of both.
          const plain = marks
            .filter((it) => it.assistant)
            .map(({ assistant }): Mark => ({ assistant: assistant! }));
          const members = tracks.squad.assistants.map(({ member }) => member.called);
          const stranger: Mark = {
            assistant: [...members, 'nobody'][other % (members.length + 1)]!,
          };
          for (const [what, damage] of Object.entries(damages)) {
            const wrong = damage(plain, one % plain.length, stranger);
            // The same assistant twice is one activation in parts.
            const merged = wrong.filter(
              ({ assistant }, at) => assistant !== wrong[at - 1]?.assistant,
            );
            const { misfit } = replayer.add(callOfMarks(wrong));
            const first = firstOffMarks(tracks, merged);
            const at = wrong.indexOf(merged[first]!);
            count(`assistant ${what}`, first === -1 ? -1 : at, misfit);
          }
          const functions = marks.flatMap((it, at) => (it.function === undefined ? [] : at));
          if (functions.length === 0) continue;
          const at = functions[one % functions.length]!;
          const changed = marks.with(at, { ...marks[at]!, function: 'nobody' });
          const { misfit } = replayer.add(callOfMarks(changed));
          // Of several functions that can no longer be placed, another may come first.
          count('function replaced', misfit?.record ?? 99, misfit);
        }
        expect(JSON.stringify(replayer.report())).not.toContain(spoken);
      },
    ),
    { seed, numRuns: runs(25) },
  );
  if (runs(25) > 25) console.log(tried, calls, seen);
  expect(Object.values(seen).reduce((sum, it) => sum + it.found, 0)).toBeGreaterThan(calls);
});
