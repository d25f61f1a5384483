/**
 * How sentences are written, and how a row of the catalogue looks:
 *
 *     'flow/unreachable': warning(
 *       'No call can reach {id}, so it was left out of the squad.',
 *       'Add the missing edge, make the node global, or delete it.',
 *     ),
 *
 * The message says what is wrong and where; the help says what to do. Both are one line and end with
 * a full stop. A name in braces is an argument of the code. The word after the colon says how it is
 * shown; without one it is a text of the source, in quotes. A sentence that depends on its arguments
 * in another way is a function of them, and its row has an example, which `explain` shows.
 */
import type { Severity } from '../compiler/ir/result.js';
import { counted } from '../text/counted.js';
import { escapeControls } from '../text/escape.js';
import { quote, quoteAll, quoteWalk, shorten } from './quote.js';

/** One code; `Args` are the arguments of its sentences. */
export interface Entry<Args> {
  readonly severity: Severity;
  readonly message: (args: Args) => string;
  readonly help: (args: Args) => string;
  /** Both with placeholders for the arguments: “No call can reach <id>; …”. */
  readonly general: () => { readonly message: string; readonly help: string };
  readonly example?: Args;
}

/** How an argument is shown, by the word after its name. */
const forms = {
  text: quote,
  all: (texts: readonly string[]) => quoteAll(texts),
  either: (texts: readonly string[]) => quoteAll(texts, 'or'),
  are: (texts: readonly string[]) => (texts.length > 1 ? 'are' : 'is'),
  walk: quoteWalk,
  call: (walk: readonly string[]) => (walk.length > 0 ? `the call ${quoteWalk(walk)}` : 'a call'),
  number: String,
  assistants: (number: number) => counted(number, 'assistant'),
  kind: kindInWords,
  words: (text: string) => phrase(text),
  long: (text: string) => phrase(text, 600),
  plain: (text: string) => text,
  edge: edgeInWords,
  when: (condition: string | null) => (condition === null ? '' : ` when ${quote(condition)}`),
  probably: (near: string | null) => (near === null ? '' : ` (did you mean ${quote(near)}?)`),
};

type Forms = typeof forms;

/** The type of an argument, by the word after its name. */
type Arg<Hole extends string> = Hole extends `${string}:${infer Form extends keyof Forms}`
  ? Parameters<Forms[Form]>[0]
  : string;

/** The arguments of a text by name; it may contain other braces. */
type Named<Text extends string> = Text extends `${string}{${infer Rest}`
  ? Rest extends `${infer Hole}}${string}`
    ? (Hole extends `${string}${' ' | '{' | '"' | '%' | '…'}${string}`
        ? unknown
        : { readonly [Name in Hole extends `${infer N}:${string}` ? N : Hole]: Arg<Hole> }) &
        Named<Rest>
    : unknown
  : unknown;

type ArgsIn<Text extends string, Args = Named<Text>> = keyof Args extends never
  ? Record<string, never>
  : { readonly [Name in keyof Args]: Args[Name] };

type Sentence<Args> = string | ((args: Args) => string);

interface Row {
  <M extends string, H extends string>(message: M, help: H): Entry<ArgsIn<`${M}${H}`>>;
  <Args>(message: Sentence<Args>, help: Sentence<Args>, example: Args): Entry<Args>;
}

export const error = rowOf('error');
export const warning = rowOf('warning');
export const info = rowOf('info');

function rowOf(severity: Severity): Row {
  return <Args>(message: Sentence<Args>, help: Sentence<Args>, example?: Args) => ({
    severity,
    message: (args: Args) => say(message, args),
    help: (args: Args) => say(help, args),
    general: () => ({ message: inGeneral(message, example), help: inGeneral(help, example) }),
    ...(example !== undefined && { example }),
  });
}

const holes = /\{(\w+)(?::(\w+))?\}/g;

/** The text with each name in braces replaced by the value that `given` returns for it. */
function fill(text: string, given: (name: string) => unknown): string {
  return text.replace(holes, (_, name: string, form: keyof Forms = 'text') =>
    (forms[form] as (value: unknown) => string)(given(name)),
  );
}

function say<Args>(sentence: Sentence<Args>, args: Args): string {
  const isText = typeof sentence === 'string';
  const said = isText ? fill(sentence, (name) => args[name as keyof Args]) : sentence(args);
  return said.charAt(0).toUpperCase() + said.slice(1);
}

/** The sentence with placeholders for its arguments: “No call can reach <id>; …”. */
function inGeneral<Args>(sentence: Sentence<Args>, example: Args | undefined): string {
  if (typeof sentence !== 'string') return say(sentence, example!).replace(/“[^”]*”/g, '<…>');
  return sentence
    .replace(/\{\w+:probably\}/, '')
    .replace(/\{\w+:are\}/, 'are')
    .replace(holes, '<$1>');
}

/** The arguments of a text, in its order. */
type InOrder<Text extends string> = Text extends `${string}{${infer Hole}}${infer Rest}`
  ? [Arg<Hole>, ...InOrder<Rest>]
  : [];

/** A table of sentences as functions; a text takes its arguments in the order of the text. */
export function sentences<
  const Table extends Readonly<Record<string, string | ((...args: never[]) => string)>>,
>(table: Table) {
  const functions = Object.entries(table).map(([key, said]) => {
    if (typeof said !== 'string') return [key, said];
    return [key, (...args: unknown[]) => fill(said, () => args.shift())];
  });
  return Object.fromEntries(functions) as {
    readonly [Key in keyof Table]: Table[Key] extends string
      ? (...args: InOrder<Table[Key]>) => string
      : Table[Key];
  };
}

/** The words for a kind of JSON value: “array” → “a list”; other phrases are unchanged. */
export function kindInWords(kind: string): string {
  return kinds.get(kind) ?? phrase(kind);
}

const kinds: ReadonlyMap<string, string> = new Map([
  ['string', 'a text'],
  ['number', 'a number'],
  ['integer', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['undefined', 'an empty array slot'],
  ['function', 'a function'],
  ['cycle', 'an object that contains itself'],
  ['too-deep', 'objects and lists nested more than 200 levels deep'],
]);

/** A part of a sentence in the caller's words, made safe and short, without its full stop. */
export function phrase(text: string, limit = 200): string {
  return escapeControls(shorten(text.replace(/(?<![.\s])[.\s]+$/u, ''), limit));
}

export function edgeInWords(condition: string | null): string {
  return condition === null ? 'an edge without a condition' : `the condition ${quote(condition)}`;
}
