import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { fakeIo } from './fake-io.js';

const folder = mkdtempSync(join(tmpdir(), 'squadc-graph-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
const golden = (path: string) => readFileSync(`golden/${path}`, 'utf8');
const drawn = (path: string) => readFileSync(`test/report/expected/${path}`, 'utf8');

put('pattern.json', golden('worked-pattern/input.json'));
put('squad.json', golden('worked-pattern/expected/squad.json'));
put('two-starts.json', golden('ambiguous-start-open/input.json'));
put('answers.json', golden('ambiguous-start-answered/answers.json'));
put('exit.json', golden('start-is-an-exit/input.json'));
put('nowhere.json', golden('edges-to-nowhere/input.json'));
put('twice.json', '{"name":"x","name":"y","nodes":[{"id":"a","type":"conversation"}],"edges":[]}');

async function graph(argv: readonly string[], stdin = '') {
  const io = fakeIo({ cwd: folder, env: { NO_COLOR: '1' }, stdin });
  const exitCode = await run(['graph', ...argv], io);
  return { exitCode, out: io.out(), err: io.err() };
}

describe('squadc graph', () => {
  it.each([
    ['svg', 'svg'],
    ['mermaid', 'mmd'],
    ['dot', 'dot'],
  ])('draws a workflow and its squad as %s', async (format, extension) => {
    for (const of of ['workflow', 'squad']) {
      const { exitCode, out } = await graph(['pattern.json', '--format', format, '--of', of]);
      expect(exitCode).toBe(0);
      expect(out).toBe(drawn(`worked-pattern/${of}.${extension}`));
    }
  });

  it('draws the workflow as SVG where nothing else is said', async () => {
    expect((await graph(['pattern.json'])).out).toBe(drawn('worked-pattern/workflow.svg'));
  });

  it('recognises a squad, which needs no compiling', async () => {
    const { exitCode, out, err } = await graph(['squad.json', '--format', 'mermaid']);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
    expect(out).toContain('greeting<br/>start, assistant');
    const refused = await graph(['squad.json', '--of', 'workflow']);
    expect(refused).toEqual({
      exitCode: 64,
      out: '',
      err: 'squadc: squad.json is a squad, not a workflow\n',
    });
  });

  it('reads standard input and writes a file', async () => {
    const { exitCode, out } = await graph(
      ['-', '-o', 'drawn.svg'],
      golden('worked-pattern/input.json'),
    );
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: '' });
    expect(readFileSync(join(folder, 'drawn.svg'), 'utf8')).toBe(
      drawn('worked-pattern/workflow.svg'),
    );
    expect((await graph(['pattern.json', '-o', 'pattern.json'])).exitCode).toBe(64);
  });

  it('draws a workflow whose questions are open, and no squad of it', async () => {
    const open = await graph(['two-starts.json', '--format', 'dot']);
    expect(open.exitCode).toBe(2);
    expect(open.out).toMatch(/^digraph/);
    expect(open.err).toContain('ambiguous-start');
    const squad = await graph(['two-starts.json', '--of', 'squad']);
    expect(squad).toMatchObject({ exitCode: 2, out: '' });
  });

  it('takes answers and proposals', async () => {
    const answered = await graph(['two-starts.json', '--answers', 'answers.json', '--of', 'squad']);
    expect(answered.exitCode).toBe(0);
    const accepted = await graph(['two-starts.json', '--accept-proposals', '--format', 'mermaid']);
    expect(accepted.exitCode).toBe(0);
    expect(accepted.out).toContain('start, ');
  });

  it('draws a workflow that does not compile without assistants, and nothing that cannot be read', async () => {
    const exit = await graph(['exit.json', '--format', 'mermaid']);
    expect(exit.exitCode).toBe(1);
    expect(exit.out).toMatch(/^flowchart TD\n/);
    expect(exit.out).not.toContain('subgraph');
    for (const file of ['nowhere.json', 'twice.json']) {
      const { exitCode, out, err } = await graph([file]);
      expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
      expect(err).not.toBe('');
    }
  });

  it('keeps to a theme', async () => {
    expect((await graph(['pattern.json', '--theme', 'dark'])).out).not.toContain('@media');
    expect((await graph(['pattern.json', '--theme', 'blue'])).exitCode).toBe(64);
  });
});
