/** Reads the workflow, the files beside it and the options, as all commands take them. */
import type { BoundOptions } from '../../adapters/tools/compile-bound.js';
import { isJsonObject, type Json } from '../../compiler/ir/json.js';
import type { Answers, Diagnostic, Dialect, PlacedDiagnostic } from '../../index.js';
import type { Context } from '../command.js';
import {
  optionFileNames,
  optionFiles,
  refuseLoneCredential,
  type SquadFlags,
  squadOptionsOf,
  typedFlags,
} from '../options/squad.js';
import { type JsonFile, type Places, readJsonFile, type Text } from './places.js';
import { inputName, readInput } from './read.js';

export interface Input extends Places {
  readonly workflow: unknown;
  readonly dialect: Dialect;
  readonly options: BoundOptions;
  /** What reading the texts found; with an error among it, nothing may be compiled. */
  readonly diagnostics: readonly Diagnostic[];
  /** The text of the workflow; it is the first of all. */
  readonly source: Text;
}

export async function readWorkflowInput(
  file: string,
  flags: SquadFlags,
  context: Context,
): Promise<Input> {
  refuseLoneCredential(flags);
  const source: Text = {
    name: inputName(file),
    text: await readInput(file, context.io),
    base: '',
  };
  const { answers: path, policy = [] } = flags;
  const answers = path === undefined ? null : await readJsonFile(path, 'answers', '', context);
  const given = await readOptions(flags, context);
  const { workflow, dialect, diagnostics } = context.api.readWorkflow(source.text);
  const mistaken = mistakenFor(source.text, workflow as Json);
  const withAnswers = answersOf(answers, policy);
  return {
    workflow,
    dialect,
    options: {
      ...given.options,
      ...(withAnswers !== undefined && { answers: withAnswers as Answers }),
    },
    diagnostics: [
      ...(mistaken === null ? diagnostics : [mistaken]),
      ...(answers?.diagnostics ?? []),
      ...given.diagnostics,
    ],
    source,
    texts: [source, ...(answers === null ? [] : [answers.text]), ...given.texts],
    flags: typedFlags(flags),
  };
}

/** The options that flags give, and the files that they name. */
export async function readOptions(flags: Omit<SquadFlags, 'answers'>, context: Context) {
  const files = new Map<string, JsonFile>();
  for (const name of optionFileNames) {
    const path = flags[name];
    const option = optionFiles[name];
    if (path === undefined) continue;
    files.set(option, await readJsonFile(path, 'options', `/${option}`, context));
  }
  const values = Array.from(files, ([option, { value }]) => [option, value] as const);
  return {
    options: squadOptionsOf(flags, Object.fromEntries(values)),
    texts: Array.from(files.values(), ({ text }) => text),
    diagnostics: [...files.values()].flatMap(({ diagnostics }) => diagnostics),
  };
}

/**
 * The answers file with the policies of the command line, which win over those of the file. A form
 * that is wrong is handed on as it is, so that the compiler can say so.
 */
function answersOf(file: JsonFile | null, policies: readonly (readonly [string, string])[]) {
  const value = (file === null ? {} : file.value) as Json;
  if (policies.length === 0) return file?.value;
  if (!isJsonObject(value)) return value;
  const { policies: before = {}, ...rest } = value;
  if (!isJsonObject(before)) return value;
  return { ...rest, policies: { ...before, ...Object.fromEntries(policies) } };
}

/** What newcomers give in the place of a workflow: each with what to do. */
const mistakes: readonly (readonly [
  is: (value: Json, text: string) => boolean,
  code: string,
  what: string,
  help: string,
])[] = [
  [
    (value, text) => value === null && /^\s*</.test(text),
    'shape/not-a-workflow',
    'a page of a browser',
    'Give the workflow itself; `squadc pull` fetches it by its id.',
  ],
  [
    (value, text) =>
      value === null && /^(?:\s*#.*\n|\s*\n)*(?:---|[\w-]+:(?:\s|$)|- \w)/.test(text),
    'shape/not-a-workflow',
    'YAML',
    'Convert it to JSON, for example with `yq -o json`, and give that.',
  ],
  [
    (value) => Array.isArray(value) && value.some((each) => isJsonObject(each) && 'nodes' in each),
    'shape/not-an-object',
    'a list of workflows',
    'Give one workflow; `squadc migrate` compiles many, each from a file of its own or from a line of a .jsonl file.',
  ],
  [
    (value) => isResult(value) && !('nodes' in value),
    'shape/not-a-workflow',
    'the result of a compilation',
    'Give the workflow that it was made from; `squadc check` takes a result with --result.',
  ],
  [
    (value) => isJsonObject(value) && 'totals' in value && 'workflows' in value,
    'shape/not-a-workflow',
    'the summary of a migration',
    'Give the workflow itself; `squadc report` makes pages of a migration.',
  ],
];

function isResult(value: Json): value is { [name: string]: Json } {
  return isJsonObject(value) && ['status', 'questions', 'checklist'].every((name) => name in value);
}

function mistakenFor(text: string, value: Json): PlacedDiagnostic | null {
  const found = mistakes.find(([is]) => is(value, text));
  if (found === undefined) return null;
  const [, code, what, help] = found;
  return {
    code,
    severity: 'error',
    message: `This is ${what}, not a workflow.`,
    at: '',
    related: [],
    help,
    line: 1,
    column: 1,
  };
}
