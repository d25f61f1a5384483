import {
  chmodSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block, Item, Source } from '../../../src/batch/plan.js';
import { readBlock } from '../../../src/batch/sources/read-block.js';
import { runs, seed } from '../../seed.js';
import { testFolder } from './folder.js';

const { at, put, putPipe } = testFolder();
const megabyte = 1024 * 1024;
const isRoot = process.getuid?.() === 0;

type Seen =
  | { readonly source: string; readonly line?: number; readonly text: string }
  | { readonly source: string; readonly line?: number; readonly code: string };

function seen(item: Item): Seen {
  const place = { source: item.source, ...(item.line !== undefined && { line: item.line }) };
  return 'bytes' in item
    ? { ...place, text: Buffer.from(item.bytes).toString('latin1') }
    : { ...place, code: item.failure.code };
}

function read(block: Block, maxBytes = megabyte): { items: Seen[]; lines: number } {
  const items: Seen[] = [];
  const { lines } = readBlock(block, { maxBytes }, (item) => items.push(seen(item)));
  return { items, lines };
}

/** What was said of the first item. */
function messageOf(block: Block, maxBytes = megabyte): string {
  const messages: string[] = [];
  readBlock(block, { maxBytes }, (item) => {
    if ('failure' in item) messages.push(item.failure.message);
  });
  return messages.join('\n');
}

function source(path: string, form: Source['form'], bytes = statSync(path).size): Source {
  return { path, name: `in/${path.slice(path.lastIndexOf('/') + 1)}`, form, bytes };
}

const documents = (...paths: readonly string[]): Block => ({
  kind: 'documents',
  index: 0,
  sources: paths.map((path) => source(path, 'document')),
});

function lines(path: string, start = 0, end = statSync(path).size, bytes?: number): Block {
  return { kind: 'lines', index: 0, source: source(path, 'lines', bytes), start, end };
}

describe('a block of documents', () => {
  it('gives each as it is', () => {
    put('a.json', '{"a": 1}\n');
    put('b.json', '\ufeff{}');
    put('empty.json', '');
    expect(read(documents(at('a.json'), at('b.json'), at('empty.json')))).toEqual({
      items: [
        { source: 'in/a.json', text: '{"a": 1}\n' },
        { source: 'in/b.json', text: '\xef\xbb\xbf{}' },
        { source: 'in/empty.json', text: '' },
      ],
      lines: 0,
    });
  });

  it('goes on after what cannot be read', () => {
    for (const name of ['gone.json', 'folder.json', 'large.json', 'last.json']) put(name);
    const block = documents(...['gone', 'folder', 'large', 'last'].map((it) => at(`${it}.json`)));
    rmSync(at('gone.json'));
    rmSync(at('folder.json'));
    mkdirSync(at('folder.json'));
    writeFileSync(at('large.json'), 'x'.repeat(11));
    expect(read(block, 10).items).toEqual([
      { source: 'in/gone.json', code: 'batch/vanished' },
      { source: 'in/folder.json', code: 'batch/unreadable' },
      { source: 'in/large.json', code: 'batch/too-large' },
      { source: 'in/last.json', text: '{}' },
    ]);
  });

  it('takes a document of just the allowed size', () => {
    put('a.json', 'x'.repeat(10));
    expect(read(documents(at('a.json')), 10).items).toEqual([
      { source: 'in/a.json', text: 'x'.repeat(10) },
    ]);
  });

  it('reads a file to its end where its size says nothing', () => {
    // The size of these files is 0, and what is read is longer.
    const block: Block = {
      kind: 'documents',
      index: 0,
      sources: [{ path: '/proc/self/status', name: 'status', form: 'document', bytes: 0 }],
    };
    if (process.platform !== 'linux') return;
    expect(read(block).items).toEqual([
      { source: 'status', text: expect.stringContaining('Name:') },
    ]);
    expect(read(block, 100).items).toEqual([{ source: 'status', code: 'batch/too-large' }]);
  });

  it('names no path of the machine', () => {
    put('a.json');
    const block = documents(at('a.json'));
    rmSync(at('a.json'));
    expect(messageOf(block)).toBe('no such file or directory');
  });

  it.skipIf(isRoot)('needs the right to read', () => {
    put('a.json');
    chmodSync(at('a.json'), 0);
    expect(read(documents(at('a.json'))).items).toEqual([
      { source: 'in/a.json', code: 'batch/unreadable' },
    ]);
  });

  it('does not wait for a pipe', () => {
    if (process.platform === 'win32') return;
    put('a.json');
    const block = documents(at('a.json'));
    rmSync(at('a.json'));
    putPipe('a.json');
    expect(read(block).items).toEqual([{ source: 'in/a.json', code: 'batch/unreadable' }]);
  });
});

describe('a block of lines', () => {
  it('counts blank lines and skips them', () => {
    put('a.jsonl', '{}\n\n \t\r\n[1]\r\n[2]');
    expect(read(lines(at('a.jsonl')))).toEqual({
      items: [
        { source: 'in/a.jsonl', line: 0, text: '{}' },
        { source: 'in/a.jsonl', line: 3, text: '[1]' },
        { source: 'in/a.jsonl', line: 4, text: '[2]' },
      ],
      lines: 5,
    });
  });

  it('leaves out the mark at the start of the file alone', () => {
    put('a.jsonl', '\ufeff{}\n\ufeff[]\n');
    expect(read(lines(at('a.jsonl'))).items).toEqual([
      { source: 'in/a.jsonl', line: 0, text: '{}' },
      { source: 'in/a.jsonl', line: 1, text: '\xef\xbb\xbf[]' },
    ]);
    put('b.jsonl', '\ufeff\n[]');
    expect(read(lines(at('b.jsonl'))).items).toEqual([
      { source: 'in/b.jsonl', line: 1, text: '[]' },
    ]);
  });

  it('has the lines that begin in it', () => {
    put('a.jsonl', 'aaa\nbbb\nccc\n');
    const texts = (start: number, end: number) =>
      read(lines(at('a.jsonl'), start, end)).items.map((it) => ('text' in it ? it.text : it.code));
    expect(texts(0, 4)).toEqual(['aaa']);
    expect(texts(0, 5)).toEqual(['aaa', 'bbb']);
    expect(texts(4, 8)).toEqual(['bbb']);
    expect(texts(5, 8)).toEqual([]);
    expect(texts(3, 12)).toEqual(['bbb', 'ccc']);
    expect(texts(8, 9)).toEqual(['ccc']);
  });

  it('names a line that is too large, and goes on', () => {
    put('a.jsonl', `${'x'.repeat(10)}\r\n${'y'.repeat(11)}\n{}\n`);
    expect(read(lines(at('a.jsonl')), 10)).toEqual({
      items: [
        { source: 'in/a.jsonl', line: 0, text: 'x'.repeat(10) },
        { source: 'in/a.jsonl', line: 1, code: 'batch/too-large' },
        { source: 'in/a.jsonl', line: 2, text: '{}' },
      ],
      lines: 3,
    });
    expect(messageOf(lines(at('a.jsonl')), 10)).toBe('it is larger than 10 bytes (--max-bytes)');
  });

  it('reads a long line that ends far beyond', () => {
    const long = 'x'.repeat(3 * megabyte);
    put('a.jsonl', `{}\n${long}\r\n[]\n`);
    expect(read(lines(at('a.jsonl'), 0, 10), 3 * megabyte).items).toEqual([
      { source: 'in/a.jsonl', line: 0, text: '{}' },
      { source: 'in/a.jsonl', line: 1, text: long },
    ]);
    expect(read(lines(at('a.jsonl'), 10, 2 * megabyte)).lines).toBe(0);
  });

  it('holds no line that is too large', () => {
    const size = 200 * megabyte;
    const file = openSync(put('a.jsonl', '{}\n'), 'r+');
    // The hole reads as zeros, of which there is no newline.
    writeSync(file, '\n[]\n', size);
    closeSync(file);
    const before = process.memoryUsage();
    let peak = Number.NaN;
    const items: Seen[] = [];
    const total = statSync(at('a.jsonl')).size;
    for (let start = 0; start < total; start += megabyte / 2) {
      const end = Math.min(start + megabyte / 2, total);
      readBlock(lines(at('a.jsonl'), start, end), { maxBytes: 64 * megabyte }, (item) => {
        items.push(seen(item));
        // Later, what blocks left behind would be counted too.
        if (start === 0) peak = process.memoryUsage().arrayBuffers - before.arrayBuffers;
      });
    }
    expect(items).toEqual([
      { source: 'in/a.jsonl', line: 0, text: '{}' },
      { source: 'in/a.jsonl', line: 1, code: 'batch/too-large' },
      { source: 'in/a.jsonl', line: 0, text: '[]' },
    ]);
    expect(peak).toBeLessThan(2 * megabyte);
  });

  it('says what is gone of a file that has become shorter', () => {
    put('a.jsonl', '{}\n[1, 2, 3]\n[4]\n');
    const [all, last] = [lines(at('a.jsonl')), lines(at('a.jsonl'), 13, 17)];
    truncateSync(at('a.jsonl'), 8);
    const gone = (line: number) => ({ source: 'in/a.jsonl', line, code: 'batch/vanished' });
    expect(read(all)).toEqual({
      items: [{ source: 'in/a.jsonl', line: 0, text: '{}' }, gone(1)],
      lines: 2,
    });
    expect(read(last)).toEqual({ items: [gone(0)], lines: 1 });
    rmSync(at('a.jsonl'));
    expect(read(all)).toEqual({ items: [gone(0)], lines: 1 });
  });

  it('says so of the line that is read beyond the block', () => {
    put('a.jsonl', `{}\n${'x'.repeat(100_000)}\n`);
    const block = lines(at('a.jsonl'), 0, 10);
    truncateSync(at('a.jsonl'), 50_000);
    expect(read(block).items).toEqual([
      { source: 'in/a.jsonl', line: 0, text: '{}' },
      { source: 'in/a.jsonl', line: 1, code: 'batch/vanished' },
    ]);
  });

  it('leaves what was added to the file to the next run', () => {
    put('a.jsonl', '{}\n[1]');
    const block = lines(at('a.jsonl'));
    const file = openSync(at('a.jsonl'), 'r+');
    ftruncateSync(file, 0);
    writeSync(file, '{}\n[1]\n[2]\n');
    closeSync(file);
    expect(read(block).items).toHaveLength(2);
  });

  it('is no folder', () => {
    put('a.jsonl', '{}\n');
    const block = lines(at('a.jsonl'));
    rmSync(at('a.jsonl'));
    mkdirSync(at('a.jsonl'));
    expect(read(block)).toEqual({
      items: [{ source: 'in/a.jsonl', line: 0, code: 'batch/unreadable' }],
      lines: 1,
    });
  });
});

describe('a fault of the visitor', () => {
  it('is not taken for one of reading', () => {
    put('a.json');
    put('a.jsonl', '{}\n{}\n');
    for (const block of [documents(at('a.json')), lines(at('a.jsonl'))]) {
      let visits = 0;
      const visit = () => {
        visits += 1;
        throw new Error('of the visitor');
      };
      expect(() => readBlock(block, { maxBytes: 10 }, visit)).toThrow('of the visitor');
      expect(visits).toBe(1);
    }
  });
});

/** The lines of a whole, written in the plainest way. */
function linesOfWhole(content: Uint8Array, maxBytes: number): Seen[] {
  const text = Buffer.from(content)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '');
  const pieces = text.split('\n').map((line) => line.replace(/\r$/, ''));
  return pieces.flatMap((piece, line): Seen[] => {
    if (piece.length > maxBytes) return [{ source: 'in/all.jsonl', line, code: 'batch/too-large' }];
    return /^[ \t\r]*$/.test(piece) ? [] : [{ source: 'in/all.jsonl', line, text: piece }];
  });
}

describe('lines, however a file is cut into blocks', () => {
  const pieces = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('\n', '\r\n', '\r', ' ', '\t', '\ufeff', '{}', 'é') },
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.nat(40).map((length) => 'x'.repeat(length)),
  );
  const contents = fc.array(pieces, { maxLength: 30 }).map((all) => Buffer.from(all.join('')));
  const cuts = fc.array(fc.nat(200), { maxLength: 8 });

  it('are those of the whole', () => {
    fc.assert(
      fc.property(contents, cuts, fc.integer({ min: 1, max: 60 }), (content, places, maxBytes) => {
        writeFileSync(at('all.jsonl'), content);
        const ends = places.filter((it) => it > 0 && it < content.length).sort((a, b) => a - b);
        const items: Seen[] = [];
        let before = 0;
        let start = 0;
        for (const end of [...ends, content.length]) {
          const block = read(lines(at('all.jsonl'), start, end), maxBytes);
          for (const it of block.items)
            items.push({ ...it, line: before + (it.line ?? Number.NaN) });
          before += block.lines;
          start = end;
        }
        expect(items).toEqual(linesOfWhole(content, maxBytes));
        expect(before).toBe(linesIn(content));
      }),
      { seed, numRuns: runs(1500) },
    );
  });
});

/** A newline at the end begins no line. */
function linesIn(content: Buffer): number {
  const ends = content.filter((byte) => byte === 10).length;
  return content.length === 0 || content.at(-1) === 10 ? ends : ends + 1;
}
