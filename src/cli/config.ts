/**
 * `squadc.config.json`: what a team decides once for all commands. Flags override it.
 *
 * In: the file that --config names, else the nearest one in the current folder or above it. Out: the
 * options of the compiler and the names of files, with paths as seen from the current folder.
 */
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { stripComments } from 'jsonc-parser';
import { faultInWords, soleFaults } from '../diagnostics/schema-fault.js';
import type { Diagnostic } from '../index.js';
import { configSchema } from '../schemas/config-document.generated.js';
import { validateConfig } from '../schemas/config-validator.generated.js';
import type { BoundOptions } from '../serve/compile-bound.js';
import { isObject } from '../text/json.js';
import { child, pointer } from '../text/pointer.js';
import type { Api } from './command.js';
import { explainFault } from './faults.js';
import { standardInput } from './files.js';
import { readJsonFile, sayDiagnostics } from './input/places.js';
import { type Config, type Io, Refusal } from './io.js';

export const noConfig: Config = {
  options: {},
  texts: [],
  journal: 'squadc-journal.jsonl',
  environments: {},
};

const fileName = 'squadc.config.json';

/** Options that may stand in a file of their own. */
const inFiles = ['memberOverrides', 'names', 'toolNames', 'bindings'] as const;

/** Reads the configuration; refuses one with faults, all of which are reported. */
export async function readConfig(
  given: string | undefined,
  io: Io,
  load: () => Promise<Api>,
): Promise<Config> {
  const path = given ?? nearest(io.cwd);
  if (path === null) return noConfig;
  const context = { io, api: await load(), config: noConfig };
  const read = await readJsonFile(path, 'options', '', context, stripComments);
  const faults = read.diagnostics.length > 0 ? read.diagnostics : faultsIn(read.value);
  const texts = [read.text];
  const { $schema: _, answers, journal, environments = {}, ...options } = Object(read.value);
  const folder = path === standardInput ? io.cwd : dirname(resolve(io.cwd, path));
  const below = (file: string) => relative(io.cwd, resolve(folder, file)) || '.';
  const values: Record<string, unknown> = { ...options };
  const others: Diagnostic[] = [];
  for (const name of faults.length > 0 ? [] : inFiles) {
    if (typeof values[name] !== 'string') continue;
    const file = await readJsonFile(below(values[name]), 'options', pointer(name), context);
    values[name] = file.value;
    texts.unshift(file.text);
    others.push(...file.diagnostics);
  }
  const all = [...faults, ...others];
  if (all.length > 0) {
    sayDiagnostics(all, { texts, flags: {} }, context);
    throw new Refusal(`${read.text.name} cannot be used`);
  }
  const moved = Object.entries(environments as Config['environments']).map(([name, each]) => {
    const own = each.journal && { journal: below(each.journal) };
    return [name, { ...each, ...own }] as const;
  });
  return {
    options: values as BoundOptions,
    texts,
    ...(answers && { answers: below(answers) }),
    journal: below(journal ?? noConfig.journal),
    environments: Object.fromEntries(moved),
  };
}

function nearest(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, fileName);
    if (existsSync(path)) return relative(folder, path);
    if (dirname(at) === at) return null;
  }
}

function faultsIn(value: unknown): Diagnostic[] {
  if (validateConfig(value)) return [];
  return soleFaults(validateConfig.errors ?? []).map((fault) => {
    const { instancePath: at, params } = fault;
    const extra = params['additionalProperty'];
    const place = typeof extra === 'string' && isObject(value) ? child(at, extra) : at;
    const message = `The configuration is invalid: ${faultInWords([fault], configSchema, 'it')}.`;
    const { help } = explainFault('config/invalid')!;
    const common = { severity: 'error', in: 'options', related: [] } as const;
    return { ...common, code: 'config/invalid', message, at: place, help };
  });
}
