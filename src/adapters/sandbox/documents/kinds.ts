/** The kinds of processing, what each works with, and how its resources are called. */

export type KindName = 'extract' | 'classify' | 'split' | 'parse' | 'edit' | 'workflow';

export interface ProcessorKind {
  /** `extractor`: the object, and the field that names one in a request. */
  readonly noun: string;
  /** `extractors`: the path. */
  readonly plural: string;
  readonly prefix: string;
  readonly versionPrefix: string;
}

export interface RunKind {
  readonly name: KindName;
  /** `extract_run`: the object, and what its events begin with. */
  readonly object: string;
  /** `extractRuns`: what the names of its operations begin with. */
  readonly group: string;
  readonly prefix: string;
}

function processor(noun: string, prefix: string): ProcessorKind {
  const versionPrefix = prefix.replace('_', 'v_');
  return { noun, plural: `${noun}s`, prefix, versionPrefix };
}

function run(name: KindName, prefix: string): RunKind {
  return { name, object: `${name}_run`, group: `${name}Runs`, prefix };
}

/** Kinds of runs that a stored processor does, or a configuration in its place. */
export const processedKinds: readonly (readonly [RunKind, ProcessorKind])[] = [
  [run('extract', 'exr_'), processor('extractor', 'ex_')],
  [run('classify', 'clr_'), processor('classifier', 'cl_')],
  [run('split', 'spr_'), processor('splitter', 'sp_')],
];

export const parseRun = run('parse', 'pr_');
export const editRun = run('edit', 'edr_');
export const workflowRun = run('workflow', 'workflow_run_');
