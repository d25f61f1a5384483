import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { workflowKey } from '../../src/batch/key.js';
import { runs, seed } from '../seed.js';

const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex');
const bytes = (text: string) => new TextEncoder().encode(text);
const slug = (key: string) => key.slice(0, -9);
const hash = (key: string) => key.slice(-8);

describe('the key of a workflow', () => {
  it('is its name, and a hash of where it stands and which it is', () => {
    const key = workflowKey('flows/a.json', { id: 'wf-1', name: 'Front Desk' }, null);
    expect(key).toBe(`front-desk-${sha256('flows/a.json\0wf-1').slice(0, 8)}`);
  });

  const identities: readonly [string, unknown, string][] = [
    ['the id', { id: 'i', name: 'n' }, 'i'],
    ['the name without an id', { name: 'n' }, 'n'],
    ['the name where the id is empty', { id: '', name: 'n' }, 'n'],
    ['the name where the id is no text', { id: 7, name: 'n' }, 'n'],
    ['what is wrapped', { workflow: { id: 'i', name: 'n' } }, 'i'],
    ['the root before what is wrapped', { id: 'i', workflow: { id: 'j' } }, 'i'],
    ['a wrapped id before the name of the root', { name: 'n', workflow: { id: 'j' } }, 'j'],
    ['nothing', {}, ''],
    ['nothing of a list', [{ id: 'i' }], ''],
    ['nothing of a text', 'id', ''],
    ['nothing where there is no JSON', undefined, ''],
    ['nothing that is inherited', Object.create({ id: 'i', name: 'n' }), ''],
    ['nothing of a wrapper that is none', { workflow: 'id' }, ''],
  ];
  it.each(identities)('goes by %s', (_, document, identity) => {
    expect(hash(workflowKey('a.json', document, null))).toBe(
      sha256(`a.json\0${identity}`).slice(0, 8),
    );
  });

  it('tells lines without id and name by their bytes', () => {
    const line = bytes('{"nodes":[]}');
    expect(workflowKey('all.jsonl', { nodes: [] }, line)).toBe(
      `all-${sha256(`all.jsonl\0line:${sha256(line)}`).slice(0, 8)}`,
    );
    expect(workflowKey('all.jsonl', {}, bytes('{}'))).not.toBe(
      workflowKey('all.jsonl', {}, bytes('{ }')),
    );
    expect(workflowKey('all.jsonl', { id: 'i' }, bytes('{}'))).toBe(
      workflowKey('all.jsonl', { id: 'i' }, bytes('{ }')),
    );
  });

  const slugs: readonly [string, string, unknown][] = [
    ['front-desk', 'a.json', { id: 'wf', name: '  Front -- DESK!  ' }],
    ['uber-cafe', 'a.json', { name: 'Über Café' }],
    ['file-k', 'a.json', { name: 'ﬁle \u212a' }],
    ['i', 'a.json', { name: 'İ' }],
    ['wf-9', 'a.json', { id: 'wf_9', name: '日本' }],
    ['wf-9', 'a.json', { id: 'wf_9' }],
    ['night-line', 'teams/Night.Line.JSON', {}],
    ['stdin', 'stdin', {}],
    ['workflow', '🙂.json', { id: '🙂', name: '🙂' }],
    ['workflow', '', {}],
    ['etc-passwd', 'a.json', { name: '../../etc/passwd' }],
    ['c-temp', 'a.json', { name: 'C:\\temp\0\r\n\u202e' }],
    ['con', 'a.json', { name: 'CON' }],
    ['proto', 'a.json', { name: '__proto__' }],
    ['a'.repeat(40), 'a.json', { name: 'a'.repeat(10_000) }],
    ['a'.repeat(39), 'a.json', { name: `${'a'.repeat(39)} b` }],
  ];
  it.each(slugs)('reads %s', (expected, source, document) => {
    expect(slug(workflowKey(source, document, null))).toBe(expected);
  });

  it('looks the same for names that are composed otherwise', () => {
    const [composed, apart] = ['Café', 'Cafe\u0301'].map((name) =>
      workflowKey('a.json', { id: 'i', name }, null),
    );
    expect(composed).toBe(apart);
  });

  it('tells ids apart that are no whole characters', () => {
    const keys = ['\ud800', '\ud801', '\ufffd'].map((id) => workflowKey('a.json', { id }, null));
    expect(new Set(keys).size).toBe(3);
  });

  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom('..', '/', '\\', 'NUL', 'com1.txt', 'Aux', '-', '__proto__', 'a\u0301\u0302'),
  );
  const fields = fc.record({ id: texts, name: texts }, { requiredKeys: [] });
  const documents = fc.oneof(
    fields,
    fields.map((workflow) => ({ workflow })),
    fc.jsonValue(),
  );

  it('is a safe name everywhere, whatever the document says', () => {
    fc.assert(
      fc.property(texts, documents, (source, document) => {
        const key = workflowKey(source, document, null);
        expect(key).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*-[0-9a-f]{8}$/);
        expect(key.length).toBeLessThanOrEqual(49);
        expect(key).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)$/);
        expect(workflowKey(source, structuredClone(document), null)).toBe(key);
      }),
      { seed, numRuns: runs(500) },
    );
  });

  it('depends on the source', () => {
    fc.assert(
      fc.property(texts, texts, fields, (one, other, document) => {
        fc.pre(one.toWellFormed() !== other.toWellFormed());
        const hashes = [one, other].map((source) => hash(workflowKey(source, document, null)));
        expect(hashes[0]).not.toBe(hashes[1]);
      }),
      { seed, numRuns: runs(200) },
    );
  });
});
