/** No damage passes: `verify` refutes every mutant of the squads that generated workflows give. */
import { beforeAll, describe, expect, it } from 'vitest';
import { verify } from '../../src/index.js';
import { drawTrials, type MutantTable, squadMutants, tryMutants } from '../../src/testing/index.js';
import { runs, seed } from '../seed.js';

describe('verify', () => {
  let table: MutantTable;
  beforeAll(() => {
    table = tryMutants(drawTrials(runs(30), seed), verify, 1);
  }, 120_000);

  it('holds for the squads as they are', () => {
    expect(table.refutedUnharmed).toEqual([]);
  });

  it.each(squadMutants)('refutes $name', ({ name }) => {
    expect(table.survivors.filter((survivor) => survivor.name === name)).toEqual([]);
    expect(table.idle).not.toContain(name);
  });
});
