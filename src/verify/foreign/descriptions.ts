/**
 * Descriptions that squadc did not write: what they say besides the conditions.
 *
 * A condition that stands in a description may still be restricted or negated there (“never when …”,
 * “… on Mondays”). Only words that say nothing of their own are passed over.
 */
import { withoutRaw } from '../../compiler/ir/tokens.js';

const passedOver: ReadonlySet<string> = new Set(
  (
    'a agent an and as assistant call called caller calls colleague customer function hand handoff ' +
    'hands if is it of off or over so soon that the them then they this to tool transfer transfers ' +
    'use user when you'
  ).split(' '),
);

/** The words of a description besides these texts; none if they say nothing. */
export function otherWords(description: string, known: readonly string[]): string[] {
  const longest = known.filter((it) => it !== '').map(withoutRaw);
  longest.sort((one, other) => other.length - one.length);
  const rest = longest.reduce((left, it) => left.replaceAll(it, ' '), withoutRaw(description));
  const words = rest.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.filter((it) => !passedOver.has(it.toLowerCase()));
}
