/** The measurements of the compiler: their shapes, their arithmetic, and one small run of all. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { claimsOf, type Figures, type Row } from '../../bench/compile/bounds.mjs';
import { atMost, estimate, quotient } from '../../bench/compile/claims.mjs';
import { lineOf, number, tableOf, writeBetweenMarks } from '../../bench/compile/tables.mjs';
import { answers, shapes } from '../../bench/shapes.mjs';
import { compile } from '../../src/index.js';
import { buildOnce } from '../build-once.js';

describe('the shapes', () => {
  it.each(Object.entries(shapes))('%s becomes a squad at every size', (_, make) => {
    for (const size of [10, 40]) {
      expect(compile(make(size), { answers })).toMatchObject({ status: 'complete', questions: [] });
    }
  });

  it('have as many nodes as they are asked for; a clique as many edges, or the next', () => {
    for (const [shape, make] of Object.entries(shapes)) {
      if (shape !== 'clique') expect(make(100).nodes).toHaveLength(100);
    }
    // Eleven stages, each to ten others, and the way in.
    expect(shapes['clique']?.(100).edges).toHaveLength(111);
    expect(shapes['clique']?.(110).edges).toHaveLength(111);
  });

  it('read nothing that was not captured before', () => {
    for (const [shape, make] of Object.entries(shapes)) {
      const { diagnostics } = compile(make(40), { answers });
      const supplied = diagnostics.filter(({ code }) => code === 'lower/supplied-by-caller');
      // The prompts with Liquid loop over a list that comes with the call.
      expect([shape, supplied.length]).toEqual([shape, shape === 'liquid' ? 1 : 0]);
    }
  });
});

describe('a figure', () => {
  it('is the middle, and its margin shrinks with the rounds', () => {
    expect(estimate([1, 2, 3, 4])).toEqual({ measured: 3, margin: 2 });
    const often = Array.from({ length: 16 }, (_, at) => 1 + (at % 4));
    expect(estimate(often)).toEqual({ measured: 3, margin: 1 });
  });
  it('of one round has no margin, and of none no middle', () => {
    expect(estimate([7])).toEqual({ measured: 7, margin: 0 });
    expect(estimate([]).measured).toBeNaN();
  });
  it('by another may be off by as much as both of them', () => {
    const by = quotient({ measured: 12, margin: 3 }, { measured: 4, margin: 1 });
    expect(by).toEqual({ measured: 3, margin: 1.5 });
  });
});

describe('a claim', () => {
  it('holds up to its bound and the margin, and not beyond', () => {
    expect(atMost('time', { measured: 5, margin: 1 }, 4).holds).toBe(true);
    expect(atMost('time', { measured: 5.1, margin: 1 }, 4).holds).toBe(false);
  });
  it('does not hold of what was not measured', () => {
    expect(atMost('time', estimate([]), 4).holds).toBe(false);
  });
});

/** What was measured of a case: `whole` and `floor` of each round. */
function row(shape: string, size: number, whole: number[], floor: number[]): Row {
  const extent = { nodes: size, edges: size, input: 2e6, output: 3e6 };
  const measured = { extent, samples: { whole, floor }, over: {}, failed: {} };
  return { shape, size, measured, peaks: [{ bytes: 5e6, peak: 90e6 }] };
}

function claimed(...rows: Row[]): (readonly [string, number, boolean])[] {
  const figures: Figures = { rows, empty: [{ bytes: 0, peak: 40e6 }], starts: null };
  return claimsOf(figures).map(({ claim, measured, holds }) => [claim, measured, holds]);
}

describe('what must hold', () => {
  it('of a shape: the floor of the same round, growth, memory over that of the empty process', () => {
    const small = row('tree', 1000, [8, 80], [2, 20]);
    expect(claimed(small, row('tree', 100_000, [900], [100]))).toEqual([
      ['tree of 1000: times the floor', 4, true],
      ['tree of 100000: times the floor', 9, false],
      ['tree of 100000: times the floor, over that of 1000', 2.25, false],
      ['tree of 100000: memory, times both texts', 10, false],
    ]);
  });

  it('of a clique: its time grows with its edges', () => {
    const rows = [row('clique', 1000, [3], [1]), row('clique', 100_000, [600], [1])];
    expect(claimed(...rows)).toEqual([
      ['clique of 100000: time by the edge, over that of 1000', 2, true],
      ['clique of 100000: memory, times both texts', 10, false],
    ]);
  });

  it('of a batch: the floor; of real workflows, which nobody knows: nothing', () => {
    expect(claimed(row('batch', 1000, [5], [1]), row('corpus', 1, [5], [1]))).toEqual([
      ['batch of 1000: times the floor', 5, false],
    ]);
  });

  it('of the start, by the round', () => {
    const starts = { node: [40, 80], compile: [60, 120], imports: [26] };
    expect(claimsOf({ rows: [], empty: [], starts })).toMatchObject([
      { measured: 1.5, margin: 0, bound: 2, holds: true },
      { measured: 26, bound: 25, holds: false },
    ]);
  });
});

describe('the tables', () => {
  it('say what was waited for, what failed and what there is no figure of', () => {
    const { measured, ...others } = row('chain', 10, [2, 4, 3], [1, 1, 1]);
    const line = lineOf({
      ...others,
      measured: { ...measured, over: { verify: 16.2 }, failed: { graphology: 'too deep' } },
    });
    expect(line).toMatchObject({ 'whole ms': '3', 'whole / floor': '3', 'nodes/s': '3333' });
    expect(line).toMatchObject({
      'verify ms': '> 16.2 s',
      'graphology ms': 'fails',
      'ajv ms': '–',
    });
  });

  it('show the figures that count', () => {
    expect([0.012345, 9.996, 99.96, 1234.5].map(number)).toEqual(['0.0123', '10', '100', '1235']);
  });

  it('are Markdown with straight columns', () => {
    const lines = [
      { shape: 'chain', ms: '1' },
      { shape: 'a', ms: '22.5' },
    ];
    expect(tableOf(lines)).toBe(
      '| shape |   ms |\n| ----- | ---: |\n| chain |    1 |\n| a     | 22.5 |',
    );
  });

  it('stand between the marks of a page, and nowhere else', () => {
    const folder = mkdtempSync(join(tmpdir(), 'squadc-bench-'));
    const file = join(folder, 'page.md');
    writeFileSync(file, 'a\n<!-- figures -->\nold\n<!-- /figures -->\nb\n');
    writeBetweenMarks(file, 'new');
    writeBetweenMarks(file, 'newer');
    const page = readFileSync(file, 'utf8');
    expect(page).toBe('a\n<!-- figures -->\n\nnewer\n\n<!-- /figures -->\nb\n');
    writeFileSync(file, 'no marks');
    expect(() => writeBetweenMarks(file, 'new')).toThrow('no place for figures');
    rmSync(folder, { recursive: true });
  });
});

function bench(...given: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((ended) => {
    execFile(process.execPath, ['bench/compile.mjs', ...given], (error, out, err) =>
      ended({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

describe('the measurements', () => {
  beforeAll(buildOnce, 600_000);

  it('find a number for everything, and fail where a figure does not hold', async () => {
    const small = ['--shapes', 'chain,start', '--sizes', '10', '--rounds', '2', '--cap', '1'];
    const { code, out, err } = await bench(...small, '--json', '--check');
    expect(err).toBe('chain 10\n');
    const { rows, claims } = JSON.parse(out) as ReturnType<typeof JSON.parse>;
    const { samples, extent } = rows[0].measured;
    expect(Object.keys(samples).sort()).toEqual(
      ['ajv', 'floor', 'graphology', 'liquidjs', 'phases', 'verify', 'whole'].sort(),
    );
    expect(extent).toMatchObject({ nodes: 10, edges: 9 });
    expect(rows[0].peaks).toHaveLength(3);
    expect(claims.map(({ claim }: { claim: string }) => claim)).toEqual([
      'chain of 10: times the floor',
      'squadc compile small.json, times node -e 0',
      'import of the library, ms',
    ]);
    expect(code).toBe(claims.every(({ holds }: { holds: boolean }) => holds) ? 0 : 1);
  }, 120_000);

  it('give up on what takes too long, and say so', async () => {
    const large = ['--shapes', 'tree', '--sizes', '100000', '--patience', '1'];
    const { code, out } = await bench(...large);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^\| tree +\| 100000 \|.*> [\d.]*[1-9] s/m),
    ]);
  }, 60_000);

  it('refuse shapes and sizes that are none', async () => {
    expect(await bench('--shapes', 'circle')).toMatchObject({ code: 2, out: '' });
    expect(await bench('--sizes', '0')).toMatchObject({ code: 2, out: '' });
  });
});
