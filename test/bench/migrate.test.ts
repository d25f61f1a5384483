/** The measurements of `squadc migrate` run, at a small size, and what they are made of. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Claim } from '../../bench/adapters/claims.mjs';
import { figuresOf } from '../../bench/migrate/figures.mjs';
import { contentsOf, differences, leftovers } from '../../bench/migrate/files-in.mjs';
import { workflowLine } from '../../bench/migrate/workflows.mjs';
import { compile, readWorkflow } from '../../src/index.js';
import { buildOnce } from '../build-once.js';

describe('the workflows', () => {
  const texts = Array.from({ length: 400 }, (_, number) => workflowLine(1, number));
  const results = texts.map((text) => {
    const { workflow } = readWorkflow(text);
    return compile(workflow, { dynamicVariables: ['desk_key'] });
  });

  it('are the same each time, and others for another seed', () => {
    expect(texts.map((_, number) => workflowLine(1, number))).toEqual(texts);
    expect(workflowLine(2, 0)).not.toBe(texts[0]);
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.filter((text) => text.includes('\n'))).toEqual([]);
  });

  it('have 10 to 30 nodes each', () => {
    const sizes = results.map(({ stats }) => stats.nodes).filter((nodes) => nodes > 0);
    expect([Math.min(...sizes), Math.max(...sizes)]).toEqual([10, 30]);
  });

  it('are complete, most of them; some ask, a few are wrong', () => {
    const share = (status: string) =>
      results.filter((result) => result.status === status).length / results.length;
    expect(share('complete')).toBeGreaterThan(0.75);
    expect(share('needs-answers')).toBeGreaterThan(0.08);
    expect(share('invalid')).toBeGreaterThan(0.005);
    const kinds = new Set(results.flatMap(({ questions }) => questions.map(({ kind }) => kind)));
    expect([...kinds].sort()).toEqual([
      'cyclic-stages',
      'logical-condition',
      'missing-destination',
      'undefined-variable',
    ]);
  });
});

describe('two outputs', () => {
  const folderOf = (...files: readonly string[]) => {
    const folder = mkdtempSync(join(tmpdir(), 'squadc-files-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, '.squadc', 'tmp'), { recursive: true });
    mkdirSync(join(folder, 'a'));
    for (const file of files) writeFileSync(join(folder, file), file);
    return folder;
  };

  it('differ where a file or a folder is another, or missing', () => {
    const [one, other] = [folderOf('a/x', 'y', '.squadc/journal.jsonl'), folderOf('a/x', 'y')];
    expect(differences(contentsOf(one), contentsOf(other))).toEqual([]);
    writeFileSync(join(other, 'a', 'x'), 'z');
    mkdirSync(join(other, 'b'));
    rmSync(join(one, 'y'));
    expect(differences(contentsOf(one), contentsOf(other))).toEqual(['a/x', 'b/', 'y']);
  });

  it('have left what only a run needs', () => {
    expect(leftovers(folderOf('.squadc/summaries.json'))).toEqual([]);
    expect(leftovers(folderOf('.squadc/lock', '.squadc/tmp/1.0'))).toEqual(['lock', 'tmp/1.0']);
  });
});

describe('the figures', () => {
  const run = (seconds: number, peak: number) => ({ seconds, peak });

  it('judge each round by its own runs, and memory by its middle', () => {
    const { claims } = figuresOf({
      workflows: 1000,
      few: 100,
      bytes: 1,
      runs: {
        one: [run(10, 1), run(20, 1), run(30, 1)],
        two: [run(5, 100), run(16, 190), run(10, 150)],
        fewer: [run(1, 80), run(1, 90), run(1, 500)],
        again: [run(1, 1), run(4, 1), run(1.4, 1)],
        floor: [run(1, 1), run(1, 1), run(1, 1)],
      },
    });
    expect(claims.map(({ measured }) => measured)).toEqual([2, 60, 1.4, 5]);
    expect(claims.map(({ holds }) => holds)).toEqual([true, true, true, true]);
  });
});

function bench(
  script: string,
  ...given: string[]
): Promise<{ code: number; out: string; err: string }> {
  return new Promise((ended) => {
    execFile(process.execPath, [`bench/${script}`, ...given], (error, out, err) =>
      ended({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

describe('the measurements', () => {
  beforeAll(buildOnce, 600_000);

  it('find a number for everything, and fail where a figure does not hold', async () => {
    const small = ['--workflows', '8', '--rounds', '1', '--json', '--check'];
    const { code, out, err } = await bench('migrate.mjs', ...small);
    expect(err).toBe('');
    const { rows, claims } = JSON.parse(out) as { rows: object[]; claims: Claim[] };
    const numbers = rows.flatMap((row) => Object.values(row)).filter(Number.isFinite);
    expect(numbers).toHaveLength(15);
    expect(claims.map(({ measured }) => Number.isFinite(measured))).toEqual(Array(4).fill(true));
    expect(code).toBe(claims.every(({ holds }) => holds) ? 0 : 1);
  }, 120_000);

  it('refuse sizes that are none', async () => {
    expect(await bench('migrate.mjs', '--rounds', '0')).toMatchObject({ code: 2, out: '' });
    expect(await bench('migrate/kill.mjs', '--kills', 'x')).toMatchObject({ code: 2, out: '' });
  });
});
