/**
 * No damage passes: `verify` refutes what the operators make of generated and golden squads.
 *
 * `npm run mutants` does it for 500 generated squads and prints what was made of them.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { verify } from '../../src/index.js';
import { runs, seed } from '../seed.js';
import { type Outcome, tryMutants } from './mutants.js';
import { drawTrials, goldenTrials, type Trial } from './trials.js';

function* trials(): Iterable<Trial> {
  yield* goldenTrials();
  yield* drawTrials(runs(30), seed);
}

describe('verify', () => {
  let outcome: Outcome;
  beforeAll(() => {
    outcome = tryMutants(trials(), verify);
    if (runs(30) < 500) return;
    console.table(
      [...outcome.rows].map(([mutant, { made, refuted, failing }]) => {
        const items = Object.entries(failing).map(([item, times]) => `${item}: ${times}`);
        return { mutant, made, refuted, 'failing items': items.join(', ') };
      }),
    );
  }, 300_000);

  it('holds for the squads as they are', () => expect(outcome.refutedUnharmed).toEqual([]));

  it('refutes every mutant', () => {
    expect(outcome.survivors.map(({ name, label, at }) => `${name}: ${at} of ${label}`)).toEqual(
      [],
    );
  });

  it('fails the item that is expected, where one is', () => {
    const others = [...outcome.rows].filter(([, row]) => row.asExpected < row.refuted);
    expect(others.map(([name]) => name)).toEqual([]);
  });
});
