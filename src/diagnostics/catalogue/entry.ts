import type { Severity } from '../../compiler/ir/result.js';

/** The arguments of a code that needs none. */
export type NoArgs = Record<string, never>;

/** One code of the catalogue; `Args` is what its sentences name. */
export interface Entry<Args> {
  readonly severity: Severity;
  /** The fault in a few words. */
  readonly title: string;
  /** What is wrong, naming the thing. */
  readonly message: (args: Args) => string;
  /** The rule behind it. */
  readonly why: string;
  /** What to do now. */
  readonly help: (args: Args) => string;
  /** Arguments to show the sentences with, where there is no source at hand. */
  readonly example: Args;
}

/**
 * Declares an entry. Its arguments are those of the type argument and never inferred, so that
 * `diagnose` refuses all others.
 */
export function entry<Args = NoArgs>(declared: Entry<NoInfer<Args>>): Entry<Args> {
  return declared;
}
