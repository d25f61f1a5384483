/** Small pieces of sentences that the items share. */

/** Names of assistants, ids of nodes, conditions: as the source or the squad has them. */
export type Name = string;

/** The number and the word, with an s unless it is one. */
export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
