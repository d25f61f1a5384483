/** Where variables are captured, read and carried. */
import { describe, expect, it } from 'vitest';
import { compile, type Json } from '../../../src/index.js';
import { viewSquad } from '../../../src/report/page/squad-view.js';
import { readsOf, variableRows } from '../../../src/report/page/variable-table.js';
import { readCase } from '../../golden/cases.js';

function rowsOf(name: string) {
  const golden = readCase(name)!;
  const { workflow } = golden.reading;
  const { output, ledger } = compile(workflow, golden.options);
  return variableRows(workflow as Json, ledger, viewSquad(output as Json));
}

describe('the table of variables', () => {
  it('names captures, reads and handoffs', () => {
    expect(rowsOf('worked-pattern')).toEqual([
      {
        name: 'full_name',
        captured: ['/nodes/1/extractVariables/0'],
        read: [
          '/squad/members/1/assistant/model/messages/0/content',
          '/squad/members/2/assistant/model/messages/0/content',
        ],
        carried: [
          '/squad/members/0/assistant/model/tools/0/destinations/0',
          '/squad/members/0/assistant/model/tools/0/destinations/1',
        ],
      },
      { name: 'purpose', captured: ['/nodes/1/extractVariables/1'], read: [], carried: [] },
    ]);
  });

  it('finds the names in every form of a capture', () => {
    const names = rowsOf('vapi-extraction-forms').map(({ name }) => name);
    expect(names).toEqual(['guests', 'mail', 'nights', 'breakfast', 'arrival']);
  });

  it('counts arguments of a handoff as carried, and not which destination it is', () => {
    const rows = rowsOf('pass-arguments');
    const carried = Object.fromEntries(rows.map((row) => [row.name, row.carried.length]));
    expect(carried).toEqual({ rider: 5, kind: 1, age: 1, destination: 1 });
  });
});

describe('reads of a text', () => {
  it('are the variables of its templates, not filters, members, texts or words of Liquid', () => {
    const text =
      '{{ a.b[0] | upcase }} {% if c == "d" and e contains f %}{% endif %} g {{ h-1 }} {{ "i" }}';
    expect([...readsOf(text)].sort()).toEqual(['a', 'c', 'e', 'f', 'h-1']);
  });
});
