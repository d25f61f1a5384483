/** What may be said of an answer is in it, and nobody's words, address, account or secret is. */
import { describe, expect, it } from 'vitest';
import type { SaidAs } from '../../../src/adapters/tools/tool.js';
import { toolDefinitions } from '../../../src/tools.js';
import { formsAt, typesOf } from './service-schema.js';

const tools = Object.values(toolDefinitions);
const all = tools.flatMap((tool) => tool.sayable.map((each) => ({ tool, ...each })));

/** The types of JSON that each kind of value may have, and the keys that it may stand under. */
const expected: Readonly<Record<SaidAs, readonly [types: readonly string[], key: RegExp]>> = {
  count: [['array', 'integer'], /^(?:total\w+|[a-z]\w+|BillItems)$/],
  number: [['integer', 'number'], /^(?:startPage|endPage)$/],
  amount: [['number'], /^(?:NetAmount|TotalAmount|totalAmount|totalamount[a-z]+)$/],
  date: [['string'], /^(?:Bill|Due|End)Date$/],
  flag: [['boolean'], /./],
  status: [['integer', 'string'], /^(?:Status|status|failureReason)$/],
  // Of a deleted file the whole bill can come in the place of its number; it is not said then.
  identifier: [['integer', 'object', 'string'], /^(?:IdBill|responseData|id|type)$/],
  sign: [['string'], /^(?:BillNumber|ftype)$/],
};

/** Keys of free text, of people, of accounts, of addresses and of secrets, on the way or at its end. */
const never =
  /comment|descri|reason(?!$)|message|note|text|content|value|metadata|name|title|e?mail|phone|address|city|zip|user|vendor|contact|entry|org|account|bank|routing|ein$|url|link|token|secret|key|password|config|terms|source|event|additional|custom|extra|ref(?!\/)/i;

describe('every sayable value', () => {
  it.each(all)('$tool.operation $name: is in the answer, as a $as', ({ tool, at, as }) => {
    const [types, key] = expected[as];
    const found = typesOf(formsAt(tool, 'response', at));
    expect(found).not.toEqual([]);
    expect(found.filter((type) => !types.includes(type))).toEqual([]);
    expect(at.split('/').at(-1)).toMatch(key);
  });

  it.each(all)('$tool.operation $name: is neither anybody’s words nor anybody’s own', ({ at }) => {
    expect(at).not.toMatch(never);
  });

  it('has a name of its own, which can be a variable', () => {
    for (const { operation, sayable } of tools) {
      const names = sayable.map(({ name }) => name);
      expect(new Set(names).size, operation).toBe(names.length);
      for (const name of names) expect(name).toMatch(/^[a-z][A-Za-z0-9]*$/);
      expect(names.filter((name) => name in {})).toEqual([]);
    }
  });
});

describe('the test of keys', () => {
  it.each([
    ...['/responseData/Comments', '/responseData/Vendor/Name1', '/responseData/PaypointEntryname'],
    ...['/responseData/BillItems/*/itemDescription', '/responseData/billApprovals/*/email'],
    ...['/responseData/DocumentsRef/filelist/*/zipName', '/furl', '/fContent', '/filename'],
    ...['/output/value', '/output/chunks/*/content', '/failureMessage', '/responseText'],
    ...['/responseData/Vendor/BillingData/accountNumber', '/responseData/Terms', '/config'],
  ])('refuses %s', (at) => expect(at).toMatch(never));
});

describe('of every answer', () => {
  it('something can be said', () => {
    for (const { operation, sayable } of tools)
      expect(sayable.length, operation).toBeGreaterThan(0);
  });

  it('the number of a bill and the id of a run go on to the next call', () => {
    for (const { operation, effect, sayable } of tools) {
      const names = sayable.map(({ name }) => name);
      if (operation.startsWith('documents.')) expect(names, operation).toContain('runId');
      else if (effect === 'changes') expect(names, operation).toContain('idBill');
    }
  });
});
