/** Help, wrong usage, bugs, and what squadc itself knows: codes, schemas and tools. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { borrowed, fillCommand, namesOf } from '../../src/cli/command.js';
import { explainFault, faultCodes } from '../../src/cli/faults.js';
import { loadCommand } from '../../src/cli/run.js';
import * as library from '../../src/diagnostics/explain.js';
import { type ApiError, createDocumentsClient } from '../../src/documents.js';
import { lintExtractionSchema } from '../../src/documents-schemas.js';
import * as api from '../../src/index.js';
import { parametersSchema } from '../../src/serve/arguments.js';
import { toolDefinitions } from '../../src/tools.js';
import { schemaDocuments } from '../json.js';
import { squadc, temporaryFolder, transcript } from './fake-io.js';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const unused = () => Promise.reject(new Error('the library is not needed here'));
const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));

const bug = async () => ({
  ...api,
  compile: () => {
    throw new Error('assistants out of order\u001b[2J');
  },
});
const given = temporaryFolder();
const reported = `
  compile - => 70 squadc: internal error: assistants out of order\\u001b[2J
    | This is a bug in squadc ${version}. Please report it with the command, the input files
    | and what --debug prints.
  compile - --debug => 70 ${version}. Please report it with the command, the input files.…    at
  --debug compile - => 70 ${version}. Please report it with the command, the input files.…    at`;
transcript(given, reported, { stdin: '{}', load: bug });
transcript(given, `--version => 0 > ${version}\n-V => 0 > ${version}`, { load: unused });
transcript(
  given,
  `
  => 64 Usage: squadc
  compil x.json => 64 squadc: unknown command 'compil'…(Did you mean compile?)
  compile => 64 squadc: missing required argument 'file'
  compile - --awnsers x => 64 (Did you mean --answers?)
  compile - --target vap\u001b[2J => 64 squad, vapi.…(squadc --help
  compile - --boundary x => 64 Allowed choices are branch, tools.
  compile - --model gpt-4o => 64 for example openai/gpt-4o
  compile - --context last => 64 last:<n>
  compile - --policy cyclic-stages => 64 <kind>=<choice>
  compile - --json --emit ledger => 64 '--emit <what>' cannot be used with
  compile - --answers - => 64 only one input can be read from standard input
  compile - --output => 64 option '-o, --output <file>' argument missing
  explain a b => 64 squadc: too many arguments
  explain shape/not-jsn => 64 unknown code 'shape/not-jsn'…(Did you mean shape/not-json?)
  explain push/unknwon => 64 (Did you mean push/unknown?)
  explain cyclic-stage => 64 (Did you mean cyclic-stages?)
  explain constructor => 64 (squadc explain lists all codes)
  explain \u001b[2J => 64 squadc: unknown code '\\u001b[2J'…(squadc explain lists all codes)
  schema answer => 64 unknown schema 'answer'…(Did you mean answers?)
  tools show bills.gt => 64 unknown operation 'bills.gt'…(Did you mean bills.get?)
  tools bills.get => 64 use \`squadc tools list\` or \`squadc tools show <operation>\``,
);

/** The words that call each command, with the command. */
async function allCommands(): Promise<(readonly [string, Command])[]> {
  const program = new Command();
  for (const file of readdirSync('src/cli/commands')) {
    const name = file.replace(/\.ts$/, '');
    const { command, ...others } = await loadCommand(name);
    if (Object.keys(others).length > 0) throw new Error(`${file} exports more than the command`);
    fillCommand(program.command(name), command, unused);
  }
  const within = (parent: Command, before: string): (readonly [string, Command])[] =>
    parent.commands.flatMap((command) => {
      const words = `${before} ${command.name()}`.trim();
      return [[words, command] as const, ...within(command, words)];
    });
  return within(program, '');
}

describe.each(await allCommands())('squadc %s', (words, command) => {
  it('has help: a synopsis, every option with its default, exit codes and an example', async () => {
    const { exitCode, out, err } = await squadc(`${words} --help`, {}, unused);
    expect([exitCode, err]).toEqual([0, '']);
    expect(out.startsWith(`Usage: squadc ${words} `)).toBe(true);
    const text = out.replaceAll(/\s+/g, ' ');
    for (const { flags, long, helpGroupHeading: group, ...option } of command.options) {
      const { description, defaultValue, hidden } = option;
      if (hidden) continue;
      expect(text).toContain(group === borrowed ? `${long}` : flags);
      expect(description.length).toBeGreaterThan(5);
      // A value that an option has without being given is named, unless it is simply not there.
      const own = text.slice(text.indexOf(flags)).slice(0, 600);
      if (![undefined, true, false].includes(defaultValue)) expect(own).toContain('default: ');
    }
    for (const argument of command.registeredArguments) {
      expect(out).toMatch(new RegExp(`^ {2}${argument.name()} {2,}\\S`, 'm'));
    }
    expect(text).toMatch(/Exit codes: 0 done, 1 .*, 64 wrong usage, 70 a bug in squadc/);
    const { exits = [], options = {} } = (await loadCommand(words)).command;
    for (const code of exits) expect(text.split('Exit codes')[1]).toMatch(`, ${code} `);
    // The options that another command explains are named.
    const others = namesOf(options[borrowed] ?? {}).length;
    const named = text.split(borrowed)[1]?.match(/^ (?:--[a-z-]+,? )+/)?.[0] ?? '';
    expect(named.split('--')).toHaveLength(others + 1);
    const example = `squadc ${words.split(' ')[0]} `;
    expect(out).toMatch(new RegExp(`^Examples?:\\n(?: .*\\n)* {2}.*${example}`, 'm'));
    expect(out).toContain('--debug');
    expect(widest(out)).toBeLessThanOrEqual(80);
  });

  it('has help that fits on a screen, and wraps in a narrow window', async () => {
    const { out } = await squadc(`${words} --help`, { columns: 80 });
    expect(out.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
    const narrow = await squadc(`${words} --help`, { columns: 60 });
    const [text = '', examples = ''] = narrow.out.split(/^Examples?:$/m);
    expect(widest(text)).toBeLessThanOrEqual(60);
    const wordsOf = (help: string) => help.split(/\s+/).filter(Boolean);
    expect(wordsOf(text + examples)).toEqual(wordsOf(out.replace(/^Examples?:$/m, '')));
  });
});

const codes = [...library.codes(), ...faultCodes].sort();
const explain = (code: string) => library.explain(code) ?? explainFault(code) ?? expect.fail(code);

describe('squadc explain', () => {
  it('tells for every code what it means, why, and what to do, in lines that fit', async () => {
    const words = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
    for (const code of codes) {
      const { exitCode, out, err } = await squadc(`explain ${code}`);
      expect([exitCode, err]).toEqual([0, '']);
      const { kind, severity, title, why, help, choices = [] } = explain(code);
      const reason = why === undefined ? '' : `Why ${words(why)} `;
      expect(words(out)).toContain(
        `${code} (${severity ?? kind}) ${title} ${reason}What to do ${words(help)}`,
      );
      for (const { key, label, effect } of choices) {
        expect(words(out)).toContain(words(`${key}: ${label} ${effect}`));
      }
      expect(widest(out)).toBeLessThanOrEqual(80);
    }
  });

  it('lists all codes with their titles, and paints headings on a terminal', async () => {
    const lines = (await squadc('explain')).out.trimEnd().split('\n');
    const rows = codes.map((code) => [code, explain(code).title]);
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual(rows);
    const { out } = await squadc('explain shape/not-json', { isTTY: true });
    expect(out).toContain('\u001b[1mWhat to do\u001b[22m');
  });

  it('knows every fault of a service call and of an extraction schema', async () => {
    const [baseUrl, retry] = ['https://api.example.com', { maxAttempts: 1 }];
    const { files } = createDocumentsClient({ baseUrl, apiKey: 'k', retry });
    for (let status = 300; status < 600; status += 1) {
      const fetch = async () => new Response(null, { status });
      const error = await files.get('a', {}, { fetch }).catch((thrown: ApiError) => thrown);
      expect(faultCodes).toContain((error as ApiError).code);
    }
    const schema = { type: 'object', properties: { a: { type: ['string', 'null'] } }, odd: 1 };
    const found = lintExtractionSchema(schema);
    expect(found.length).toBeGreaterThan(2);
    for (const { code, severity } of found) expect(explain(code).severity).toBe(severity);
  });

  it('knows every code that stands in the source, and has no other', () => {
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.generated(?:\.d)?)\.ts$/.test(file))
      .filter((file) => file !== join('cli', 'faults.ts'))
      .map((file) => readFileSync(join('src', file), 'utf8'));
    const areas = [...new Set(faultCodes.map((code) => code.split('/')[0]))].join('|');
    const code = new RegExp(`["'\`]((?:${areas})/[a-z]+(?:-[a-z]+)*)["'\`]`, 'g');
    const all = (pattern: RegExp) =>
      new Set(sources.flatMap((text) => Array.from(text.matchAll(pattern), ([, found]) => found)));
    const written = all(code);
    for (const each of written) expect(codes).toContain(each);
    for (const reason of all(/untrusted\('([a-z-]+)'\)/g)) {
      expect(faultCodes).toContain(`api/webhook-${reason}`);
    }
    // Others are put together of their area and a word, which a service may write in capitals.
    const words = [...all(/'([a-z-]+)'/g), ...all(/\b([A-Z]+_[A-Z]+)\b/g)];
    const parts = new Set(words.map((word) => word?.toLowerCase().replaceAll('_', '-')));
    const unused = faultCodes.filter(
      (each) => !written.has(each) && !parts.has(each.split('/')[1]?.replace(/^webhook-/, '')),
    );
    expect(unused).toEqual([]);
  });
});

it('squadc schema lists the schemas, and prints each', async () => {
  const names = Object.keys(schemaDocuments);
  expect((await squadc('schema')).out).toBe(names.map((name) => `${name}\n`).join(''));
  for (const name of names) {
    const { exitCode, out, err } = await squadc(`schema ${name}`);
    expect([exitCode, err, JSON.parse(out)]).toEqual([0, '', schemaDocuments[name]]);
    expect(out).toMatch(/^\{\n {2}".*\}\n$/s);
  }
});

it('squadc tools lists the tools, and shows what each takes and tells', async () => {
  const tools = Object.values(toolDefinitions);
  const { exitCode, out, err } = await squadc('tools list');
  expect([exitCode, err]).toEqual([0, '']);
  const rows = tools.map(({ name, operation, effect, description }) => {
    return [name, operation, effect, `${description.split('. ')[0]}.`.replace('..', '.')];
  });
  const lines = out.trimEnd().split('\n');
  expect(lines.map((line) => line.split(/ {2,}/))).toEqual(rows);
  expect(JSON.parse((await squadc('tools list --json')).out)).toEqual(tools);
  for (const tool of tools) {
    const shown = await squadc(`tools show ${tool.operation}`);
    expect(shown).toMatchObject({ exitCode: 0, err: '' });
    expect(JSON.parse(shown.out)).toEqual({ ...tool, schema: parametersSchema(tool) });
    expect((await squadc(`tools show ${tool.name}`)).out).toBe(shown.out);
  }
});
