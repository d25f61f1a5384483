/** The small parts: Retry-After, path segments, queries, addresses, file names. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/adapters/http/api-error.js';
import { parseBaseUrl } from '../../../src/adapters/http/base-address.js';
import { fileNameOf } from '../../../src/adapters/http/file-answer.js';
import { waitOf } from '../../../src/adapters/http/headers.js';
import type { Operation } from '../../../src/adapters/http/operation.js';
import { pathOf } from '../../../src/adapters/http/path-segments.js';
import { queryOf } from '../../../src/adapters/http/query.js';

describe('Retry-After', () => {
  const now = Date.parse('2026-03-01T10:00:00Z');
  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 7 ', 7000],
    ['Sun, 01 Mar 2026 10:00:30 GMT', 30_000],
    ['Sun, 01 Mar 2026 09:00:00 GMT', 0],
    ['9999999999', 9_999_999_999_000],
  ])('%j is %d ms', (text, expected) =>
    expect(waitOf({ 'retry-after': text }, now)).toBe(expected),
  );
  it.each(['', '-1', '1.5', '1e3', '0x10', 'soon', '2026-03-01', 'Sun, nonsense', '1, 2'])(
    '%j says nothing',
    (text) => expect(waitOf({ 'retry-after': text }, now)).toBeUndefined(),
  );
});

const get: Operation = {
  id: 'bills.file',
  method: 'GET',
  path: '/Bill/file/{idBill}/{filename}',
  integers: ['idBill'],
  repeat: 'always',
};

describe('path segments', () => {
  it('go in path order, each one segment, encoded', () => {
    expect(pathOf(get, [17, 'a b/c?d#e%2F.pdf'])).toBe('/Bill/file/17/a%20b%2Fc%3Fd%23e%252F.pdf');
    expect(pathOf({ ...get, path: '/Query' }, undefined)).toBe('/Query');
  });
  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '17', true, null, undefined])(
    'an integer is not %s',
    (value) => expect(() => pathOf(get, [value, 'x'])).toThrow(/api\/invalid-argument \(idBill\)/),
  );
  it.each(['', '.', '..', 'a\0', 'a\n', '\u007f', '\u0085', '\u2028', '\ud800', 17, {}, null])(
    'a text is not %j',
    (value) => expect(() => pathOf(get, [1, value])).toThrow(/api\/invalid-argument \(filename\)/),
  );
  it('there are as many as the path has', () => {
    for (const given of [[], [1], [1, 'x', 'y'], undefined]) {
      expect(() => pathOf(get, given)).toThrow(ApiError);
    }
  });
  it('never changes the number of segments, and decodes to what was given', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
        let path: string;
        try {
          path = pathOf(get, [1, text]);
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
          return;
        }
        const segments = new URL(path, 'https://h').pathname.split('/');
        expect(segments).toHaveLength(5);
        expect(decodeURIComponent(segments[4] ?? '')).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('queries', () => {
  it('keep the order, leave out what is absent, repeat lists', () => {
    const query = { 'status(eq)': 2, 'x(in)': 'a|b', a: null, b: undefined, c: false, d: ['1', 2] };
    expect(queryOf('op', query)).toBe('?status(eq)=2&x(in)=a%7Cb&c=false&d=1&d=2');
    expect(queryOf('op', undefined)).toBe('');
    expect(queryOf('op', { a: undefined, b: [] })).toBe('');
  });
  it('encode everything that means something', () => {
    expect(queryOf('op', { 'a&b=': 'c&d=e#f+g' })).toBe('?a%26b%3D=c%26d%3De%23f%2Bg');
  });
  it.each([Number.NaN, Number.POSITIVE_INFINITY, {}, () => 1, Symbol('s'), 1n, '\ud800', [[1]]])(
    'refuse %s',
    (value) => {
      expect(() => queryOf('op', { name: value as never })).toThrow(/invalid-argument \(name\)/);
    },
  );
  it('see own names only', () => {
    expect(queryOf('op', Object.create({ inherited: 1 }))).toBe('');
  });
});

describe('base addresses', () => {
  it.each([
    ['https://api.example.com/api/', 'https://api.example.com', '/api'],
    ['https://api.example.com', 'https://api.example.com', ''],
    ['http://localhost:8080/x//', 'http://localhost:8080', '/x'],
    ['http://127.0.0.1:1', 'http://127.0.0.1:1', ''],
    ['http://127.9.9.9', 'http://127.9.9.9', ''],
    ['http://[::1]:9/', 'http://[::1]:9', ''],
  ])('%s', (text, origin, path) => expect(parseBaseUrl(text)).toEqual({ origin, path }));
  it.each([
    'http://api.example.com',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
    'http://[::2]',
    'http://0.0.0.0',
    'ftp://localhost',
    'file:///etc',
    'https://user:pass@host',
    'https://user@host',
    'https://host/?a=1',
    'https://host/#a',
    'host',
    '',
    undefined,
    {},
  ])('refuses %s', (text) => {
    expect(() => parseBaseUrl(text as string)).toThrow(/api\/invalid-option \(baseUrl\)/);
  });
});

describe('names of files', () => {
  it.each([
    ['attachment; filename="a b.pdf"', 'a b.pdf'],
    ['attachment; filename=a.csv', 'a.csv'],
    ['attachment; filename="x"; filename*=UTF-8\'\'na%C3%AFve.pdf', 'naïve.pdf'],
    ['attachment; FileName="a\\"b.pdf"', 'a"b.pdf'],
    ['attachment; filename="../../etc/passwd"', 'passwd'],
    ['attachment; filename="C:\\\\temp\\\\x.pdf"', 'x.pdf'],
    ["attachment; filename*=UTF-8''%2e%2e%2fx", 'x'],
    ["attachment; filename=y; filename*=UTF-8''%ff", 'y'],
    ['attachment; filename=".."', undefined],
    ['attachment; filename="a\u0000b"', undefined],
    ['attachment; filename="/"', undefined],
    ['attachment', undefined],
    ['', undefined],
  ])('%j', (header, expected) => expect(fileNameOf(header)).toBe(expected));
});
