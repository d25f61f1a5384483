import { describe, expect, it } from 'vitest';
import { matchOperation } from '../../../../src/compiler/1-read/tools/match-operation.js';
import type { Request } from '../../../../src/compiler/ir/workflow.js';

function find(method: string, url: string) {
  const origin = { kind: 'source', at: '' } as const;
  const parts = { url: { value: url, origin }, method: { value: method, origin } };
  return matchOperation(parts as unknown as Request);
}

function match(method: string, url: string) {
  const found = find(method, url);
  if (found === null) return null;
  return [found.definition.operation, found.base, Object.fromEntries(found.values)];
}

describe('a request', () => {
  const base = 'https://pay.example.com/api';

  it.each<[string, string, string, string, object]>([
    ['GET', `${base}/Bill/{{bill}}`, 'bills.get', base, { idBill: '{{bill}}' }],
    ['GET', `${base}/Bill/{{ bill | url_encode }}`, 'bills.get', base, { idBill: '{{bill}}' }],
    ['GET', `${base}/Bill/17`, 'bills.get', base, { idBill: 17 }],
    ['GET', `${base}/Bill/17#/Bill/18`, 'bills.get', base, { idBill: 17 }],
    ['DELETE', '{{base}}/Bill/17', 'bills.delete', '{{base}}', { idBill: 17 }],
    [
      'GET',
      `${base}/Query/bills/{{ a/b }}?limitRecord=5&x=1#top`,
      'bills.list',
      base,
      { entry: '{{ a/b }}', limitRecord: 5 },
    ],
    ['GET', `${base}/Query/bills/m?status(eq)=2`, 'bills.list', base, { entry: 'm', status: '2' }],
    ['GET', `${base}/Query/bills/org/4`, 'bills.listByOrg', base, { orgId: 4 }],
    ['GET', `${base}/Query/bills/a%2Fb`, 'bills.list', base, { entry: 'a/b' }],
    [
      'GET',
      `${base}/Bill/attachedFileFromBill/17/a.pdf?returnObject=true`,
      'bills.getAttachment',
      base,
      { idBill: 17, filename: 'a.pdf' },
    ],
    [
      'GET',
      `${base}/Bill/approval/17/true?email=x`,
      'bills.setApproved',
      base,
      { idBill: 17, approved: true, email: 'x' },
    ],
  ])('%s %s is %s', (method, url, operation, before, values) => {
    expect(match(method, url)).toEqual([operation, before, values]);
  });

  it.each([
    ['PATCH', `${base}/Bill/17`],
    ['GET', `${base}/Bill/`],
    ['GET', `${base}/Bill/many`],
    ['GET', `${base}/bill/17`],
    ['GET', `${base}/Bill/17/lines`],
    ['GET', 'https://Bill/17'],
    ['GET', 'Bill/17'],
    ['GET', '/17'],
    ['GET', ''],
    ['GET', `https://x.example.com/${'{{'.repeat(990)}`],
    ['GET', `${base}/Bill/17?x=${'1'.repeat(3000)}`],
  ])('%s %s is no operation', (method, url) => {
    expect(match(method, url)).toBeNull();
  });
});

describe('the query of a request', () => {
  const leftOut = (url: string) => find('GET', url)?.leftOut.map(({ field, why }) => [field, why]);

  it.each(['?', '?&&', '?limitRecord=5&status(eq)=1', '?sortBy='])(
    'that is %s says nothing that is left out, but what is empty',
    (query) => {
      const empty = query === '?sortBy=' ? [['sortBy', 'it must be of type object']] : [];
      expect(leftOut(`https://x.example.com/Query/bills/main${query}`)).toEqual(empty);
    },
  );

  it('counts where it says something for the first time', () => {
    const url = 'https://x.example.com/Query/bills/main?limitRecord=5&limitRecord=6&limitRecord=x';
    expect(leftOut(url)).toEqual([
      ['limitRecord', 'the request says it twice'],
      ['limitRecord', 'it must be of type integer'],
    ]);
    expect(find('GET', url)?.values.get('limitRecord')).toBe(5);
  });

  it('may say what goes out in any case, and nothing else of it', () => {
    const url = 'https://x.example.com/Bill/attachedFileFromBill/17/a.pdf?returnObject=';
    expect(leftOut(`${url}true`)).toEqual([]);
    expect(leftOut(`${url}false`)).toEqual([['returnObject', 'it must be one of true']]);
  });
});
