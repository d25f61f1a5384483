/** Help, wrong usage, bugs. */
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addCommand } from '../../src/cli/command.js';
import { commandsFor, run } from '../../src/cli/run.js';
import { fakeIo, stubApi } from './fake-io.js';

describe('the command', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

  async function squadc(argv: string[], load?: ReturnType<typeof stubApi>['load']) {
    const io = fakeIo({ stdin: '{}' });
    const exitCode = await run(argv, io, load);
    return { exitCode, out: io.out(), err: io.err() };
  }

  describe('squadc', () => {
    it.each(['--version', '-V'])('prints its version: %s', async (flag) => {
      expect(await squadc([flag])).toEqual({ exitCode: 0, out: `${version}\n`, err: '' });
    });
  });

  describe('wrong usage', () => {
    it.each([
      [[], 'Usage: squadc'],
      [['compil', 'x.json'], "squadc: unknown command 'compil'\n(Did you mean compile?)"],
      [['compile'], "squadc: missing required argument 'file'"],
      [['compile', 'a', 'b'], 'squadc: too many arguments'],
      [['compile', '-', '--awnsers', 'x'], '(Did you mean --answers?)'],
      [['compile', '-', '--target', 'team'], 'Allowed choices are squad, vapi.'],
      [['compile', '-', '--boundary', 'x'], 'Allowed choices are branch, tools.'],
      [['compile', '-', '--handoff-tools', 'x'], 'Allowed choices are grouped, separate, auto.'],
      [['compile', '-', '--emit', 'x'], 'Allowed choices are flow-graph, regions, squad-ir,'],
      [['compile', '-', '--model', 'gpt-4o'], 'for example openai/gpt-4o'],
      [['compile', '-', '--context', 'last'], 'last:<n>'],
      [['compile', '-', '--policy', 'cyclic-stages'], '<kind>=<choice>'],
      [['compile', '-', '--json', '--emit', 'ledger'], "'--emit <what>' cannot be used with"],
      [['compile', '-', '--answers', '-'], 'only one input can be read from standard input'],
      [
        ['compile', 'a.json', '--tool-credential', 'cred-1'],
        '--tool-credential is for the server of --tool-server',
      ],
      [
        ['migrate', 'a.json', '-o', 'out', '--tool-credential', 'cred-1'],
        '--tool-credential is for the server of --tool-server',
      ],
      [['compile', '-', '--output'], "option '-o, --output <file>' argument missing"],
      [['explain', 'a', 'b'], 'squadc: too many arguments'],
      [['compile', '-', '--target', 'vap\u001b[2J'], 'squad, vapi.\n(squadc --help'],
      [['migrate', '.', '--ouput', 'x'], "option '-o, --output <folder>' not specified\n(squadc"],
    ])('exits 64 and says what is meant: %j', async (argv, message) => {
      const { exitCode, out, err } = await squadc(argv);
      expect(exitCode).toBe(64);
      expect(err).toContain(message);
      expect(out).toBe('');
    });
  });

  describe('a bug of squadc', () => {
    const broken = stubApi(() => {
      throw new Error('assistants out of order\u001b[2J');
    });

    it('exits 70 and says what to report, without a stack', async () => {
      const { exitCode, out, err } = await squadc(['compile', '-'], broken.load);
      expect(exitCode).toBe(70);
      expect(out).toBe('');
      expect(err).toBe(
        'squadc: internal error: assistants out of order\\u001b[2J\n' +
          `This is a bug of squadc ${version}. Please report it with the command, ` +
          'the input files and what --debug prints.\n',
      );
    });

    it.each([[['--debug', 'compile', '-']], [['compile', '-', '--debug']]])(
      'shows the stack where it is asked for: %j',
      async (argv) => {
        const { exitCode, err } = await squadc(argv, broken.load);
        expect(exitCode).toBe(70);
        expect(err).toMatch(/\n {4}at /);
      },
    );
  });

  describe('colour', () => {
    it.each([
      [{}, true],
      [{ NO_COLOR: '1' }, false],
    ])('of summaries on a terminal with %j: %s', async (env, coloured) => {
      const io = fakeIo({ stdin: '{}', isTTY: true, env });
      expect(await run(['compile', '-'], io, stubApi().load)).toBe(0);
      expect(io.err().includes('\u001b[')).toBe(coloured);
      expect(io.err()).toContain('complete: 5 nodes → 3 assistants, 2 handoffs, 1 extraction');
    });
  });
});

describe('help', async () => {
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
      const option = options.find((long) => long.length > 6);
      if (option === undefined || command.options.some(({ mandatory }) => mandatory)) return;
      const io = fakeIo();
      const mistyped = `${option.slice(0, 4)}${option.slice(5)}`;
      expect(await run([...words.split(' '), mistyped], io, unused)).toBe(64);
      expect(io.err()).toContain(`\n(Did you mean ${option}?)\n`);
    });
  });
});
