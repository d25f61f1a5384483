import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readInput } from '../../src/cli/input/read.js';
import { fakeIo } from './fake-io.js';
import { temporaryFolder } from './temporary-folder.js';

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

  it('knows the folder of a migration', async () => {
    mkdirSync(join(folder, 'out'));
    put('out/summary.json', '{}');
    await expect(readInput('out', io)).rejects.toThrow('such as the squad.json of a workflow');
  });

  it.skipIf(process.getuid?.() === 0)('says what to do about a file of somebody else', async () => {
    chmodSync(join(folder, put('mine.json', '{}')), 0);
    await expect(readInput('mine.json', io)).rejects.toThrow(
      'cannot read mine.json: permission denied\n  help: Make the file readable',
    );
  });

  it.each([
    ['half a letter', [0x22, 0xc3, 0x22], 'cannot read x.json: it is not valid UTF-8; save'],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00], 'it is not valid UTF-8 (it looks like UTF-16)'],
  ])('refuses bytes that are not UTF-8: %s', async (_, bytes, message) => {
    writeFileSync(join(folder, 'x.json'), Uint8Array.from(bytes));
    await expect(readInput('x.json', io)).rejects.toThrow(message);
  });

  it('says standard input where it was read', async () => {
    const bytes = fakeIo({ stdin: Uint8Array.of(0xff) });
    await expect(readInput('-', bytes)).rejects.toThrow('cannot read standard input: it is not');
  });
});
