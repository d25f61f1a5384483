/**
 * The answers that a workflow was given, given again to a changed one.
 *
 * A change moves what a question is about and may rename it, so a question is known again by its
 * kind and its places; one about a variable by the variable. A question that was not asked before
 * is a fault: no change of the laws leaves anything open that was not open.
 */
import type { Answer } from '../compiler/ir/answers.js';
import type { JsonPointer } from '../compiler/ir/ids.js';
import type { Json } from '../compiler/ir/json.js';
import type { CompileResult, Question } from '../compiler/ir/result.js';
import { compile } from '../index.js';
import { firstOf, proposed } from './answering.js';
import { demand, firstDifference } from './demand.js';
import type { Ground, LawOptions } from './law-ground.js';
import type { SpecWorkflow } from './spec-workflow.js';

/** Where things of the unchanged workflow stand in the changed one, and how nodes are called. */
export interface Translation {
  readonly place?: (at: JsonPointer) => JsonPointer;
  readonly id?: (id: string) => string;
}

/** Compiles the changed workflow with the options and the answers of the unchanged one. */
export function compileAgain(
  changed: SpecWorkflow,
  { settlement }: Ground,
  { compile: given = {} }: LawOptions,
  translation: Translation = {},
): CompileResult {
  const run = (answers: GivenAnswers): CompileResult =>
    compile(changed, { ...given, answers: { ...given.answers, answers } });
  // Renamed nodes may swap their ids, so answers must not be taken over by id.
  let answers: GivenAnswers = translation.id === undefined ? settlement.answers : {};
  const guessed = new Set<string>();
  for (;;) {
    const result = run(answers);
    if (result.status !== 'needs-answers') {
      return guessed.size === 0 ? result : withoutGuesses(run, answers, guessed);
    }
    for (const question of firstOf(result.questions)) {
      const { id } = question;
      demand(!Object.hasOwn(answers, id), () => `${id} is asked again`);
      const before = settlement.asked.find((each) => isSame(each, question, translation));
      const answer = before && settlement.answers[before.id];
      if (answer === undefined) guessed.add(id);
      answers = { ...answers, [id]: translate(answer ?? proposed(question), translation) };
    }
  }
}

type GivenAnswers = Readonly<Record<string, Answer>>;

/** What is asked only as long as other questions are open needs no answer in the end. */
function withoutGuesses(
  run: (answers: GivenAnswers) => CompileResult,
  answers: GivenAnswers,
  guessed: ReadonlySet<string>,
): CompileResult {
  const known = Object.entries(answers).filter(([id]) => !guessed.has(id));
  const result = run(Object.fromEntries(known));
  const ids = result.questions.map(({ id }) => id);
  demand(ids.length === 0, () => `after the change this is asked: ${ids.join()}`);
  return result;
}

/** Throws where the changed workflow does not give the predicted squad. */
export function demandSquad(predicted: Json, { output, diagnostics }: CompileResult): void {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  demand(output !== null, () => `after the change there is no squad: ${JSON.stringify(errors)}`);
  const [first, second] = [JSON.stringify(predicted), JSON.stringify(output)];
  demand(first === second, () => `predicted and compiled: ${firstDifference(first, second)}`);
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

function isSame(before: Question, after: Question, { place = itself }: Translation): boolean {
  if (before.kind !== after.kind) return false;
  if (before.kind === 'ambiguous-start') return true;
  if (/-variable$/.test(before.kind)) return before.id === after.id;
  return before.at.some((at) => after.at.includes(place(at)));
}

function translate(answer: Answer, { id = itself }: Translation): Answer {
  const { choice, value } = answer;
  if (!namingNodes.has(choice) || value === undefined) return answer;
  const renamed = (each: Json): Json =>
    typeof each === 'string' ? id(each) : Array.isArray(each) ? each.map(renamed) : each;
  return { choice, value: renamed(value) };
}

/** Choices whose values are ids of nodes. */
const namingNodes: ReadonlySet<string> = new Set(['node', 'group', 'use', 'captured-at']);

function itself<T>(value: T): T {
  return value;
}
