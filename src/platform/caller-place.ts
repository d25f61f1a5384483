/** What the search for callers finds: places to change, and places that only a human can change. */

/** The name that callers send today, and the one that takes its place. */
export const oldName = 'workflowId';
export const newName = 'squadId';

/** Squad ids by the workflow ids that they replace. */
export type SquadIds = ReadonlyMap<string, string>;

/** A replacement of the text from `start` to `end`, in code units. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Why a place is left to a human. */
export type ByHand =
  /** `{ workflowId }`: the value is a variable of that name. */
  | 'shorthand'
  /** `{ ['workflowId']: … }`, or a computed key with a value of the map. */
  | 'computed'
  /** The value is an expression, so that what it is shows only at run time. */
  | 'expression'
  /** The value is a template string. */
  | 'template'
  /** The value is a literal that the map does not have. */
  | 'not-in-map'
  /** The object has a `squadId` already, or two properties `workflowId`. */
  | 'clash'
  /** `x.workflowId`, or a pattern that takes it out of an object. */
  | 'access'
  /** A field, a type's member, an attribute. */
  | 'declaration'
  /** A variable of this name that holds an id of the map. */
  | 'variable'
  /** Inside of a text. */
  | 'text'
  /** A file in a language that is not rewritten. */
  | 'language'
  /** A file that should be JSON, JavaScript or TypeScript and cannot be read as such. */
  | 'unreadable';

/** A place that is left to a human. */
export interface HandPlace {
  readonly offset: number;
  readonly why: ByHand;
  /** The workflow id that stands there, where it is a literal. */
  readonly workflowId?: string;
}

/** A property that is rewritten: its name, and its value. */
export interface Rewrite {
  readonly offset: number;
  readonly workflowId: string;
  readonly squadId: string;
  readonly edits: readonly Edit[];
}

/** All that was found in one text. */
export interface FoundCallers {
  readonly rewrites: readonly Rewrite[];
  readonly byHand: readonly HandPlace[];
}

const word = new RegExp(`(?<![\\p{ID_Continue}$])${oldName}(?![\\p{ID_Continue}$])`, 'u');

/** Whether the text has the old name as a word of its own. */
export function namesWorkflow(text: string): boolean {
  return text.includes(oldName) && word.test(text);
}

/** The offsets at which the old name stands as a word of its own. */
export function offsetsOfName(text: string): number[] {
  return [...text.matchAll(new RegExp(word, 'gu'))].map(({ index }) => index);
}
