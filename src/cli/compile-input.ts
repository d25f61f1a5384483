/** Reads the workflow, its side files and the options, as `squadc compile` and `check` take them. */
import type { BoundOptions } from '../adapters/tools/compile-bound.js';
import type { Answers, Diagnostic, Dialect } from '../index.js';
import type { Policy, SquadFlags } from './compile-flags.js';
import type { Api } from './invocation.js';
import type { Io } from './io.js';
import { type OptionFile, optionFileNames, type SideSources } from './place.js';
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
  readonly sides: SideSources;
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
  const { answers: path } = flags;
  const answers = path === undefined ? null : await readJsonFile(path, 'answers', api, io);
  const sides = await readSideFiles(flags, api, io);
  const files = [...(answers === null ? [] : [answers]), ...Object.values(sides)];
  const { workflow, dialect, diagnostics } = api.readWorkflow(source.text);
  return {
    workflow,
    dialect,
    options: { ...squadOptionsOf(flags, sides), ...answerOptions(flags, answers) },
    diagnostics: [...diagnostics, ...files.flatMap((it) => it.diagnostics)],
    source,
    answers: answers?.source ?? null,
    sides: Object.fromEntries(Object.entries(sides).map(([name, it]) => [name, it.source])),
    flags: typedFlags(flags),
  };
}

/** The files of options that flags name. */
export type SideFiles = Readonly<Partial<Record<OptionFile, SideFile>>>;

export async function readSideFiles(
  flags: Omit<SquadFlags, 'answers'>,
  api: Api,
  io: Io,
): Promise<SideFiles> {
  const sides: Partial<Record<OptionFile, SideFile>> = {};
  for (const name of optionFileNames) {
    const path = flags[name];
    if (path !== undefined) sides[name] = await readJsonFile(path, name, api, io);
  }
  return sides;
}

/**
 * Only what was asked for: an option that is absent leaves the choice to the compiler. Answers are
 * not among them.
 */
export function squadOptionsOf(
  flags: Omit<SquadFlags, 'answers'>,
  { overrides, bindings, toolNames }: SideFiles,
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
    ...(toolNames && { toolNames: toolNames.value as NonNullable<BoundOptions['toolNames']> }),
    ...toolOptionsOf(flags, bindings),
  };
}

function answerOptions({ policy }: SquadFlags, answers: SideFile | null): BoundOptions {
  const given = answersOf(answers, policy ?? []);
  return given === undefined ? {} : { answers: given as Answers };
}

function toolOptionsOf(
  flags: Omit<SquadFlags, 'answers'>,
  bindings: SideFile | undefined,
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
