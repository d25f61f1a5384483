/** The table says what a checker does, whatever that is. */
import { describe, expect, it } from 'vitest';
import { drawTrials, squadMutants, tryMutants } from '../../../src/testing/index.js';
import { seed } from '../../seed.js';

const trials = [...drawTrials(3, seed)];
const known = new Set<unknown>(trials.map(({ squad }) => squad));
const items = [1, 2].map((item) => ({ item, title: '', evidence: [], holds: item !== 2 }));

describe('drawTrials', () => {
  it('gives squads of both shapes, the same ones every time', () => {
    expect([...drawTrials(3, seed)]).toEqual(trials);
    expect(new Set(trials.map(({ squad }) => Object.hasOwn(squad, 'squad'))).size).toBe(2);
  });
});

describe('tryMutants', () => {
  it('counts what refutes the mutants', () => {
    const { rows, survivors, refutedUnharmed } = tryMutants(
      trials,
      (_workflow, squad) => ({
        holds: known.has(squad),
        checklist: known.has(squad) ? [] : items,
        counterexamples: [],
      }),
      1,
    );
    expect(rows.map(({ name }) => name)).toEqual(squadMutants.map(({ name }) => name));
    expect(rows.every(({ made, refuted }) => made === refuted)).toBe(true);
    expect(rows[0]?.caughtBy).toEqual({ 2: rows[0]?.made });
    expect([survivors, refutedUnharmed]).toEqual([[], []]);
  });

  it('names the survivors, and the operators that found nothing', () => {
    const credulous = { holds: true, checklist: [], counterexamples: [] };
    const { rows, survivors, idle } = tryMutants(trials.slice(0, 1), () => credulous, 1);
    expect(survivors.length).toBe(rows.reduce((sum, { made }) => sum + made, 0));
    expect(survivors[0]).toMatchObject({ name: rows[0]?.name, label: trials[0]?.label });
    expect(idle).toContain('guard-dropped');
  });

  it('does not count a checker that throws, or that refutes everything', () => {
    const throwing = tryMutants(
      trials,
      (_workflow, squad) => {
        if (known.has(squad)) return { holds: true, checklist: [], counterexamples: [] };
        throw new TypeError('lost');
      },
      1,
    );
    expect(throwing.survivors[0]?.fault).toBe('TypeError: lost');
    expect(throwing.rows.every(({ refuted }) => refuted === 0)).toBe(true);
    const strict = { holds: false, checklist: items, counterexamples: [] };
    const refuting = tryMutants(trials, () => strict, 1);
    expect(refuting.refutedUnharmed).toEqual(trials.map(({ label }) => label));
    expect(refuting.idle).toHaveLength(squadMutants.length);
  });
});
