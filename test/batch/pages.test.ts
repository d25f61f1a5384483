/** The pages of a run: which are made when, and which go. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { renderPage } from '../../src/report/page/page.js';
import { temporaryFolder } from '../cli/fake-io.js';
import { lines, migrate, put, rowsOf, tree, workflow } from './migrating.js';

vi.mock('../../src/report/page/page.js', async (original) => {
  const module = await original<typeof import('../../src/report/page/page.js')>();
  return { ...module, renderPage: vi.fn(module.renderPage) };
});

/** Ends of paths that cannot be removed. */
const stuck = vi.hoisted(() => new Set<string>());

vi.mock('node:fs', async (original) => {
  const module = await original<typeof import('node:fs')>();
  const rmSync: typeof module.rmSync = (path, options) => {
    if ([...stuck].some((end) => String(path).endsWith(end))) {
      throw Object.assign(new Error('EPERM'), { code: 'EPERM', syscall: 'unlink' });
    }
    module.rmSync(path, options);
  };
  return { ...module, rmSync };
});

const rendered = vi.mocked(renderPage);
let cwd = '';
let out = '';
beforeEach(() => {
  cwd = temporaryFolder().folder;
  out = join(cwd, 'out');
  for (const name of ['Alpha', 'Beta']) put(cwd, `in/${name}.json`, JSON.stringify(workflow(name)));
  rendered.mockClear();
});

const run = (...args: string[]) => migrate(['in', '-o', 'out', ...args], { cwd });
const pageOf = (name: string) =>
  `${rowsOf(out).find((row) => row.name === name)?.folder}/report.html`;
const names = () => rendered.mock.calls.map(([{ result }]) => result.name);

describe('a page', () => {
  it('is made once, and again only where its workflow has changed', async () => {
    await run();
    expect(names()).toEqual(['Alpha', 'Beta']);
    const before = tree(out);
    await run();
    expect(names()).toHaveLength(2);
    expect(tree(out)).toEqual(before);
    put(cwd, 'in/Beta.json', JSON.stringify({ ...workflow('Beta'), globalPrompt: 'Be kind.' }));
    await run();
    expect(names().slice(2)).toEqual(['Beta']);
    expect(tree(out).get(pageOf('Beta'))).toContain('Be kind.');
  });

  it('is not made over what somebody wrote', async () => {
    await run();
    put(out, pageOf('Beta'), 'mine');
    const { exitCode } = await run();
    expect([exitCode, ...names().slice(2)]).toEqual([74, 'Beta']);
    expect(tree(out).get(pageOf('Beta'))).toBe('mine');
    expect((await run('--force')).exitCode).toBe(0);
    expect(tree(out).get(pageOf('Beta'))).not.toBe('mine');
  });
});

describe('summary.html', () => {
  it('stands without pages where there are more than 1,000 workflows', async () => {
    const amount = 1_001;
    const all = Array.from({ length: amount }, (_, number) => workflow(`Flow ${number}`));
    put(cwd, 'many.jsonl', lines(...all));
    const { exitCode } = await migrate(['many.jsonl', '-o', 'out'], { cwd });
    expect([exitCode, rendered.mock.calls.length]).toEqual([0, 0]);
    const text = readFileSync(join(out, 'summary.html'), 'utf8');
    const [first] = rowsOf(out);
    expect(text).toContain(`href="./${first?.folder}/result.json"`);
  }, 60_000);

  it('goes where it is outdated, and is not made again', async () => {
    await run();
    await run('--no-report');
    expect(existsSync(join(out, 'summary.html'))).toBe(true);
    put(cwd, 'in/Gamma.json', JSON.stringify(workflow('Gamma')));
    const { err } = await run('--no-report');
    expect(err).toContain('removed because it is outdated: summary.html');
    expect(existsSync(join(out, 'summary.html'))).toBe(false);
    await run();
    expect(statSync(join(out, 'summary.html')).isFile()).toBe(true);
  });
});
