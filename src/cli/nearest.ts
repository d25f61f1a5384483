/** What a mistyped word was probably meant to be. */
import { findNearest } from '../compiler/ir/names.js';

/** Suggestion for the end of a message, in the form that the argument parser uses. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const suggestion = findNearest(word, candidates);
  return suggestion === null ? '' : `\n(Did you mean ${suggestion}?)`;
}
