/** README's `squadc answer`: somebody at a terminal, who takes what is proposed. */
import { run } from '../../src/cli/run.js';
import { fakeTerminal, keys, type Step } from '../cli/answering.js';
import { fakeIo } from '../cli/fake-io.js';
import type { Command, Ended } from './commands.js';

/** What the workflows of the platform leave open: one name, misspelt. */
const steps: readonly Step[] = [
  ['proposed: “customer_name”', keys.enter],
  ['The name of a variable', keys.enter],
];

export async function answerInTerminal({ text }: Command, cwd: string): Promise<Ended> {
  const terminal = fakeTerminal(steps);
  const io = { ...fakeIo({ cwd, isTTY: true, env: { NO_COLOR: '1' } }), terminal };
  const exit = await run(text.split(' ').slice(1), io);
  return { exit, printed: terminal.screen() + io.err() };
}
