import { describe, expect, it } from 'vitest';
import { checkEntry } from './checks.js';
import { clinic, edge, faultsOf, migrate, request, talk, valueAt, withValue } from './migration.js';

const input = migrate(clinic);

describe('item 1', () => {
  it('holds where the first member is the start, and says so', () => {
    const item = checkEntry(input);
    expect(item).toMatchObject({ item: 1, holds: true });
    expect(item.evidence.map(({ text }) => text)).toEqual([
      'The call starts at “greeting”, which the first member, “greeting”, owns.',
    ]);
  });

  it('fails where two members have changed places', () => {
    const [first, second] = [0, 1].map((at) => valueAt(input.document, `/squad/members/${at}`)!);
    const swapped = withValue(
      withValue(input, '/squad/members/0', second!),
      '/squad/members/1',
      first!,
    );
    expect(faultsOf(checkEntry(swapped))).toEqual([
      'The first member does not own the start, “greeting”.',
    ]);
  });

  it('fails where the squad has no members', () => {
    expect(checkEntry({ ...input, document: {} }).holds).toBe(false);
  });

  it('holds for a start that is a tool, and for one that says nothing', () => {
    const edges = ['open>a: x', 'open>b: y'].map(edge);
    for (const open of [request('open'), { id: 'open', type: 'conversation' as const }]) {
      const nodes = [open, talk('a'), talk('b')];
      expect(checkEntry(migrate({ name: 'T', nodes, edges })).holds).toBe(true);
    }
  });
});
