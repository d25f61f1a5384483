/** The measurement of `squadc serve` runs, at a small size: what it finds is for a quiet machine. */
import { execFile } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Claim } from '../../bench/adapters/claims.mjs';
import { arrivals, flood, percentile } from '../../bench/serve/load.mjs';
import { buildOnce } from '../build-once.js';

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe('load', () => {
  it('is as much as goes, so many at a time', async () => {
    let [open, most, sent] = [0, 0, 0];
    const send = async () => {
      sent += 1;
      open += 1;
      most = Math.max(most, open);
      await pause(2);
      open -= 1;
      if (sent % 10 === 0) throw new Error('no answer');
    };
    const { perSecond, errors } = await flood(send, { calls: 50, atOnce: 8 });
    expect([sent, most, errors > 0]).toEqual([50, 8, true]);
    expect(perSecond).toBeGreaterThan(0);
  });

  it('arrives at its rate, however slow the answers are', async () => {
    const starts: number[] = [];
    const send = () => {
      starts.push(performance.now());
      return starts.length % 4 === 0 ? Promise.reject(new Error('no answer')) : pause(100);
    };
    const { times, errors } = await arrivals(send, { perSecond: 200, seconds: 0.2 });
    expect([starts.length, times.length, errors]).toEqual([40, 30, 10]);
    const lasted = (starts.at(-1) ?? 0) - (starts[0] ?? 0);
    expect(lasted).toBeGreaterThanOrEqual(180);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(95);
  });

  it('is judged by its slowest', () => {
    const times = Array.from({ length: 200 }, (_, index) => 200 - index);
    expect([0.5, 0.99, 1].map((share) => percentile(times, share))).toEqual([100, 198, 200]);
    expect(percentile([], 0.99)).toBeNaN();
  });
});

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function bench(...given: string[]): Promise<Ended> {
  return new Promise((ended) => {
    execFile(process.execPath, ['bench/serve.mjs', ...given], (error, out, err) =>
      ended({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

describe('the measurement', () => {
  beforeAll(buildOnce, 600_000);

  it('finds a number for everything, and fails where a figure does not hold', async () => {
    const small = ['--rounds', '1', '--seconds', '1', '--calls', '64'];
    const { code, out, err } = await bench(...small, '--json', '--check');
    expect(err).toBe('');
    const { rows, claims } = JSON.parse(out) as { rows: object[]; claims: Claim[] };
    const numbers = rows.flatMap((row) => Object.values(row)).filter((each) => each !== null);
    expect(numbers.filter((each) => typeof each === 'number' && each >= 0)).toHaveLength(10);
    expect(claims.map(({ measured }) => Number.isFinite(measured))).toEqual([true, true]);
    expect(claims[1]?.measured).toBe(0);
    expect(code).toBe(claims.every(({ holds }) => holds) ? 0 : 1);
  }, 60_000);

  it('refuses sizes that are none', async () => {
    expect(await bench('--rounds', '0')).toMatchObject({ code: 2, out: '' });
  });
});
