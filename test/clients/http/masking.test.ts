/** No error repeats a secret that the service sent back, in whatever form it comes. */
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createBillsClient } from '../../../src/bills.js';
import { createDocumentsClient } from '../../../src/documents.js';
import { answer, failureOf, scripted } from '../harness.js';

const baseUrl = 'https://api.example.com';

/** The error of a call with these secrets, if the service answers with this text. */
async function errorWith(said: string, ...secrets: unknown[]) {
  const { fetch } = scripted(answer(400, { code: said, message: said, requestId: said }));
  const documents = createDocumentsClient({ baseUrl, apiKey: 'key-of-client', fetch });
  const named = Object.fromEntries(secrets.map((secret, index) => [`s${index}`, secret]));
  return failureOf(documents.workflowRuns.create({ secrets: named } as never));
}

/** What an error repeats of a text. */
async function shown(said: string, ...secrets: unknown[]) {
  const { serviceCode, requestId, serviceMessage, message } = await errorWith(said, ...secrets);
  expect([serviceCode, requestId]).toEqual([serviceMessage, serviceMessage]);
  expect(message).toContain(serviceMessage);
  return serviceMessage;
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
const base64url = (text: string) => Buffer.from(text).toString('base64url');
/** Encodes signs, and not only those that have to be. */
const percent = (text: string) =>
  text.toWellFormed().replace(/[^a-z\d]/giu, (sign) =>
    Buffer.from(sign)
      .toString('hex')
      .replace(/../g, (pair) => `%${pair}`),
  );

describe('a secret is masked', () => {
  it.each([
    ['a b/c', ['a b/c', 'a b%2Fc', 'a b%2fc', 'a+b%2Fc', 'a%20b/c', 'a%20b%2Fc', 'A+B/C']],
    ['x y&z=', ['x y&z=', 'x+y%26z=', 'x y%26z%3D', 'x%20y&z%3d']],
    ['50%/d 1', ['50%/d 1', '50%25/d 1', '50%%2Fd 1', '50%25%2Fd+1']],
    ['schlüssel/é', ['schlüssel/é', 'schlüssel%2Fé', encodeURIComponent('schlüssel/é')]],
    [
      'snow\u{2744}\u{1f600}/',
      ['snow\u{2744}\u{1f600}%2F', encodeURIComponent('snow\u{2744}\u{1f600}/')],
    ],
  ])('in part or whole encoded for an address: %j', async (secret, forms) => {
    for (const form of forms) {
      expect(await shown(`bad ${form} here`, secret)).toBe('bad [credential] here');
      expect(await shown(`q=${form}`, secret)).toBe('q=[credential]');
    }
  });

  it.each(['+/=', '/', '%%', '-_.~', '=+=+', '&"\''])(
    'if it has only signs, up to the last of them: %j',
    async (secret) => {
      const half = secret[0] + percent(secret.slice(1));
      for (const form of [secret, percent(secret), half, encodeURIComponent(secret)]) {
        for (const [before, after] of [
          ['bad ', ' x'],
          ['(', ')'],
          ['', ''],
          ['a', 'b'],
        ]) {
          const text = await shown(`${before}${form}${after}`, secret);
          const rest = text?.replaceAll('[credential]', '').replace(/[ ()a-z\d]/g, '');
          expect([form, rest]).toEqual([form, '']);
        }
      }
    },
  );

  it.each(['secret', 's3cr3t+', 'p\u00e4ss', 'a b/c', '\u00ff\u00fe\u00fd'])(
    'in Base64, alone or with what is before and after it: %j',
    async (secret) => {
      for (const before of ['', 'u:', 'us:', 'use:', 'user:']) {
        for (const after of ['', ':', ':1', ':12']) {
          const whole = `${before}${secret}${after}`;
          const forms = [base64(whole), base64(whole).replace(/=+$/, ''), base64url(whole)];
          for (const form of [...forms, ...forms.map(encodeURIComponent), ...forms.map(percent)]) {
            const text = (await shown(`Basic ${form} x`, secret)) ?? '';
            // What is left over may only show what was before it.
            const [left = '', ...rest] = text.replace('Basic ', '').split('[credential]');
            expect([form, rest]).toEqual([form, [' x']]);
            expect(left.length).toBeLessThanOrEqual(Math.ceil((before.length * 4) / 3));
          }
        }
      }
    },
  );

  it('even if it is short, part of another one, or a number', async () => {
    expect(await shown('k7 and azc=', 'k7')).toBe('[credential] and [credential]');
    expect(await shown('abc abcdef', 'abc', 'abcdef')).toBe('[credential] [credential]');
    expect(await shown('pin 4711', 4711)).toBe('pin [credential]');
  });

  it('if it is long: what follows an encoded one is left out', async () => {
    for (const secret of ['s3cret/'.repeat(2000), 'né'.repeat(300), `${'a b '.repeat(2000)}end`]) {
      expect(await shown(`bad ${secret} here`, secret)).toBe('bad [credential] here');
      const error = await errorWith(`bad ${encodeURIComponent(secret)}`, secret);
      expect(error.serviceMessage).toBe('bad [credential]');
      expect((await errorWith(`bad ${base64(secret)}`, secret)).serviceMessage).toBe(
        'bad [credential]',
      );
    }
  });

  it('whatever credential it is', async () => {
    const said = `no ${base64('user:S3CR/T')} ${percent('S3CR/T')} S3CR%2FT`;
    const script = scripted(answer(400, { isSuccess: false, responseText: said }));
    const token = answer(200, { access_token: 'S3CR/T' });
    const fetch = ((url: string, init: never) =>
      (/Token/.test(url) ? scripted(token) : script).fetch(url, init)) as typeof globalThis.fetch;
    for (const auth of [
      { apiKey: 'S3CR/T' },
      { bearer: 'S3CR/T' },
      { apiKey: 'Custom S3CR/T', header: 'authorization' },
      { clientId: 'id', clientSecret: 'S3CR/T' },
    ]) {
      const error = await failureOf(createBillsClient({ baseUrl, auth, fetch }).get(1));
      expect(inspect(error)).toContain('no dXNlcj');
      expect(inspect(error)).not.toMatch(/S3CR|UzNDU|M0NSL1|zQ1IvV/i);
    }
  });
});

describe('hostile texts', () => {
  it.each(['\ud800x', 'x\udc00', 'a\udc00\ud800b', 'a\ud83dz'])(
    'with half a character do not break masking: %j',
    async (half) => {
      expect(await shown(`no ${half} here`, half)).toBe('no [credential] here');
      expect(await shown(`no ${half.toWellFormed()} here`, half)).toBe('no [credential] here');
      expect(await shown(`no ${percent(half)} here`, half)).toBe('no [credential] here');
      expect(await shown(`no ${half}`, 'other')).toContain('no ');
      expect(await shown('no', half)).toBe('no');
    },
  );

  it('that are no texts, and secrets that are none, do not break it', async () => {
    const odd = [null, true, {}, [], '', 0];
    expect(await shown('no', ...odd)).toBe('no');
    for (const said of odd) {
      const { serviceMessage = '' } = await errorWith(said as never, 'secret');
      expect(serviceMessage).toBe(said === 0 ? '0' : '');
    }
  });

  /** The time in the processor, in microseconds, for a text of this length. */
  async function cpuOf(piece: string, secret: string, length: number): Promise<number> {
    const start = process.cpuUsage();
    const said = { isSuccess: false, responseText: piece.repeat(length / piece.length) };
    const { fetch } = scripted(answer(200, said));
    const auth = { clientId: 'id', clientSecret: secret };
    const all = ((url: string, init: never) =>
      /Token/.test(url)
        ? scripted(answer(200, { access_token: 't0ken' })).fetch(url, init)
        : fetch(url, init)) as typeof globalThis.fetch;
    const error = await failureOf(createBillsClient({ baseUrl, auth, fetch: all }).get(1));
    expect(error.serviceMessage?.length).toBeLessThanOrEqual(1000);
    return process.cpuUsage(start).user;
  }

  it.each([
    ['a', `${'a'.repeat(199)}b`],
    ['/', `${'/'.repeat(40)}b`],
    ['%25', `${'%'.repeat(60)}b`],
    ['%', `${'%a'.repeat(90)}b`],
    ['/ ', '/'],
    ['k ', 'k'],
    ['c2Vj', 'secret'],
    ['s3cret ', 's3cret'],
  ])('that are ten times as long take about ten times as long: %j against %j', async (...both) => {
    await cpuOf(...both, 10_000);
    const short = await cpuOf(...both, 100_000);
    // Too short a time says nothing.
    expect(await cpuOf(...both, 1_000_000)).toBeLessThan(40 * Math.max(short, 20_000));
  });
});
