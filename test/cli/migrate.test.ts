import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { realNetwork } from '../../src/platform/network.js';
import { lines, migrate, put, rowsOf, workflow } from '../batch/migrating.js';

const root = mkdtempSync(join(tmpdir(), 'squadc-migrate-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const secret = 'k-5f0c1e9a7b3d4c2f';
let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(root, 'run-'));
});

/** A platform that has a workflow for each of these ids. */
function platformWith(...known: readonly string[]) {
  const fetch = async (input: unknown) => {
    const id = String(input).split('/').at(-1) ?? '';
    const body = known.includes(id) ? workflow(`Name of ${id}`) : { message: 'no such workflow' };
    return new Response(JSON.stringify(body), { status: known.includes(id) ? 200 : 404 });
  };
  return { ...realNetwork, fetch: fetch as typeof globalThis.fetch, sleep: async () => {} };
}

const pulling = (ids: readonly string[], ...more: readonly string[]) => {
  const where = ['--base-url', 'https://a.example/v1', '--key-env', 'API_KEY'];
  const args = ['-o', 'out', '--no-report', ...where, ...more, '--pull', ...ids];
  return migrate(args, { cwd, env: { API_KEY: secret }, network: platformWith('one', 'two') });
};

describe('squadc migrate --pull', () => {
  it('fetches workflows and migrates them', async () => {
    const { exitCode } = await pulling(['one', 'two']);
    expect(exitCode).toBe(0);
    expect(rowsOf(join(cwd, 'out')).map(({ source, name }) => [source, name])).toEqual([
      ['pull/one.json', 'Name of one'],
      ['pull/two.json', 'Name of two'],
    ]);
    expect(readdirSync(join(cwd, 'out/.squadc/pulled'))).toEqual(['one.json', 'two.json']);
  });

  it('does the others where one cannot be had, and says so', async () => {
    const { exitCode, err } = await pulling(['one', 'none']);
    expect(exitCode).toBe(74);
    expect(err).toContain('none');
    expect(err).not.toContain(secret);
    expect(rowsOf(join(cwd, 'out'))).toHaveLength(1);
  });

  it('writes nothing with --dry-run', async () => {
    const { exitCode, out } = await pulling(['one'], '--dry-run');
    expect(exitCode).toBe(0);
    expect(out).toContain('# Summary of the migration');
    expect(existsSync(join(cwd, 'out'))).toBe(false);
  });

  it('is refused without an address, a key, or an id that is one', async () => {
    const args = ['-o', 'out', '--pull', 'one'];
    expect((await migrate(args, { cwd })).exitCode).toBe(64);
    const { exitCode } = await migrate([...args, '--base-url', 'https://a.example'], { cwd });
    expect(exitCode).toBe(64);
    expect((await pulling(['not an id'])).exitCode).toBe(64);
    expect(existsSync(join(cwd, 'out'))).toBe(false);
  });
});

describe('what squadc migrate says', () => {
  it('prints nothing but JSON to standard output with --json', async () => {
    put(cwd, 'in.jsonl', lines(workflow('One'), workflow('Two', 'open')));
    const { out, err } = await migrate(['in.jsonl', '-o', 'out', '--no-report', '--json'], { cwd });
    expect(JSON.parse(out)).toEqual(
      JSON.parse(JSON.stringify({ ...JSON.parse(out), workflows: rowsOf(join(cwd, 'out')) })),
    );
    expect(err).not.toContain('next:');
  });

  it('makes names from anybody printable', async () => {
    put(cwd, 'in/\u001b[31mred\u202e.json', '{');
    const { err } = await migrate(['in', 'no\u001bne', '-o', 'out', '--fail-fast'], { cwd });
    for (const sign of ['\u001b', '\u202e']) expect(err).not.toContain(sign);
    expect(err).toContain('\\u001b[31mred');
  });

  it('names few of many lines, unless it is asked for all', async () => {
    const many = (name: string) => {
      return Array.from({ length: 30 }, (_, at) => workflow(`${name}${at}`));
    };
    put(cwd, 'in.jsonl', lines(...many('a')));
    const run = (...more: string[]) => {
      return migrate(['in.jsonl', '-o', 'out', '--no-report', ...more], { cwd });
    };
    await run();
    put(cwd, 'in.jsonl', lines(...many('b')));
    const { err } = await run();
    expect(err.match(/batch\/orphan/g)).toHaveLength(20);
    expect(err).toContain('… and 10 more (--verbose shows all)');
    const { err: all } = await run('--verbose');
    expect(all.match(/batch\/orphan/g)).toHaveLength(30);
  });
});
