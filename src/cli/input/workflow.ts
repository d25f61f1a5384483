/** Reads the workflow, the files beside it, and the options, in the same way for all commands. */
import { resolve } from 'node:path';
import type { BoundOptions } from '../../serve/compile-bound.js';
import type { WorkflowAnswers } from '../../batch/answers.js';
import { pointer } from '../../text/pointer.js';
import { isJsonObject, type Json } from '../../text/json.js';
import type { Answers, Diagnostic, Dialect, PlacedDiagnostic } from '../../index.js';
import type { Context } from '../command.js';
import { inputName, readInput, standardInput } from '../files.js';
import type { Io } from '../io.js';
import {
  type CompileFlags,
  compilerName,
  fileFlags,
  type SquadFlags,
  squadOptionsOf,
} from '../options.js';
import { printable } from '../output/terminal.js';
import { type JsonFile, type Places, readJsonFile, type Text } from './places.js';

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
  const { io, api } = context;
  const { answers: path, policy = [] } = flags;
  const { options, files } = await readOptions(flags, context);
  const source: Text = { name: inputName(file), text: await readInput(file, io), base: '' };
  const { workflow, dialect, diagnostics } = api.readWorkflow(source.text);
  const mistaken = mistakenFor(source.text, workflow as Json);
  if (path !== undefined) files.unshift(await readJsonFile(path, 'answers', '', context));
  const answersFile = path === undefined ? undefined : files[0];
  const ofRun = await partOfRun(answersFile, file, workflow, io);
  const answers = withPolicies(ofRun === null ? answersFile?.value : ofRun.plain, policy);
  return {
    ...{ workflow, dialect, ofRun, source, flags },
    options: { ...options, ...(answers !== undefined && { answers: answers as Answers }) },
    diagnostics: [
      ...(mistaken.length > 0 ? mistaken : diagnostics),
      ...files.flatMap((each) => each.diagnostics),
      ...(ofRun?.diagnostics ?? []),
    ],
    texts: [source, ...files.map(({ text }) => text)],
  };
}

/**
 * This workflow's part of a migration's answers: the entry under its key. A key depends on the
 * path, so in another folder it is the entry under the only key with this workflow's name. Null if
 * the file holds the answers of a single workflow.
 */
async function partOfRun(file: JsonFile | undefined, path: string, workflow: unknown, io: Io) {
  const value = file?.value as Json;
  if (file === undefined || !isJsonObject(value) || !('workflows' in value)) return null;
  const { readRunAnswers } = await import('../../batch/answers.js');
  const { slugOfKey, workflowKey } = await import('../../batch/key.js');
  const { sourceName } = await import('../../batch/sources.js');
  const { policies, workflows, diagnostics } = readRunAnswers([file.text]);
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
    /** The pointer to this part in the answers file. */
    at: pointer('workflows', key),
    answers,
    plain: { policies, answers: Object.fromEntries(plain) },
    diagnostics: diagnostics.map(({ diagnostic }) => diagnostic),
  };
}

/** The options from flags, and the files that the flags name. */
export async function readOptions(flags: SquadFlags, context: Context) {
  const files: JsonFile[] = [];
  const values = new Map<string, unknown>();
  for (const name of fileFlags) {
    const path = flags[name];
    if (typeof path !== 'string') continue;
    const file = await readJsonFile(path, 'options', `/${compilerName(name)}`, context);
    files.push(file);
    values.set(name, file.value);
  }
  return { options: squadOptionsOf(flags, values), files };
}

/**
 * Adds the policies of the command line, which win over those of the file. Returns answers of the
 * wrong form unchanged, so that the compiler reports them.
 */
function withPolicies(answers: unknown, policies: readonly (readonly [string, string])[]) {
  const value = (answers === undefined ? {} : answers) as Json;
  if (policies.length === 0 || !isJsonObject(value)) return answers;
  const { policies: before = {}, ...rest } = value;
  if (!isJsonObject(before)) return value;
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
    (value) => Array.isArray(value) && value.some((each) => isJsonObject(each) && 'nodes' in each),
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
  return isJsonObject(value) && names.every((name) => name in value);
}

function mistakenFor(text: string, value: Json): PlacedDiagnostic[] {
  const found = mistakes.find(([, is]) => is(value, text));
  if (found === undefined) return [];
  const [what, , help] = found;
  const message = `This is ${what}, not a workflow.`;
  const common = { severity: 'error', at: '', related: [], line: 1, column: 1 } as const;
  return [{ ...common, code: 'shape/not-a-workflow', message, help }];
}
