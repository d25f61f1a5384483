/** Reads the workflow, its answers and the options, in the same way for all commands. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readRunAnswers, type WorkflowAnswers } from '../../batch/answers.js';
import { slugOfKey, workflowKey } from '../../batch/key.js';
import type { Answers, Diagnostic, Dialect, PlacedDiagnostic } from '../../index.js';
import type { BoundOptions } from '../../serve/compile-bound.js';
import { isObject, type Json } from '../../text/json.js';
import { pointer } from '../../text/pointer.js';
import type { Context } from '../command.js';
import { inputName, readInput, standardInput } from '../files.js';
import type { Io, Text } from '../io.js';
import { type CompileFlags, squadOptionsOf } from '../options.js';
import { printable } from '../output/terminal.js';
import { type JsonFile, type Places, readJsonFile } from './places.js';

export interface Input extends Places {
  readonly workflow: unknown;
  readonly dialect: Dialect;
  readonly options: BoundOptions;
  /** This workflow's part of a migration's answers; null for the answers of a single workflow. */
  readonly ofRun: Awaited<ReturnType<typeof partOfRun>>;
  /** Diagnostics from reading the texts. If one is an error, nothing may be compiled. */
  readonly diagnostics: readonly Diagnostic[];
  /** The text of the workflow, which is also the first in `texts`. */
  readonly source: Text;
}

export async function readWorkflowInput(
  file: string,
  flags: CompileFlags,
  context: Context,
): Promise<Input> {
  const { io, api, config } = context;
  const { policy = [] } = flags;
  const path = flags.answers ?? answersOfTeam(context);
  const source: Text = { name: inputName(file), text: await readInput(file, io), base: '' };
  const { workflow, dialect, diagnostics } = api.readWorkflow(source.text);
  const mistaken = mistakenFor(source.text, workflow as Json);
  const given = path === undefined ? undefined : await readJsonFile(path, 'answers', '', context);
  const ofRun = await partOfRun(given, file, workflow, io);
  const answers = withPolicies(ofRun === null ? given?.value : ofRun.plain, policy);
  const options = squadOptionsOf(flags, config);
  return {
    ...{ workflow, dialect, ofRun, source, flags },
    options: { ...options, ...(answers !== undefined && { answers: answers as Answers }) },
    diagnostics: [
      ...(mistaken.length > 0 ? mistaken : diagnostics),
      ...(given?.diagnostics ?? []),
      ...(ofRun?.diagnostics ?? []),
    ],
    texts: [source, ...(given ? [given.text] : []), ...config.texts],
  };
}

/** The answers that the configuration names; nothing before the first of them is given. */
export function answersOfTeam({ io, config: { answers } }: Context): string | undefined {
  return answers !== undefined && existsSync(resolve(io.cwd, answers)) ? answers : undefined;
}

/**
 * This workflow's part of a migration's answers: the entry under its key. A key depends on the
 * path, so in another folder it is the entry under the only key with this workflow's name. Null if
 * the file holds the answers of a single workflow.
 */
async function partOfRun(file: JsonFile | undefined, path: string, workflow: unknown, io: Io) {
  const value = file?.value as Json;
  if (file === undefined || !isObject(value) || !('workflows' in value)) return null;
  const { policies, workflows, diagnostics } = readRunAnswers([file.text]);
  const { sourceName } = await import('../../batch/sources.js');
  const full = resolve(io.cwd, path);
  const source = path === standardInput ? 'stdin' : sourceName(full, full, io.cwd);
  const own = workflowKey(source, workflow, null);
  const alike = [...workflows.keys()].filter((each) => slugOfKey(each) === slugOfKey(own));
  const key = workflows.has(own) || alike.length !== 1 ? own : alike[0]!;
  const answers: WorkflowAnswers = workflows.get(key) ?? new Map();
  if (workflows.size > 0 && answers.size === 0) {
    io.stderr.write(printable(`${file.text.name} contains no answers for ${key}\n`));
  }
  const plain = Array.from(answers, ([id, { subject: _, ...answer }]) => [id, answer]);
  return {
    key,
    /** The pointer to this part in the answers file. */
    at: pointer('workflows', key),
    answers,
    plain: { policies, answers: Object.fromEntries(plain) },
    diagnostics: diagnostics.map(({ diagnostic }) => diagnostic),
  };
}

/**
 * Adds the policies of the command line, which win over those of the file. Returns answers of the
 * wrong form unchanged, so that the compiler reports them.
 */
function withPolicies(answers: unknown, policies: readonly (readonly [string, string])[]) {
  const value = (answers === undefined ? {} : answers) as Json;
  if (policies.length === 0 || !isObject(value)) return answers;
  const { policies: before = {}, ...rest } = value;
  if (!isObject(before)) return value;
  return { ...rest, policies: { ...before, ...Object.fromEntries(policies) } };
}

/** What new users pass instead of a workflow, and what to do about it. */
const mistakes: readonly (readonly [
  what: string,
  is: (value: Json, text: string) => boolean,
  help: string,
])[] = [
  [
    'a page of a browser',
    (value, text) => value === null && /^\s*</.test(text),
    'Pass the workflow itself; `squadc pull` downloads it by its id.',
  ],
  [
    'YAML',
    (value, text) =>
      value === null && /^(?:\s*#.*\n|\s*\n)*(?:---|[\w-]+:(?:\s|$)|- \w)/.test(text),
    'Convert it to JSON first, for example with `yq -o json`.',
  ],
  [
    'a list of workflows',
    (value) => Array.isArray(value) && value.some((each) => isObject(each) && 'nodes' in each),
    'Pass one workflow; `squadc migrate` compiles many, from separate files or from the lines of a .jsonl file.',
  ],
  [
    'the result of a compilation',
    (value) => hasAll(value, ['status', 'questions', 'checklist']) && !hasAll(value, ['nodes']),
    'Pass the workflow that it was compiled from; `squadc check` takes a result with --result.',
  ],
  [
    'the summary of a migration',
    (value) => hasAll(value, ['totals', 'workflows']),
    'Pass the workflow itself; `squadc report` writes the pages of a migration.',
  ],
];

function hasAll(value: Json, names: readonly string[]): boolean {
  return isObject(value) && names.every((name) => name in value);
}

function mistakenFor(text: string, value: Json): PlacedDiagnostic[] {
  const found = mistakes.find(([, is]) => is(value, text));
  if (found === undefined) return [];
  const [what, , help] = found;
  const message = `This is ${what}, not a workflow.`;
  const common = { severity: 'error', at: '', related: [], line: 1, column: 1 } as const;
  return [{ ...common, code: 'shape/not-a-workflow', message, help }];
}
