/** What holds for all operators: on the goldens, on generated workflows, on squads of others. */
import { describe, expect, it } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../../src/compiler/ir/json.js';
import { compile } from '../../../src/index.js';
import { drawTrials, mutantsOf, squadMutants } from '../../../src/testing/index.js';
import { listFolders, readCase } from '../../golden/cases.js';
import { seed } from '../../seed.js';
import { shop, squadOf } from './example.js';

interface Case {
  readonly label: string;
  readonly workflow: unknown;
  readonly squad: JsonObject;
}

const goldens = listFolders().flatMap((name): Case[] => {
  const golden = readCase(name);
  if (golden === null) return [];
  const { output } = compile(golden.reading.workflow, golden.options);
  return output === null ? [] : [{ label: name, workflow: golden.reading.workflow, squad: output }];
});
const cases: readonly Case[] = [...goldens, ...drawTrials(100, seed)];

describe('squadMutants', () => {
  it('have names of their own, and say what they do', () => {
    const names = squadMutants.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z]+(?:-[a-z]+)*$/.test(name))).toEqual([]);
    expect(squadMutants.filter(({ what }) => !/^[A-Z].*\.$/.test(what))).toEqual([]);
    expect(names.length).toBeGreaterThan(45);
  });

  it('yield JSON that differs from the squad, and leave the squad as it is', () => {
    const yielded = new Set<string>();
    for (const { label, workflow, squad } of cases) {
      const [before, written] = [canonical(squad), JSON.stringify(squad)];
      freeze(squad);
      const source = JSON.stringify(workflow);
      for (const { name, squad: damaged, at } of mutantsOf(squad, workflow, 2)) {
        yielded.add(name);
        const text = canonical(damaged);
        if (text === before) expect.unreachable(`${name} changes nothing in ${label}, ${at}`);
        if (!isJson(damaged)) expect.unreachable(`${name} makes no JSON of ${label}, ${at}`);
      }
      expect(JSON.stringify(squad)).toBe(written);
      expect(JSON.stringify(workflow)).toBe(source);
    }
    const idle = squadMutants.filter(({ name }) => !yielded.has(name)).map(({ name }) => name);
    expect(idle).toEqual([]);
  });

  it.each([{}, { squad: null }, { members: 'none' }, { squad: { members: [null, {}, [], 3] } }])(
    'find their way in a document that is no squad: %j',
    (document) => {
      for (const { mutate } of squadMutants) expect([...mutate(document, null)]).toBeDefined();
    },
  );

  it('make nothing before it is asked for', () => {
    const unreadable = new Proxy({}, { get: () => expect.unreachable('read too early') });
    for (const { mutate } of squadMutants) mutate(unreadable, unreadable);
  });
});

describe('mutantsOf', () => {
  const squad = squadOf(shop);

  it('yields at most so many of each operator, and others in another turn', () => {
    const [first, second] = [0, 1].map((turn) => [...mutantsOf(squad, shop, 2, turn)]);
    const counts = squadMutants.map((each) => first!.filter(({ name }) => name === each.name));
    expect(Math.max(...counts.map((list) => list.length))).toBe(2);
    expect(second!.map(({ text }) => text)).not.toEqual(first!.map(({ text }) => text));
  });

  it('is deterministic', () => {
    expect([...mutantsOf(squad, shop, 3)]).toEqual([...mutantsOf(squad, shop, 3)]);
  });
});

/** The value as text with sorted keys, so that another order of keys is no difference. */
function canonical(value: Json): string {
  return JSON.stringify(value, (_key, part: Json) =>
    isJsonObject(part) ? Object.fromEntries(Object.entries(part).sort()) : part,
  );
}

/** Whether writing and reading gives the same, so that nothing in it is undefined or cyclic. */
function isJson(value: unknown): boolean {
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (next === undefined || typeof next === 'function') return false;
    if (typeof next === 'object' && next !== null) pending.push(...Object.values(next));
  }
  return true;
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
}
