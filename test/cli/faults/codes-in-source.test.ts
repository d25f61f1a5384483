/** Whatever in the source looks like a code is one that `squadc explain` knows. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { explainFault, faultCodes } from '../../../src/cli/faults/explain-fault.js';
import { codes, explain } from '../../../src/diagnostics/explain.js';

/** What has the form of a code and is another thing. */
const others: Readonly<Record<string, string>> = {
  'application/json': 'a media type',
  'application/octet-stream': 'a media type',
  'application/pdf': 'a media type',
  'multipart/form-data': 'a media type',
  'i/n': 'a value of --shard',
  'function/parameters': 'the end of a pointer into a tool',
  'model/temperature': 'a setting of the model',
  'squadc/bills': 'an entry of the package',
  'squadc/documents': 'an entry of the package',
  'squadc/testing': 'an entry of the package',
  'squadc/tools': 'an entry of the package',
};

/** Codes that are put together, and where it is held that all of them are known. */
const made: Readonly<Record<string, string>> = {
  'api/': 'test/cli/faults/explain-fault.test.ts',
  'api/webhook-': 'by the next test',
  'extraction/': 'the type of the table: each is a code of a finding',
  'journal/': 'the type of the table',
  'platform/': 'the type of the table',
  'push/': 'the type of the table',
};

/** Without the tables themselves. */
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?<!\.generated(?:\.d)?)\.ts$/.test(file) && !/^cli.faults/.test(file))
  .map((file) => readFileSync(join('src', file), 'utf8'));

/** What the groups of all matches in the source caught. */
function caught(pattern: RegExp): string[] {
  const all = sources.flatMap((text) =>
    [...text.matchAll(pattern)].map(([, group]) => group ?? ''),
  );
  return [...new Set(all)].sort();
}

describe('the codes in the source', () => {
  const literals = caught(/["'`]([a-z]+\/[a-z]+(?:-[a-z]+)*)(?=["'`]|: )/g);

  it('are known to explain, or are none', () => {
    const unknown = literals.filter((code) => !(explain(code) ?? explainFault(code)));
    expect(unknown).toEqual(Object.keys(others).sort());
  });

  it('are put together where all of them are known', () => {
    const areas = new Set([...codes(), ...faultCodes].map((code) => code.split('/')[0]));
    const pattern = new RegExp(`(?<![\\w./])((?:${[...areas].join('|')})/[a-z-]*)\\$\\{`, 'g');
    expect(caught(pattern)).toEqual(Object.keys(made).sort());
  });

  it('are those of webhooks', () => {
    const reasons = caught(/untrusted\('([a-z-]+)'\)/g);
    expect(reasons).toHaveLength(5);
    for (const reason of reasons) expect(faultCodes).toContain(`api/webhook-${reason}`);
  });

  it('are all that is in the tables', () => {
    const words = new Set(caught(/'([a-z-]+)'/g));
    const unused = faultCodes.filter((code) => {
      const name = code.split('/')[1] ?? '';
      return !literals.includes(code) && !words.has(name.replace(/^webhook-/, ''));
    });
    expect(unused).toEqual([]);
  });
});
