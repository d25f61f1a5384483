import { describe, expect, it } from 'vitest';
import type { CompileOptions, CompileResult } from '../../../../src/index.js';
import { bound, callAt, compileCall, direct, saidOf, toolsOf } from './rent-office.js';

const url = 'https://pay.example.com/api/Bill/17';
const listUrl = 'https://pay.example.com/api/Query/bills/main';

function messagesOf({ diagnostics }: CompileResult, code: string): string[] {
  return diagnostics.filter((it) => it.code === code).map(({ message }) => message);
}

describe('headers of a request', () => {
  const secret = 's3cr3t-value';
  const headers = { requestToken: secret, 'X-Shop': '{{bill}}' };
  const schema = {
    type: 'object',
    properties: { 'X-Shop': { type: 'string', value: secret }, requestToken: { type: 'string' } },
  };

  it.each([
    ['plain', headers],
    ['of a schema', schema],
  ])('that are %s are named where a server answers, and never their values', (_, given) => {
    const request = { url, method: 'GET', headers: given };
    const result = compileCall(request, bound('bills.get'));
    expect(messagesOf(result, 'tools/headers-left-out')).toEqual([
      '“X-Shop” and “requestToken” of “call” are left out: the server that answers bills.get ' +
        'sends headers of its own.',
    ]);
    expect(saidOf(result)).toContain(`tools/headers-left-out ${callAt}/headers`);
    const { diagnostics, output, ledger, questions } = result;
    expect(JSON.stringify([diagnostics, output, ledger, questions])).not.toContain(secret);
  });

  it('are sent where the platform calls the service itself', () => {
    const result = compileCall({ url, method: 'GET', headers }, bound('bills.get', {}, direct));
    expect(saidOf(result)).toEqual([]);
    expect(toolsOf(result)).toContainEqual(expect.objectContaining({ headers }));
  });

  it('are nothing to speak of where there are none', () => {
    const result = compileCall({ url, method: 'GET', headers: {} }, bound('bills.get'));
    expect(saidOf(result)).toEqual([]);
  });
});

describe('the account that a human names', () => {
  it('is not used where the platform calls the service itself', () => {
    const options = bound('bills.get', { entry: 'main', orgId: 5, idBill: 17 }, direct);
    const result = compileCall({}, options);
    expect(saidOf(result)).toEqual([`tools/account-unchecked ${callAt}`]);
    expect(messagesOf(result, 'tools/account-unchecked')).toEqual([
      '“entry” and “orgId” of “call” are not used: the platform calls bills.get itself, and ' +
        'nobody checks whose bill it is.',
    ]);
  });

  it('is used where it is a part of the address, or where a server answers', () => {
    const listing = compileCall({}, bound('bills.list', { entry: 'main' }, direct));
    expect(saidOf(listing)).toEqual([]);
    expect(toolsOf(listing)).toContainEqual(expect.objectContaining({ url: listUrl }));
    const served = compileCall({}, bound('bills.get', { entry: 'main', idBill: 17 }));
    expect(saidOf(served)).toEqual([]);
    expect(served.toolBindings?.['call']?.bind).toEqual({ entry: 'main', idBill: 17 });
  });
});

describe('an address that cannot be written', () => {
  const mixed = '1{{bill}}';

  it.each<[string, object, CompileOptions]>([
    ['a value that is bound', {}, bound('bills.get', { idBill: mixed }, direct)],
    ['a tag', {}, bound('bills.get', { idBill: '{% if bill %}1{% endif %}' }, direct)],
    [
      'a value of the source',
      { url: url.replace('17', mixed), method: 'GET' },
      bound('bills.get', {}, direct),
    ],
    [
      'a value of the source that stands in the body',
      { url: 'https://pay.example.com/old', method: 'GET', body: { idBill: mixed } },
      bound('bills.get', {}, direct),
    ],
    [
      'a condition',
      {},
      bound('bills.list', { entry: 'main', rawFilters: { 'a(eq)': mixed } }, direct),
    ],
    [
      'an order',
      {},
      bound('bills.list', { entry: 'm', sortBy: { field: '{{bill}}', direction: 'asc' } }, direct),
    ],
  ])('needs a server for %s', (_, request, options) => {
    const result = compileCall(request, options);
    expect(result.status).toBe('invalid');
    expect(saidOf(result)).toContain(`tools/needs-server ${callAt}`);
  });

  it('is none where a human has fixed another value', () => {
    const request = { url: url.replace('17', mixed), method: 'GET' };
    const result = compileCall(request, bound('bills.get', { idBill: 17 }, direct));
    expect(toolsOf(result)).toContainEqual(expect.objectContaining({ url }));
    expect(saidOf(result)).toEqual([]);
  });

  it('is none where all of a condition is one variable', () => {
    const rawFilters = { 'a(eq)': '{{bill}}', 'b(gt)': 5 };
    const result = compileCall({}, bound('bills.list', { entry: 'main', rawFilters }, direct));
    expect(toolsOf(result)).toContainEqual(
      expect.objectContaining({
        url: `${listUrl}?a(eq)={{ bill | url_encode }}&b(gt)=5`,
      }),
    );
  });
});

describe('the binding that a known address suggests', () => {
  it('can be pasted, and is the same tool then', () => {
    const request = {
      url: `${listUrl}?limitRecord=5&status(eq)=1&colour=red`,
      method: 'GET',
      headers: { requestToken: '{{bill}}' },
    };
    const { diagnostics } = compileCall(request, {});
    const found = diagnostics.find(({ code }) => code === 'tools/known-operation');
    const bindings = JSON.parse(/^Put (.+) into `bindings`/.exec(found?.help ?? '')?.[1] ?? '{}');
    expect(bindings).toEqual({
      call: { operation: 'bills.list', bind: { limitRecord: 5, entry: 'main', status: '1' } },
    });
    const { output } = compileCall(request, { bindings });
    expect(output).toEqual(compileCall(request, bound('bills.list')).output);
  });
});
