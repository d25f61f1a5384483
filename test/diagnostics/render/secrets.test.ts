import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerpt } from '../../../src/diagnostics/render/excerpt.js';
import { isAuthLike, secretRanges } from '../../../src/diagnostics/render/secrets.js';
import { runs, seed } from '../../seed.js';

function hiddenIn(text: string, from = 0, to = text.length): string[] {
  return secretRanges(text, from, to).map(({ start, end }) => text.slice(start, end));
}

describe('secretRanges', () => {
  it.each(['Authorization', 'proxy-authorization', 'x-api-key', 'TOKEN', 'clientSecret', 'oauth'])(
    'takes %s for a key whose value is secret',
    (key) => {
      expect(isAuthLike(key)).toBe(true);
      expect(hiddenIn(`{ "${key}": "s", "url": "u" }`)).toEqual(['"s"']);
    },
  );

  it('leaves other keys alone', () => {
    expect(hiddenIn('{ "name": "token", "text": "my secret", "n": [1] }')).toEqual([]);
  });

  it('shows answers about authentication, and hides the secrets in them', () => {
    const answer = '{"choice":"header","value":{"header":"h","secret":"s"}}';
    expect(hiddenIn(`{"missing-auth:lookup":${answer}}`)).toEqual(['"s"']);
    expect(hiddenIn('{"missing-auth":"credential"}')).toEqual([]);
    expect(hiddenIn('{"missing-auth:lookup":"Bearer s"}')).toEqual(['"Bearer s"']);
    // One word may be the secret itself, in the place of a choice.
    expect(hiddenIn('{"missing-auth:lookup":"sesame"}')).toEqual(['"sesame"']);
    expect(hiddenIn('{"missing-auth":"sesame"}')).toEqual(['"sesame"']);
    expect(hiddenIn('{"missing-auth-x":{"a":"s"}}')).toEqual(['{"a":"s"}']);
  });

  it('hides numbers, and lists and objects as a whole', () => {
    expect(hiddenIn('{"token":123,"a":1}')).toEqual(['123']);
    expect(hiddenIn('{"token":{"v":["]}",{"w":"s"}]},"a":1}')).toEqual(['{"v":["]}",{"w":"s"}]}']);
    expect(hiddenIn('{"token":}')).toEqual(['']);
    expect(hiddenIn('{"token":{"secret":"s"}}')).toEqual(['{"secret":"s"}']);
  });

  it('reads keys that are written with escapes', () => {
    expect(hiddenIn('{"\\u0061uthorization":"s"}')).toEqual(['"s"']);
  });

  it('hides to the end what is not closed', () => {
    expect(hiddenIn('{"token":"abc')).toEqual(['"abc']);
    expect(hiddenIn('{"token":{"a":"abc')).toEqual(['{"a":"abc']);
  });

  it('finds the key on a line before', () => {
    const text = '{\n  "Authorization": {\n    "type": "string",\n    "value": "Bearer s"\n  }\n}';
    const from = text.indexOf('    "value"');
    expect(hiddenIn(text, from, from + 23).join('')).toContain('Bearer s');
    expect(excerpt({ text, line: 4, column: 14, length: 10 }).line).not.toContain('Bearer');
  });

  it('hides what it cannot place, far inside a line', () => {
    const text = `{"token":"${'s'.repeat(60_000)}","a":"open"}`;
    const shown = excerpt({ text, line: 1, column: 50_000, length: 1 });
    expect(shown.line).not.toContain('s');
    const end = excerpt({ text, line: 1, column: text.indexOf('open') + 1, length: 4 });
    expect(end.line).toContain('open');
  });

  it('never lets a secret into an excerpt of well-formed JSON', () => {
    const secret = fc.string({ unit: 'grapheme', maxLength: 30 }).map((it) => `S3CR3T${it}S3CR3T`);
    const key = fc.constantFrom('Authorization', 'x-api-key', 'token', 'clientSecret');
    const leaf = fc.oneof(fc.string(), fc.integer(), fc.dictionary(key, secret, { maxKeys: 2 }));
    const document = fc.dictionary(fc.string(), fc.array(leaf, { maxLength: 4 }), { maxKeys: 5 });
    fc.assert(
      fc.property(
        document,
        fc.constantFrom(0, 2),
        fc.nat(30),
        fc.nat(200),
        (it, indent, line, column) => {
          const text = JSON.stringify(it, null, indent);
          const shown = excerpt({ text, line: line + 1, column: column + 1, length: 5 });
          expect(shown.line).not.toMatch(/S3CR|R3T"/u);
        },
      ),
      { seed, numRuns: runs(400) },
    );
  });
});
