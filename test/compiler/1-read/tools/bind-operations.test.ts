import { describe, expect, it } from 'vitest';
import type { CompileOptions, CompileResult } from '../../../../src/index.js';
import { bound, compileCall } from './rent-office.js';

function answering(value: object): CompileOptions {
  const answer = { choice: 'operation', value: value as never };
  return { answers: { answers: { 'missing-endpoint:call': answer } } };
}

function messageOf({ diagnostics }: CompileResult, code: string): string | undefined {
  return diagnostics.find((it) => it.code === code)?.message;
}

describe('an answer that names an operation', () => {
  const fault = (value: object) => messageOf(compileCall({}, answering(value)), 'api/answer-value');

  it.each([
    ['bills.fetch', '“bills.get” was probably meant'],
    ['bill.get', '“bills.get” was probably meant'],
    ['Bills.Get', '“bills.get” was probably meant'],
  ])('and does not know %s is told the nearest, and where all are listed', (operation, meant) => {
    expect(fault({ operation })).toContain(
      `there is no operation “${operation}”; ${meant}; \`squadc tools list\` shows all.`,
    );
  });

  it.each([
    ['a name of objects', 'constructor'],
    ['a word', 'zzzzzzzzzzzz'],
    ['nothing', ''],
    ['half a name', 'documents'],
    ['a long one', 'x'.repeat(5000)],
  ])('and is near to none is told where all are listed: %s', (_, operation) => {
    expect(fault({ operation })).toMatch(
      /there is no operation “.{0,60}”; `squadc tools list` shows all\.$/,
    );
  });

  it.each<[object, string]>([
    [{ idBill: 'many' }, '“idBill” cannot be bound: it must be of type integer'],
    [{ colour: 1 }, '“colour” cannot be bound: bills.get has no parameter of this name'],
    [{ limitRecord: 5 }, 'bills.get has no parameter of this name'],
    [{ entry: '{{bill}}' }, 'whose bill it may be is not for a variable to say'],
    [{ entry: '{% if bill %}a{% endif %}' }, 'whose bill it may be is not for a variable to say'],
    [{ idBill: '{{' }, 'a template in it cannot be read'],
  ])('says what speaks against %j', (bind, problem) => {
    expect(fault({ operation: 'bills.get', bind })).toContain(problem);
  });

  it('may fix nothing, the account, and what a variable gives', () => {
    for (const bind of [{ idBill: null }, { idBill: '{{bill}}', entry: 'main', orgId: 5 }]) {
      expect(fault({ operation: 'bills.get', bind })).toBeUndefined();
    }
  });
});

describe('a binding', () => {
  it('that knows no such operation is told the same', () => {
    const { diagnostics } = compileCall({}, bound('bills.fetch'));
    const found = diagnostics.find(({ code }) => code === 'tools/unknown-operation');
    expect(found).toMatchObject({
      message: 'There is no operation “bills.fetch”; “bills.get” was probably meant.',
      help: 'Take one of those that `squadc tools list` shows.',
      at: '/bindings/call/operation',
      in: 'options',
    });
  });

  it.each<[string, object, string]>([
    ['bills.getAttachment', { returnObject: true }, 'it is the same with every call'],
    ['bills.create', { idempotencyKey: 'k' }, 'a new one is made for each call'],
    ['bills.create', { idempotencyKey: null }, 'a new one is made for each call'],
    ['documents.extract', { entry: 'main' }, 'documents.extract has no parameter of this name'],
  ])('of %s cannot fix %j', (operation, bind, problem) => {
    const message = messageOf(compileCall({}, bound(operation, bind)), 'tools/bad-value');
    expect(message).toContain(problem);
  });

  it('of a node that sends no request says which one was meant', () => {
    const bindings = { cal: { operation: 'bills.get' }, desk: { operation: 'bills.get' } };
    const { diagnostics } = compileCall({}, { bindings });
    const found = diagnostics.filter(({ code }) => code === 'tools/unknown-node');
    expect(found.map(({ at, message }) => [at, message])).toEqual([
      ['/bindings/cal', 'No request node has the id “cal”; “call” was probably meant.'],
      ['/bindings/desk', 'No request node has the id “desk”.'],
    ]);
  });
});
