/** Workflows with the squads that they give, for trying a checker on what mutants make of them. */
import fc from 'fast-check';
import type { JsonObject } from '../../compiler/ir/json.js';
import type { CompileOptions, Target } from '../../compiler/ir/options.js';
import { compile } from '../../index.js';
import { choosing, proposed, type Settlement, settle } from '../answering.js';
import type { SpecWorkflow } from '../spec-workflow.js';
import { workflowArbitrary } from '../workflows.js';
import { derivingWorkflow } from './deriving-workflow.js';
import { rareAnswers, rareWorkflow } from './rare-workflow.js';

/** A workflow, the options with all answers, and the squad that they give. */
export interface Trial {
  /** Tells the trial from the others, and how to draw it again. */
  readonly label: string;
  readonly workflow: object;
  readonly options: CompileOptions;
  readonly squad: JsonObject;
}

/** So many generated workflows, in turn for both targets; then those with what is rare, for each. */
export function* drawTrials(count: number, seed: number): Iterable<Trial> {
  const numbers = fc.array(fc.nat(99), { minLength: 1, maxLength: 8 });
  const drawn = fc.sample(fc.tuple(workflowArbitrary(), numbers), { seed, numRuns: count });
  for (const [index, [workflow, choices]] of drawn.entries()) {
    const options = optionsFor(index);
    const settlement = settle(workflow, options, choosing(choices));
    // Some answers contradict each other; what the compiler proposes never does.
    const sound =
      settlement.result.output === null ? settle(workflow, options, proposed) : settlement;
    yield* trialOf(`seed ${seed}, path ${index}`, workflow, sound);
  }
  for (const target of ['squad', 'vapi'] as const) {
    yield rareTrial(target);
    yield derivingTrial(target);
  }
}

function rareTrial(target: Target): Trial {
  const toolServer = { url: 'https://tools.example.com/calls' };
  const settlement = settle(rareWorkflow, { target, toolServer, answers: rareAnswers(target) });
  const [trial] = trialOf(`the rare workflow for ${target}`, rareWorkflow, settlement);
  if (trial === undefined) throw new Error(`the rare workflow gives no squad for ${target}`);
  return trial;
}

/** The specification's shape derives nothing, so this one is written as the platform exports it. */
function derivingTrial(target: Target): Trial {
  const { output } = compile(derivingWorkflow, { target });
  if (output === null) throw new Error(`the deriving workflow gives no squad for ${target}`);
  const squad = output as JsonObject;
  return {
    label: `the deriving workflow for ${target}`,
    workflow: derivingWorkflow,
    options: { target },
    squad,
  };
}

/** Every other workflow for the platform; settings that change the document now and then. */
function optionsFor(index: number): CompileOptions {
  const target: Target = index % 2 === 0 ? 'squad' : 'vapi';
  return {
    target,
    ...(target === 'vapi' && index % 3 === 2 ? { pass: 'arguments' } : {}),
    ...(index % 7 === 3 ? { context: { type: 'lastNMessages', maxMessages: 4 } } : {}),
    ...(index % 7 === 4 ? { handoffTools: 'separate' } : {}),
    ...(index % 7 === 5 ? { boundary: 'tools' } : {}),
    ...(index % 7 === 6 ? { memberOverrides: { voice: { provider: 'acme', voiceId: 'v' } } } : {}),
  };
}

/** None where the answers contradict each other. */
function trialOf(
  label: string,
  workflow: SpecWorkflow,
  { result, options }: Settlement,
): readonly Trial[] {
  const { output } = result;
  return output === null ? [] : [{ label, workflow, options, squad: output }];
}
