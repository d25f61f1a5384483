/** What a walk through source and squad has at hand, and what it takes down on its way. */
import type { JsonPointer } from '../../compiler/ir/ids.js';
import type { Finder } from './finder.js';
import type { Ground } from './ground.js';
import type { Guests } from './guests.js';
import type { Likeness } from './likeness.js';
import type { Openings } from './openings.js';
import type { OwnSentence } from './review.js';
import type { Difference, Visit } from './visit.js';
import type { Way } from './ways.js';

export interface Walk {
  readonly ground: Ground;
  readonly finder: Finder;
  readonly likeness: Likeness;
  readonly openings: Openings;
  /** By position, the node that has it; -1 where nobody has. */
  readonly claims: number[];
  readonly guests: Guests;
  /** By member, whether a call has come to it. */
  readonly isEntered: boolean[];
  /** What the squad does otherwise. */
  readonly differences: Difference[];
  /** Lines with a sentence of squadc's own, which can be judged when all is known. */
  readonly sentences: OwnSentence[];
}

/** Takes down what the prompt of the visit's assistant, whose name is given, says otherwise. */
export function note(
  { ground, differences }: Walk,
  visit: Visit,
  way: Way | null,
  source: readonly JsonPointer[],
  text: (assistant: string) => string,
): void {
  const { name, promptAt } = ground.squad.members[visit.member]!;
  differences.push({ visit, way, text: () => text(name ?? ''), source, output: [promptAt] });
}
