/** The measurements of the clients run, at a small size: what they find is for a quiet machine. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildOnce } from '../build-once.js';

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function benchIn(cwd: string, ...given: string[]): Promise<Ended> {
  return new Promise((ended) => {
    execFile(process.execPath, ['bench/adapters/run.mjs', ...given], { cwd }, (error, out, err) =>
      ended({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

const bench = (...given: string[]) => benchIn('.', ...given);

describe('the measurements of the clients', () => {
  beforeAll(buildOnce, 600_000);

  it('can be had one by one, as tables', async () => {
    const { code, out } = await bench('--only', 'bundle');
    expect(code).toBe(0);
    expect(out).toContain('@payabli/sdk-node');
    expect(out).toContain('bundle of squadc/bills, kB');
    expect(out).not.toContain('GETs');
  });

  it('refuse what they do not know', async () => {
    expect(await bench('--only', 'import,toString')).toEqual({
      code: 2,
      out: '',
      err: 'no such figure: toString\n',
    });
    expect((await bench('--rounds', '0')).err).toBe('--rounds: not a number of times\n');
  });

  it('say that there is nothing built', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'squadc-unbuilt-'));
    try {
      cpSync('bench', join(folder, 'bench'), { recursive: true });
      cpSync('package.json', join(folder, 'package.json'));
      symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
      const { code, err } = await benchIn(folder, '--only', 'bundle');
      expect([code, err]).toEqual([2, 'there is no built package: npm run build\n']);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
