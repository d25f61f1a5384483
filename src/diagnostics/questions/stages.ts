/** What the questions about stages have in common, whoever asks them. */
import { digest } from '../../compiler/ir/digest.js';

/** The first node, for people, and a mark that changes with any of the others. */
export function subjectOfStages(ids: readonly string[]): string {
  return `${ids[0]}~${digest(JSON.stringify([...ids].sort()))}`;
}

/** What speaks against groups that have one each of two equal nodes. */
export const tornApart = 'two groups name nodes that behave the same and are one node';
