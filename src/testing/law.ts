/**
 * What laws stand on: a workflow whose questions are answered, and the squad that it gave; and for
 * laws of changes, a changed workflow with the answers of the unchanged one.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import type { Json } from '../compiler/ir/json.js';
import type { Answer, CompileOptions } from '../compiler/ir/options.js';
import type { CompileResult, Diagnostic, Question } from '../compiler/ir/result.js';
import { verify } from '../index.js';
import type { SpecWorkflow } from '../simulator/spec-workflow.js';
import { choosingFaithfully, type Pick, proposed, type Settlement, settle } from './answering.js';

/** What a law is tried with; the numbers decide what the workflow leaves open. */
export interface LawOptions {
  readonly compile?: CompileOptions;
  readonly numbers?: readonly number[];
}

/** Throws with a readable message where the compiler breaks it. */
export type Law = (workflow: SpecWorkflow, options?: LawOptions) => void;

export interface Compiled {
  readonly settlement: Settlement;
  readonly output: Json;
}

/** How questions are answered, by the numbers of a law. */
type Choosing = (numbers: readonly number[]) => Pick;

const known = new WeakMap<SpecWorkflow, { options: LawOptions; of: Map<Choosing, Compiled> }>();

/**
 * Compiles with answers that leave the source as it is, unless told to choose otherwise; throws
 * where that gives no squad. A grouping that tears equal nodes apart is rightly refused, so it is
 * made up for by a consolidation. Laws that are tried one after the other on the same objects share
 * what is compiled.
 */
export function compileAnswered(
  workflow: SpecWorkflow,
  options: LawOptions,
  choosing: Choosing = choosingFaithfully,
): Compiled {
  const before = known.get(workflow);
  const shared = before?.options === options ? before : { options, of: new Map() };
  known.set(workflow, shared);
  const found = shared.of.get(choosing);
  if (found !== undefined) return found;
  const { compile, numbers = [] } = options;
  const pick = choosing(numbers);
  let settlement = settle(workflow, compile, pick);
  if (tearsEqualNodes(settlement.result)) {
    const consolidating: Pick = (question) =>
      question.kind === 'cyclic-stages' ? { choice: 'consolidate' } : pick(question);
    settlement = settle(workflow, compile, consolidating);
  }
  const compiled = { settlement, output: demandOutput(settlement.result) };
  shared.of.set(choosing, compiled);
  return compiled;
}

function demandOutput(result: CompileResult): Json {
  const { output } = result;
  demand(output !== null, () => `there is no squad: ${JSON.stringify(errorsOf(result))}`);
  return output;
}

/** Where things of the unchanged workflow stand in the changed one, and how nodes are called. */
export interface Translation {
  readonly place?: (at: JsonPointer) => JsonPointer;
  readonly id?: (id: string) => string;
}

/**
 * Compiles the changed workflow with the options and the answers of the unchanged one. A change moves
 * what a question is about and may rename it, so a question is known again by its kind and its
 * places; one about a variable by the variable. A question that was not asked before is a fault: no
 * change of the laws leaves anything open that was not open.
 */
export function compileChanged(
  changed: SpecWorkflow,
  { settlement }: Compiled,
  { compile: given = {} }: LawOptions,
  { place = (at) => at, id }: Translation = {},
): Compiled {
  const isSame = (before: Question, after: Question): boolean => {
    if (before.kind !== after.kind) return false;
    if (before.kind === 'ambiguous-start') return true;
    if (/-variable$/.test(before.kind)) return before.id === after.id;
    return before.at.some((at) => after.at.includes(place(at)));
  };
  const fresh: Question[] = [];
  const pick: Pick = (question) => {
    const before = settlement.asked.find((each) => isSame(each, question));
    if (before === undefined) fresh.push(question);
    const answer = before && settlement.answers[before.id];
    return renamed(answer ?? proposed(question), id);
  };
  // Renamed nodes may swap their ids, so answers must not be taken over by id.
  const answers = { ...given.answers, answers: id === undefined ? settlement.answers : {} };
  const after = settle(changed, { ...given, answers }, pick);
  const open = fresh.filter((question) => after.asked.includes(question));
  demand(open.length === 0, () => `newly asked: ${open.map((each) => each.id).join()}`);
  return { settlement: after, output: demandOutput(after.result) };
}

/** Whether all that is wrong is a group with one of two equal nodes. */
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

/** Throws with the text of the fault where the fact is none. */
export function demand(holds: boolean, fault: () => string): asserts holds {
  if (!holds) throw new Error(fault());
}

/** Throws where the two are not the same JSON, with the texts around the first difference. */
export function demandSame(what: string, expected: unknown, found: unknown): void {
  const [first, second] = [expected, found].map((each) => JSON.stringify(each) ?? '') as [
    string,
    string,
  ];
  let at = 0;
  while (at < first.length && first[at] === second[at]) at += 1;
  const around = (text: string): string => text.slice(Math.max(0, at - 120), at + 120);
  demand(first === second, () => `${what} differs at ${at}:\n${around(first)}\n${around(second)}`);
}

/** Choices whose values are ids of nodes. */
const namingNodes: ReadonlySet<string> = new Set(['node', 'group', 'use', 'captured-at']);

function renamed(answer: Answer, id: Translation['id']): Answer {
  const { choice, value } = answer;
  if (id === undefined || !namingNodes.has(choice) || value === undefined) return answer;
  const rename = (each: Json): Json =>
    typeof each === 'string' ? id(each) : Array.isArray(each) ? each.map(rename) : each;
  return { choice, value: rename(value) };
}

/** Throws unless `verify` accepts the squad: no item fails, and no call shows a difference. */
export function demandVerified(workflow: unknown, { output, settlement }: Compiled): void {
  const verdict = verify(workflow, output, settlement.options);
  const { holds, checklist, counterexamples, diagnostics } = verdict;
  const failing = checklist.filter((item) => !item.holds).map(({ item }) => `item ${item}`);
  const errors = diagnostics.flatMap(({ severity, code, message }) =>
    severity === 'error' ? [`${code}: ${message}`] : [],
  );
  demand(holds && failing.length === 0 && counterexamples.length === 0, () =>
    ['refuted', ...failing, ...errors, counterexamples[0]?.text ?? ''].join('; '),
  );
}

/** Throws unless the change has brought these findings, and neither others nor taken one away. */
export function demandFindings(before: Compiled, after: Compiled, codes: readonly string[]): void {
  const texts = ({ settlement }: Compiled): string[] =>
    settlement.result.diagnostics.map(({ code, message }) => `${code}: ${message}`);
  const left = texts(before);
  const fresh = texts(after).filter((text) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  const found = fresh.map((text) => text.slice(0, text.indexOf(':')));
  demand(found.sort().join() === [...codes].sort().join(), () => `new: ${fresh.join('; ')}`);
  demand(left.length === 0, () => `no longer told: ${left.join('; ')}`);
}

/** The name itself, or with a number, such that it stands nowhere in the workflow. */
export function freshName(name: string, workflow: SpecWorkflow): string {
  const written = JSON.stringify(workflow).toLowerCase();
  let fresh = name;
  for (let count = 2; written.includes(fresh.toLowerCase()); count += 1) fresh = `${name}_${count}`;
  return fresh;
}
