/** Which commands are loaded: the one that is named, or all where the help speaks of all. */
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { commandsFor } from '../../src/cli/commands.js';
import { exitCodes } from '../../src/cli/exit.js';
import { fakeIo } from './fake-io.js';

async function namesFor(...argv: string[]): Promise<string[]> {
  const program = new Command();
  const invocation = {
    io: fakeIo({}),
    loadApi: () => Promise.reject(new Error('not needed')),
    exitCode: exitCodes.complete,
  };
  for (const add of await commandsFor(argv)) add(program, invocation);
  return program.commands.map((command) => command.name());
}

describe('the commands of the program', () => {
  it('are all there, in one order, for what speaks of all', async () => {
    const all = await namesFor('--help');
    expect(all.slice(0, 3)).toEqual(['compile', 'check', 'migrate']);
    expect(all).toHaveLength(20);
    expect(new Set(all).size).toBe(20);
    for (const argv of [[], ['help'], ['help', 'graph'], ['completion', 'bash'], ['compiel']]) {
      expect(await namesFor(...argv)).toEqual(all);
    }
  });

  it('are not there for the version', async () => {
    expect(await namesFor('--version', '--help')).toEqual([]);
    expect(await namesFor('-V')).toEqual([]);
  });

  it('are named as they are listed, and each comes alone', async () => {
    for (const name of await namesFor('--help')) {
      if (name !== 'completion') expect(await namesFor('--debug', name, '--help')).toEqual([name]);
    }
  });
});
