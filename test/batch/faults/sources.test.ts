/** Sources that cannot be read, or hold no workflow, keep the others from nothing. */
import { closeSync, openSync, rmSync, symlinkSync, writeSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { here, lines, migrate as migrateHere, put, workflow } from '../migrating.js';
import { faulty } from './faulty.js';

const { at, ends, migrate, orSkip, read, rows, three } = faulty();

describe('a source', () => {
  it('that leads nowhere is named, and the others are done', async () => {
    await three();
    symlinkSync(at('in/nowhere.json'), at('in/b-dangling.json'));
    const { code, err } = await migrate('in', 'missing.json', '-o', 'out');
    expect(code).toBe(74);
    expect(err).toMatch(/^batch\/\w+: .*\bb-dangling\.json/m);
    expect(err).toMatch(/^batch\/missing: .*\bmissing\.json/m);
    expect(ends().filter(([name]) => name !== null)).toEqual([
      ['Alpha', 'complete'],
      ['Beta', 'needs-answers'],
      ['Gamma', 'complete'],
    ]);
  });

  it('that goes between being found and being read fails, and the others are done', async () => {
    await three();
    put(at(), 'in/lines.jsonl', lines(workflow('First'), workflow('Second')));
    put(at(), 'in/shorter.jsonl', lines(workflow('Third'), workflow('Fourth')));
    const change = () => {
      for (const name of ['a.json', 'lines.jsonl']) rmSync(at('in', name), { force: true });
      put(at(), 'in/shorter.jsonl', lines(workflow('Third')));
    };
    const args = ['in', '-o', 'out', '--no-report'];
    const { exitCode } = await migrateHere(args, { cwd: at() }, here({ before: change }));
    expect(exitCode).toBe(74);
    expect(rows().map(({ source, failure }) => [source, failure?.code])).toEqual([
      ['in/a.json', 'batch/vanished'],
      ['in/b.json', undefined],
      ['in/c.json', undefined],
      ['in/lines.jsonl', 'batch/vanished'],
      ['in/lines.jsonl', 'batch/vanished'],
      ['in/shorter.jsonl', undefined],
      ['in/shorter.jsonl', 'batch/vanished'],
    ]);
  });

  it('that is a pipe into which nobody writes keeps nobody waiting', async (context) => {
    await three();
    orSkip(context, 'mkfifo', at('in/pipe.json'));
    const { code, err } = await migrate('in', at('in/pipe.json'), '-o', 'out');
    expect([code, err]).toEqual([74, expect.stringContaining('pipe.json')]);
    expect(ends().filter(([name]) => name !== null)).toHaveLength(3);
  });

  it('of 200 MB on one line is too large, and its neighbours are done', async () => {
    const file = openSync(at('in.jsonl'), 'w');
    writeSync(file, `${lines(workflow('Alpha'))}{"name":"`);
    const piece = Buffer.alloc(1_000_000, 'x');
    for (let written = 0; written < 200; written += 1) writeSync(file, piece);
    writeSync(file, `"}\n${lines(workflow('Gamma'))}`);
    closeSync(file);
    const { code, err } = await migrate('in.jsonl', '-o', 'out');
    expect([code, err]).toEqual([74, expect.stringContaining('1 failed (1 batch/too-large)')]);
    expect(rows().map(({ line, status }) => [line, status])).toEqual([
      [1, 'complete'],
      [2, 'failed'],
      [3, 'complete'],
    ]);
    expect(read('out/summary.csv')).toContain('"in.jsonl",2,');
  });

  it('of lines some of which are no workflows has a row for each', async () => {
    const notUtf8 = Buffer.from([0x7b, 0xff, 0x7d, 0x0a]);
    const text = `${lines(workflow('Alpha'))}not json\n\n[]\nnull\n"text"\n{"nodes":`;
    const rest = `\n{}\n${lines(workflow('Gamma'))}`;
    put(
      at(),
      'in.jsonl',
      Buffer.concat([Buffer.from(text), Buffer.from('\n'), notUtf8, Buffer.from(rest)]),
    );
    const { code } = await migrate('in.jsonl', '-o', 'out');
    expect(code).toBe(1);
    expect(rows().map(({ line, status }) => [line, status])).toEqual([
      [1, 'complete'],
      [2, 'invalid'],
      [4, 'invalid'],
      [5, 'invalid'],
      [6, 'invalid'],
      [7, 'invalid'],
      [8, 'invalid'],
      [10, 'invalid'],
      [11, 'complete'],
    ]);
    for (const { errors, folder, status } of rows()) {
      expect(errors > 0).toBe(status === 'invalid');
      expect(JSON.parse(read('out', folder, 'result.json')).status).toBe(status);
    }
    const { runs } = JSON.parse(read('out/summary.sarif'));
    const codes = runs[0].results.map(({ ruleId }: { ruleId: string }) => ruleId);
    expect(codes).toEqual(expect.arrayContaining(['shape/not-json', 'batch/not-utf8']));
  });

  it('that is empty is named, and the others are done', async () => {
    await three();
    put(at(), 'in/empty.json', '');
    put(at(), 'in/empty.jsonl', '');
    const { code, err } = await migrate('in', '-o', 'out');
    expect(code).toBe(74);
    expect(err).toMatch(/^batch\/empty: in\/empty\.jsonl: /m);
    expect(rows().find(({ source }) => source === 'in/empty.json')?.status).toBe('invalid');
    expect(ends().filter(([name]) => name !== null)).toHaveLength(3);
  });
});
