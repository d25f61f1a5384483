/**
 * What a run works on.
 *
 * In: the arguments (files, folders, patterns, `-` for standard input) and ids that were fetched.
 * Out: each source once, in the order of the arguments and of names, with what is wrong beside
 * them. Of the sources no more is read than tells whether there is something in them and whether
 * there are many workflows.
 */
import { randomUUID } from 'node:crypto';
import { lstatSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Plan, Source, SourceFault } from '../plan.js';
import { countLines } from './count-lines.js';
import { type Ground, groundOf, type Met } from './ground.js';
import { sourcesOfPath } from './path-sources.js';
import { pulledSources } from './pulled.js';
import { sourceOfStdin } from './stdin-source.js';

export interface SourceOptions {
  /** The output folder, which is never a source. */
  readonly out: string;
  /** Nothing is written into the output folder. */
  readonly dryRun: boolean;
  /** Of one workflow. */
  readonly maxBytes: number;
  /** Workflows that were fetched, and the folder with their files. */
  readonly pulled?: { readonly folder: string; readonly ids: readonly string[] };
}

/** What of the process is needed. */
export interface SourceInput {
  readonly cwd: string;
  stdin(): AsyncIterable<Uint8Array>;
}

/** Until it is closed, what came from standard input can be read. */
export interface OpenPlan extends Plan {
  close(): void;
}

/** The argument that stands for standard input. */
const standardInput = '-';

/** More workflows than these are spread over folders. */
const fewWorkflows = 1000;

export async function planSources(
  args: readonly string[],
  options: SourceOptions,
  input: SourceInput,
): Promise<OpenPlan> {
  const ground = groundOf(input.cwd, options.out);
  const spool = args.includes(standardInput) ? spoolFor(ground, options) : null;
  const met: Met[] = [];
  for (const argument of new Set(args)) {
    if (argument !== standardInput) met.push(...(await sourcesOf(argument, ground)));
    else if (spool !== null)
      met.push(await sourceOfStdin(input.stdin(), spool.file, options.maxBytes));
  }
  if (options.pulled !== undefined) met.push(...metByIds(options.pulled));
  return { ...counted(met), close: () => spool?.remove() };
}

/** A path that is there is that path, whatever characters it has. */
async function sourcesOf(argument: string, ground: Ground): Promise<Met[]> {
  if (isThere(resolve(ground.cwd, argument))) return sourcesOfPath(argument, ground);
  const { isPattern, sourcesOfGlob } = await import('./glob-sources.js');
  return isPattern(argument) ? sourcesOfGlob(argument, ground) : sourcesOfPath(argument, ground);
}

function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Where standard input is kept, and how that place is left. */
function spoolFor({ out }: Ground, { dryRun }: SourceOptions): { file: string; remove(): void } {
  const folder = dryRun ? join(tmpdir(), `squadc-${randomUUID()}`) : join(out, '.squadc');
  const file = join(folder, 'stdin');
  const place = dryRun ? folder : file;
  return { file, remove: () => rmSync(place, { recursive: true, force: true }) };
}

function metByIds({ folder, ids }: NonNullable<SourceOptions['pulled']>): Met[] {
  const { sources, faults } = pulledSources(folder, ids);
  return [
    ...faults.map((fault) => ({ kind: 'fault', fault }) as const),
    ...sources.map((source) => ({ kind: 'source', source }) as const),
  ];
}

/** Counts workflows until it is known that there are many; a file of blank lines is no source. */
function counted(met: readonly Met[]): Plan {
  const sources: Source[] = [];
  const faults: SourceFault[] = [];
  let workflows = 0;
  for (const each of met) {
    if (each.kind === 'fault') faults.push(each.fault);
    else {
      const { source } = each;
      const { count, fault } = countOf(source, fewWorkflows + 1 - workflows);
      workflows += count;
      if (fault === null) sources.push(source);
      else faults.push(fault);
    }
  }
  return { sources, faults, spread: workflows > fewWorkflows };
}

/** One line at least is looked for, however many workflows there are already. */
function countOf(source: Source, enough: number): { count: number; fault: SourceFault | null } {
  if (source.form === 'document') return { count: 1, fault: null };
  const { lines, failure } = countLines(source, Math.max(enough, 1));
  if (lines > 0) return { count: lines, fault: null };
  const { name } = source;
  return {
    count: 0,
    fault:
      failure === null
        ? { name, code: 'batch/empty', message: 'no line with a workflow is in it' }
        : { name, code: 'batch/unreadable', message: failure.message },
  };
}
