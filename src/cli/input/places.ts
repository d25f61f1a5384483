/** Finds the texts and the lines that diagnostics and questions are about. */
import type { Diagnostic, JsonPointer, PlacedDiagnostic, Question } from '../../index.js';
import type { Api, Context } from '../command.js';
import { flagOf, type TypedFlag } from '../options.js';
import { inputName, readInput } from './read.js';

/** A text that was read, under the name that messages show, and which part of the input it holds. */
export interface Text {
  readonly name: string;
  readonly text: string;
  /** As diagnostics name it; of the workflow, absent. */
  readonly part?: Diagnostic['in'];
  /** Where its value stands in that part. */
  readonly base: JsonPointer;
}

/** A place in a text that was read, as `renderDiagnostic` takes it. */
type SourcePlace = Exclude<Parameters<Api['renderDiagnostic']>[1], string | null>;

type FilePlace = NonNullable<Parameters<Api['renderQuestion']>[2]>[number];

/** What places are looked for in. */
export interface Places {
  readonly texts: readonly Text[];
  /** What was given by flags and stands in no text. */
  readonly flags: readonly TypedFlag[];
}

export interface JsonFile {
  readonly text: Text;
  /** Null where the text is not JSON. Whether it has the right form is for others to say. */
  readonly value: unknown;
  /** Faults of its text. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The value of a JSON file beside the workflow. */
export async function readJsonFile(
  path: string,
  part: Exclude<Diagnostic['in'], undefined>,
  base: JsonPointer,
  { io, api }: Context,
): Promise<JsonFile> {
  const text = await readInput(path, io);
  // The reader of workflows looks at nothing but the text, so that it reads any JSON.
  const { workflow: value, diagnostics } = api.readWorkflow(text);
  return {
    text: { name: inputName(path), text, part, base },
    value,
    diagnostics: diagnostics.map((each) => ({ ...each, in: part, at: base + each.at })),
  };
}

/**
 * The places of diagnostics; one about nothing that was read from a text, such as a flag, has
 * none. Each text is walked once, however many diagnostics are about it.
 */
function placesOf(
  diagnostics: readonly Diagnostic[],
  { texts, flags }: Places,
  api: Api,
): ReadonlyMap<Diagnostic, SourcePlace> {
  const places = new Map<Diagnostic, SourcePlace>();
  for (const source of texts) {
    const own = diagnostics.filter(
      (each) => isWithin(each, source) && (!each.in || flagOf(each, flags) === null),
    );
    const pointerOf = ({ at }: Diagnostic) => at.slice(source.base.length);
    const found = api.locateAll(source.text, new Set(own.map(pointerOf)));
    for (const diagnostic of own) {
      // One of the reader knows its line itself: what it is about may be no value.
      const place = isPlaced(diagnostic)
        ? { line: diagnostic.line, column: diagnostic.column, length: 1 }
        : found.get(pointerOf(diagnostic));
      if (place !== undefined) {
        places.set(diagnostic, { file: source.name, text: source.text, ...place });
      }
    }
  }
  return places;
}

function isWithin({ in: part, at }: Diagnostic, text: Text): boolean {
  const { base } = text;
  return part === text.part && (base === '' || at === base || at.startsWith(`${base}/`));
}

function isPlaced(diagnostic: Diagnostic | PlacedDiagnostic): diagnostic is PlacedDiagnostic {
  return 'line' in diagnostic;
}

/** The diagnostics as they are shown, each with the line that it is about, or the flag. */
export function renderAll(
  diagnostics: readonly Diagnostic[],
  places: Places,
  api: Api,
  style: Parameters<Api['renderDiagnostic']>[2],
  columns?: number,
): string[] {
  const found = placesOf(diagnostics, places, api);
  return diagnostics.map((each) => {
    const place = found.get(each) ?? flagOf(each, places.flags);
    return api.renderDiagnostic(each, place, style, columns);
  });
}

/** The diagnostics as JSON, those about a text that was read with line and column. */
export function placedDiagnostics(
  diagnostics: readonly Diagnostic[],
  places: Places,
  api: Api,
): object[] {
  const found = placesOf(diagnostics, places, api);
  return diagnostics.map((diagnostic) => {
    const place = found.get(diagnostic);
    return place ? { ...diagnostic, line: place.line, column: place.column } : { ...diagnostic };
  });
}

/** The places of questions in the workflow, in their order; two pointers to one place are one. */
export function questionPlaces(
  questions: readonly Question[],
  { name: file, text }: Text,
  api: Api,
): (question: Question) => readonly FilePlace[] {
  const found = api.locateAll(text, new Set(questions.flatMap(({ at }) => at)));
  return (question) => {
    const places = question.at.flatMap((at) => found.get(at) ?? []);
    const byOffset = new Map(places.map((place) => [place.offset, place]));
    return [...byOffset.values()].map(({ line, column }) => ({ file, line, column }));
  };
}
