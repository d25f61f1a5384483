/** All laws about valid workflows, by name, for tests that try each of them. */
import type { Law } from './law.js';
import { copiedEdgeFolded, renamingStable, unreachableIgnored } from './laws-of-changes.js';
import { dialectsAgree } from './laws-of-dialects.js';
import { ledgerConserves, sourceMapCovers } from './laws-of-records.js';
import {
  deterministic,
  inputNotMutated,
  permutationStable,
  questionsTerminate,
  squadVerified,
  staleAnswersReported,
} from './laws-of-results.js';
import {
  groupingCanonical,
  groupingMinimal,
  partitionCovers,
  plansMinimal,
  plansSound,
} from './laws-of-squads.js';
import { captureAdded, insertedStepAdded, splitStepAdded } from './laws-of-steps.js';
import { textsStandWordForWord } from './laws-of-texts.js';

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
