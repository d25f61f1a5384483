/** A person in the place of the model: a call through a workflow and its squad, in a terminal. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { fakeTerminal, goldenText, keys, pick, type Step } from './answering.js';
import { fakeIo } from './fake-io.js';
import { temporaryFolder } from './temporary-folder.js';

const { folder, put } = temporaryFolder();
put('pattern.json', goldenText('worked-pattern'));

const asks = 'What happens?';

async function walk(args: readonly string[], steps: readonly Step[]) {
  const terminal = fakeTerminal(steps, 100);
  const io = { ...fakeIo({ cwd: folder, env: { NO_COLOR: '1' } }), terminal };
  const code = await run(['walk', ...args], io);
  expect(terminal.left(), terminal.screen()).toEqual([]);
  return { code, screen: terminal.screen(), err: io.err() };
}

describe('squadc walk', () => {
  it('shows who is active, what crosses, and what could be chosen', async () => {
    const { code, screen } = await walk(
      ['pattern.json'],
      [
        [asks, ...pick(0)],
        ['Step 2: collection', ...pick(0)],
        ['carries full_name = «full_name»', ...pick(0)],
        ['Step 4: goodbye', ...pick(2)],
      ],
    );
    expect(code).toBe(0);
    expect(screen).toContain('Step 1: greeting');
    expect(screen).toContain('active    greeting');
    expect(screen).toContain('| Greet the caller and find out why they call.');
    expect(screen).toContain('the caller wants an appointment → booking');
    expect(screen).toContain('variable  full_name = «full_name»');
    expect(screen).toContain('handoff   to booking');
    expect(screen).toContain('knows     full_name = «full_name»');
    expect(screen).toContain('The call has ended');
    expect(screen).not.toContain('only in the');
  });

  it('goes back, and says what the person says', async () => {
    const { code, screen } = await walk(
      ['pattern.json'],
      [
        [asks, ...pick(0)],
        ['Step 2', ...pick(1)],
        ['handoff   to payment', ...pick(1)],
        ['Step 2', ...pick(3)],
        ['Which variable?', ...pick(0)],
        ['What is full_name?', keys.ctrlU, 'Ada', keys.enter],
        ['full_name = Ada', ...pick(0)],
        ['carries full_name = Ada', keys.ctrlC],
      ],
    );
    expect(code).toBe(0);
    expect(screen).toContain('knows     full_name = Ada');
  });

  it('asks first what is open, and needs a terminal', async () => {
    writeFileSync(join(folder, 'open.json'), goldenText('cycle-open'));
    const open = await walk(['open.json'], []);
    expect(open.code).toBe(2);
    expect(open.err).toContain('1 question open');
    const io = fakeIo({ cwd: folder });
    const terminal = { ...fakeTerminal([]), input: process.stdin };
    expect(await run(['walk', 'pattern.json'], { ...io, terminal })).toBe(64);
    expect(io.err()).toContain('squadc playground');
  });
});
