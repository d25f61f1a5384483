/**
 * Answers to questions: what they may be, whether they fit, and what stays open.
 *
 * A choice that needs a value has its JSON Schema in `schemas/questions.json`. An answer that does
 * not fit is an error and leaves its question open.
 */
import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import type { Decision, Inquiry, StageFacts } from '../compiler/ir/inquiry.js';
import { findNearest, isAliasKey } from '../compiler/ir/names.js';
import type { Answer, Answers, Settled, Target } from '../compiler/ir/options.js';
import type { QuestionKind } from '../compiler/ir/question-kind.generated.js';
import type { Regrouping } from '../compiler/ir/region-map.js';
import type { Choice, Diagnostic, Question } from '../compiler/ir/result.js';
import type { Workflow, WorkflowNode } from '../compiler/ir/workflow.js';
import { answerValueSchema } from '../schemas/answer-value-document.generated.js';
import { validateAnswerValue } from '../schemas/answer-value-validator.generated.js';
import { validateAnswers } from '../schemas/answers-validator.generated.js';
import { kinds } from '../schemas/questions.generated.js';
import { isObject, type Json, type JsonObject } from '../text/json.js';
import { child, type JsonPointer, pointer } from '../text/pointer.js';
import { type ArgsOf, type Code, diagnose } from './diagnose.js';
import { faultInWords, soleFaults } from './schema-fault.js';

/** What one question is about, and what the source suggests. */
export interface Asked extends Pick<Inquiry, 'subject'>, Partial<Pick<Inquiry, 'allowed'>> {
  /** With the kind it is the id of the question. */
  readonly name: string;
  readonly text: string;
  readonly at: readonly JsonPointer[];
  /** The answer that the source suggests, if any. */
  readonly proposal?: Answer | null;
  /** What a draft assumes if there is no proposal. */
  readonly assumed?: Answer;
  /** Choices that are not offered for this subject. */
  readonly without?: string | readonly string[] | null;
}

/** The most values that a schema lists; a longer list does not help anyone to choose. */
export const maxListed = 200;

/** All kinds of question, in the order of the table. */
export function questionKinds(): readonly QuestionKind[] {
  return Object.keys(kinds) as QuestionKind[];
}

/** The choices of a kind for a target, in the order of the table; the schemas list valid values. */
function choicesOf(kind: QuestionKind, target: Target, allowed: Inquiry['allowed'] = {}): Choice[] {
  return Object.entries(kinds[kind].choices).flatMap(([key, { label, effect, value, ...only }]) => {
    if (only.target !== undefined && only.target !== target) return [];
    if (value === undefined) return [{ key, label, effect }];
    return [{ key, label, effect, value: withValues(value, [...new Set(allowed[key])]) }];
  });
}

/** Returns true if a choice needs a value besides its key. */
export function needsValue(kind: QuestionKind, choice: string): boolean {
  const { choices } = kinds[kind];
  return Object.hasOwn(choices, choice) && choices[choice]!.value !== undefined;
}

/** What is wrong with the value of an answer, in words; null if it is valid. */
export function checkAnswerValue(kind: QuestionKind, choice: string, value?: unknown) {
  if (!needsValue(kind, choice)) return value == null ? null : 'this choice takes no value';
  if (!validateAnswerValue({ kind, choice, value })) {
    return faultInWords(validateAnswerValue.errors ?? [], answerValueSchema, 'the answer');
  }
  if (kind !== 'cyclic-stages' || choice !== 'group') return null;
  // A schema cannot express that no stage is in two groups.
  const stages = (value as string[][]).flat();
  return new Set(stages).size === stages.length ? null : 'value names a stage in two groups';
}

/** What is wrong with one member of such a value, or with a value without members; null if it is valid. */
export function checkAnswerMember(
  kind: QuestionKind,
  choice: string,
  member: string | null,
  given: Json,
): string | null {
  const [at, value] =
    member === null ? ['/value', given] : [child('/value', member), { [member]: given }];
  if (validateAnswerValue({ kind, choice, value })) return null;
  const faults = soleFaults(validateAnswerValue.errors ?? []);
  const fault = faults.find(({ instancePath: it }) => it === at || it.startsWith(`${at}/`));
  if (fault === undefined) return null;
  return faultInWords([{ ...fault, instancePath: '' }], answerValueSchema, 'it');
}

/** The schema with the valid values; for lists of lists they are two levels down, else of the first member. */
function withValues(form: JsonObject, values: readonly string[]): JsonObject {
  if (values.length === 0 || values.length > maxListed) return form;
  const { items, properties } = form;
  if (isObject(items)) return { ...form, items: withValues(items, values) };
  if (!isObject(properties)) return { ...form, enum: values };
  const [[first, member]] = Object.entries(properties) as [[string, JsonObject]];
  return { ...form, properties: { ...properties, [first]: withValues(member, values) } };
}

type Check = (given: Required<Answer>) => string | null;

/** Checks answers of unknown shape, and what was wrong with their JSON; invalid ones are ignored. */
export function checkAnswers(
  value: Json | undefined,
  faults: readonly Diagnostic[],
  target: Target,
) {
  const invalid = faults.map(({ at, code }) => {
    return finding('api/answer-shape', at, { problem: code.replace('shape/', '') });
  });
  if (invalid.length === 0 && !validateAnswers(value)) {
    for (const fault of soleFaults(validateAnswers.errors ?? [])) {
      const problem = faultInWords([fault], undefined, 'they');
      invalid.push(finding('api/answer-shape', fault.instancePath, { problem }));
    }
  }
  if (invalid.length > 0) return { answers: {}, diagnostics: invalid };
  const answers = value as Answers;
  const given = Object.keys(answers.policies ?? {});
  const wrong = given.flatMap((kind) => faultOfPolicy(kind, answers, target) ?? []);
  return { answers, diagnostics: wrong };
}

/** What the policies answer to every question of a kind. */
export function policyFor({ policies = {} }: Answers, kind: string): Answer | null {
  const policy = Object.hasOwn(policies, kind) ? policies[kind]! : null;
  return typeof policy === 'string' ? { choice: policy } : policy;
}

function faultOfPolicy(kind: string, answers: Answers, target: Target): Diagnostic | null {
  const at = pointer('policies', kind);
  const { choice, value } = policyFor(answers, kind)!;
  const kinds = questionKinds();
  const known = kinds.find((it) => it === kind);
  if (known === undefined) {
    return finding('api/policy-kind', at, { kind, kinds, near: findNearest(kind, kinds) });
  }
  const choices = choicesOf(known, target).map(({ key }) => key);
  if (!choices.includes(choice)) return finding('api/policy-choice', at, { kind, choice, choices });
  const problem = checkAnswerValue(known, choice, value);
  return problem === null ? null : finding('api/policy-value', at, { kind, choice, problem });
}

/** The question of this kind about what was asked. */
export function inquire(kind: Question['kind'], asked: Asked, { target }: Settled): Inquiry {
  const { name, text, at, subject, proposal = null, allowed = {}, without } = asked;
  const left = [without].flat();
  const choices = choicesOf(kind, target, allowed).filter(({ key }) => !left.includes(key));
  const question: Question = {
    ...{ id: `${kind}:${name}`, kind, at, text, choices, proposal: proposal?.choice ?? null },
    ...(proposal?.value !== undefined && { proposalValue: proposal.value }),
  };
  return { question, subject, allowed, assumed: proposal ?? asked.assumed! };
}

/**
 * The answer that fits; null if there is none or it does not fit. An individual answer takes
 * precedence over a policy, which answers where it can. `check` says what is wrong with a value that
 * fits the schema.
 */
export function findAnswer(
  inquiry: Inquiry,
  { answers: { answers = {}, policies = {} } }: Settled,
  check: Check,
): { answer: Answer | null; fault: Diagnostic | null } {
  const { id: question, kind, choices: offered } = inquiry.question;
  const choices = offered.map(({ key }) => key);
  const isOwn = Object.hasOwn(answers, question);
  const answer = isOwn ? answers[question]! : policyFor({ policies }, kind);
  if (answer === null) return { answer, fault: null };
  const { choice } = answer;
  const isOffered = choices.includes(choice);
  const problem = isOffered ? problemOf(inquiry, answer, check) : '';
  if (problem === null) return { answer, fault: null };
  const at = pointer('answers', question);
  const fault = isOffered
    ? finding('api/answer-value', at, { question, choice, problem })
    : finding('api/answer-choice', `${at}/choice`, { question, choice, choices });
  return { answer: null, fault: isOwn ? fault : null };
}

/** What is wrong with an answer whose choice is offered, in words. */
function problemOf({ question: { kind }, allowed }: Inquiry, answer: Answer, check: Check) {
  const { choice, value = null } = answer;
  const problem = checkAnswerValue(kind, choice, answer.value) ?? check({ choice, value });
  if (problem !== null || allowed[choice] === undefined) return problem;
  const fitting = new Set<Json>(allowed[choice]);
  const named = isObject(value) ? Object.values(value).slice(0, 1) : [value].flat(2);
  const foreign = (named as readonly Json[]).find((name) => !fitting.has(name));
  if (foreign === undefined) return null;
  return `the question does not offer ${JSON.stringify(foreign)}`;
}

/** What is known of the questions of a compilation. */
export interface Dialogue {
  readonly open: readonly Question[];
  /** The assumptions for the open questions, by question id. */
  readonly assumed: ReadonlyMap<string, Answer>;
  /** Faults of answers that were asked for. */
  readonly diagnostics: readonly Diagnostic[];
}

export function dialogueOf(decisions: readonly Decision[]): Dialogue {
  const open = decisions.filter(({ by }) => by === 'assumption').map(({ inquiry }) => inquiry);
  return {
    open: open.map(({ question }) => question),
    assumed: new Map(open.map(({ question, assumed }) => [question.id, assumed])),
    diagnostics: decisions.flatMap(({ fault }) => fault ?? []),
  };
}

/** Answers to questions that were not asked. */
export function findStaleAnswers({ answers }: Settled, decisions: readonly Decision[]) {
  const asked = new Set(decisions.map(({ inquiry }) => inquiry.question.id));
  const stale = Object.keys(answers.answers ?? {}).filter((id) => !asked.has(id));
  return stale.map((id) => finding('api/stale-answer', pointer('answers', id), { question: id }));
}

/** Variables that the caller supplies: secrets that headers name, and those left to the caller. */
export function listSupplied(decisions: readonly Decision[]): string[] {
  return decisions.flatMap((decision) => suppliedBy(decision) ?? []);
}

/** Reports the variables that a human left to the caller; an assumption is not reported. */
export function reportSupplied(decisions: readonly Decision[]): Diagnostic[] {
  return decisions.flatMap((decision) => {
    const variable = suppliedBy(decision);
    if (variable === null || decision.by !== 'answer') return [];
    const [at = '', ...related] = decision.inquiry.question.at;
    return [diagnose('lower/supplied-by-caller', at, { variable }, { related })];
  });
}

function suppliedBy({ inquiry: { question, subject }, choice, value }: Decision): string | null {
  if (question.kind === 'missing-auth' && choice === 'header') return textIn(value, 'secret');
  const isLeft = question.kind === 'undefined-variable' && choice === 'caller';
  return isLeft && subject.of === 'variable' ? subject.name : null;
}

/** The request node with this id, else the first with this name. */
export function findRequest({ nodes }: Pick<Workflow, 'nodes'>, tool: string) {
  const requests = nodes.filter((node) => node.request !== null);
  return requests.find(({ id }) => id === tool) ?? requests.find(({ name }) => name === tool);
}

function setsAll({ request }: WorkflowNode, variables: readonly string[]): boolean {
  return variables.every((name) => request?.responses.some((it) => it.name === name));
}

/** Proposes the one reachable request whose response sets all the variables. */
export function proposeTool(
  { workflow, order }: FlowGraph,
  variables: readonly string[],
): Answer | null {
  const nodes = variables.length === 0 ? [] : order.map((index) => workflow.nodes[index]!);
  const [setter, ...others] = nodes.filter((it) => setsAll(it, variables));
  if (setter === undefined || others.length > 0) return null;
  return { choice: 'tool', value: { tool: setter.id } };
}

/** What is wrong with the tool that an answer names; a name of no request is one to be provided. */
export function problemOfTool(
  { workflow, rank }: FlowGraph,
  variables: readonly string[],
  value: Json,
): string | null {
  const node = findRequest(workflow, textIn(value, 'tool'));
  if (node === undefined) {
    const unfit = variables.find((name) => !isAliasKey(name));
    if (unfit === undefined) return null;
    const form = 'a letter, then at most 39 letters, digits and underscores';
    return `a tool can only set a variable whose name is ${form}, unlike ${JSON.stringify(unfit)}`;
  }
  const id = JSON.stringify(node.id);
  if (rank[node.index] === -1) return `no call can reach the request ${id}`;
  if (setsAll(node, variables)) return null;
  return `the response of the request ${id} does not set ${variables.join(', ')}`;
}

/** A member of an answer's value that is an object. */
export function textIn(value: Json, key: string): string {
  return String((value as JsonObject)[key]);
}

function finding<C extends Code>(code: C, at: JsonPointer, args: ArgsOf<C>): Diagnostic {
  return diagnose(code, at, args, { in: 'answers' });
}

/** What answers change in the grouping. */
export function listRegroupings(decisions: readonly Decision[]): Regrouping[] {
  return decisions.flatMap(({ regrouping }) => regrouping ?? []);
}

/** Warns about global nodes that one answer joins with stages from which another keeps them apart. */
export function warnAboutReturns(
  { nodes }: Workflow,
  returns: StageFacts['returns'],
  decisions: readonly Decision[],
): Diagnostic[] {
  const joined = new Set(listRegroupings(decisions).map((it) => it.joined));
  return returns.flatMap(({ global, to }) => {
    if (!joined.has(global)) return [];
    const { id, at } = nodes[global]!;
    const related = to.map((it) => nodes[it]!.at);
    const args = { node: id, stages: to.map((it) => nodes[it]!.id) };
    return [diagnose('flow/kept-apart', at, args, { related })];
  });
}
