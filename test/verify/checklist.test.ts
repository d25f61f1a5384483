import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../src/compiler/ir/json.js';
import type { ChecklistItem } from '../../src/compiler/ir/result.js';
import { choosing, choosingFaithfully, settle } from '../../src/testing/answering.js';
import { workflowArbitrary } from '../../src/testing/workflows.js';
import { checkMigration } from '../../src/verify/checklist.js';
import { toItem } from '../../src/verify/item.js';
import { runs, seed } from '../seed.js';
import { checkItem } from './checks.js';
import {
  clinic,
  compareMigration,
  faultsOf,
  migrate,
  places,
  talk,
  without,
  withValue,
} from './migration.js';

const input = migrate(clinic);
const numbers = fc.array(fc.nat(99), { minLength: 1, maxLength: 8 });

function failing(items: readonly ChecklistItem[]): string[] {
  return items
    .filter(({ holds }) => !holds)
    .map((item) => `${item.item}: ${faultsOf(item).join(' ')}`);
}

describe('the checklist', () => {
  it('has nine items in order, each with a title and evidence', () => {
    const items = checkMigration(compareMigration(input));
    expect(items.map(({ item }) => item)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(failing(items)).toEqual([]);
    for (const { title, evidence } of items) {
      expect(title).toMatch(/^[A-Za-z]/);
      expect(evidence.length).toBeGreaterThan(0);
      for (const { text } of evidence) expect(text).toMatch(/^\S.+\.$/);
    }
  });

  it('points to places that are there', () => {
    const inSource = new Set(places(clinic as unknown as Json).map(({ at }) => at));
    const inSquad = new Set(places(input.document).map(({ at }) => at));
    for (const { source, output } of checkMigration(compareMigration(input)).flatMap(
      ({ evidence }) => evidence,
    )) {
      for (const at of source) expect(inSource).toContain(at);
      for (const at of output) expect(inSquad).toContain(at);
    }
  });

  it('leaves the input as it is, and is the same again', () => {
    const before = JSON.stringify(input);
    expect(checkMigration(compareMigration(input)).map(toItem)).toEqual(
      checkMigration(compareMigration(input)).map(toItem),
    );
    expect(JSON.stringify(input)).toBe(before);
  });

  it('fails an item exactly where its evidence does', () => {
    const all = places(input.document).slice(1);
    const property = fc.property(
      fc.nat(),
      fc.option(fc.jsonValue({ maxDepth: 1 })),
      (number, to) => {
        const { at } = all[number % all.length]!;
        const damaged = to === null ? without(input, at) : withValue(input, at, to as Json);
        for (const { item, holds, evidence } of checkMigration(compareMigration(damaged))) {
          expect([item, holds]).toEqual([item, evidence.every((it) => it.holds)]);
        }
      },
    );
    fc.assert(property, { seed, numRuns: runs(300) });
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7])('item %i + 1 survives any document', (at) => {
    const check = checkItem(at);
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.nat(), (value, number) => {
        const all = places(input.document).slice(1);
        const place = all[number % all.length]!.at;
        expect(check(withValue(input, place, value as Json)).evidence.length).toBeGreaterThan(0);
        const document: JsonObject = isJsonObject(value as Json) ? (value as JsonObject) : {};
        for (const each of [document, { squad: document }, { squad: { members: value as Json } }]) {
          expect(check({ ...input, document: each }).evidence.length).toBeGreaterThan(0);
        }
      }),
      { seed, numRuns: runs(150) },
    );
  });

  it('takes long chains, wide branches and deep documents', () => {
    const nodes = Array.from({ length: 2000 }, (_, index) => talk(`n${index}`));
    const chain = nodes.slice(1).map(({ id }, index) => ({ from: `n${index}`, to: id }));
    const tree = nodes
      .slice(1)
      .map(({ id }, index) => ({ from: `n${index >> 1}`, to: id, condition: id }));
    for (const edges of [chain, tree]) {
      expect(
        failing(checkMigration(compareMigration(migrate({ name: 'Big', nodes, edges })))),
      ).toEqual([]);
    }
    let deep: Json = 'workflowId';
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    expect(checkItem(8)({ ...input, document: { deep } }).holds).toBe(false);
  });
});

describe('the checklist and the compiler', () => {
  it('agree on every squad', () => {
    const property = fc.property(workflowArbitrary(), numbers, (workflow, choices) => {
      const { result } = settle(workflow, {}, choosingFaithfully(choices));
      expect(failing(result.checklist)).toEqual([]);
    });
    fc.assert(property, { seed, numRuns: runs(150) });
  });

  it('agree whatever is answered', () => {
    const property = fc.property(workflowArbitrary(), numbers, (workflow, choices) => {
      const { result } = settle(workflow, {}, choosing(choices));
      expect(failing(result.checklist)).toEqual([]);
    });
    fc.assert(property, { seed, numRuns: runs(75) });
  });

  it('agree about the boundary `tools` and separate handoff tools', () => {
    const property = fc.property(workflowArbitrary(), numbers, (workflow, choices) => {
      const options = { boundary: 'tools', handoffTools: 'separate' } as const;
      const { result } = settle(workflow, options, choosingFaithfully(choices));
      expect(failing(result.checklist)).toEqual([]);
    });
    fc.assert(property, { seed, numRuns: runs(150) });
  });
});

describe('a damaged squad', () => {
  /** Workflows that compile without a question, with their squads. */
  const migrations = workflowArbitrary({
    cycles: false,
    logical: false,
    gaps: false,
    dead: false,
  }).map((workflow) => {
    try {
      return migrate(workflow);
    } catch {
      return input;
    }
  });

  it.each([
    ['a handoff', 3, /\/destinations\/\d+\/assistantName$/, '/assistantName'],
    ['a carried variable', 4, /\/schema\/properties\/\w+$/, ''],
    ['a tool', 5, /\/tools\/\d+\/(?:url|destinations\/0\/(?:number|sipUri))$/, ''],
  ])('without %s fails item %i', (_what, number, pattern, end) => {
    let tried = 0;
    const property = fc.property(migrations, fc.nat(), (migration, choice) => {
      const found = places(migration.document).filter(({ at }) => pattern.test(at));
      if (found.length === 0) return;
      const { at } = found[choice % found.length]!;
      tried += 1;
      const damaged = without(migration, end === '' ? at : at.slice(0, -end.length));
      expect(checkItem(number - 1)(migration).holds).toBe(true);
      expect(checkItem(number - 1)(damaged).holds).toBe(false);
    });
    fc.assert(property, { seed, numRuns: runs(150) });
    expect(tried).toBeGreaterThan(10);
  });
});
