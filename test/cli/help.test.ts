/** The help of every command and of every command below one: in one form, and complete. */
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addCommand } from '../../src/cli/command.js';
import { commandsFor } from '../../src/cli/commands.js';
import { run } from '../../src/cli/run.js';
import { fakeIo } from './fake-io.js';

const unused = () => Promise.reject(new Error('the library is not needed here'));

/** The words that call each command, with the command. */
async function allCommands(): Promise<(readonly [string, Command])[]> {
  const program = new Command();
  for (const each of await commandsFor(['--help'])) addCommand(program, each, unused);
  return within(program, '');
}

function within(parent: Command, words: string): (readonly [string, Command])[] {
  return parent.commands.flatMap((command) => {
    const name = `${words} ${command.name()}`.trim();
    return [[name, command] as const, ...within(command, name)];
  });
}

/** Values that an option has without being given are named, unless it is then simply not there. */
function isComplete(out: string, option: Command['options'][number]): boolean {
  const text = out.replaceAll(/\s+/g, ' ');
  const own = text.slice(text.indexOf(option.flags)).slice(0, 600);
  const isNamed = text.includes(option.flags) && option.description.length > 5;
  const hasDefault = ![undefined, true, false].includes(option.defaultValue);
  return isNamed && (!hasDefault || own.includes('default: '));
}

describe.each(await allCommands())('squadc %s --help', (words, command) => {
  it('has a synopsis, every option, exit codes and an example', async () => {
    const io = fakeIo();
    expect(await run([...words.split(' '), '--help'], io, unused)).toBe(0);
    const out = io.out();
    expect(io.err()).toBe('');
    expect(out.startsWith(`Usage: squadc ${words} `)).toBe(true);
    for (const option of command.options.filter(({ hidden }) => !hidden)) {
      expect(isComplete(out, option), option.flags).toBe(true);
    }
    for (const argument of command.registeredArguments) {
      expect(out).toMatch(new RegExp(`^ {2}${argument.name()} {2,}\\S`, 'm'));
    }
    expect(out).toMatch(/^Exit codes(?:, by the worst)?:\n {2}0 {3,}/m);
    expect(out).toMatch(/^ {2}64 +wrong usage/m);
    expect(out).toMatch(
      new RegExp(`^Examples?:\\n(?: .*\\n)* {2}.*squadc ${words.split(' ')[0]} `, 'm'),
    );
    expect(out).toContain('--debug');
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('names an option that was meant', async () => {
    const options = command.options.map(({ long }) => long ?? '');
    const required = command.options.find(({ mandatory }) => mandatory)?.long;
    const option = required ?? options.find((long) => long.length > 6);
    if (option === undefined) return;
    const io = fakeIo();
    const mistyped = `${option.slice(0, 4)}${option.slice(5)}`;
    expect(await run([...words.split(' '), mistyped], io, unused)).toBe(64);
    expect(io.err()).toContain(`\n(Did you mean ${option}?)\n`);
  });
});
