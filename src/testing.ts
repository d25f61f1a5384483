/**
 * `squadc/testing`: what the tests of squadc are made of, for others' tests; it needs `fast-check`.
 *
 * **Workflows to try.** `workflowArbitrary` generates small valid workflows; they shrink well.
 * `{ hostile: true }` adds texts, names and ids that try to mislead whoever reads or writes a prompt.
 * `hostileValue` generates anything at all, `rearrange` changes the order in a workflow, `rewriteAs`
 * the dialect; `asRead` is the workflow that it equals.
 *
 *     fc.assert(fc.property(workflowArbitrary({ size: 6 }), (it) => laws.plansSound(it)));
 *
 * **Answers.** `settle` compiles and answers what is open until nothing is: by the proposals, or as
 * numbers choose (`choosing`). It returns the result, the questions and the answers.
 *
 * **Laws.** `laws` are functions of a workflow, by name. Each throws a readable message where the
 * compiler breaks it, in whatever test runner. `neverThrows` is about any value at all.
 *
 * **Calls.** `readGraph` is the workflow as calls walk through it; `walks` lists these calls,
 * `randomWalk` draws one. `readTracks` lays a workflow and its squad side by side. `runWorkflow` and
 * `runSquad` play a script through either as the platform would, and tell what happens, event by event:
 * prompts as they are rendered, what is said and sent, what crosses. `compareCalls` plays many scripts
 * through both. `explore` follows all of them through both, one variable at a time, to the first read
 * that finds another value in the squad, or null.
 * `referenceGrouping` groups nodes into assistants by the letter of the definition, in any order.
 *
 * **Services.** `createSandbox` serves both APIs here, with state, a clock to move, and faults.
 */

export type { Step } from './call/machine.js';
export { createSandbox, type Sandbox, type SandboxOptions } from './sandbox/sandbox.js';
export { randomWalk, stepsOf, type WalkLimits, walks } from './scenarios/enumerate.js';
export type { Difference, Tracks, Walk } from './scenarios/explore.js';
export { describeDifference, describeWalk, explore } from './scenarios/explore.js';
export type { CallEvent, Script, Sent } from './scenarios/play.js';
export { runSquad, runWorkflow } from './scenarios/play.js';
export type { Pick, Settlement } from './testing/answering.js';
export {
  choosing,
  choosingFaithfully,
  choosingReads,
  proposed,
  settle,
} from './testing/answering.js';
export type { DialectName } from './testing/dialects.js';
export { asRead, dialects, rewriteAs } from './testing/dialects.js';
export { hostileValue } from './testing/hostile-value.js';
export type { GroupingOptions, Law, LawOptions } from './testing/law.js';
export { readGraph, readTracks, referenceGrouping } from './testing/law.js';
export {
  deterministic,
  inputNotMutated,
  laws,
  neverThrows,
  permutationStable,
  questionsTerminate,
  squadVerified,
  staleAnswersReported,
} from './testing/laws.js';
export { compareCalls, linesSpoken, valuesHold } from './testing/laws-of-calls.js';
export {
  captureAdded,
  copiedEdgeFolded,
  insertedStepAdded,
  renamingStable,
  splitStepAdded,
  unreachableIgnored,
} from './testing/laws-of-changes.js';
export { dialectsAgree } from './testing/laws-of-dialects.js';
export {
  groupingCanonical,
  groupingMinimal,
  partitionCovers,
  plansMinimal,
  plansSound,
} from './testing/laws-of-squads.js';
export { ledgerConserves, sourceMapCovers, textsStandWordForWord } from './testing/laws-of-text.js';
export { rearrange } from './testing/rearrange.js';
export { makeValue } from './testing/schema-value.js';
export type {
  SpecCapture,
  SpecEdge,
  SpecNode,
  SpecNodeType,
  SpecResponse,
  SpecWorkflow,
} from './testing/spec-workflow.js';
export type { WorkflowShape } from './testing/workflows.js';
export { workflowArbitrary } from './testing/workflows.js';
