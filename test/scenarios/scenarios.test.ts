/**
 * What comes out for two workflows, file by file; UPDATE_GOLDENS=1 writes the files anew.
 *
 * An expectation is a claim that the output is right: read the difference before it is committed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { toMarkdown } from '../../src/scenarios/markdown.js';
import { toSimulationScenario } from '../../src/scenarios/simulation.js';
import { compareFiles, wantsUpdate, writeFiles } from '../golden/compare.js';
import { planned } from './planned.js';
import { findTypeErrors } from './type-check.js';

const folders = {
  'worked-pattern': 'golden/worked-pattern',
  delivery: 'test/scenarios/delivery',
} as const;

function filesOf(folder: string): Map<string, string> {
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const options = existsSync(join(folder, 'options.json')) ? read('options.json') : {};
  const plan = planned(read('input.json'), options)!;
  const scenarios = plan.scripts.map((each) => toSimulationScenario(each, plan.scripts.length));
  return new Map([
    ['scenarios.json', `${JSON.stringify(scenarios, null, 2)}\n`],
    ['scenarios.md', toMarkdown(plan)],
  ]);
}

describe.each(Object.entries(folders))('the test calls for %s', (name, folder) => {
  it('are what is expected', () => {
    const files = filesOf(folder);
    const expected = join('test/scenarios/expected', name);
    if (wantsUpdate(process.env)) writeFiles(expected, files);
    compareFiles(expected, files);
  });
});

describe('the types of the platform', () => {
  const programOf = (type: string, body: unknown) =>
    `import type { Vapi } from '@vapi-ai/server-sdk';\n` +
    `export const body: Vapi.${type} = ${JSON.stringify(body)};\n`;
  let errors: ReadonlyMap<string, string[]>;
  beforeAll(() => {
    const scenarios = Object.values(folders).flatMap((folder): object[] =>
      JSON.parse(filesOf(folder).get('scenarios.json')!),
    );
    const run = {
      simulations: scenarios.map((scenario) => ({ type: 'simulation', scenario })),
      target: { type: 'squad', squadId: 'b83d4a17' },
    };
    const programs = scenarios.map(
      (scenario, at) => [`${at}`, programOf('CreateScenarioDto', scenario)] as const,
    );
    errors = findTypeErrors(
      new Map([
        ...programs,
        ['a run', programOf('CreateSimulationRunDto', run)],
        ['a misspelt key', programOf('CreateScenarioDto', { ...scenarios[0], toolMock: [] })],
      ]),
    );
  }, 60_000);

  it('take every scenario, and a run of them', () => {
    expect([...errors.keys()]).toEqual(['a misspelt key']);
  });

  it('refuse what is not theirs', () => {
    expect(errors.get('a misspelt key')?.join()).toContain('toolMock');
  });
});
