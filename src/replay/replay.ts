/**
 * Replay: recorded calls, held against the workflow and the squad.
 *
 *     call ──readRecord──▶ items ──follow──▶ places after each ──retrace──▶ moves ──▶ counts
 *
 * A call of the workflow is followed through the squad too: which assistant would have led it, and
 * what each handoff would have carried. Calls come one at a time, and only counts are kept.
 */
import { machineOfWorkflow, nodeOf } from '../call/machine.js';
import { carriedBy } from '../call/squad.js';
import { readJson } from '../compiler/1-read/copy-json.js';
import { run } from '../compiler/compile.js';
import type { VerifyOptions } from '../compiler/ir/result.js';
import { builtInVariables } from '../compiler/ir/variables.js';
import { targetOf } from '../compiler/targets.js';
import { diagnose } from '../diagnostics/diagnose.js';
import { shorten } from '../diagnostics/quote.js';
import { layTracks } from '../scenarios/explore.js';
import { asObject } from '../text/json.js';
import { valueAt } from '../text/pointer.js';
import { Counts } from './counts.js';
import { type Followed, follow, retrace } from './follow.js';
import { type Item, readRecord } from './record.js';
import type { Fit, FitStep, Misfit, Replay } from './result.js';
import { isBy, layTrail, namesOf, type Trail } from './trail.js';

/** Takes calls one by one, and says at any time what they show so far. */
export interface Replayer {
  /** A call as the platform's API returns it. */
  add(call: unknown): Fit;
  report(): Replay;
}

/**
 * Holds recorded calls against a workflow, and against its squad unless that is null. Pass the answers
 * and the options that the squad was made with. Pure; never throws on bad input.
 */
export function replay(workflow: unknown, squad: unknown, options: VerifyOptions = {}): Replayer {
  const { graph, trails, outside, diagnostics } = prepare(workflow, squad ?? null, options);
  const counts = new Counts(graph, trails.ofSquad?.machine ?? null);
  const ids = { workflow: valueAt(workflow, '/id'), squad: valueAt(squad, '/id') };
  const left = { unrecorded: 0, others: 0 };
  const calls = { all: 0, workflow: 0, squad: 0, misfits: 0, squadMisfits: 0, ...left };
  const handoffs = (name: string) => assistantsBy(trails.ofSquad, name);

  function add(call: unknown): Fit {
    const record = readRecord(call, handoffs);
    const { id, kind, items, calledId } = record;
    calls.all += 1;
    const trail = kind === 'squad' ? trails.ofSquad : trails.ofWorkflow;
    const own = kind && ids[kind];
    const isOther = typeof own === 'string' && calledId !== null && own !== calledId;
    if (kind === null || trail === null || isOther) {
      calls[kind === null ? 'unrecorded' : 'others'] += 1;
      return { id, of: null, misfit: null, steps: [] };
    }
    calls[kind] += 1;
    const given = record.given.length === 0 ? outside : new Set([...outside, ...record.given]);
    const followed = follow(trail, items, given);
    const inSquad = kind === 'workflow' ? trails.inSquad : null;
    const there = inSquad && follow(inSquad, items, given);
    const steps = stepsOf(inSquad ?? trail, there ?? followed, items);
    // Where only the workflow has the call, the squad is at fault.
    const first = misfitOf(trail, followed, items, kind);
    const misfit = first ?? (inSquad && misfitOf(inSquad, there!, items, 'squad'));
    if (misfit !== null) {
      calls.misfits += 1;
      if (misfit.of === 'squad') calls.squadMisfits += 1;
      counts.addMisfit(misfit, id);
    } else {
      const known = new Set(items.flatMap(({ values }) => values));
      counts.addSteps(steps, record.hasValues ? known : null);
      if (kind === 'workflow') counts.addPassages(retrace(trail, followed), steps);
    }
    return { id, of: kind, misfit, steps };
  }

  return { add, report: () => ({ calls: { ...calls }, ...counts.report(), diagnostics }) };
}

/** The machines of both, if they can be read. */
function prepare(workflow: unknown, squad: unknown, { sourceMap: _, ...given }: VerifyOptions) {
  const document = asObject(readJson(squad).value);
  const read = run(workflow, squad === null ? given : { target: targetOf(document), ...given });
  const none = { ofWorkflow: null, inSquad: null, ofSquad: null };
  const outside = new Set([...builtInVariables, ...(given.dynamicVariables ?? [])]);
  const { diagnostics } = read;
  if (!('graph' in read)) return { graph: null, trails: none, outside, diagnostics };
  const { graph } = read;
  const markers = read.source.absorbed.filter(({ kind, status }) => kind === 'node' && !status);
  const ignored = markers.flatMap(({ at }) => Object.values(asObject(valueAt(workflow, at))));
  const ofWorkflow = layTrail(graph, machineOfWorkflow(graph), 'nodes', ignored);
  const names = read.reads.flat().map(({ use }) => use.name);
  for (const name of names) if (!ofWorkflow.bits.has(name)) outside.add(name);
  const alone = { graph, trails: { ...none, ofWorkflow }, outside, diagnostics: [] };
  if (squad === null) return alone;
  try {
    const { squad: machine } = layTracks(graph, document);
    const inSquad = layTrail(graph, machine, 'nodes', ignored);
    const ofSquad = layTrail(graph, machine, 'assistants', ignored);
    return { ...alone, trails: { ofWorkflow, inSquad, ofSquad } };
  } catch (error) {
    if (!(error instanceof Error) || error.constructor !== Error) throw error;
    const text = `The calls cannot be followed through the squad: ${error.message}.`;
    return { ...alone, diagnostics: [diagnose('check/undecided', '', { text }, { in: 'squad' })] };
  }
}

/** The names of the assistants that a function hands off to; null if it is a tool. */
function assistantsBy(trail: Trail | null, name: string): ReadonlySet<string> | null {
  const { places = [], assistants = [] } = trail?.machine ?? {};
  const moves = places.flatMap((it) => it.moves);
  const made = moves.filter(({ handoff }) => handoff !== null && isBy(handoff, name));
  const names = made.flatMap(({ to }) => namesOf(assistants[places[to]!.member]!.member));
  const isTool = assistants.some(({ member: { tools, toolIds } }) => {
    return toolIds.length > 0 || tools.some((it) => (it.name || it.type) === name);
  });
  return made.length === 0 && isTool ? null : new Set(names);
}

/** The way that was chosen, with what is known by each handoff. */
function stepsOf(trail: Trail, followed: Followed, items: readonly Item[]): FitStep[] {
  const { machine, graph } = trail;
  const known = new Set<string>();
  return retrace(trail, followed).flatMap(({ chosen }, item) => {
    const steps = chosen.map(({ to, move }): FitStep => {
      const { member, node } = machine.places[to]!;
      const { id, at } = nodeOf(graph, node);
      const assistant = machine.assistants[member]?.member.called ?? null;
      const by = move?.handoff ?? null;
      const carries = by === null ? [] : carriedBy(by).filter((name) => known.has(name));
      const via = move?.step.edge?.at ?? null;
      return { node: id, at, via, assistant, handoff: by?.at ?? null, carries };
    });
    for (const name of items[item]!.values) known.add(name);
    return steps;
  });
}

/** The item at which a record is no call. */
function misfitOf(
  { machine, graph, arcs, read }: Trail,
  { stuck, places }: Followed,
  items: readonly Item[],
  of: Misfit['of'],
): Misfit | null {
  if (stuck === null) return null;
  const item = items[stuck.at]!;
  const isOfNodes = item.kind === 'node';
  const found = places
    .flatMap((it) => machine.places[it] ?? [])
    .map(({ member, node }) => {
      const { id: called, at } = nodeOf(graph, node);
      return isOfNodes ? { called, at } : machine.assistants[member]!.member;
    });
  const before = [...new Set(found.map(({ called }) => called))];
  const { lands, stays } = read(item, undefined);
  const isKnown = arcs.flat().some(lands) || arcs.some((_, place) => stays(place));
  const [name, variable] = [item.name, stuck.variable ?? ''].map((it) => shorten(it, 80));
  const from = before.length === 0 ? ['the beginning'] : before;
  const missing = isKnown ? '' : ', which it does not have';
  const args = { name: name!, variable: variable!, before: from, of, missing };
  const code = stuck.variable === null ? 'step' : 'value';
  const place = isOfNodes ? {} : ({ in: 'squad' } as const);
  const diagnostic = diagnose(`replay/${code}`, found[0]?.at ?? '', args, place);
  const severity = of === 'squad' ? 'error' : 'warning';
  return { ...diagnostic, severity, of, record: stuck.at, name: name!, before };
}
