import { it } from 'vitest';
import { drawTrials, mutantsOf } from '../../src/testing/index.js';
import * as t from '../../src/testing/index.js';
import { tryMutants } from '../../src/testing/mutants/try-mutants.js';
import { verify } from '../../src/verify/verify.js';
import { seed } from '../seed.js';
it('mutants', () => {
  const table = tryMutants(drawTrials(60, seed), verify as any, 2);
  for (const r of table.rows) if (r.made !== r.refuted) console.log(r.name, r.made, r.refuted, JSON.stringify(r.caughtBy));
  console.log(JSON.stringify(table.refutedUnharmed), table.idle, table.survivors.slice(0,20));
  console.log(table.rows.filter(r => r.caughtBy).map(r => r.name + ' ' + r.item + ' ' + JSON.stringify(r.caughtBy)).join('\n'));
}, 300000);
