/** Workflows with the squads that they give: generated ones, and the golden cases. */
import fc from 'fast-check';
import {
  type CompileOptions,
  compile,
  type JsonObject,
  type SourceMapEntry,
} from '../../src/index.js';
import { choosing, proposed, settle, workflowArbitrary } from '../../src/testing.js';
import { listFolders, readCase } from '../golden/cases.js';

/** A workflow, the options with all answers, and the squad that they give. */
export interface Trial {
  /** Tells the trial from the others, and how to draw it again. */
  readonly label: string;
  readonly workflow: unknown;
  readonly options: CompileOptions;
  readonly squad: JsonObject;
  readonly sourceMap: readonly SourceMapEntry[];
}

/** The golden cases, for either target; they hold what generated workflows seldom or never do. */
export function* goldenTrials(): Iterable<Trial> {
  for (const name of listFolders()) {
    const golden = readCase(name);
    if (golden === null || golden.reading.diagnostics.length > 0) continue;
    const { workflow } = golden.reading;
    for (const target of ['squad', 'vapi'] as const) {
      const options = { target, ...golden.options };
      const { output, sourceMap } = compile(workflow, options);
      const label = `golden/${name} for ${options.target}`;
      if (output !== null)
        yield { label, workflow, options, squad: output as JsonObject, sourceMap };
    }
  }
}

/** So many generated workflows, in turn for both targets. */
export function* drawTrials(count: number, seed: number): Iterable<Trial> {
  const numbers = fc.array(fc.nat(99), { minLength: 1, maxLength: 8 });
  const drawn = fc.sample(fc.tuple(workflowArbitrary(), numbers), { seed, numRuns: count });
  for (const [index, [workflow, choices]] of drawn.entries()) {
    const settlement = settle(workflow, optionsFor(index), choosing(choices));
    // Some answers contradict each other; what the compiler proposes never does.
    const { result, options } =
      settlement.result.output === null
        ? settle(workflow, optionsFor(index), proposed)
        : settlement;
    const { output, sourceMap } = result;
    const label = `seed ${seed}, path ${index}`;
    if (output !== null) yield { label, workflow, options, squad: output as JsonObject, sourceMap };
  }
}

/** Every other workflow for the platform; settings that change the document now and then. */
function optionsFor(index: number): CompileOptions {
  const target = index % 2 === 0 ? 'squad' : 'vapi';
  return {
    target,
    ...(target === 'vapi' && index % 3 === 2 ? { pass: 'arguments' } : {}),
    ...(index % 7 === 3 ? { context: { type: 'lastNMessages', maxMessages: 4 } } : {}),
    ...(index % 7 === 4 ? { handoffTools: 'separate' } : {}),
    ...(index % 7 === 5 ? { boundary: 'tools' } : {}),
    ...(index % 7 === 6 ? { memberOverrides: { voice: { provider: 'acme', voiceId: 'v' } } } : {}),
  };
}
