/**
 * What the laws of changes share: a changed workflow compiled with the answers of the unchanged one.
 *
 * A change moves what a question is about and may rename it, so a question is known again by its
 * kind and its places; one about a variable by the variable. A question that was not asked before
 * is a fault: no change of the laws leaves anything open that was not open.
 */

import type { JsonPointer } from '../compiler/ir/ids.js';
import type { Json } from '../compiler/ir/json.js';
import type { Answer, CompileOptions } from '../compiler/ir/options.js';
import type { CompileResult, Question } from '../compiler/ir/result.js';
import { compile } from '../index.js';
import type { SpecWorkflow } from '../simulator/spec-workflow.js';
import { firstOf, proposed } from './answering.js';
import { type Compiled, demand, errorsOf, type LawOptions } from './law.js';

/** Where things of the unchanged workflow stand in the changed one, and how nodes are called. */
export interface Translation {
  readonly place?: (at: JsonPointer) => JsonPointer;
  readonly id?: (id: string) => string;
}

/** Compiles the changed workflow with the options and the answers of the unchanged one. */
export function compileChanged(
  changed: SpecWorkflow,
  { settlement }: Compiled,
  { compile: given = {} }: LawOptions,
  { place = (at) => at, id }: Translation = {},
): CompileResult & { readonly output: Json; readonly options: CompileOptions } {
  // Renamed nodes may swap their ids, so answers must not be taken over by id.
  let answers: Readonly<Record<string, Answer>> = id === undefined ? settlement.answers : {};
  const guessed = new Set<string>();
  const isSame = (before: Question, after: Question): boolean => {
    if (before.kind !== after.kind) return false;
    if (before.kind === 'ambiguous-start') return true;
    if (/-variable$/.test(before.kind)) return before.id === after.id;
    return before.at.some((at) => after.at.includes(place(at)));
  };
  for (;;) {
    const options = { ...given, answers: { ...given.answers, answers } };
    const result = compile(changed, options);
    if (result.status === 'needs-answers') {
      for (const question of firstOf(result.questions)) {
        demand(!Object.hasOwn(answers, question.id), () => `${question.id} is asked again`);
        const before = settlement.asked.find((each) => isSame(each, question));
        const answer = before && settlement.answers[before.id];
        if (answer === undefined) guessed.add(question.id);
        answers = { ...answers, [question.id]: renamed(answer ?? proposed(question), id) };
      }
      continue;
    }
    if (guessed.size > 0) {
      // What is asked only as long as other questions are open needs no answer in the end.
      const rest = Object.entries(answers).filter(([key]) => !guessed.has(key));
      answers = Object.fromEntries(rest);
      guessed.clear();
      const open = compile(changed, { ...given, answers: { ...given.answers, answers } }).questions;
      demand(open.length === 0, () => `newly asked: ${open.map((each) => each.id).join()}`);
      continue;
    }
    const { output } = result;
    demand(output !== null, () => `there is no squad: ${JSON.stringify(errorsOf(result))}`);
    return { ...result, output, options };
  }
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

/** Throws unless the change has brought these findings, and neither others nor taken one away. */
export function demandFindings(
  before: CompileResult,
  after: CompileResult,
  codes: readonly string[],
): void {
  const texts = ({ diagnostics }: CompileResult): string[] =>
    diagnostics.map(({ code, message }) => `${code}: ${message}`);
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
