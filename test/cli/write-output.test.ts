import fs, {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { jsonText, refuseOverwriting, writeOutput } from '../../src/cli/output/write.js';
import { fakeIo } from './fake-io.js';
import { temporaryFolder } from './temporary-folder.js';

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
    await expect(refuseOverwriting(output, ['-', undefined, 'in.json'], io)).rejects.toMatchObject({
      message: `the output file ${output} is also an input`,
      exitCode: 64,
    });
  });

  it.each([undefined, '-', 'other.json'])('takes %s', async (output) => {
    await expect(refuseOverwriting(output, ['-', 'in.json'], io)).resolves.toBeUndefined();
  });
});
