import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
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
  return { fetch: fetch as typeof globalThis.fetch, retry: { baseMs: 1 } };
}

const pullingFrom = (known: readonly string[], ids: readonly string[], ...more: string[]) => {
  const where = ['--base-url', 'https://a.example/v1', '--key-env', 'API_KEY'];
  const args = ['-o', 'out', '--no-report', ...where, ...more, '--pull', ...ids];
  return migrate(args, { cwd, env: { API_KEY: secret }, network: platformWith(...known) });
};
const pulling = (ids: readonly string[], ...more: string[]) =>
  pullingFrom(['one', 'two'], ids, ...more);

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

  it('takes what was fetched before where it cannot be had now, and says so', async () => {
    await pulling(['one', 'two']);
    const { exitCode, err } = await pullingFrom(['two'], ['one', 'two'], '--prune');
    expect(exitCode).toBe(74);
    expect(err).toContain('one');
    expect(rowsOf(join(cwd, 'out')).map(({ name }) => name)).toEqual([
      'Name of one',
      'Name of two',
    ]);
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

  describe('at the end', () => {
    const end = async (...args: string[]) => {
      const { err } = await migrate(['in', ...args], { cwd });
      return err.split('\n').slice(0, -1);
    };

    it('is the summary to look at, and what to do next', async () => {
      put(cwd, 'in/One.json', lines(workflow('One')));
      expect(await end('-o', 'out')).toEqual([
        '1 complete',
        '1 workflow in out, the summary in out/summary.html',
      ]);
      expect(await end('-o', "it's out", '--no-report')).toEqual([
        '1 complete',
        "1 workflow in it's out, the summary in it's out/summary.md",
        "next: squadc report 'it'\\''s out'",
      ]);
      put(cwd, 'in/Two.json', lines(workflow('Two', 'open')));
      expect(await end('-o', 'out')).toEqual([
        '1 complete',
        '1 with open questions',
        '1 question: 1 undefined-variable',
        '2 workflows in out, the summary in out/summary.html',
        'next: squadc answer out',
      ]);
      expect(await end('-o', 'out', '--dry-run')).toContain('nothing was written');
    });

    it('is where errors stand', async () => {
      put(cwd, 'in/One.json', lines(workflow('One', 'broken')));
      expect(await end('-o', 'out')).toEqual([
        '1 invalid',
        '1 workflow in out, the summary in out/summary.html',
        'errors: in out/summary.sarif, and on the pages that the summary leads to',
      ]);
      expect(await end('-o', 'out', '--no-report')).toContain('errors: in out/summary.sarif');
    });

    it('is that there was nothing to do', async () => {
      put(cwd, 'in/One.json', lines(workflow('One')));
      expect(await end('-o', 'out', '--only', 'invalid')).toContain(
        'no workflow of the run before ended as invalid',
      );
    });
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

describe('squadc migrate --no-report, where there are pages', () => {
  const run = (...more: string[]) => migrate(['in', '-o', 'out', ...more], { cwd });
  const pageOf = (name: string) => {
    const row = rowsOf(join(cwd, 'out')).find((each) => each.name === name);
    return `${row?.folder}/report.html`;
  };

  it('names each page that it removes as outdated, and leaves the others', async () => {
    for (const name of ['One', 'Two']) put(cwd, `in/${name}.json`, lines(workflow(name)));
    await run();
    put(cwd, 'in/Two.json', lines({ ...workflow('Two'), warns: 'of this' }));
    expect((await run()).err).not.toContain('removed');
    put(cwd, 'in/Two.json', lines(workflow('Two')));
    const { err } = await run('--no-report');
    const removed = err.split('\n').filter((line) => line.startsWith('removed, '));
    expect(removed.sort()).toEqual([
      'removed, as it is outdated: summary.html',
      `removed, as it is outdated: ${pageOf('Two')}`,
    ]);
    for (const path of ['summary.html', pageOf('Two')]) {
      expect([path, existsSync(join(cwd, 'out', path))]).toEqual([path, false]);
    }
    expect(existsSync(join(cwd, 'out', pageOf('One')))).toBe(true);
  });

  it('names the pages that stay though they are outdated, as somebody changed them', async () => {
    put(cwd, 'in/One.json', lines(workflow('One')));
    await run();
    for (const path of ['summary.html', pageOf('One')]) put(cwd, `out/${path}`, 'mine');
    put(cwd, 'in/One.json', lines({ ...workflow('One'), warnsOf: 'this' }));
    const { err } = await run('--no-report');
    const kept = err.split('\n').filter((line) => line.startsWith('kept, '));
    expect(kept.sort()).toEqual([
      `kept, though outdated, as it was changed: ${pageOf('One')}`,
      'kept, though outdated, as it was changed: summary.html',
    ]);
    for (const path of ['summary.html', pageOf('One')]) {
      expect(readFileSync(join(cwd, 'out', path), 'utf8')).toBe('mine');
    }
  });
});

it('names the flag that gives a wrong policy or option', async () => {
  put(cwd, 'a.json', lines(workflow('A')));
  const { exitCode, err } = await migrate(
    ['a.json', '-o', 'out', '--policy', 'missing-auth=x', '--dynamic', ' '],
    { cwd },
  );
  expect(exitCode).toBe(1);
  const places = [...err.matchAll(/--> (.*)/g)].map(([, place]) => place);
  expect(places).toEqual(['--policy missing-auth=x', '--dynamic " "']);
});

it('names the first of two workflows with one key, be it in another file', async () => {
  // Two sources of which the hashes, cut as in keys, are the same.
  for (const file of ['14781', '78794']) put(cwd, `in/${file}.json`, lines(workflow('Same')));
  await migrate(['in', '-o', 'out', '--no-report'], { cwd });
  const [first, second] = rowsOf(join(cwd, 'out'));
  expect([first?.status, second?.key]).toEqual(['complete', first?.key]);
  expect(second?.failure?.message).toMatch(/^in\/14781\.json has a workflow/);
});

describe('a part of a run', () => {
  it.each([
    ['--only', 'complete'],
    ['--shard', '1/1'],
  ])('with %s calls nothing gone, and prunes nothing', async (...part) => {
    for (const name of ['One', 'Two']) put(cwd, `in/${name}.json`, lines(workflow(name)));
    await migrate(['in', '-o', 'out', '--no-report'], { cwd });
    const { folder = '' } = rowsOf(join(cwd, 'out'))[1] ?? {};
    rmSync(join(cwd, 'in/Two.json'));
    const { err } = await migrate(['in', '-o', 'out', '--no-report', '--prune', ...part], { cwd });
    expect(err).not.toContain('gone');
    expect(existsSync(join(cwd, 'out', folder, 'squad.json'))).toBe(true);
  });
});
