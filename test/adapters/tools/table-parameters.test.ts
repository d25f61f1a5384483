/** Nothing that an operation takes is forgotten, nothing is made up, and a caller says little of it. */
import { describe, expect, it } from 'vitest';
import { type BillsOperation, billsOperations } from '../../../src/adapters/bills/operations.js';
import { callArguments } from '../../../src/adapters/tools/table.js';
import type { ToolDefinition, ToolParameter } from '../../../src/adapters/tools/tool.js';
import { toolDefinitions } from '../../../src/tools.js';
import { exampleOf } from './examples.js';
import { faultsOfBody, formsAt, formsBelow, formsOfSide, type Part } from './service-schema.js';

const tools = Object.values(toolDefinitions);

/** What no tool can give, and why. */
const leftOut: Readonly<Record<string, string>> = {
  'bills.list filters': 'status and rawFilters say the same',
  'bills.listByOrg filters': 'status and rawFilters say the same',
  'bills.list format': 'a table of bills as a file cannot be said',
  'bills.listByOrg format': 'a table of bills as a file cannot be said',
  'bills.deleteAttachment returnObject': 'the whole bill is not to be said',
  'documents.parse responseType': 'the address of the text is not to be said',
  'documents.parseRuns.get responseType': 'the address of the text is not to be said',
  'documents.extract /file/text': 'a document is given by address or id',
  'documents.classify /file/text': 'a document is given by address or id',
  'documents.split /file/text': 'a document is given by address or id',
  'documents.parse /file/text': 'a document is given by address or id',
  'documents.extract /priority': 'of runs in the background',
  'documents.classify /priority': 'of runs in the background',
  'documents.split /priority': 'of runs in the background',
  'documents.parse /priority': 'of runs in the background',
  ...Object.fromEntries(
    ['workflow', 'file', 'outputs', 'priority', 'metadata', 'secrets'].map((name) => [
      `documents.workflowRuns.create /${name}`,
      'of the form that the specification does not have',
    ]),
  ),
};

const inBody = (tool: ToolDefinition) => tool.parameters.filter((each) => each.in === 'body');

/** Places of the body that no parameter reaches, below one that some reach. */
function unreached(tool: ToolDefinition, forms: readonly Part[], pointer: string): string[] {
  const places = inBody(tool).map(({ at }) => at);
  if (places.includes(pointer)) return [];
  if (pointer !== '' && !places.some((at) => at?.startsWith(`${pointer}/`))) return [pointer];
  const keys = new Set(forms.flatMap(({ properties = {} }) => Object.keys(properties)));
  const entry = forms.some(({ items }) => items !== undefined) ? ['0'] : [];
  return [...keys, ...entry].flatMap((key) =>
    unreached(tool, formsBelow(tool, forms, key), `${pointer}/${key}`),
  );
}

describe('the parameters of a tool', () => {
  const known = tools.flatMap((tool) => {
    const names = formsOfSide(tool, 'parameters').flatMap(({ properties = {} }) =>
      Object.keys(properties),
    );
    return [...new Set(names)].map((name) => `${tool.operation} ${name}`);
  });
  const given = tools.flatMap((tool) =>
    tool.parameters
      .filter((each) => each.in !== 'body' && each.at === undefined)
      .map(({ name }) => `${tool.operation} ${name}`),
  );
  const reachable = tools.flatMap((tool) =>
    unreached(tool, formsOfSide(tool, 'request'), '').map((at) => `${tool.operation} ${at}`),
  );

  it('are all that the operations take beside a body, and no more', () => {
    const reasons = Object.keys(leftOut).filter((each) => !each.includes(' /'));
    expect([...given, ...reasons].sort()).toEqual([...known].sort());
  });

  it('reach all of the bodies but what is left out for a reason', () => {
    expect(reachable.sort()).toEqual(
      Object.keys(leftOut)
        .filter((each) => each.includes(' /'))
        .sort(),
    );
  });

  it.each(tools)('$operation: stand where the operation has them', (tool) => {
    const inPath = [...tool.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const placed = tool.parameters.filter((each) => each.in === 'path');
    expect(placed.map(({ name }) => name).sort()).toEqual([...inPath].sort());
    expect(placed.every(({ required }) => required)).toBe(true);
    for (const { at } of inBody(tool)) {
      expect(at, 'a pointer without escapes').toMatch(/^(?:\/\w+)*$/);
      expect(formsAt(tool, 'request', at ?? '?').length, at).toBeGreaterThan(0);
    }
  });

  it.each(tools)('$operation: have names of their own, legal ones', ({ parameters }) => {
    const names = parameters.map(({ name }) => name);
    for (const name of names) expect(name).toMatch(/^[a-z][A-Za-z0-9]{1,39}$/);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => name in {})).toEqual([]);
  });

  it.each(tools)('$operation: give way only to what is bound', ({ parameters }) => {
    for (const { unless } of parameters) {
      if (unless === undefined) continue;
      const other = parameters.find(({ name }) => name === unless);
      expect(other, unless).toMatchObject({ from: 'binding', required: false });
    }
  });
});

describe('what a caller may say', () => {
  const never = [
    ...['entry', 'orgId', 'users', 'email', 'autocreateUser', 'idempotencyKey'],
    ...['fromRecord', 'limitRecord', 'rawFilters', 'filters', 'sortBy', 'returnObject'],
    ...['extractorId', 'classifierId', 'splitterId', 'workflowId', 'version', 'config'],
    ...['overrideConfig', 'metadata', 'dataRetention', 'fileId', 'fileSettings'],
    ...['comments', 'billItems', 'attachments', 'mode', 'frequency', 'terms', 'accountingField1'],
  ];
  const said = (wanted: (each: ToolParameter) => boolean) =>
    tools.flatMap(({ parameters }) => parameters.filter(wanted)).map(({ name }) => name);

  it('is never what an account, its people or its settings are', () => {
    expect(said(({ from }) => from === 'caller').filter((name) => never.includes(name))).toEqual(
      [],
    );
    expect(new Set(said(({ from }) => from === 'binding'))).toEqual(
      new Set([...never.filter((name) => name !== 'filters'), 'status', 'vendorNumber']),
    );
  });

  it('is a status to look for, but not one to set, and a vendor for a new bill only', () => {
    const from = (operation: string, wanted: string) =>
      toolDefinitions[operation]?.parameters.find(({ name }) => name === wanted)?.from;
    expect(from('bills.list', 'status')).toBe('caller');
    expect(from('bills.create', 'status')).toBe('binding');
    expect(from('bills.update', 'status')).toBe('binding');
    expect(from('bills.create', 'vendorNumber')).toBe('caller');
    expect(from('bills.update', 'vendorNumber')).toBe('binding');
  });
});

describe('a body', () => {
  const fixedBody = (tool: ToolDefinition) => (inBody(tool).length === 0 ? [] : [tool]);
  const chosen = (tool: ToolDefinition, wanted: (each: ToolParameter) => boolean) =>
    Object.fromEntries(
      tool.parameters.filter(wanted).map(({ name }) => [name, exampleOf(tool, name)]),
    );
  const bodyOf = (tool: ToolDefinition, values: Readonly<Record<string, unknown>>) =>
    callArguments(tool, values).at(tool.path.match(/\{/g)?.length ?? 0);

  it('is there where the operation has one', () => {
    const withBody = tools.flatMap(fixedBody).map(({ operation }) => operation);
    const expected = tools
      .filter((tool) => formsOfSide(tool, 'request').length > 0)
      .map(({ operation }) => operation);
    expect(withBody).toEqual(expected);
  });

  it.each(tools.flatMap(fixedBody))('$operation: is valid by the service’s schema', (tool) => {
    const optional = tool.parameters.filter(({ required }) => !required);
    const selections = [
      (each: ToolParameter) => each.required,
      () => true,
      ...optional.map(
        (one) => (each: ToolParameter) =>
          each === one || (each.required && each.unless !== one.name),
      ),
    ];
    for (const selection of selections) {
      const values = chosen(tool, selection);
      expect(faultsOfBody(tool, bodyOf(tool, values)), JSON.stringify(values)).toEqual([]);
    }
  });

  it.each(tools.flatMap(fixedBody))(
    '$operation: lacks something where a required value is missing',
    (tool) => {
      const needed = inBody(tool).filter(({ required }) => required);
      // The service tells no required fields of a bill; those of the table are the assistant's.
      if (tool.operation.startsWith('bills.')) return;
      for (const one of needed) {
        const values = chosen(tool, (each) => each.required && each !== one);
        expect(faultsOfBody(tool, bodyOf(tool, values)), one.name).not.toEqual([]);
      }
    },
  );
});

describe('keys', () => {
  it('are bindings of the operations that have one', () => {
    for (const { id, key } of Object.values<BillsOperation>(billsOperations)) {
      const header = toolDefinitions[id]?.parameters.find((each) => each.in === 'header');
      expect(header?.name, id).toBe(key);
      if (header) expect(header).toMatchObject({ from: 'binding', required: false });
    }
  });
});
