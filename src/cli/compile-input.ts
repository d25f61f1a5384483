/** Reads the workflow, its side files and the options, as `squadc compile` and `check` take them. */
import type { BoundOptions } from '../adapters/tools/bind/compile-bound.js';
import type { Answers, Diagnostic, Dialect } from '../index.js';
import type { Policy, SquadFlags } from './compile-flags.js';
import type { Api } from './invocation.js';
import type { Io } from './io.js';
import { inputName, readInput } from './read-input.js';
import { readJsonFile, type SideFile } from './read-json-file.js';
import { type TypedFlag, typedFlags } from './typed-flags.js';

/** A text that places point into, under the name that messages show. */
export interface Source {
  readonly name: string;
  readonly text: string;
}

export interface CompileInput {
  readonly workflow: unknown;
  readonly dialect: Dialect;
  readonly options: BoundOptions;
  /** What reading the texts found; with an error among it, nothing may be compiled. */
  readonly diagnostics: readonly Diagnostic[];
  readonly source: Source;
  readonly answers: Source | null;
  readonly overrides: Source | null;
  readonly bindings: Source | null;
  /** Those that a diagnostic may be about. */
  readonly flags: readonly TypedFlag[];
}

export async function readCompileInput(
  file: string,
  flags: SquadFlags,
  api: Api,
  io: Io,
): Promise<CompileInput> {
  const source: Source = { name: inputName(file), text: await readInput(file, io) };
  const answers = await readSideFile(flags.answers, 'answers', api, io);
  const overrides = await readSideFile(flags.overrides, 'overrides', api, io);
  const bindings = await readSideFile(flags.bindings, 'bindings', api, io);
  const files = [answers, overrides, bindings].filter((it) => it !== null);
  const { workflow, dialect, diagnostics } = api.readWorkflow(source.text);
  return {
    workflow,
    dialect,
    options: { ...squadOptionsOf(flags, overrides, bindings), ...answerOptions(flags, answers) },
    diagnostics: [...diagnostics, ...files.flatMap((it) => it.diagnostics)],
    source,
    answers: answers?.source ?? null,
    overrides: overrides?.source ?? null,
    bindings: bindings?.source ?? null,
    flags: typedFlags(flags),
  };
}

export async function readSideFile(
  path: string | undefined,
  part: 'answers' | 'overrides' | 'bindings',
  api: Api,
  io: Io,
): Promise<SideFile | null> {
  return path === undefined ? null : readJsonFile(path, part, api, io);
}

/**
 * Only what was asked for: an option that is absent leaves the choice to the compiler. Answers are
 * not among them.
 */
export function squadOptionsOf(
  flags: Omit<SquadFlags, 'answers'>,
  overrides: SideFile | null,
  bindings: SideFile | null,
): BoundOptions {
  const { target, boundary, handoffTools, pass, model, context, dynamic, critical } = flags;
  return {
    boundary,
    ...(target && { target }),
    ...(handoffTools && { handoffTools }),
    ...(pass && { pass }),
    ...(model && { model }),
    ...(context && { context }),
    ...(dynamic && { dynamicVariables: dynamic }),
    ...(critical && { criticalVariables: critical }),
    ...(overrides && { memberOverrides: overrides.value as object }),
    ...toolOptionsOf(flags, bindings),
  };
}

function answerOptions({ policy }: SquadFlags, answers: SideFile | null): BoundOptions {
  const given = answersOf(answers, policy ?? []);
  return given === undefined ? {} : { answers: given as Answers };
}

function toolOptionsOf(
  flags: Omit<SquadFlags, 'answers'>,
  bindings: SideFile | null,
): BoundOptions {
  const { tools, toolServer: url, toolCredential: credentialId, serviceUrl } = flags;
  return {
    ...(bindings && { bindings: bindings.value as NonNullable<BoundOptions['bindings']> }),
    ...(tools && { tools }),
    ...(url && { toolServer: { url, ...(credentialId && { credentialId }) } }),
    ...(serviceUrl && { serviceUrls: Object.fromEntries(serviceUrl) }),
  };
}

/**
 * The answers file with the policies of the command line, which win over those of the file.
 *
 * The file is not checked here: the compiler does, and a form that it does not know is handed on
 * as it is, so that the compiler can say so.
 */
function answersOf(file: SideFile | null, policies: readonly Policy[]): unknown {
  const value = file === null ? {} : file.value;
  if (policies.length === 0) return file?.value;
  if (!isObject(value)) return value;
  const { policies: before = {}, ...rest } = value;
  if (!isObject(before)) return value;
  return { ...rest, policies: { ...before, ...Object.fromEntries(policies) } };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
