/** How a checker fares against the mutants: what it refutes, by which item, and what it lets pass. */
import type { JsonPointer } from '../../compiler/ir/ids.js';
import type { Verification, VerifyOptions } from '../../compiler/ir/verification.js';
import type { SquadMutant } from './mutant.js';
import { mutantsOf, squadMutants } from './squad-mutants.js';
import type { Trial } from './trials.js';

/** `verify`, or another program that does the same. */
export type Checker = (
  workflow: unknown,
  squad: unknown,
  options: VerifyOptions,
) => Pick<Verification, 'holds' | 'checklist' | 'counterexamples'>;

export interface MutantRow extends Pick<SquadMutant, 'name' | 'item'> {
  readonly made: number;
  readonly refuted: number;
  /**
   * How many each item of the checklist refuted; `walk` counts those that no item does, but a call
   * that shows a difference.
   */
  readonly caughtBy: Readonly<Record<string, number>>;
}

/** A mutant that was not refuted, or on which the checker threw. */
export interface Survivor {
  readonly name: string;
  readonly label: string;
  readonly at: JsonPointer;
  readonly text: string;
  readonly fault?: string;
}

/** How the checker did: what it caught, and what got past it. */
export interface MutantTable {
  readonly rows: readonly MutantRow[];
  readonly survivors: readonly Survivor[];
  /** Squads that were refuted as they were: they say nothing about their mutants. */
  readonly refutedUnharmed: readonly string[];
  /** Operators that found nothing to damage. */
  readonly idle: readonly string[];
}

/** At most so many mutants of each operator for each trial. */
export function tryMutants(
  trials: Iterable<Trial>,
  check: Checker,
  limitPerOperator: number,
): MutantTable {
  const tallies = new Map(squadMutants.map(({ name, item }) => [name, startTally(name, item)]));
  const survivors: Survivor[] = [];
  const refutedUnharmed: string[] = [];
  let turn = 0;
  for (const { label, workflow, options, squad } of trials) {
    turn += 1;
    if (!judge(check, workflow, squad, options).holds) {
      refutedUnharmed.push(label);
      continue;
    }
    for (const { name, at, text, squad: damaged } of mutantsOf(
      squad,
      workflow,
      limitPerOperator,
      turn,
    )) {
      const tally = tallies.get(name)!;
      const { holds, caughtBy, fault } = judge(check, workflow, damaged, options);
      tally.made += 1;
      if (!holds && fault === undefined) tally.refuted += 1;
      else survivors.push({ name, label, at, text, ...(fault === undefined ? {} : { fault }) });
      for (const by of caughtBy) tally.caughtBy[by] = (tally.caughtBy[by] ?? 0) + 1;
    }
  }
  const rows = [...tallies.values()];
  const idle = rows.filter(({ made }) => made === 0).map(({ name }) => name);
  return { rows, survivors, refutedUnharmed, idle };
}

interface Tally extends MutantRow {
  made: number;
  refuted: number;
  readonly caughtBy: Record<string, number>;
}

function startTally(name: string, item: SquadMutant['item']): Tally {
  return { name, item, made: 0, refuted: 0, caughtBy: {} };
}

interface Judgement {
  readonly holds: boolean;
  readonly caughtBy: readonly string[];
  readonly fault?: string;
}

/** A checker never throws; one that does has not refuted anything. */
function judge(check: Checker, ...[workflow, squad, options]: Parameters<Checker>): Judgement {
  try {
    const verification = check(workflow, squad, options);
    if (verification.holds) return { holds: true, caughtBy: [] };
    const items = verification.checklist.filter((it) => !it.holds);
    if (items.length > 0) return { holds: false, caughtBy: items.map(({ item }) => String(item)) };
    // The calls may be made up only when they are looked at, so they are looked at last.
    const shown = verification.counterexamples.length > 0;
    return { holds: false, caughtBy: [shown ? 'walk' : 'otherwise'] };
  } catch (fault) {
    return {
      holds: false,
      caughtBy: [],
      fault: fault instanceof Error ? `${fault.name}: ${fault.message}` : '',
    };
  }
}
