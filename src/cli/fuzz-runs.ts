/**
 * Runs of `squadc fuzz`: laws tried on generated workflows, and a failure made small.
 *
 * Every run has a seed of its own, derived from the seed of the command and its number, so that
 * what a run tries depends neither on the other runs nor on the thread that makes it.
 */
import fc from 'fast-check';
import { type LawOptions, laws, type SpecWorkflow, workflowArbitrary } from '../testing.js';

export type LawName = keyof typeof laws;

/** What is tried: the same in every run. */
export interface Trial {
  readonly seed: number;
  /** About how many nodes a workflow has at most. */
  readonly size: number;
  readonly laws: readonly LawName[];
}

/** Runs that are made together, from `from` up to and without `to`. */
export interface Block extends Trial {
  readonly from: number;
  readonly to: number;
}

export interface BlockOutcome {
  readonly runs: number;
  readonly failures: readonly Failure[];
  /** Time that each law took, all runs together. */
  readonly milliseconds: Readonly<Record<string, number>>;
}

/** A law that failed: in which run first, and how often. */
export interface Failure {
  readonly law: LawName;
  readonly run: number;
  readonly message: string;
  readonly times: number;
}

/** A failing run, made as small as it gets; what the file of a failure holds. */
export interface Counterexample {
  readonly law: LawName;
  readonly workflow: SpecWorkflow;
  readonly options: LawOptions;
  /** Seed and path of fast-check. */
  readonly seed: number;
  readonly path: string;
  readonly message: string;
}

const numbers = fc.array(fc.nat(99), { minLength: 1, maxLength: 8 });

export function runBlock(block: Block): BlockOutcome {
  const failures = new Map<LawName, Failure>();
  const milliseconds: Record<string, number> = {};
  for (let run = block.from; run < block.to; run += 1) {
    const tryAll = (workflow: SpecWorkflow, options: LawOptions): void => {
      for (const law of block.laws) {
        const start = performance.now();
        const message = faultOf(law, workflow, options);
        milliseconds[law] = (milliseconds[law] ?? 0) + performance.now() - start;
        if (message === null) continue;
        const known = failures.get(law) ?? { law, run, message, times: 0 };
        failures.set(law, { ...known, times: known.times + 1 });
      }
    };
    fc.check(propertyOf(block, run, tryAll), parametersOf(block, run));
  }
  return { runs: block.to - block.from, failures: [...failures.values()], milliseconds };
}

/**
 * The smallest workflow that fast-check finds, in so many milliseconds, on which the law fails. A law
 * that fails only after others have seen the same workflow is given with the workflow of the run.
 */
export function shrinkFailure(
  trial: Trial,
  { law, run, message }: Failure,
  patience: number,
): Counterexample {
  const attempt = (workflow: SpecWorkflow, options: LawOptions): void => {
    const fault = faultOf(law, workflow, options);
    if (fault !== null) throw new Error(fault);
  };
  const parameters = { ...parametersOf(trial, run), interruptAfterTimeLimit: patience };
  const found = fc.check(propertyOf(trial, run, attempt), parameters);
  const { counterexample, counterexamplePath } = found;
  const [workflow, choices] = counterexample ?? sampleOf(trial, run);
  const options = optionsOf(run, choices);
  return {
    law,
    workflow,
    options,
    seed: parameters.seed,
    path: counterexamplePath ?? '',
    message: counterexample === null ? message : (faultOf(law, workflow, options) ?? message),
  };
}

/** What the law says against the workflow; null where it holds. */
export function faultOf(law: LawName, workflow: SpecWorkflow, options: LawOptions): string | null {
  try {
    laws[law](workflow, options);
    return null;
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).slice(0, 4000);
  }
}

type Attempt = (workflow: SpecWorkflow, options: LawOptions) => void;

/**
 * Every fourth workflow has texts that imitate prompts. Every other is compiled for the platform,
 * half of these with arguments in the place of plans.
 */
function propertyOf({ size }: Trial, run: number, attempt: Attempt) {
  const workflows = workflowArbitrary({ size, hostile: run % 4 === 3 });
  return fc.property(workflows, numbers, (workflow, choices) =>
    attempt(workflow, optionsOf(run, choices)),
  );
}

function optionsOf(run: number, choices: readonly number[]): LawOptions {
  if (run % 2 === 0) return { numbers: choices, compile: { target: 'squad' } };
  const pass = run % 8 < 4 ? 'plan' : 'arguments';
  return { numbers: choices, compile: { target: 'vapi', pass } };
}

function sampleOf(trial: Trial, run: number): [SpecWorkflow, number[]] {
  const [first] = fc.sample(
    propertyOf(trial, run, () => {}),
    parametersOf(trial, run),
  );
  return first!;
}

/**
 * One run of fast-check. Its first runs are biased to small values, so a third of ours are: about
 * as many as among the first thousands of a long series.
 */
function parametersOf({ seed }: Trial, run: number) {
  return { seed: seedOf(seed, run), numRuns: 1, unbiased: run % 3 !== 0 };
}

/** The seed of a run: the finishing steps of MurmurHash3, which no two runs share. */
export function seedOf(seed: number, run: number): number {
  let hash = seed + Math.imul(run + 1, 0x9e3779b9);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
