/**
 * Which variables a handoff has to demand as arguments of its tool, and which it carries by a plan.
 *
 * The option `pass` says it for all of them, an answer for a critical one. The platform takes the
 * argument `destination` for the way to go: a variable of that name can only be in a plan.
 */
import type { Decision } from '../compiler/ir/inquiry.js';
import type { Settled } from '../compiler/ir/options.js';

export type IsDemanded = (variable: string) => boolean;

export function readDemand({ pass }: Settled, critical: readonly Decision[]): IsDemanded {
  if (pass === 'arguments') return canBeDemanded;
  const names = critical.flatMap(({ choice, inquiry: { subject } }) =>
    choice === 'argument' && subject.of === 'variable' ? [subject.name] : [],
  );
  const wanted = new Set(names);
  return (variable) => wanted.has(variable);
}

export function canBeDemanded(variable: string): boolean {
  return variable !== 'destination';
}

/** Whether a critical variable leaves anything to ask: how it crosses, or what the tool is. */
export function isAskedAbout(variable: string, { pass, answers }: Settled): boolean {
  if (pass !== 'arguments' || !canBeDemanded(variable)) return true;
  const given = Object.entries(answers.answers ?? {});
  return given.some(
    ([id, { choice }]) => id === `critical-variable:${variable}` && choice === 'tool',
  );
}
