import type { QuestionKind } from '../../compiler/ir/answers.js';
import type { Target } from '../../compiler/ir/options.js';

/** What the text of a question names, by kind. */
export interface QuestionArgs {
  /** `to` is null for the condition of a global node, whose id `from` is then. */
  'logical-condition': {
    readonly condition: string;
    readonly variables: readonly string[];
    readonly from: string;
    readonly to: string | null;
  };
  /** `requests`: the nodes whose requests change something with the variable. */
  'critical-variable': {
    readonly variable: string;
    readonly declared: boolean;
    readonly requests: readonly string[];
  };
  'cyclic-stages': { readonly stages: readonly string[] };
  'missing-destination': { readonly node: string };
  'missing-endpoint': { readonly node: string; readonly missing: readonly ('url' | 'method')[] };
  'missing-parameter': {
    readonly node: string;
    readonly operation: string;
    readonly parameter: string;
    /** What the parameter is, as the table of tools says it. */
    readonly description: string;
  };
  'missing-auth': { readonly node: string };
  'ambiguous-start': { readonly candidates: readonly string[] };
  'undefined-variable': {
    readonly variable: string;
    readonly nodes: readonly string[];
    readonly near: string | null;
  };
  'conflicting-settings': {
    readonly settings: readonly string[];
    readonly nodes: readonly string[];
  };
}

/** One kind of question. */
export interface QuestionEntry<Args> {
  readonly title: string;
  /** Why it has to be asked. */
  readonly why: string;
  /** How to find the answer. */
  readonly help: string;
  /** What was found, why it matters, what is to be decided. */
  readonly text: (args: Args) => string;
  /** In the order in which they are offered. */
  readonly choices: readonly ChoiceEntry[];
  /** Arguments to show the text with, where there is no source at hand. */
  readonly example: Args;
}

/** One choice of a kind; `only` where it is offered for one target alone. */
export interface ChoiceEntry {
  readonly key: string;
  readonly label: string;
  /** What the squad will do. */
  readonly effect: string;
  readonly only?: Target;
}

/** The entries of all kinds. */
export type QuestionEntries = { readonly [K in QuestionKind]: QuestionEntry<QuestionArgs[K]> };
