import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';
import { bashCompletion } from '../../src/cli/completion-bash.js';
import { fishCompletion } from '../../src/cli/completion-fish.js';
import { allCommands, completedProgram } from '../../src/cli/completion-model.js';
import { zshCompletion } from '../../src/cli/completion-zsh.js';
import { run } from '../../src/cli/run.js';
import { fakeIo } from './fake-io.js';
import { temporaryFolder } from './temporary-folder.js';

const { folder, put } = temporaryFolder();
const scripts = new Map<string, string>();

beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const io = fakeIo();
    expect(await run(['completion', shell], io)).toBe(0);
    scripts.set(shell, io.out());
    put(`squadc.${shell}`, io.out());
  }
});

/** What bash offers for the words, of which the last is the one at the cursor. */
function offered(...words: readonly string[]): string[] {
  const script = `
    source squadc.bash
    COMP_WORDS=(squadc "$@")
    COMP_CWORD=$#
    _squadc
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', ...words], {
    ...{ cwd: folder, encoding: 'utf8' },
  });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

function isInstalled(shell: string): boolean {
  return spawnSync(shell, ['--version']).error === undefined;
}

describe.skipIf(!isInstalled('bash'))('the completion of bash (skipped without bash)', () => {
  it('is a script that bash reads, and registers itself', () => {
    expect(spawnSync('bash', ['-n', 'squadc.bash'], { cwd: folder }).status).toBe(0);
    const registered = spawnSync('bash', ['-c', 'source squadc.bash; complete -p squadc'], {
      ...{ cwd: folder, encoding: 'utf8' },
    });
    expect(registered.stdout).toBe('complete -o default -F _squadc squadc\n');
  });

  it.each<[string[], string[]]>([
    [['com'], ['compile', 'completion']],
    [['compile', '--ta'], ['--target']],
    [
      ['compile', '--target', ''],
      ['squad', 'vapi'],
    ],
    // As bash cuts `--target=v`, and `--target=`.
    [['compile', '--target', '=', 'v'], ['vapi']],
    [
      ['compile', '--target', '='],
      ['squad', 'vapi'],
    ],
    [['compile', 'file.json', '--bound'], ['--boundary']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['tools', 's'], ['show']],
    [['tools', 'list', '--mark'], ['--markdown']],
    [
      ['help', 'comp'],
      ['compile', 'completion'],
    ],
    [['--ver'], ['--version']],
    [['answer', 'out', '--js'], ['--json']],
    [['answer', 'out', '--deb'], ['--debug']],
    // A name of a command that is an argument.
    [['check', 'compile', '--ta'], ['--target']],
    // Files are completed by bash itself.
    [['compile', 'wor'], []],
    [['compile', '--answers', 'an'], []],
    [['compile', '--model', ''], []],
    [['nothing', '--ta'], []],
  ])('%j offers %j', (words, expected) => expect(offered(...words)).toEqual(expected));

  it('offers every command of the program', () => {
    const io = fakeIo();
    return run(['--help'], io).then(() => {
      const named = [...io.out().matchAll(/^ {2}([a-z]+) (?:[[<]| )/gm)].map(([, name]) => name);
      expect(named.length).toBeGreaterThan(10);
      expect(new Set(offered(''))).toEqual(new Set(named));
    });
  });

  it('runs nothing of what is typed', () => {
    for (const word of ['$(touch ran)', '`touch ran`', '; touch ran', '* $(touch ran)']) {
      offered(word);
      offered('compile', word, '--ta');
      offered('compile', '--target', word);
    }
    expect(existsSync(join(folder, 'ran'))).toBe(false);
  });
});

const fish = 'fish';

describe.skipIf(!isInstalled(fish))('the completion of fish (skipped without fish)', () => {
  it.each<[string, string[]]>([
    ['squadc com', ['compile', 'completion']],
    ['squadc compile --ta', ['--target']],
    ['squadc compile --target ', ['squad', 'vapi']],
    ['squadc migrate --only=n', ['--only=needs-answers']],
    ['squadc tools s', ['show']],
    ['squadc answer out --js', ['--json']],
    ['squadc compile squadc.f', ['squadc.fish']],
    ['squadc compile --model ', []],
  ])('offers for %j what fits', (line, expected) => {
    const script = 'source squadc.fish; complete -C $argv[1]';
    const { stdout, stderr } = spawnSync(fish, ['--no-config', '-c', script, line], {
      ...{ cwd: folder, encoding: 'utf8', env: { ...process.env, HOME: folder } },
    });
    expect(stderr).toBe('');
    const words = stdout.split('\n').map((row) => row.split('\t')[0] ?? '');
    expect(words.filter((word) => word !== '')).toEqual(expected);
  });
});

describe.each(['zsh', 'fish'])('the completion of %s', (shell) => {
  it.skipIf(!isInstalled(shell))('is a script that it reads (skipped where it is not)', () => {
    expect(spawnSync(shell, ['-n', `squadc.${shell}`], { cwd: folder }).status).toBe(0);
  });

  it('has commands, options, values and files', () => {
    const script = scripts.get(shell) ?? '';
    const expected = {
      zsh: [
        '#compdef squadc',
        "'compile:compile a workflow into a squad'",
        "'(--target)'--target='[shape of the squad (default",
        ']:value:(squad vapi)',
        "'(-o --output)'{-o+,--output=}'[",
        "'*: :(bash zsh fish)'",
        "'*: :_files'",
        "the workflow'\\''s own",
      ],
      fish: [
        "-n '__fish_use_subcommand' -a compile -d 'compile a workflow into a squad'",
        "-n '__fish_seen_subcommand_from compile' -l target -x -a 'squad vapi' -d",
        "-n '__fish_seen_subcommand_from compile' -s o -l output -r -F -d",
        "-n '__fish_seen_subcommand_from completion' -a 'bash zsh fish'",
        "-n '__fish_seen_subcommand_from tools; and not __fish_seen_subcommand_from list show help'",
        "the workflow\\'s own",
      ],
    }[shell];
    for (const part of expected ?? []) expect(script).toContain(part);
  });
});

describe('completedProgram', () => {
  const program = new Command('x').option('--debug', "it's [a]: $(touch y) `z` \\");
  program
    .command('one')
    .argument('<in-file>')
    .requiredOption('-o, --out <folder>', 'where')
    .option('--many <words...>', 'several');
  program.command('secret', { hidden: true });

  it('knows what is a file, and leaves out what is hidden', () => {
    const [, one] = allCommands(completedProgram(program));
    expect(one).toMatchObject({ path: ['one'], takes: 'files' });
    expect(one?.options).toEqual([
      { flags: ['-o', '--out'], description: 'where', value: 'files', repeatable: false },
      { flags: ['--many'], description: 'several', value: 'unknown', repeatable: true },
      {
        flags: ['-h', '--help'],
        description: 'display help for command',
        value: null,
        repeatable: false,
      },
      expect.objectContaining({ flags: ['--debug'] }),
    ]);
    expect(JSON.stringify(completedProgram(program))).not.toContain('secret');
  });

  it('quotes descriptions', () => {
    const model = completedProgram(program);
    expect(bashCompletion(model)).not.toContain('touch y');
    expect(zshCompletion(model)).toContain("[it'\\''s \\[a\\]\\: $(touch y) `z` \\\\]'");
    expect(fishCompletion(model)).toContain("-d 'it\\'s [a]: $(touch y) `z` \\\\'");
  });
});

it('refuses other shells', async () => {
  const io = fakeIo();
  expect(await run(['completion', 'cmd'], io)).toBe(64);
  expect(io.err()).toContain('Allowed choices are bash, zsh, fish');
});
