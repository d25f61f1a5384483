/** Squads with tools in the platform's own words: whatever damage is done, the verifier finds it. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compile, type JsonObject, verify } from '../../../src/index.js';
import { mutantsOf } from '../../../src/testing/mutants/squad-mutants.js';

const cases = ['vapi-given-tools', 'vapi-tool-nodes'].flatMap((name) =>
  (['squad', 'vapi'] as const).map((target) => [name, target] as const),
);

describe.each(cases)('the squad of golden/%s for %s', (name, target) => {
  const workflow = JSON.parse(readFileSync(`golden/${name}/input.json`, 'utf8'));
  const options = { target, answers: { policies: { 'missing-auth': 'none' } } };

  it('passes, and none of its mutants does', () => {
    const output = compile(workflow, options).output as JsonObject;
    expect(verify(workflow, output, options).holds).toBe(true);
    const survivors = [...mutantsOf(output, workflow, 2)].filter(
      ({ squad }) => verify(workflow, squad, options).holds,
    );
    expect(survivors.map((it) => `${it.name} ${it.at} ${it.text}`)).toEqual([]);
  });
});
