import { describe, expect, it } from 'vitest';
import { checkEntry } from './checks.js';
import {
  clinic,
  edge,
  faultsOf,
  member,
  migrate,
  request,
  talk,
  valueAt,
  withValue,
} from './migration.js';

const input = migrate(clinic);

describe('item 1', () => {
  it('holds where the first member is the start, and says by what', () => {
    const item = checkEntry(input);
    expect(item).toMatchObject({ item: 1, holds: true });
    expect(item.evidence.map(({ text }) => text)).toEqual([
      'The call starts at “greeting”, which the first member, “greeting”, owns.',
      'The first member holds the instructions of the start, “greeting”.',
      'The first member holds the first message of the start, “greeting”.',
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
      'The first member does not hold the instructions of the start, “greeting”.',
      'The first member does not hold the first message of the start, “greeting”.',
    ]);
  });

  it('fails where the ledger gives the start to another member', () => {
    const ledger = input.ledger.map((entry) =>
      entry.at === '/nodes/0' ? { ...entry, outputs: [member(input, 'billing')] } : entry,
    );
    expect(checkEntry({ ...input, ledger }).holds).toBe(false);
  });

  it('fails where the squad has no members', () => {
    expect(checkEntry({ ...input, document: {} }).holds).toBe(false);
  });

  it('knows a start that is a tool by the tool', () => {
    const tool = migrate({
      name: 'T',
      nodes: [request('open'), talk('a'), talk('b')],
      edges: ['open>a: x', 'open>b: y'].map(edge),
    });
    expect(checkEntry(tool).holds).toBe(true);
    const url = '/squad/members/0/assistant/model/tools/0/url';
    expect(checkEntry(withValue(tool, url, 'https://example.com')).holds).toBe(false);
  });

  it('knows a start that says nothing by its name', () => {
    const silent = migrate({
      name: 'S',
      nodes: [{ id: 'hall', type: 'conversation' }, talk('a'), talk('b')],
      edges: ['hall>a: x', 'hall>b: y'].map(edge),
    });
    expect(checkEntry(silent).holds).toBe(true);
    const names = [0, 1].map((at) => `/squad/members/${at}/assistant/name`);
    const swapped = withValue(withValue(silent, names[0]!, 'a'), names[1]!, 'hall');
    expect(checkEntry(swapped).holds).toBe(false);
  });
});
