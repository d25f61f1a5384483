/** Finds the texts and the lines that diagnostics and questions are about. */
import type { Diagnostic, PlacedDiagnostic, Question, TextPlace } from '../index.js';
import type { Source } from './compile-input.js';
import type { Api } from './invocation.js';
import { flagOf, type TypedFlag } from './typed-flags.js';

/** A place in a text that was read, as `renderDiagnostic` takes it. */
export type SourcePlace = Exclude<Parameters<Api['renderDiagnostic']>[1], string | null>;

type FilePlace = NonNullable<Parameters<Api['renderQuestion']>[2]>[number];

/** The texts that were read. */
export interface Texts {
  readonly source: Source;
  readonly answers: Source | null;
  readonly sides: SideSources;
  /** Only where a squad is read, too. */
  readonly squad?: Source;
  /** What was given by flags and stands in no text. */
  readonly flags: readonly TypedFlag[];
}

/** Flags of files that hold an option, and where that is among the options that diagnostics point into. */
export const optionFiles = {
  overrides: '/memberOverrides',
  bindings: '/bindings',
  toolNames: '/toolNames',
} as const;

export type OptionFile = keyof typeof optionFiles;

export const optionFileNames = Object.keys(optionFiles) as OptionFile[];

/** The files of options that were given. */
export type SideSources = Readonly<Partial<Record<OptionFile, Source>>>;

/** What is shown as the place of a diagnostic: that in a text, or the flag. */
export function whereOf(
  diagnostic: Diagnostic,
  places: ReadonlyMap<Diagnostic, SourcePlace>,
  { flags }: Texts,
): SourcePlace | string | null {
  return places.get(diagnostic) ?? flagOf(diagnostic, flags);
}

/**
 * The places of diagnostics; one about nothing that was read from a text, such as a flag, has
 * none. Each text is walked once, however many diagnostics are about it.
 */
export function placesOf(
  diagnostics: readonly Diagnostic[],
  input: Texts,
  api: Api,
): ReadonlyMap<Diagnostic, SourcePlace> {
  const places = new Map<Diagnostic, SourcePlace>();
  const { source: workflow, squad, answers, sides } = input;
  for (const source of [workflow, squad, answers, ...Object.values(sides)]) {
    if (source === null || source === undefined) continue;
    const own = diagnostics.flatMap((diagnostic) => {
      const at = pointerIn(source, diagnostic, input);
      return at === null ? [] : [{ diagnostic, at }];
    });
    const found = api.locateAll(source.text, new Set(own.map(({ at }) => at)));
    for (const { diagnostic, at } of own) {
      const place = placeIn(source, diagnostic, found.get(at));
      if (place !== null) places.set(diagnostic, place);
    }
  }
  return places;
}

/** The places of questions in the workflow, in their order; two pointers to one place are one. */
export function questionPlaces(
  questions: readonly Question[],
  { name: file, text }: Source,
  api: Api,
): (question: Question) => readonly FilePlace[] {
  const found = api.locateAll(text, new Set(questions.flatMap(({ at }) => at)));
  return (question) => {
    const places = question.at.flatMap((at) => found.get(at) ?? []);
    const byOffset = new Map(places.map((place) => [place.offset, place]));
    return [...byOffset.values()].map(({ line, column }) => ({ file, line, column }));
  };
}

/** The pointer of a diagnostic in this text; null where it is not about it. */
function pointerIn(source: Source, { in: part, at }: Diagnostic, input: Texts) {
  if (source === input.source) return part === undefined ? at : null;
  if (source === input.squad) return part === 'squad' ? at : null;
  if (source === input.answers) {
    return part === 'answers' && flagOf({ in: part, at }, input.flags) === null ? at : null;
  }
  const base = optionFiles[optionFileNames.find((name) => source === input.sides[name])!];
  const isWithin = at === base || at.startsWith(`${base}/`);
  return part === 'options' && isWithin ? at.slice(base.length) : null;
}

/** A diagnostic of the reader knows its line itself: what it is about may be no value. */
function placeIn(
  { name: file, text }: Source,
  diagnostic: Diagnostic | PlacedDiagnostic,
  found: TextPlace | undefined,
): SourcePlace | null {
  if ('line' in diagnostic) {
    return { file, text, line: diagnostic.line, column: diagnostic.column, length: 1 };
  }
  return found
    ? { file, text, line: found.line, column: found.column, length: found.length }
    : null;
}
