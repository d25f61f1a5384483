import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { fakeIo } from './fake-io.js';
import { stubApi } from './stub-api.js';

const folder = mkdtempSync(join(tmpdir(), 'squadc-scenarios-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const put = (name: string, content: unknown) =>
  writeFileSync(
    join(folder, name),
    typeof content === 'string' ? content : JSON.stringify(content),
  );

put('pattern.json', readFileSync('golden/worked-pattern/input.json', 'utf8'));
const talk = (id: string) => ({ id, type: 'conversation', systemPrompt: `Do ${id}.` });
put('two-starts.json', { name: 'x', nodes: [talk('a'), talk('b')], edges: [] });
const fan = Array.from({ length: 1500 }, () => 'end').map((to, at) => ({
  from: 'n1499',
  to,
  condition: `way ${at}`,
}));
const chain = Array.from({ length: 1499 }, (_, at) => ({ from: `n${at}`, to: `n${at + 1}` }));
put('endless.json', {
  name: 'x',
  nodes: [
    ...Array.from({ length: 1500 }, (_, at) => talk(`n${at}`)),
    { id: 'end', type: 'endCall' },
  ],
  edges: [...chain, ...fan],
});
put('long.json', {
  name: 'x',
  nodes: Array.from({ length: 200 }, (_, at) => talk(`n${at}`)),
  edges: chain
    .slice(0, 199)
    .map((edge, at) => ({ ...edge, condition: `they want way number ${at}` })),
});

async function scenarios(argv: readonly string[], isTTY = false) {
  const io = fakeIo({ cwd: folder, isTTY, env: { NO_COLOR: '1' } });
  const exitCode = await run(['scenarios', ...argv], io);
  return { exitCode, out: io.out(), err: io.err() };
}

const expected = (name: string) =>
  readFileSync(`test/scenarios/expected/worked-pattern/${name}`, 'utf8');

describe('squadc scenarios', () => {
  it('writes the scenarios to standard output, and how many to standard error', async () => {
    expect(await scenarios(['pattern.json'])).toEqual({
      exitCode: 0,
      out: expected('scenarios.json'),
      err: 'complete: 2 calls that take 5 edges\n',
    });
  });

  it('writes Markdown to a file', async () => {
    const argv = ['pattern.json', '--format', 'markdown', '-o', 'calls.md'];
    expect(await scenarios(argv)).toMatchObject({ exitCode: 0, out: '' });
    expect(readFileSync(join(folder, 'calls.md'), 'utf8')).toBe(expected('scenarios.md'));
  });

  it('writes the body of a run for a squad', async () => {
    const { out, exitCode } = await scenarios(['pattern.json', '--squad-id', 'b83d4a17']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toEqual({
      simulations: JSON.parse(expected('scenarios.json')).map((scenario: object) => ({
        type: 'simulation',
        scenario,
      })),
      target: { type: 'squad', squadId: 'b83d4a17' },
    });
  });

  it('asks where a call starts, and takes the answer', async () => {
    const apart = ['two-starts.json', '--policy', 'missing-edges=none'];
    const open = await scenarios(apart);
    expect(open).toMatchObject({ exitCode: 2, out: '' });
    expect(open.err).toContain('question[ambiguous-start:workflow]');
    expect(open.err).toMatch(/1 question open\n$/);
    const choice = { choice: 'node', value: 'b' };
    put('answers.json', { answers: { 'ambiguous-start:workflow': choice } });
    const answered = await scenarios([...apart, '--answers', 'answers.json']);
    expect(answered.exitCode).toBe(0);
    expect(JSON.parse(answered.out)[0].name).toBe('Call 1 of 1: b to b');
    const proposed = await scenarios([...apart, '--accept-proposals']);
    expect(JSON.parse(proposed.out)[0].name).toBe('Call 1 of 1: a to a');
  });

  it('writes nothing for what is no workflow, and does not plan', async () => {
    put('none.json', '[]');
    const { exitCode, out, err } = await scenarios(['none.json', '-o', 'none.out']);
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    expect(err).toContain('error[shape/not-an-object]');
    expect(() => readFileSync(join(folder, 'none.out'))).toThrow('ENOENT');
  });

  it('refuses what the platform or anybody could not take', async () => {
    const long = await scenarios(['long.json']);
    expect(long).toMatchObject({ exitCode: 1, out: '' });
    expect(long.err).toMatch(/Call 1 of 1: n0 to n199: the instructions have \d+ characters/);
    expect(await scenarios(['long.json', '--format', 'markdown'])).toMatchObject({ exitCode: 0 });
    const endless = await scenarios(['endless.json']);
    expect(endless).toMatchObject({ exitCode: 1, out: '' });
    expect(endless.err).toContain('have millions of steps');
  });

  it.each([
    [['pattern.json', '--format', 'html']],
    [['pattern.json', '--format', 'markdown', '--squad-id', 'x']],
    [['pattern.json', '-o', 'pattern.json']],
    [['-', '--answers', '-']],
    [[]],
  ])('ends with 64 for %j', async (argv) => {
    expect(await scenarios(argv)).toMatchObject({ exitCode: 64, out: '' });
  });

  it('cannot steer a terminal', async () => {
    const systemPrompt = 'Red: \u001b[31m.\nTwo lines.';
    put('steer.json', { name: '\u202ex', nodes: [{ ...talk('a'), systemPrompt }], edges: [] });
    for (const format of ['json', 'markdown']) {
      const { out } = await scenarios(['steer.json', '--format', format], true);
      expect(out).toContain('u001b[31m');
      for (const control of ['\u001b', '\u202e']) expect(out).not.toContain(control);
    }
  });

  it('helps without loading the compiler', async () => {
    const io = fakeIo();
    const never = () => Promise.reject(new Error('not needed'));
    expect(await run(['scenarios', '--help'], io, never)).toBe(0);
    expect(io.out()).toMatch(/^Exit codes:\n {2}0 {3}/m);
    expect(io.out()).toMatch(/^Example:\n {2}squadc scenarios /m);
  });

  it('hands the options of the squad on to the compiler', async () => {
    const api = stubApi((options) => ({ ...invalid, stats, diagnostics: [], options }) as never);
    const argv = ['scenarios', 'pattern.json', '--target', 'vapi', '--dynamic', 'who'];
    expect(await run(argv, fakeIo({ cwd: folder }), api.load)).toBe(1);
    expect(api.calls[0]!.options).toMatchObject({ target: 'vapi', dynamicVariables: ['who'] });
  });
});

const stats = {
  nodes: 0,
  edges: 0,
  assistants: 0,
  handoffs: 0,
  extractions: 0,
  tools: 0,
  questions: 0,
};
const invalid = {
  status: 'invalid',
  output: null,
  draft: null,
  questions: [],
  checklist: [],
  sourceMap: [],
  ledger: [],
};
