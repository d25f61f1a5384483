/**
 * The basis of the laws: a workflow with answered questions and the squad that it gave; for laws of
 * changes, a changed workflow with the answers of the unchanged one.
 */

import { run } from '../compiler/compile.js';
import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { Answer, CompileOptions } from '../compiler/ir/options.js';
import type { CompileResult, Diagnostic, LedgerKind, Question } from '../compiler/ir/result.js';
import type { WorkflowEdge } from '../compiler/ir/workflow.js';
import { verify } from '../index.js';
import { layTracks, type Tracks } from '../scenarios/explore.js';
import type { Json, JsonObject } from '../text/json.js';
import type { JsonPointer } from '../text/pointer.js';
import { expectGrouping } from '../verify/expected/grouping.js';
import { readSource } from '../verify/expected/source.js';
import { foldExits } from '../verify/quotient.js';
import {
  choosingFaithfully,
  type Pick as PickAnswer,
  proposed,
  type Settlement,
  settle,
} from './answering.js';
import { drawing } from './pick.js';
import type { SpecWorkflow } from './spec-workflow.js';

/** What a law is tried with; the numbers choose the answers to questions. */
export interface LawOptions {
  readonly compile?: CompileOptions;
  readonly numbers?: readonly number[];
}

/** Throws with a readable message if the compiler breaks the law. */
export type Law = (workflow: SpecWorkflow, options?: LawOptions) => void;

/** What a workflow was tried with, and the squad that it gave. */
export interface Compiled {
  readonly compile: CompileOptions;
  readonly numbers: readonly number[];
  readonly settlement: Settlement;
  readonly output: Json;
  /** Both to be followed, once somebody has asked for it. */
  tracks?: Tracks;
}

const known = new WeakMap<SpecWorkflow, Map<unknown, readonly [LawOptions, Compiled]>>();

/**
 * Compiles with answers that leave the source unchanged, unless `choosing` says otherwise; throws
 * if that gives no squad. A grouping that separates equal nodes is rightly rejected and replaced by
 * a consolidation. Laws that are tried one after the other on the same objects share the result.
 */
export function compileAnswered(
  workflow: SpecWorkflow,
  options: LawOptions,
  choosing: (numbers: readonly number[]) => PickAnswer = choosingFaithfully,
): Compiled {
  const before = known.get(workflow) ?? new Map();
  const [given, shared] = before.get(choosing) ?? [];
  if (given === options) return shared;
  const { compile = {}, numbers = [] } = options;
  const pick = choosing(numbers);
  let settlement = settle(workflow, compile, pick);
  if (tearsEqualNodes(settlement.result)) {
    const consolidating: PickAnswer = (question) =>
      question.kind === 'cyclic-stages' ? { choice: 'consolidate' } : pick(question);
    settlement = settle(workflow, compile, consolidating);
  }
  const compiled = { compile, numbers, settlement, output: demandSquad(settlement) };
  known.set(workflow, before.set(choosing, [options, compiled]));
  return compiled;
}

/** Like `compileAnswered`, with the squad and its workflow prepared to be followed. */
export function trackAnswered(...given: Parameters<typeof compileAnswered>) {
  const compiled = compileAnswered(...given);
  compiled.tracks ??= readTracks(given[0], compiled.settlement);
  return { ...compiled, tracks: compiled.tracks, graph: compiled.tracks.graph };
}

/** The workflow as calls walk through it after its questions are answered. */
export function readGraph(workflow: unknown, options: CompileOptions = {}): FlowGraph {
  const read = run(workflow, options);
  if ('graph' in read) return read.graph;
  throw new Error(read.diagnostics.map(({ message }) => message).join('; '));
}

/** What the definition of the grouping is applied to, besides the workflow. */
export interface GroupingOptions {
  /** The questions and answers; none by default. */
  readonly settlement?: Pick<Settlement, 'asked' | 'answers' | 'options'>;
  readonly boundary?: 'branch' | 'tools';
  /** They choose among possible steps; the result does not depend on them. */
  readonly numbers?: readonly number[];
}

/**
 * The assistants of a workflow by the definition (verify/stages.ts), as ids of their nodes, exits
 * included; null if there is no grouping.
 */
export function referenceGrouping(
  workflow: SpecWorkflow,
  options: GroupingOptions = {},
): string[][] | null {
  const { settlement, boundary = 'branch', numbers = [] } = options;
  const read = run(workflow, { ...settlement?.options, boundary });
  if (!('source' in read)) return null;
  const next = drawing(numbers);
  const grouped = expectGrouping(read.source, read.options, (nodes) => {
    const left = [...nodes];
    return nodes.map(() => left.splice(next() % left.length, 1)[0]!);
  });
  if (!('grouping' in grouped)) return null;
  const { graph, grouping } = grouped;
  const groups = Array.from({ length: grouping.stageCount }, () => new Set<number>());
  const add = (stages: Iterable<number>, node: number) => {
    for (const stage of stages) groups[stage]!.add(grouping.standsFor(node as NodeIndex));
  };
  for (const node of graph.order) add(grouping.of(node), node);
  const isExit = (node: NodeIndex) => graph.nodeAt(node).role === 'exit';
  for (const { from, to } of graph.edges) if (isExit(to)) add(grouping.of(from), to);
  for (const node of graph.globals) if (isExit(node)) add(groups.keys(), node);
  const nodes = graph.order.toSorted((one, other) => one - other);
  return groups.map((group) => {
    const own = nodes.filter((node) => group.has(grouping.standsFor(node)));
    return own.map((node) => graph.nodeAt(node).id);
  });
}

/** For each reachable node the node that represents those that behave the same. */
export function representatives({
  workflow,
  start,
  order,
}: FlowGraph): ReadonlyMap<number, number> {
  const { representative } = foldExits(readSource(workflow, start));
  const nodes = order.toSorted((one, other) => one - other);
  return new Map(nodes.map((node) => [node, representative[node]!]));
}

/** The members that hold what an item of the source became, as the ledger says, in order. */
export function membersInLedger({ result }: Settlement, kind: LedgerKind, at: JsonPointer) {
  const { outputs = [] } = result.ledger.find((it) => it.kind === kind && it.at === at) ?? {};
  const members = outputs.flatMap((it) => /^(?:\/squad)?\/members\/(\d+)/.exec(it)?.[1] ?? []);
  return [...new Set(members.map(Number))].sort((one, other) => one - other);
}

/** The edges that a call can take. */
export function edgesOf({ order, leaving }: FlowGraph): readonly WorkflowEdge[] {
  return order.flatMap((node) => leaving[node]!).sort((a, b) => a.index - b.index);
}

/** The members in which a call can be at the node, in order. */
export function ownersOf({ squad }: Tracks, node: number): number[] {
  const members = squad.places.flatMap((it) => (it.node === node ? it.member : []));
  return [...new Set(members)].sort((one, other) => one - other);
}

/** A workflow and the squad that its answers gave, to be followed side by side. */
export function readTracks(
  workflow: unknown,
  { result, options }: { result: CompileResult; options: CompileOptions },
): Tracks {
  demand(result.output !== null, () => 'there is no squad');
  return layTracks(readGraph(workflow, options), result.output as JsonObject);
}

function demandSquad({ result }: Settlement): Json {
  const { output } = result;
  demand(output !== null, () => `there is no squad: ${JSON.stringify(errorsOf(result))}`);
  return output;
}

/**
 * Compiles the changed workflow with the options and the answers of the unchanged one. A change may
 * rename the subject of a question, so a question is recognized by its kind and its places; one
 * about a variable by the variable. A new question is a fault: no change of the laws opens anything.
 * `id` gives the new ids of nodes.
 */
export function compileChanged(
  { settlement: { asked, answers }, compile }: Compiled,
  changed: SpecWorkflow,
  id?: (id: string) => string,
): Settlement {
  const isSame = (before: Question, after: Question): boolean => {
    if (before.kind !== after.kind) return false;
    if (before.kind === 'ambiguous-start') return true;
    if (/-variable$/.test(before.kind)) return before.id === after.id;
    return before.at.some((at) => after.at.includes(at));
  };
  const fresh: Question[] = [];
  const pick: PickAnswer = (question) => {
    const before = asked.find((each) => isSame(each, question));
    if (before === undefined) fresh.push(question);
    return renamed((before && answers[before.id]) ?? proposed(question), id);
  };
  // Renamed nodes may swap their ids, so answers must not be reused by id.
  const given = { ...compile.answers, answers: id === undefined ? answers : {} };
  const after = settle(changed, { ...compile, answers: given }, pick);
  const open = fresh.filter((question) => after.asked.includes(question));
  demand(open.length === 0, () => `newly asked: ${open.map((each) => each.id).join()}`);
  demandSquad(after);
  return after;
}

/** The answer with the new names of the nodes that it names. */
function renamed(answer: Answer, id?: (id: string) => string): Answer {
  if (!id || !/^(?:node|group|use|captured-at|response)$/.test(answer.choice)) return answer;
  const rename = (key: string, value: unknown): unknown =>
    /^(?:choice|path)$/.test(key) || typeof value !== 'string' ? value : id(value);
  return JSON.parse(JSON.stringify(answer, rename));
}

/** Returns true if all errors are about groups with only one of two equal nodes. */
export function tearsEqualNodes(result: CompileResult): boolean {
  const errors = errorsOf(result);
  const tears = ({ at, message }: Diagnostic): boolean =>
    /cyclic-stages/.test(at) && /behave the same/.test(message);
  return errors.length > 0 && errors.every(tears);
}

/** The errors among the findings. */
export function errorsOf({ diagnostics }: CompileResult): Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === 'error');
}

/** Throws with this message unless the fact holds. */
export function demand(holds: boolean, fault: () => string): asserts holds {
  if (!holds) throw new Error(fault());
}

/** Throws unless both are the same JSON, with the text around the first difference. */
export function demandSame(what: string, expected: unknown, found: unknown): void {
  const first = JSON.stringify(expected) ?? '';
  const second = JSON.stringify(found) ?? '';
  let at = 0;
  while (at < first.length && first[at] === second[at]) at += 1;
  const around = (text: string): string => text.slice(Math.max(0, at - 120), at + 120);
  demand(first === second, () => `${what} differs at ${at}:\n${around(first)}\n${around(second)}`);
}

/**
 * Throws unless `verify` accepts the squad: no item fails, no call shows a difference, and nothing is
 * undecided but what the source brought.
 */
export function demandVerified(workflow: unknown, { result, options }: Settlement): void {
  const verdict = verify(workflow, result.output, options);
  const { checklist, counterexamples, diagnostics } = verdict;
  const failing = checklist
    .filter((it) => !it.holds && it.decided)
    .map(({ item }) => `item ${item}`);
  const open = diagnostics.flatMap(({ code }) => (undecided.has(code) ? [code] : []));
  const errors = diagnostics.flatMap(({ severity, code, message }) =>
    severity === 'error' ? [`${code}: ${message}`] : [],
  );
  const isAccepted = verdict.verdict !== 'fails' && failing.length + open.length === 0;
  demand(isAccepted && counterexamples.length === 0, () =>
    ['refuted', ...failing, ...errors, ...open, counterexamples[0]?.text ?? ''].join('; '),
  );
}

/** What no squad of squadc's own leaves undecided. */
const undecided: ReadonlySet<string> = new Set([
  ...['check/open-question', 'check/not-decided', 'check/undecided', 'check/setting-open'],
]);

/** Throws unless the change has added exactly these findings and removed none. */
export function demandFindings(
  before: Settlement,
  after: Settlement,
  codes: readonly string[],
): void {
  // One warning names all that is lost after a call.
  const texts = ({ result }: Settlement): string[] =>
    result.diagnostics.map(({ code, message }) =>
      code === 'data/lost-after-call' ? code : `${code}: ${message}`,
    );
  const left = texts(before);
  const fresh = texts(after).filter((text) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  const found = fresh.map((text) => text.split(':')[0]).sort();
  demand(found.join() === [...codes].sort().join(), () => `new: ${fresh.join('; ')}`);
  demand(left.length === 0, () => `no longer told: ${left.join('; ')}`);
}

/** The name, with a number if necessary, such that it occurs nowhere in the workflow. */
export function freshName(name: string, workflow: SpecWorkflow): string {
  const written = JSON.stringify(workflow).toLowerCase();
  let fresh = name;
  for (let count = 2; written.includes(fresh.toLowerCase()); count += 1) fresh = `${name}_${count}`;
  return fresh;
}
