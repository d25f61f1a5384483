import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Io } from '../../src/cli/io.js';
import { run } from '../../src/cli/run.js';
import { validateRunSummary } from '../../src/schemas/validators.generated.js';
import { here } from '../batch/migrating.js';
import { newFolder } from '../report/new-folder.js';
import { type FakeIo, fakeIo, type Surroundings } from './fake-io.js';

const talk = (id: string) => ({ id, type: 'conversation', systemPrompt: `Talk of ${id}.` });
const complete = { name: 'Greeting', nodes: [talk('hello')], edges: [] };
const open = {
  name: 'Transfer',
  nodes: [talk('hello'), { id: 'out', type: 'transferCall' }],
  edges: [{ from: 'hello', to: 'out', condition: 'a person is wanted' }],
};

const folder = newFolder();
mkdirSync(join(folder, 'flows'));
writeFileSync(join(folder, 'flows', 'greeting.json'), JSON.stringify(complete));
writeFileSync(join(folder, 'flows', 'broken.json'), '{"name": "Broken", "nodes": []}');
writeFileSync(
  join(folder, 'more.jsonl'),
  `${JSON.stringify(open)}\n\n${JSON.stringify(complete)}\n`,
);

async function assess(argv: readonly string[], given: Surroundings = {}) {
  const io: FakeIo & Io = { ...fakeIo({ cwd: folder, ...given }), threads: here() };
  return { io, exitCode: await run(['assess', ...argv], io) };
}

describe('squadc assess over sources', () => {
  it('says what a migration would find, and writes nothing', async () => {
    const before = readdirSync(folder, { recursive: true });
    const { io, exitCode } = await assess(['flows', 'more.jsonl']);
    expect(exitCode).toBe(1);
    const [totals, table] = io.out().split('\n\n');
    expect(totals).toMatch(/^4 workflows\n/);
    expect(totals).toContain('A 2 automatic, B 1 answers needed, C 1 work needed');
    expect(totals).toContain('1 invalid');
    expect(totals).toContain('open questions: 1 missing-destination');
    const lines = table
      ?.trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/ {2,}/));
    expect(lines?.map(([level, minutes, ...rest]) => [level, minutes, rest.at(-1)])).toEqual([
      ['C1', '20', 'Broken'],
      ['B1', '10', 'Transfer'],
      ['A1', '5', 'Greeting'],
      ['A1', '5', 'Greeting'],
    ]);
    expect(readdirSync(folder, { recursive: true })).toEqual(before);
  });

  it('takes policies, and prints a summary that is valid', async () => {
    const line = JSON.stringify({ ...open, nodes: [...open.nodes, talk('other')] });
    const { io, exitCode } = await assess(['--json', '--target', 'vapi', '-'], { stdin: line });
    const summary = JSON.parse(io.out());
    expect(validateRunSummary(summary), JSON.stringify(validateRunSummary.errors)).toBe(true);
    expect(summary.options.target).toBe('vapi');
    expect(summary.workflows).toHaveLength(1);
    expect(summary.workflows[0]).toMatchObject({ source: 'stdin', name: 'Transfer' });
    expect(exitCode).toBe(2);
  });

  it('names sources that are not there', async () => {
    const { io, exitCode } = await assess(['nowhere.json']);
    expect(io.err()).toContain('batch/missing: nowhere.json');
    expect(io.out()).toBe('');
    expect(exitCode).toBe(74);
  });

  it('shows nothing where it is stopped, and promises nothing', async () => {
    const onInterrupt = (stop: () => void) => {
      stop();
      return () => {};
    };
    const { io, exitCode } = await assess(['flows'], { onInterrupt });
    expect(io.out()).toBe('');
    expect(io.err()).toMatch(/^stopped: nothing of it is kept\n$/m);
    expect(exitCode).toBe(130);
  });
});
