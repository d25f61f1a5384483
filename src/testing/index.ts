/**
 * `squadc/testing`: what the tests of squadc are made of, for the tests of others. It needs
 * `fast-check`.
 *
 * **Workflows to try.** `workflowArbitrary` generates small valid workflows, weighted to the shapes
 * at which a conversion can go wrong; they shrink well. `{ hostile: true }` adds texts, names and
 * ids that try to mislead whoever reads or writes a prompt. `hostileValue` generates anything at
 * all, `rearrange` writes a workflow down in another order, and `rewriteAs` in another dialect: as an
 * export of the platform, a response of its API, older tasks; `asRead` is the workflow that it equals.
 *
 *     fc.assert(fc.property(workflowArbitrary({ size: 6 }), (workflow) => laws.plansSound(workflow)));
 *
 * **Answers.** `settle` compiles and answers what is open until nothing is: by the proposals, or as
 * numbers choose (`choosing`, `choosingFaithfully`). What it returns is the settlement: the result,
 * the questions, the answers.
 *
 * **Laws.** `laws` are functions of a workflow, by name. Each throws a readable message where the
 * compiler breaks it, in whatever test runner. Some are about one workflow, some about a changed
 * one; what a law expects stands beside it. `neverThrows` is about any value at all.
 *
 * **Calls.** `walks` lists the calls that a workflow allows, `randomWalk` draws one. `readTracks`
 * lays a workflow and its squad side by side, and the reference interpreter follows a call through
 * both, one variable at a time: `interpret` along one walk, `explore` along all. What they return is
 * the first read that finds one value in the workflow and another in the squad, or null.
 * `referenceGrouping` groups nodes into assistants by the letter of the definition, in any order.
 *
 * **Services.** `createSandbox` serves the bills and the documents API on this machine, with state, a
 * clock that a test moves, and faults on demand.
 *
 * **Damage.** `squadMutants` break good squads in known ways, for whoever tests a checker.
 */

export type { Sandbox, SandboxOptions } from '../adapters/sandbox/sandbox.js';
export { createSandbox } from '../adapters/sandbox/sandbox.js';
export type { Pick, Settlement } from './answering.js';
export { choosing, choosingFaithfully, choosingReads, proposed, settle } from './answering.js';
export type { DialectName } from './dialects/dialect.js';
export { dialects } from './dialects/dialect.js';
export { asRead, rewriteAs } from './dialects/rewrite.js';
export { hostileValue } from './hostile.js';
export type { Difference } from './interpreter.js';
export { describeDifference, explore, interpret } from './interpreter.js';
export type { LawOptions } from './law-ground.js';
export type { Law } from './laws.js';
export { laws } from './laws.js';
export { questionsTerminate, staleAnswersReported } from './laws-of-answers.js';
export { copiedEdgeFolded, unreachableIgnored } from './laws-of-changes.js';
export { captureAdded } from './laws-of-changes-captures.js';
export { insertedStepAdded } from './laws-of-changes-insertion.js';
export { renamingStable } from './laws-of-changes-names.js';
export { splitStepAdded } from './laws-of-changes-split.js';
export {
  deterministic,
  inputNotMutated,
  neverThrows,
  permutationStable,
} from './laws-of-compile.js';
export { dialectsAgree } from './laws-of-dialects.js';
export { groupingCanonical, groupingMinimal, partitionCovers } from './laws-of-grouping.js';
export { plansMinimal, plansSound } from './laws-of-plans.js';
export { ledgerConserves, sourceMapCovers } from './laws-of-records.js';
export { textsStandWordForWord } from './laws-of-texts.js';
export { squadVerified } from './laws-of-verification.js';
export type { Mutation, SquadMutant } from './mutants/mutant.js';
export { type MutantOfSquad, mutantsOf, squadMutants } from './mutants/squad-mutants.js';
export { drawTrials, type Trial } from './mutants/trials.js';
export { type Checker, type MutantTable, tryMutants } from './mutants/try-mutants.js';
export type { GroupingOptions } from './naive-partition.js';
export { referenceGrouping } from './naive-partition.js';
export { rearrange } from './rearrange.js';
export { makeValue } from './schema-value.js';
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
