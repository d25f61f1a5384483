/**
 * `squadc/testing`: generators, a reference interpreter and laws, for the tests of others.
 *
 *     fc.assert(fc.property(workflowArbitrary(), (workflow) => laws.plansSound(workflow)));
 */

export type { Pick, Settlement } from './answering.js';
export { choosing, choosingFaithfully, proposed, settle } from './answering.js';
export { hostileValue } from './hostile.js';
export type { Difference } from './interpreter.js';
export { describeDifference, explore, interpret } from './interpreter.js';
export type { LawOptions } from './law-ground.js';
export type { Law } from './laws.js';
export { laws } from './laws.js';
export { questionsTerminate, staleAnswersReported } from './laws-of-answers.js';
export {
  deterministic,
  inputNotMutated,
  neverThrows,
  permutationStable,
} from './laws-of-compile.js';
export { groupingCanonical, groupingMinimal, partitionCovers } from './laws-of-grouping.js';
export { plansMinimal, plansSound } from './laws-of-plans.js';
export { ledgerConserves, sourceMapCovers } from './laws-of-records.js';
export { textsStandWordForWord } from './laws-of-texts.js';
export type { Mutation, SquadMutant } from './mutants/mutant.js';
export { type MutantOfSquad, mutantsOf, squadMutants } from './mutants/squad-mutants.js';
export { drawTrials, type Trial } from './mutants/trials.js';
export { type Checker, type MutantTable, tryMutants } from './mutants/try-mutants.js';
export type { Grouping } from './naive-partition.js';
export { naivePartition } from './naive-partition.js';
export { makeValue } from './schema-value.js';
export type { Answered, Source, SourceEdge } from './source.js';
export { readSource } from './source.js';
export type {
  SpecCapture,
  SpecEdge,
  SpecNode,
  SpecNodeType,
  SpecResponse,
  SpecWorkflow,
} from './spec-workflow.js';
export type { Tracks } from './squad-tracks.js';
export { readTracks } from './squad-tracks.js';
export type { Walk, WalkLimits } from './walks.js';
export { describeWalk, randomWalk, walks } from './walks.js';
export type { WorkflowShape } from './workflows.js';
export { workflowArbitrary } from './workflows.js';
