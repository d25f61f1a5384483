/** All laws about valid workflows, by name, for tests that try each of them. */
import type { LawOptions } from './law-ground.js';
import { questionsTerminate, staleAnswersReported } from './laws-of-answers.js';
import { copiedEdgeFolded, unreachableIgnored } from './laws-of-changes.js';
import { captureAdded } from './laws-of-changes-captures.js';
import { insertedStepAdded } from './laws-of-changes-insertion.js';
import { renamingStable } from './laws-of-changes-names.js';
import { splitStepAdded } from './laws-of-changes-split.js';
import { deterministic, inputNotMutated, permutationStable } from './laws-of-compile.js';
import { dialectsAgree } from './laws-of-dialects.js';
import { groupingCanonical, groupingMinimal, partitionCovers } from './laws-of-grouping.js';
import { plansMinimal, plansSound } from './laws-of-plans.js';
import { ledgerConserves, sourceMapCovers } from './laws-of-records.js';
import { textsStandWordForWord } from './laws-of-texts.js';
import { squadVerified } from './laws-of-verification.js';
import type { SpecWorkflow } from './spec-workflow.js';

/** Throws with a readable message where the compiler breaks it. */
export type Law = (workflow: SpecWorkflow, options?: LawOptions) => void;

/** The laws, by name; each throws where the compiler breaks it. */
export const laws = {
  inputNotMutated,
  deterministic,
  permutationStable,
  textsStandWordForWord,
  partitionCovers,
  groupingCanonical,
  groupingMinimal,
  plansSound,
  plansMinimal,
  questionsTerminate,
  staleAnswersReported,
  ledgerConserves,
  sourceMapCovers,
  squadVerified,
  dialectsAgree,
  renamingStable,
  unreachableIgnored,
  copiedEdgeFolded,
  captureAdded,
  insertedStepAdded,
  splitStepAdded,
} satisfies Readonly<Record<string, Law>>;
