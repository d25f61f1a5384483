/** All operators, and how a checker fares against what they make of squads. */
import type { Verification, VerifyOptions } from '../../src/index.js';
import { inventionOperators } from './inventions.js';
import { fieldOperators, type Mutation, type Operator } from './operators.js';
import { viewOf } from './parts.js';
import { promptOperators } from './prompts.js';
import type { Trial } from './trials.js';
import { writtenOperators } from './written.js';

export const operators: readonly Operator[] = [
  ...fieldOperators,
  ...inventionOperators,
  ...promptOperators,
  ...writtenOperators,
];

/** A damaged squad, and the operator that made it. */
export type Mutant = Mutation & Operator;

/** How far ahead mutants are looked for, so that those which are taken lie apart. */
const reach = 12;

/** What each operator makes of each kind of part: one of the first, and `turn` says which. */
function* mutantsOf(trial: Trial, turn = 0): Iterable<Mutant> {
  const view = viewOf(trial);
  for (const operator of operators) {
    const found = new Map<string, Mutation[]>();
    for (const mutation of operator.mutate(view)) {
      const list = found.get(mutation.kind) ?? [];
      found.set(mutation.kind, list);
      if (list.length < reach) list.push(mutation);
    }
    for (const [kind, list] of found) {
      const name = `${kind} ${operator.name}`.trim();
      yield { ...operator, ...list[turn % list.length]!, name };
    }
  }
}

/** `verify`, or another program that does the same. */
export type Checker = (
  workflow: unknown,
  squad: unknown,
  options: VerifyOptions,
) => Pick<Verification, 'holds' | 'checklist'>;

interface Row {
  made: number;
  refuted: number;
  asExpected: number;
  /** How often each item of the checklist failed. */
  readonly failing: Record<string, number>;
}

export interface Outcome {
  /** By operator: how many were made, and how many of them refuted, and by the expected item. */
  readonly rows: ReadonlyMap<string, Row>;
  /** The operators that found something to damage. */
  readonly tried: ReadonlySet<unknown>;
  /** Mutants that hold, with the place that was damaged. */
  readonly survivors: readonly {
    name: string;
    label: string;
    at: string;
    mutant: Mutant;
    trial: Trial;
  }[];
  /** Squads that are refuted as they are: they say nothing about their mutants. */
  readonly refutedUnharmed: readonly string[];
}

export function tryMutants(trials: Iterable<Trial>, check: Checker): Outcome {
  const rows = new Map<string, Row>();
  const tried = new Set<unknown>();
  const survivors: Outcome['survivors'][number][] = [];
  const refutedUnharmed: string[] = [];
  let turn = 0;
  for (const trial of trials) {
    turn += 1;
    const { label, workflow, options, squad } = trial;
    if (!check(workflow, squad, options).holds) {
      refutedUnharmed.push(label);
      continue;
    }
    for (const mutant of mutantsOf(trial, turn)) {
      const row = rows.get(mutant.name) ?? {
        made: 0,
        refuted: 0,
        asExpected: 0,
        failing: {},
      };
      rows.set(mutant.name, row);
      tried.add(mutant.mutate);
      const { holds, checklist } = check(workflow, mutant.squad, options);
      const failing = checklist.filter((each) => !each.holds).map(({ item }) => item);
      row.made += 1;
      for (const item of failing) row.failing[item] = (row.failing[item] ?? 0) + 1;
      if (holds) survivors.push({ name: mutant.name, label, at: mutant.at, mutant, trial });
      else row.refuted += 1;
      if (!holds && (mutant.item === null || failing.some((item) => item === mutant.item)))
        row.asExpected += 1;
    }
  }
  return { rows, tried, survivors, refutedUnharmed };
}
