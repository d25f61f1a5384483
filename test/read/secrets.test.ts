import { describe, expect, it } from 'vitest';
import { maskSecrets, redact } from '../../src/compiler/ir/secrets.js';

const hide = (document: unknown) => redact(document, new Set());
const secret = 'sk-live-0123456789';

describe('a literal secret', () => {
  it.each<[form: string, document: unknown, hidden: unknown]>([
    ['a member', { apiKey: secret }, { apiKey: '••••' }],
    ['a header by its name', { Authorization: secret }, { Authorization: '••••' }],
    ['a pair', { key: 'X-Token', value: secret }, { key: 'X-Token', value: '••••' }],
    ['a named pair', { name: 'X-Token', value: secret }, { name: 'X-Token', value: '••••' }],
    ['all below a member', { auth: { a: [{ b: secret }] } }, { auth: { a: [{ b: '••••' }] } }],
    [
      'the default of a schema',
      { token: { type: 'string', default: secret } },
      { token: { type: 'string', default: '••••' } },
    ],
  ])('is hidden in the form of %s', (_, document, hidden) => {
    expect(hide(document)).toEqual(hidden);
  });

  it('is hidden wherever else it stands, where it is long enough to be recognized', () => {
    expect(hide([{ apiKey: secret }, `say ${secret} never`])).toEqual([
      { apiKey: '••••' },
      'say •••• never',
    ]);
    expect(hide([{ apiKey: 'short' }, 'in short'])).toEqual([{ apiKey: '••••' }, 'in short']);
  });

  it('is none where it is a template, or a member of what was named', () => {
    expect(hide({ apiKey: '{{api_key}}' })).toEqual({ apiKey: '{{api_key}}' });
    const names = { secret: 'desk_key' };
    expect(redact({ names }, new Set([names]))).toEqual({ names });
  });

  it('keeps its place in a document with awkward names', () => {
    const document = JSON.parse(`{"__proto__": {"apiKey": "${secret}"}}`);
    expect(JSON.stringify(hide(document))).toBe('{"__proto__":{"apiKey":"••••"}}');
  });
});

describe('a value that is also the name of something', () => {
  it.each(['id', 'name', 'type', 'from', 'to', 'source', 'target'])(
    'is hidden only where it stands: %s',
    (member) => {
      const document = [{ [member]: 'appointment' }, { token: 'appointment' }, 'an appointment'];
      expect(hide(document)).toEqual([
        { [member]: 'appointment' },
        { token: '••••' },
        'an appointment',
      ]);
    },
  );

  it('is a secret where the name itself is one', () => {
    const document = [{ auth: { id: secret } }, `not ${secret}`];
    expect(hide(document)).toEqual([{ auth: { id: '••••' } }, 'not ••••']);
  });
});

it('takes no words that a transcriber listens for, and no keypad, for secrets', () => {
  const document = {
    transcriber: { keywords: ['appointment'], keyterm: ['dentist'], keytermsPrompt: ['cleaning'] },
    keypadInputPlan: { delimiters: ['hash-sign'] },
  };
  expect(maskSecrets(document, new Set())).toMatchObject({ masked: document, secrets: [] });
});

it('gives the very same object where there is nothing to hide', () => {
  const document = { nodes: [{ id: 'a' }] };
  expect(hide(document)).toBe(document);
});
