/**
 * Which variables cross as required arguments of the handoff tools, and which by the plans.
 *
 * In: the option `pass`, and the answers about critical variables. Out: for each variable which of
 * the two it is. An argument cannot be missing: the platform makes no handoff without it.
 */
import type { Decision } from '../ir/inquiry.js';
import type { Settled } from '../ir/options.js';
import type { Question } from '../ir/result.js';

/** Whether the variable of this name crosses as an argument. */
export type IsArgument = (variable: string) => boolean;

export function chooseArguments({ pass }: Settled, decisions: readonly Decision[]): IsArgument {
  if (pass === 'arguments') return canBeArgument;
  const demanded = new Set(decisions.flatMap(demandedBy));
  return (variable) => demanded.has(variable);
}

function demandedBy({ inquiry: { question, subject }, choice }: Decision): string[] {
  const isDemanded = question.kind === 'critical-variable' && choice === 'argument';
  return isDemanded && subject.of === 'variable' ? [subject.name] : [];
}

/** The platform reads an argument of this name as the way to go, and does not keep its value. */
export function canBeArgument(variable: string): boolean {
  return variable !== 'destination';
}

/**
 * Whether the options have settled how a critical variable crosses. What is an argument cannot be
 * missing, so there is nothing to ask; a human who wants a tool to set it all the same may say so.
 */
export function isSettled(variable: string, { id }: Question, options: Settled): boolean {
  if (options.pass === 'extraction' || !canBeArgument(variable)) return false;
  const { answers = {} } = options.answers;
  return !(Object.hasOwn(answers, id) && answers[id]?.choice === 'tool');
}
