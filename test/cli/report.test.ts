/** `squadc report`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { migrate, rowsOf } from '../batch/migrating.js';
import { fakeIo } from './fake-io.js';
import { temporaryFolder } from './temporary-folder.js';

async function report(cwd: string, ...argv: string[]) {
  const io = fakeIo({ cwd });
  const exitCode = await run(['report', ...argv], io);
  return { exitCode, out: io.out(), err: io.err() };
}

async function putExample(out: string): Promise<string> {
  const path = resolve('golden/worked-pattern/input.json');
  await migrate([path, '-o', '.', '--no-report'], { cwd: out });
  return rowsOf(out)[0]!.key;
}

describe('squadc report', () => {
  it('writes the pages, and says where to look', async () => {
    const { folder } = temporaryFolder();
    const key = await putExample(folder);
    const { exitCode, out, err } = await report(folder, '.');
    expect(exitCode).toBe(0);
    expect(out).toBe('');
    expect(err).toContain('summary.html and 1 page of workflows: open it in a browser\n');
    expect(readFileSync(join(folder, key, 'report.html'), 'utf8')).toMatch(/^<!doctype html>/);
    const again = await report(folder, '.', '--json');
    expect(again.exitCode).toBe(0);
    expect(JSON.parse(again.out)).toEqual({ workflows: 1, pages: 1, foreign: [], unread: [] });
  });

  it('writes the page of the run alone', async () => {
    const { folder } = temporaryFolder();
    await putExample(folder);
    const { exitCode, err } = await report(folder, '.', '--no-pages');
    expect(exitCode).toBe(0);
    expect(err).toBe('summary.html: open it in a browser\n');
  });

  it('leaves files of others where they are, unless it is told not to', async () => {
    const { folder } = temporaryFolder();
    const key = await putExample(folder);
    const page = join(folder, key, 'report.html');
    writeFileSync(page, 'mine');
    const { exitCode, err } = await report(folder, '.');
    expect(exitCode).toBe(74);
    expect(err).toContain(`${key}/report.html is there already`);
    expect(readFileSync(page, 'utf8')).toBe('mine');
    expect((await report(folder, '.', '--force')).exitCode).toBe(0);
    expect(readFileSync(page, 'utf8')).not.toBe('mine');
  });

  it('names what it cannot read', async () => {
    const { folder } = temporaryFolder();
    const key = await putExample(folder);
    writeFileSync(join(folder, key, 'result.json'), '{');
    const { exitCode, err } = await report(folder, '.');
    expect(exitCode).toBe(74);
    expect(err).toContain(`no page of ${key}: result.json cannot be read`);
  });

  it('refuses a folder that is not of a run', async () => {
    const { folder, put } = temporaryFolder();
    const { exitCode, err } = await report(folder, 'nowhere');
    expect(exitCode).toBe(1);
    expect(err).toBe(
      'squadc: nowhere is no folder of squadc migrate: there is no summary.json\n' +
        '  help: Give the folder that squadc migrate has as --output.\n',
    );
    put('summary.json', '[]');
    expect((await report(folder, '.')).exitCode).toBe(1);
  });
});
