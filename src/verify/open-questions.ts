/** Questions that nobody has answered: the items that depend on them are not known to hold. */
import type { QuestionKind } from '../compiler/ir/answers.js';

/** The item of the checklist that a question is about. */
export const itemOf: Readonly<Record<QuestionKind, number>> = {
  'ambiguous-start': 1,
  'cyclic-stages': 2,
  'conflicting-settings': 2,
  'logical-condition': 3,
  'critical-variable': 4,
  'undefined-variable': 4,
  'missing-destination': 5,
  'missing-endpoint': 5,
  'missing-parameter': 5,
  'missing-auth': 5,
};
