/**
 * The law of values: in a call of the squad, every prompt line, every spoken line and every request
 * holds the values that the workflow's own call would have held.
 *
 * The same script is played through both (src/simulator). Exempt, and counted, are reads that are
 * accepted as early, and variables that a warning says of that their value can be another one.
 */

import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import { builtInVariables } from '../compiler/ir/variables.js';
import type { Text } from '../compiler/ir/workflow.js';
import { runSquad } from '../simulator/run.js';
import type { Tracks } from '../simulator/squad.js';
import {
  describeWalk,
  nodeOf,
  randomWalk,
  type Step,
  stepsOf,
  type Walk,
  walks,
} from '../simulator/walks.js';
import {
  type CallEvent,
  conditionsAt,
  definedVariables,
  runWorkflow,
  type Script,
  textsAt,
  usesAt,
} from '../simulator/workflow.js';
import type { Settlement } from './answering.js';
import { choosingReads } from './answering.js';
import { demand, type LawOptions, trackAnswered } from './law.js';
import { wheel } from './pick.js';
import type { SpecWorkflow } from './spec-workflow.js';

/** How many reads a call was allowed to get wrong, by the reason. */
export type Exempt = Record<string, number>;

export function callsHoldValues(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { settlement, tracks, numbers } = trackAnswered(workflow, options, choosingReads);
  const [fault] = faultsOfCalls(tracks, settlement, numbers);
  demand(fault === undefined, () => fault ?? '');
}

/** What is wrong in the calls of a squad: all short ones, and some longer ones that numbers choose. */
export function faultsOfCalls(
  tracks: Tracks,
  settlement: Settlement,
  numbers: readonly number[],
  exempt: Exempt = {},
): string[] {
  const { graph } = tracks;
  const known = definedVariables(graph);
  const supplied = settlement.asked.flatMap(({ id, kind }) =>
    settlement.answers[id]?.choice === 'caller' ? [id.slice(kind.length + 1)] : [],
  );
  const read = graph.order.flatMap((node) => [
    ...textsAt(graph, node).map(({ text }) => text),
    ...conditionsAt(graph, node),
    ...(nodeOf(graph, node).request?.texts ?? []),
  ]);
  const names = read.flatMap(({ uses }) => uses.map(({ name }) => name));
  const outside = names.filter((name) => builtInVariables.has(name) || !known.includes(name));
  const given = [...outside, ...supplied, ...(settlement.options.dynamicVariables ?? [])];
  const short = walks(graph, { maxSteps: 6, max: 40 });
  const isBeginning = (walk: Walk) =>
    short.some(
      (other) =>
        other.length === walk.length + 1 &&
        walk.every((it, at) => it.at === other[at]!.at && it.via === other[at]!.via),
    );
  const long = [0, 1, 2].map((turn) =>
    randomWalk(
      graph,
      [...Array(12).keys()].map((at) => turn + wheel([...numbers, 7], at + turn) + at * turn),
    ),
  );
  return [...short.filter((walk) => !isBeginning(walk)), ...long].flatMap((walk, at) => {
    const steps = stepsOf(graph, walk);
    const missed =
      at % 3 === 2
        ? findMissable(graph, steps, known[wheel([...numbers, 1], at) % known.length])
        : '';
    const script: Script = {
      steps,
      given: new Map(given.map((name) => [name, `${name}@call`])),
      value: (name, visit) => (`${name} ${visit}` === missed ? null : `${name}@${visit}`),
    };
    return compare(tracks, settlement, script, exempt).map(
      (fault) => `${describeWalk(walk)}: ${fault}`,
    );
  });
}

/** The first visit that captures the variable, which has no value before. */
function findMissable(graph: FlowGraph, steps: readonly Step[], name = ''): string {
  const visits = [graph.start, ...steps.map(({ to }) => to)];
  const at = visits.findIndex((node) => {
    const { captures, responds } = usesAt(graph, node, name);
    return captures || responds;
  });
  return usesAt(graph, visits[at] ?? 0, name).responds ? '' : `${name} ${at}`;
}

function compare(tracks: Tracks, { result }: Settlement, script: Script, exempt: Exempt): string[] {
  const { graph } = tracks;
  const texts = new Map<string, Text>();
  for (const node of graph.order) {
    for (const { text } of textsAt(graph, node)) texts.set(text.at, text);
    for (const text of conditionsAt(graph, node)) texts.set(text.at, text);
    for (const text of nodeOf(graph, node).request?.texts ?? []) texts.set(text.at, text);
  }
  const warned = result.diagnostics.filter(({ code }) =>
    ['data/maybe-unset', 'data/may-overwrite', 'data/mixed-source'].includes(code),
  );
  // A node that behaves the same may stand for the node of the text.
  const early = new Set(
    result.reads.flatMap(({ at, kind }) => (kind === 'early' ? [texts.get(at)?.value] : [])),
  );
  const reasonFor = (places: readonly string[]): string | undefined => {
    const read = places.flatMap((at) => texts.get(at) ?? []);
    if (read.some(({ value }) => early.has(value))) return 'early';
    const uses = read.flatMap((text) => text.uses.map(({ name }) => name));
    return warned.find(({ message }) => uses.some((name) => message.includes(`“${name}”`)))?.code;
  };
  const faults: string[] = [];
  const note = (event: CallEvent, places: readonly string[], found: string): void => {
    const reason = reasonFor(places);
    if (reason !== undefined) exempt[reason] = (exempt[reason] ?? 0) + 1;
    else faults.push(`at visit ${event.visit}, ${places[0] ?? ''} ${found}`);
  };
  const inSquad = runSquad(tracks, script);
  const show = (text: string | undefined) =>
    text === undefined ? 'nothing' : JSON.stringify(text);
  for (const event of runWorkflow(graph, script)) {
    const there = inSquad.filter((it) => it.visit === event.visit);
    if (event.kind === 'read' || event.kind === 'said') {
      const found = there.flatMap((it) =>
        it.kind === event.kind && it.at === event.at ? [it.text] : [],
      );
      const wrong = found.length === 0 ? [undefined] : found.filter((text) => text !== event.text);
      for (const text of wrong.slice(0, 1)) {
        note(event, [event.at ?? ''], `is ${show(text)}, not ${show(event.text)}`);
      }
    } else if (event.kind === 'sent') {
      const found = there.find((it) => it.kind === 'sent' && it.at === event.at);
      const request = found?.kind === 'sent' ? found.request : {};
      for (const [field, value] of Object.entries(event.request)) {
        if (value === null || value === request[field]) continue;
        const places = [...texts.keys()].filter((at) => at.startsWith(`${event.at}/`));
        // What a walk may come to without a capture is no required argument; there is an older value.
        const active = inSquad.findLast((it) => it.kind === 'active' && it.visit <= event.visit);
        const entry =
          active?.kind === 'active' ? (/^Known on entry: .*/m.exec(active.prompt)?.[0] ?? '') : '';
        const names = places.flatMap((at) => texts.get(at)!.uses.map(({ name }) => name));
        if (names.some((name) => entry.includes(` ${name}: `))) {
          exempt['optional'] = (exempt['optional'] ?? 0) + 1;
          continue;
        }
        note(
          event,
          places,
          `sends ${field} as ${show(request[field] ?? undefined)}, not ${show(value)}`,
        );
      }
    }
  }
  for (const event of inSquad) {
    if (event.kind === 'said' && event.at === null)
      note(event, [], `${show(event.text)} is not due`);
  }
  return faults;
}
