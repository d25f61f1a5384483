/** The folders of golden/, read into cases, and their results as files. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CompileOptions,
  type CompileResult,
  type Diagnostic,
  type Json,
  type Question,
  type Read,
  readWorkflow,
} from '../../src/index.js';
import { emit } from '../../src/report/representations.js';
import { listOf, objectOf, textOf, valueAt } from '../json.js';

const goldenFolder = 'golden';

/** One folder: a workflow, the options to compile it with, and the expected files. */
export interface GoldenCase {
  readonly name: string;
  readonly folder: string;
  /** `input.txt` is text with faults; `input.json` is read without findings. */
  readonly input: 'input.json' | 'input.txt';
  /** How many lines the input has; a case shows one thing. */
  readonly lines: number;
  readonly reading: ReturnType<typeof readWorkflow>;
  readonly options: CompileOptions;
}

/** The names of all folders in golden/, sorted. */
export function listFolders(): string[] {
  return readdirSync(goldenFolder, { withFileTypes: true })
    .map((entry) => (entry.isDirectory() ? entry.name : `${entry.name} (no folder)`))
    .sort();
}

/** Reads a case; null if the folder has no input. */
export function readCase(name: string): GoldenCase | null {
  const folder = join(goldenFolder, name);
  const input = (['input.json', 'input.txt'] as const).find((it) => existsSync(join(folder, it)));
  if (input === undefined) return null;
  const options = readJson(join(folder, 'options.json')) ?? {};
  const answers = readJson(join(folder, 'answers.json'));
  const text = readFileSync(join(folder, input), 'utf8');
  return {
    name,
    folder,
    input,
    lines: text.split('\n').length,
    reading: readWorkflow(text),
    options: answers === undefined ? options : { ...options, answers },
  };
}

/** Files of a case that no test reads. */
export function listStrayFiles(name: string): string[] {
  const known = ['input.json', 'input.txt', 'options.json', 'answers.json', 'expected'];
  return readdirSync(join(goldenFolder, name)).filter((file) => !known.includes(file));
}

function readJson(path: string): Record<string, unknown> | undefined {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

/** File name → content. */
export type Files = ReadonlyMap<string, string>;

/** Compiles a case; text that cannot be read only has findings. */
export function expectedFiles({ folder, reading, options }: GoldenCase): {
  readonly files: Files;
  readonly result?: CompileResult;
} {
  if (reading.diagnostics.length > 0) {
    const { dialect } = reading;
    const diagnostics = reading.diagnostics.map(({ line, column, ...each }) => {
      return { ...showDiagnostic(each), line, column };
    });
    const findings = { status: 'unreadable', dialect, diagnostics };
    return { files: new Map([['findings.json', pretty(findings)]]) };
  }
  const { document: regions, result } = emit(reading.workflow, options, 'regions');
  const { output, draft } = result;
  const squad = output ?? draft;
  // A case about grouping also shows the regions: one whose folder already has that file.
  const showsRegions = existsSync(`${folder}/expected/regions.json`);
  const written: Readonly<Record<string, string | null>> = {
    'findings.json': pretty(findingsOf(result)),
    'squad.json': output && pretty(output),
    'draft.json': draft && pretty(draft),
    'prompts.md': squad && promptsOf(squad as Json),
    'regions.json': regions && showsRegions ? pretty(regions) : null,
  };
  const files = new Map<string, string>();
  for (const [file, text] of Object.entries(written)) if (text !== null) files.set(file, text);
  return { files, result };
}

/** The result of a compilation without sentences; only waived checklist items are listed. */
function findingsOf(result: CompileResult): object {
  const { status, questions, diagnostics, checklist } = result;
  // Most reads are rendered; only the others are listed.
  const reads = result.reads.filter(({ kind }) => kind !== 'rendered');
  const waived = checklist.flatMap(({ item, waivedBy }) =>
    waivedBy === undefined ? [] : [{ item, waivedBy }],
  );
  return {
    status,
    questions: questions.map(showQuestion),
    diagnostics: diagnostics.map(showDiagnostic),
    ...(waived.length > 0 && { waived }),
    ...(reads.length > 0 && { reads: reads.map(showRead) }),
  };
}

function showRead({ at, variable, kind, assistant }: Read): string {
  return `${kind} in ${assistant}: ${variable} at ${at}`;
}

function showQuestion({ id, kind, at, choices, proposal, proposalValue }: Question): object {
  const keys = choices.map(({ key }) => key);
  const value = proposalValue === undefined ? {} : { proposalValue };
  return { id, kind, at, choices: keys, proposal, ...value };
}

function showDiagnostic({ code, severity, at, related, ...rest }: Diagnostic): object {
  const document = rest.in && { in: rest.in };
  return { code, severity, at, ...document, ...(related.length > 0 && { related }) };
}

/** The prompt and the first message of each member, as Markdown for a reviewer. */
function promptsOf(squad: Json): string {
  const members = listOf(valueAt(squad, '/squad/members') ?? valueAt(squad, '/members'));
  const sections = members.map((member) => {
    const id = valueAt(member, '/assistantId');
    if (id !== undefined)
      return `# ${id}\n\nSaved on the platform: neither its line nor its prompt is here.\n`;
    const { name, firstMessage } = objectOf(valueAt(member, '/assistant'));
    const system = textOf(valueAt(member, '/assistant/model/messages/0/content'));
    const first =
      firstMessage === undefined ? [] : ['First message:\n', fence(String(firstMessage))];
    return [`# ${name}\n`, ...first, 'System message:\n', fence(system)].join('\n');
  });
  return sections.join('\n');
}

/** A code block with a fence that the text does not contain. */
function fence(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}text\n${text}${text.endsWith('\n') ? '' : '\n'}${ticks}\n`;
}

/** JSON for people: values that fit on one line are written on one. */
export function pretty(value: unknown, indent = ''): string {
  return `${layOut(value, indent)}\n`;
}

function layOut(value: unknown, indent: string): string {
  const line = JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ');
  if (typeof value !== 'object' || value === null || line.length + indent.length <= 90) return line;
  const deeper = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((each) => layOut(each, deeper))
    : Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${layOut(each, deeper)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${parts.map((part) => deeper + part).join(',\n')}\n${indent}${close}`;
}
