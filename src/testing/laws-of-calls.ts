/**
 * The law of values: in a call of the squad, every prompt line, every spoken line and every request
 * has the values that a call of the workflow would have.
 *
 * The same script is played through both (src/scenarios/play.ts). These reads are exempt and
 * counted: those accepted as early, those of variables that a warning says may have another value,
 * and arguments that cannot be required of the model.
 */

import { factsOf } from '../call/facts.js';
import { conditionOf, nodeOf, type Place, type Step, stepsFrom, textsAt } from '../call/machine.js';
import { unraw } from '../call/prompt.js';
import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import { builtInVariables } from '../compiler/ir/variables.js';
import type { Text } from '../compiler/ir/workflow.js';
import { groupBy } from '../graph/lists.js';
import { flood } from '../graph/walks.js';
import { randomWalk, stepsOf, walks } from '../scenarios/enumerate.js';
import { describeWalk, type Tracks, type Walk } from '../scenarios/explore.js';
import {
  type CallEvent,
  definedVariables,
  runSquad,
  runWorkflow,
  type Script,
} from '../scenarios/play.js';
import { choosingReads, type Settlement } from './answering.js';
import { demand, type LawOptions, trackAnswered } from './law.js';
import { wheel } from './pick.js';
import type { SpecWorkflow } from './spec-workflow.js';

/** Throws with the first call that has another value than the workflow's. */
export function valuesHold(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { settlement, tracks, numbers } = trackAnswered(workflow, options, choosingReads);
  const { faults } = compareCalls(tracks, settlement, numbers);
  demand(faults.length === 0, () => faults[0]!);
}

/** On every walk every line of the workflow is spoken: by the platform or by the model, not by both. */
export function linesSpoken(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { settlement, tracks, numbers } = trackAnswered(workflow, options);
  for (const { walk, script } of listCalls(tracks, settlement, numbers)) {
    const heard = runSquad(tracks, script).filter((it) => it.kind === 'said');
    for (const { kind, visit, ...line } of runWorkflow(tracks.graph, script)) {
      if (kind !== 'said') continue;
      const { at, text } = line as Extract<CallEvent, { kind: 'said' }>;
      const by = new Set(
        heard.filter((it) => it.visit === visit && it.at === at).map((it) => it.by),
      );
      const where = `${describeWalk(walk)}: at visit ${visit}, ${show(text)} of ${at}`;
      demand(by.size === 1, () => `${where} is said by ${[...by].join(' and ') || 'nobody'}`);
    }
  }
}

/** What is compared of a squad: its texts by place, and why a read may find another value. */
interface Case {
  readonly tracks: Tracks;
  readonly texts: ReadonlyMap<string, Text>;
  /** Texts with an accepted early read; a node that behaves the same may represent theirs. */
  readonly early: ReadonlySet<string>;
  readonly warned: readonly { readonly code: string; readonly message: string }[];
}

/** Plays all short and some long calls; lists each fault, and counts exempt ones by reason. */
export function compareCalls(tracks: Tracks, settlement: Settlement, numbers: readonly number[]) {
  const { graph } = tracks;
  const { result } = settlement;
  const texts = new Map(textsOf(graph).map((text) => [text.at, text]));
  const reads = result.reads.filter(({ kind }) => kind === 'early');
  const early = new Set(reads.map(({ at }) => texts.get(at)?.value ?? ''));
  const warned = result.diagnostics.filter(({ code }) => warnings.has(code));
  // After a first message an assistant waits for the caller, who does not answer a mere line.
  const faults = tracks.squad.places.flatMap(({ node, member }) => {
    const { firstMessage, id } = nodeOf(graph, node);
    const opening = unraw(tracks.squad.assistants[member]!.member.firstMessage ?? '').plain;
    const line = unraw(firstMessage?.value ?? '').plain;
    const isWaiting = movesOn(graph, node) && ` ${opening}`.endsWith(` ${line}`);
    return isWaiting
      ? [`an assistant waits after the line of ${id}, and the workflow goes on`]
      : [];
  });
  const exempt = new Map<string, number>();
  for (const { walk, script } of listCalls(tracks, settlement, numbers)) {
    for (const { fault, reason } of compare({ tracks, texts, early, warned }, script)) {
      if (reason === null) faults.push(`${describeWalk(walk)}: ${fault}`);
      else exempt.set(reason, (exempt.get(reason) ?? 0) + 1);
    }
  }
  return { faults, exempt };
}

/** All short and some long calls; in some of them a capture fails. */
function listCalls(
  { graph }: Tracks,
  { asked, answers, options }: Settlement,
  numbers: readonly number[],
): { readonly walk: Walk; readonly script: Script }[] {
  const known = definedVariables(graph);
  const supplied = asked.flatMap(({ id, kind }) =>
    answers[id]?.choice === 'caller' ? [id.slice(kind.length + 1)] : [],
  );
  const names = textsOf(graph).flatMap(({ uses }) => uses.map(({ name }) => name));
  const outside = names.filter((name) => builtInVariables.has(name) || !known.includes(name));
  const given = [...outside, ...supplied, ...(options.dynamicVariables ?? [])];
  return chooseWalks(graph, numbers).map((walk, at) => {
    const steps = stepsOf(graph, walk);
    const number = wheel([...numbers, 1], at);
    const missable = listMissable(graph, steps, known[number % known.length]);
    const missed = at % 3 === 2 && missable.length > 0 ? wheel(missable, number) : '';
    const script: Script = {
      steps,
      given: new Map(given.map((name) => [name, `${name}@call`])),
      value: (name, visit) => (`${name} ${visit}` === missed ? null : `${name}@${visit}`),
    };
    return { walk, script };
  });
}

/** Returns true if the node only says a line and a call moves on from there by itself. */
function movesOn(graph: FlowGraph, index: number): boolean {
  const { type, firstMessage, systemPrompt, captures, tools, calls, global, settings } = nodeOf(
    graph,
    index,
  );
  const [edge, ...others] = graph.leaving[index]!;
  const holds = [systemPrompt?.value, global, ...captures, ...tools, ...calls].some(Boolean);
  return (
    type === 'conversation' &&
    Boolean(firstMessage?.value) &&
    !holds &&
    Object.keys(settings).length === 0 &&
    edge !== undefined &&
    others.length === 0 &&
    edge.condition === null &&
    !/^(?:endCall|hangup)$/.test(nodeOf(graph, edge.to).type)
  );
}

const warnings = new Set(['data/maybe-unset', 'data/may-overwrite', 'data/mixed-source']);

function textsOf(graph: FlowGraph): Text[] {
  return graph.order.flatMap((node) => [
    ...textsAt(graph, node).map(({ text }) => text),
    ...stepsFrom(graph, node).flatMap((step) => conditionOf(graph, step) ?? []),
    ...(nodeOf(graph, node).request?.texts ?? []),
  ]);
}

function chooseWalks(graph: FlowGraph, numbers: readonly number[]): Walk[] {
  const short = walks(graph, { maxSteps: 6, max: 40 });
  const beginnings = new Set(short.map((walk) => describeWalk(walk.slice(0, -1))));
  const long = [1, 2, 3].map((turn) =>
    randomWalk(
      graph,
      Array.from({ length: 12 }, (_, at) => wheel([...numbers, 7], at) + at * turn),
    ),
  );
  return [...short.filter((walk) => !beginnings.has(describeWalk(walk))), ...long];
}

/** Visits that capture the variable and no tool's response: the capture may fail. */
function listMissable(graph: FlowGraph, steps: readonly Step[], name = ''): string[] {
  return [graph.start, ...steps.map(({ to }) => to)].flatMap((to, visit) => {
    const { captures, responds } = factsOf(graph, nodeOf(graph, to));
    const isFound = captures.some((it) => it.name === name) && !responds.has(name);
    return isFound ? [`${name} ${visit}`] : [];
  });
}

function compare({ tracks, texts, early, warned }: Case, script: Script) {
  const { graph } = tracks;
  const squad = runSquad(tracks, script);
  const found: { fault: string; reason: string | null }[] = [];
  const note = ({ visit }: CallEvent, read: readonly Text[], told: string, other = ''): void => {
    const names = read.flatMap(({ uses }) => uses.map(({ name }) => name));
    const warning = warned.find(({ message }) =>
      names.some((name) => message.includes(`“${name}”`)),
    );
    const isEarly = read.some(({ value }) => early.has(value));
    const reason = isEarly ? 'early' : (warning?.code ?? (other || null));
    found.push({ fault: `at visit ${visit}, ${told}`, reason });
  };
  let [member, node] = [0, graph.start as number];
  for (const event of runWorkflow(graph, script)) {
    const there = squad.filter(({ visit }) => visit === event.visit);
    for (const each of there) if (each.kind === 'active') ({ member } = each);
    if (event.kind === 'node') ({ node } = event);
    if (event.kind === 'read' || event.kind === 'said') {
      // A text stands once at each transition to it, as read there; so one of the readings in a
      // prompt or a description has to be right.
      const own = there.flatMap((it) => (it.kind === event.kind && it.at === event.at ? it : []));
      const places = groupBy(own, (it) => (it.kind === 'read' ? it.place : ''));
      const wrong = [...places.values()].find((all) =>
        all.every((it) => it.text !== event.text),
      )?.[0];
      if (own.length > 0 && wrong === undefined) continue;
      const text = texts.get(event.at ?? '');
      note(
        event,
        text ? [text] : [],
        `${event.at} is ${show(wrong?.text)}, not ${show(event.text)}`,
      );
    } else if (event.kind === 'sent') {
      const sent = there.find((it) => it.kind === 'sent' && it.at === event.at);
      const request = sent?.kind === 'sent' ? sent.request : {};
      for (const [field, value] of Object.entries(event.request)) {
        if (value === null || value === request[field]) continue;
        // A value that is never captured stays a token in a field, and is not an argument.
        if (/^\{\{[^{}]+\}\}$/.test(value) && request[field] == null) continue;
        const read = [...texts.values()].filter(({ at }) => at.startsWith(`${event.at}/`));
        const told = `${event.at} sends ${field} as ${show(request[field])}, not ${show(value)}`;
        note(event, read, told, mayBeLeftOut(tracks, member, node, read) ? 'optional' : '');
      }
    }
  }
  for (const event of squad) {
    if (event.kind === 'said' && event.at === null)
      note(event, [], `${show(event.text)} is not due`);
  }
  return found;
}

const show = (text: string | null | undefined) => (text == null ? 'nothing' : JSON.stringify(text));

/**
 * Returns true if a walk reaches the request without a capture of what it reads in this assistant:
 * then the argument cannot be required, and the model of a script does not give it.
 */
function mayBeLeftOut(
  { graph, squad }: Tracks,
  member: number,
  node: number,
  read: readonly Text[],
) {
  const { places } = squad;
  const handoffs = places.flatMap(({ moves }) => moves.filter((it) => it.handoff !== null));
  const entries = [places[0]!, ...handoffs.map(({ to }) => places[to]!)];
  const inner = ({ moves }: Place) =>
    moves.flatMap(({ to, handoff }) => (handoff === null ? places[to]! : []));
  const isReached = (name: string): boolean => {
    const isFound = (it: Place) => nodeOf(graph, it.node).captures.some((own) => own.name === name);
    const own = entries.filter((it) => it.member === member);
    return [...flood(own, inner, isFound)].some((it) => it.node === node);
  };
  return read.some(({ uses }) => uses.some(({ name }) => isReached(name)));
}
