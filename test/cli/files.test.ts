/** How files are read and written, and texts shown. */
import fs, {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readInput } from '../../src/cli/input/read.js';
import { openProgress } from '../../src/cli/output/progress.js';
import { mayColour } from '../../src/cli/output/terminal.js';
import { jsonText, refuseOverwriting, writeOutput } from '../../src/cli/output/write.js';
import { fakeIo, type Surroundings, temporaryFolder } from './fake-io.js';

describe('reading', () => {
  const { folder, put } = temporaryFolder();
  const io = fakeIo({ cwd: folder });

  describe('readInput', () => {
    it('reads a file from the folder of the process', async () => {
      expect(await readInput(put('a.json', '{"ä":"😀"}'), io)).toBe('{"ä":"😀"}');
    });

    it('reads standard input for a dash', async () => {
      expect(await readInput('-', fakeIo({ stdin: '[1]' }))).toBe('[1]');
    });

    it('leaves a byte order mark out', async () => {
      expect(await readInput(put('bom.json', '\ufeff{}'), io)).toBe('{}');
    });

    it.each([
      ['missing.json', 'cannot read missing.json: no such file or directory'],
      ['a.jsn', 'cannot read a.jsn: no such file or directory\n(Did you mean a.json?)'],
      ['a.json/b', 'cannot read a.json/b: not a directory'],
      [
        '.',
        'cannot read .: it is a directory\n' +
          '  help: Name a file in it; whole folders are for squadc migrate and squadc assess.',
      ],
    ])('names the file and the reason: %s', async (path, message) => {
      await expect(readInput(path, io)).rejects.toMatchObject({ message, exitCode: 1 });
    });

    it.skipIf(process.getuid?.() === 0)(
      'says what to do about a file of somebody else',
      async () => {
        chmodSync(join(folder, put('mine.json', '{}')), 0);
        await expect(readInput('mine.json', io)).rejects.toThrow(
          'cannot read mine.json: permission denied\n  help: Make the file readable',
        );
      },
    );

    it.each([
      ['half a letter', [0x22, 0xc3, 0x22], 'cannot read x.json: it is not valid UTF-8; save'],
      ['UTF-16', [0xff, 0xfe, 0x7b, 0x00], 'it is not valid UTF-8 (it looks like UTF-16)'],
    ])('refuses bytes that are not UTF-8: %s', async (_, bytes, message) => {
      writeFileSync(join(folder, 'x.json'), Uint8Array.from(bytes));
      await expect(readInput('x.json', io)).rejects.toThrow(message);
    });
  });
});

describe('writing', () => {
  const { folder, put } = temporaryFolder();
  const io = fakeIo({ cwd: folder });
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');

  describe('jsonText', () => {
    it('has two spaces and a line end at the end', () => {
      expect(jsonText({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}\n');
    });
  });

  describe('writeOutput', () => {
    it('writes a new file', async () => {
      await writeOutput('new.json', 'text\n', io);
      expect(read('new.json')).toBe('text\n');
    });

    it('replaces a file as a whole, by renaming another over it', async () => {
      const before = statSync(join(folder, put('old.json', 'a longer text than the new one'))).ino;
      await writeOutput('old.json', 'new', io);
      expect(read('old.json')).toBe('new');
      expect(statSync(join(folder, 'old.json')).ino).not.toBe(before);
    });

    it('leaves nothing behind where it fails', async () => {
      mkdirSync(join(folder, 'sub/taken'), { recursive: true });
      const attempt = writeOutput('sub/taken', 'text', io);
      await expect(attempt).rejects.toMatchObject({
        message: 'cannot write sub/taken: it is a directory',
        exitCode: 1,
      });
      expect(readdirSync(join(folder, 'sub'))).toEqual(['taken']);
    });

    it('makes the folder of the file, and names the file and the reason where it cannot', async () => {
      await writeOutput('new/folder/x.json', 'text', io);
      expect(read('new/folder/x.json')).toBe('text');
      await expect(writeOutput('new/folder/x.json/y.json', 'text', io)).rejects.toThrow(
        'cannot write new/folder/x.json/y.json: file already exists',
      );
    });

    it('never takes a short write for a complete one', async () => {
      const write = fs.write as (...args: unknown[]) => void;
      const short = vi
        .spyOn(fs, 'write')
        .mockImplementation(((fd: number, text: string, ...rest: unknown[]) =>
          write(fd, text.slice(0, 3), ...rest)) as typeof fs.write);
      await writeOutput('whole.json', 'a long text', io);
      short.mockRestore();
      expect(read('whole.json')).toBe('a long text');
    });

    // Nothing is read-only to the superuser.
    it.skipIf(process.getuid?.() === 0)('keeps the old file in a read-only folder', async () => {
      mkdirSync(join(folder, 'locked'));
      put('locked/x.json', 'old');
      chmodSync(join(folder, 'locked'), 0o555);
      await expect(writeOutput('locked/x.json', 'new', io)).rejects.toThrow('permission denied');
      chmodSync(join(folder, 'locked'), 0o755);
      expect(read('locked/x.json')).toBe('old');
    });

    it('writes to a device without replacing it', async () => {
      await writeOutput('/dev/null', 'text', io);
      expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
    });
  });

  describe('refuseOverwriting', () => {
    it.each(['in.json', './in.json', 'link.json'])('refuses %s', async (output) => {
      put('in.json', '{}');
      if (output === 'link.json') symlinkSync(join(folder, 'in.json'), join(folder, 'link.json'));
      await expect(
        refuseOverwriting(output, ['-', undefined, 'in.json'], io),
      ).rejects.toMatchObject({
        message: `the output file ${output} is also an input`,
        exitCode: 64,
      });
    });

    it.each([undefined, '-', 'other.json'])('takes %s', async (output) => {
      await expect(refuseOverwriting(output, ['-', 'in.json'], io)).resolves.toBeUndefined();
    });
  });
});

describe('showing', () => {
  const terminal = fakeIo({ isTTY: true }).stdout;
  const pipe = fakeIo({ isTTY: false }).stdout;

  describe('mayColour', () => {
    it.each([
      ['a terminal', terminal, {}, true],
      ['a pipe', pipe, {}, false],
      ['a dumb terminal', terminal, { TERM: 'dumb' }, false],
      ['NO_COLOR', terminal, { NO_COLOR: '1' }, false],
      ['NO_COLOR with any value', terminal, { NO_COLOR: '0' }, false],
      ['an empty NO_COLOR', terminal, { NO_COLOR: '' }, true],
      ['FORCE_COLOR on a pipe', pipe, { FORCE_COLOR: '1' }, true],
      ['an empty FORCE_COLOR', pipe, { FORCE_COLOR: '' }, true],
      ['FORCE_COLOR=0', terminal, { FORCE_COLOR: '0' }, false],
      ['FORCE_COLOR over NO_COLOR', pipe, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
    ])('%s', (_, output, env, expected) => {
      expect(mayColour(output, env)).toBe(expected);
    });
  });
});

describe('progress', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** What is said of 100 pages, by how far they are at which time. */
  async function told(
    states: readonly (readonly [ms: number, done: number])[],
    surroundings: Surroundings = {},
  ): Promise<string> {
    const io = fakeIo(surroundings);
    const progress = await openProgress(100, 'pages', io);
    for (const [ms, done] of states) {
      vi.advanceTimersByTime(ms);
      progress.update(done, 1);
    }
    progress.stop();
    return io.err();
  }

  it('says a line every five seconds where there is no terminal', async () => {
    expect(await told([[4000, 100]])).toBe('');
    expect(await told([[4000, 100]], { isTTY: true, env: { TERM: 'dumb' } })).toBe('');
    const states = [
      [4000, 8],
      [1000, 10],
      [1000, 20],
    ] as const;
    expect(await told(states)).toBe(
      '10% of the pages: 10 done, 2.0/s, 1 failed, 45s left\n' +
        '20% of the pages: 20 done, 3.3/s, 1 failed, 24s left\n',
    );
    expect(await told([[6000, 0]])).toContain('? left');
    expect(await told([[100_000, 50]])).toContain('1m 40s left');
    expect(await told([[3_600_000, 25]])).toContain('3h 0m left');
  });
});
