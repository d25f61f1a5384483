import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { buildKnown, Known } from '../../../src/batch/journal/known.js';
import {
  countsOfLine,
  type DoneRecord,
  doneLine,
  noContent,
  planLine,
  rowOfLine,
} from '../../../src/batch/journal/records.js';
import { JournalWriter } from '../../../src/batch/journal/writer.js';

const folder = mkdtempSync(join(tmpdir(), 'squadc-journal-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, '1.jsonl');
beforeEach(() => writeFileSync(path, ''));

const hex = (number: number) => number.toString(16).padStart(8, '0').repeat(8);
const record = (key: string, number: number): Omit<DoneRecord, 'kind'> => ({
  content: hex(number),
  key,
  folder: key,
  made: 'm',
  status: 'complete',
  source: ',"findings":[ ,"row": "counts":[9',
  files: { 'squad.json': [1, 'a', 1.5] },
});
const finding = { code: 'a/b', severity: 'warning', message: '","row":x', at: '' } as const;
const line = (key: string, number: number) =>
  doneLine(record(key, number), { row: `{"key":"${key}"}`, findings: [finding] });
const known = () => new Known(buildKnown([path]));

describe('a journal', () => {
  it('gives back what was written, by content and by key', () => {
    const writer = new JournalWriter(path, true);
    const all = Array.from({ length: 3000 }, (_, at) => line(`k-${at}`, at + 1));
    for (let at = 0; at < all.length; at += 500) writer.append(all.slice(at, at + 500));
    writer.close();
    const found = known();
    expect(found.count).toBe(3000);
    for (const at of [0, 1, 1499, 2999]) {
      const expected = { kind: 'done', ...record(`k-${at}`, at + 1) };
      expect(found.byContent(hex(at + 1))?.record).toEqual(expected);
      expect(found.byKey(`k-${at}`)).toEqual([expected]);
    }
    expect(found.byContent(hex(3001))).toBeNull();
    expect(found.byKey('k-3000')).toEqual([]);
    found.close();
  });

  it('leaves out what is no whole line, wherever it was cut', () => {
    const whole = line('a', 1);
    const cut = line('b', 2);
    for (let length = 0; length < cut.length; length += 1) {
      writeFileSync(path, whole + cut.slice(0, length));
      expect(known().count).toBe(1);
    }
    writeFileSync(path, `${whole}nonsense\n{"done":1}\n\n${cut}`);
    expect(known().count).toBe(2);
  });

  it('lets the last line for a content win, and keeps all lines of a key', () => {
    appendFileSync(path, line('a', 1) + planLine({ key: 'a', folder: 'a', files: {} }));
    appendFileSync(path, line('a', 2) + line('b', 1));
    const found = known();
    expect(found.byContent(hex(1))?.record.key).toBe('b');
    expect(found.byKey('a').map(({ kind }) => kind)).toEqual(['done', 'plan', 'done']);
    expect(found.lastDone('a')?.record.content).toBe(hex(2));
  });

  it('trusts no content that is not to be trusted', () => {
    appendFileSync(path, doneLine({ ...record('a', 1), content: noContent }, null));
    expect(known().byContent(noContent)).toBeNull();
    expect(known().byKey('a')).toHaveLength(1);
  });

  it('has the row and the counts of a line, whatever texts are in it', () => {
    const bytes = Buffer.from(line('a', 1).trimEnd());
    expect(rowOfLine(bytes)).toBe('{"key":"a"}');
    expect(countsOfLine(bytes)).toEqual([0, 1, 0]);
    expect(JSON.parse(bytes.toString())).toMatchObject({ row: { key: 'a' }, findings: [finding] });
  });
});
