import { describe, expect, it } from 'vitest';
import type { CompileOptions } from '../../src/compiler/ir/options.js';
import type { LedgerEntry } from '../../src/compiler/ir/result.js';
import type { Migration } from './migration.js';
import { checkGrouping } from './checks.js';
import {
  clinic,
  edge,
  faultsOf,
  migrate,
  request,
  talk,
  valueAt,
  withElement,
} from './migration.js';

const input = migrate(clinic);

/** The input with a member more, which has taken the node from its owner. */
function takeOut(from: Migration, node: number): Migration {
  const count = (valueAt(from.document, '/squad/members') as unknown[]).length;
  const element = { assistant: { name: `new ${node}`, model: { messages: [] } } };
  const ledger = from.ledger.map(
    (entry): LedgerEntry =>
      entry.kind === 'node' && entry.at === `/nodes/${node}`
        ? { ...entry, outputs: [`/squad/members/${count}`] }
        : entry,
  );
  return { ...withElement(from, '/squad/members', element), ledger };
}

describe('item 2', () => {
  it('holds where every handoff has a reason', () => {
    const item = checkGrouping(input);
    expect(faultsOf(item)).toEqual([]);
    expect(item.waivedBy).toBeUndefined();
    expect(item.evidence.map(({ text }) => text)).toContain(
      '“greeting” hands off to “billing”: it can also hand off elsewhere.',
    );
  });

  it('fails where a chain is cut', () => {
    expect(faultsOf(checkGrouping(takeOut(input, 1)))).toEqual([
      '“greeting” hands off to “new 1” and nothing keeps them apart; they could be one.',
    ]);
  });

  it('fails where a cycle is cut', () => {
    const cycle = migrate(
      {
        name: 'C',
        nodes: [talk('a'), talk('b'), talk('c')],
        edges: ['a>b', 'b>c: x', 'c>b: y'].map(edge),
      },
      { answers: { policies: { 'cyclic-stages': 'consolidate' } } },
    );
    expect(checkGrouping(cycle).holds).toBe(true);
    expect(faultsOf(checkGrouping(takeOut(cycle, 2)))).toContain(
      '“a” and “new 2” hand off to each other in a circle.',
    );
  });

  it('fails where an assistant does not talk', () => {
    expect(faultsOf(checkGrouping(takeOut(input, 4)))).toContain(
      'No conversation or gather node belongs to “new 4”.',
    );
  });

  it('says which pairs hand off to and fro because of a global node', () => {
    const item = checkGrouping(
      migrate({ ...clinic, edges: [...clinic.edges, edge('operator>scheduling: wants a time')] }),
    );
    expect(item.holds).toBe(true);
    expect(item.evidence.map(({ text }) => text)).toContain(
      '“scheduling” and “operator” hand off to and fro, because a global node leads to “operator” from anywhere.',
    );
  });

  it('takes the way through a global tool for a way through a global node', () => {
    const item = checkGrouping(
      migrate({
        name: 'G',
        nodes: [
          talk('a'),
          request('search', { isGlobal: true, condition: 'looks for something' }),
          talk('b'),
          talk('c'),
        ],
        edges: ['search>b: one', 'search>c: two'].map(edge),
      }),
    );
    expect(faultsOf(item)).toEqual([]);
    expect(item.evidence.map(({ text }) => text)).toContain(
      '“c” and “b” hand off to and fro, because a global node leads to “b” from anywhere.',
    );
  });
});

describe('item 2, kept apart by an answer', () => {
  const workflow = {
    name: 'K',
    nodes: [talk('a'), talk('b'), talk('c'), talk('d'), talk('first')],
    edges: ['first>a', 'a>b', 'b>c: x', 'c>b: y', 'c>d: z'].map(edge),
  };
  const options: CompileOptions = { answers: { policies: { 'cyclic-stages': 'keep-split' } } };
  const waivers = [{ item: 2, question: 'cyclic-stages:b' }];

  it('is waived, and says so', () => {
    const item = checkGrouping(migrate(workflow, options, waivers));
    expect(item).toMatchObject({ holds: true, waivedBy: 'cyclic-stages:b' });
    expect(faultsOf(item)).toContain(
      '“b” and “c” hand off to each other in a circle, as an answer wants it.',
    );
  });

  it('fails without the answer, and where the answer is about another item', () => {
    expect(checkGrouping(migrate(workflow, options)).holds).toBe(false);
    const other = [{ item: 3, question: 'cyclic-stages:b' }];
    expect(checkGrouping(migrate(workflow, options, other)).holds).toBe(false);
  });

  it('does not excuse a chain that no answer is about', () => {
    const item = checkGrouping(takeOut(migrate(workflow, options, waivers), 0));
    expect(faultsOf(item)).toContain(
      '“first” hands off to “new 0” and nothing keeps them apart; they could be one.',
    );
    expect(item.holds).toBe(false);
    expect(item.waivedBy).toBeUndefined();
  });
});

describe('item 2, boundary tools', () => {
  const workflow = {
    name: 'B',
    nodes: [talk('a'), talk('b'), talk('c'), request('one'), request('two')],
    edges: ['a>one: w', 'one>b', 'a>c: z', 'c>two', 'a>b: y'].map(edge),
  };

  it('wants different tools for a second way out', () => {
    const item = checkGrouping(migrate(workflow, { boundary: 'tools' }));
    expect(faultsOf(item)).toEqual([]);
    expect(item.evidence.map(({ text }) => text)).toContain(
      '“a” hands off to “c”: their tools differ.',
    );
  });

  it('fails where the squad is that of the other boundary', () => {
    const plain = { ...workflow, edges: ['a>b: w', 'a>c: z', 'c>two', 'b>one'].map(edge) };
    const branch = migrate(plain);
    expect(checkGrouping(branch).holds).toBe(true);
    const options = { ...branch.options, boundary: 'tools' as const };
    expect(checkGrouping({ ...branch, options }).holds).toBe(false);
  });
});
