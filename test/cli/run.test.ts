import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { fakeIo } from './fake-io.js';
import { stubApi } from './stub-api.js';

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

  it.each([
    [['--help'], 'squadc [options] [command]'],
    [['help'], 'squadc [options] [command]'],
    [['compile', '--help'], 'squadc compile [options] <file>'],
    [['compile', '-h'], 'squadc compile [options] <file>'],
    [['help', 'compile'], 'squadc compile [options] <file>'],
    [['explain', '--help'], 'squadc explain [options] [code]'],
    [['schema', '--help'], 'squadc schema [options] [name]'],
  ])('helps with %s without loading the compiler', async (argv, synopsis) => {
    const { exitCode, out, err } = await squadc(argv);
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^Usage: /);
    expect(out).toContain(synopsis);
    expect(out).toMatch(/^Exit codes:\n {2}0 {3}/m);
    expect(out).toMatch(/^Example:\n {2}squadc \w+/m);
    expect(err).toBe('');
  });

  it('lists every option of compile with its default', async () => {
    const { out } = await squadc(['compile', '--help']);
    const options = [...out.matchAll(/--[a-z][a-z-]*/g)].map(([option]) => option);
    expect(new Set(options)).toEqual(
      new Set(
        [
          ...['answers', 'accept-proposals', 'policy', 'target', 'boundary', 'handoff-tools'],
          ...[
            'model',
            'overrides',
            'context',
            'dynamic',
            'critical',
            'tool-names',
            'output',
            'emit',
            'json',
          ],
          ...['bindings', 'tools', 'tool-server', 'tool-credential', 'service-url'],
          ...['pass', 'verbose', 'debug', 'help', 'version'],
        ].map((name) => `--${name}`),
      ),
    );
    const text = out.replaceAll(/\s+/g, ' ');
    for (const [option, value] of [
      ['--target', "default: squad for a workflow in the specification's shape, else vapi)"],
      ['--boundary', 'default: "branch")'],
      ['--handoff-tools', '(default: grouped, for vapi auto)'],
      ['--model', "(default: the workflow's own, else openai/gpt-4o)"],
      ['--context', '(default: all)'],
    ]) {
      expect(text.slice(text.indexOf(`${option} `)).split(' --', 1)[0]).toContain(value);
    }
  });

  it('fits a terminal of 80 columns', async () => {
    for (const command of ['compile', 'explain', 'schema']) {
      const { out } = await squadc([command, '--help']);
      expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    }
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
    [['help', 'compil'], "squadc: unknown command 'compil'\n(Did you mean compile?)"],
    [['help', 'x\u001b[2J'], "squadc: unknown command 'x\\u001b[2J'\n("],
    [['compile', '-', '--target', 'vap'], 'squad, vapi.\n(Did you mean vapi?)\n(squadc --help'],
    [['compile', '-', '--emit', 'region'], 'tool-bindings.\n(Did you mean regions?)\n'],
    [['graph', '-', '--format', 'mermade'], '(Did you mean mermaid?)'],
    [['migrate', '.', '--ouput', 'x'], 'not specified\n(Did you mean --output?)\n(squadc --help'],
    [['migrate', '.', '--ouput=x'], 'not specified\n(Did you mean --output?)\n(squadc --help'],
    [['migrate', '.', '--force', '-x'], 'not specified\n(squadc --help'],
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
