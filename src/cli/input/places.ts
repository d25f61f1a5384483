/** Finds the files and lines of diagnostics and questions. */
import type { Diagnostic, JsonPointer, PlacedDiagnostic, Question } from '../../index.js';
import type { Api, Context } from '../command.js';
import { inputName, readInput } from '../files.js';
import { flagOf, type SquadFlags } from '../options.js';

/** A text that was read, its name in messages, and the part of the input that it holds. */
export interface Text {
  readonly name: string;
  readonly text: string;
  /** As in diagnostics; absent for the workflow. */
  readonly part?: Diagnostic['in'];
  /** The pointer to its value in that part. */
  readonly base: JsonPointer;
}

/** A place in a text, as `renderDiagnostic` expects it. */
type SourcePlace = Exclude<Parameters<Api['renderDiagnostic']>[1], string | null>;

type FilePlace = NonNullable<Parameters<Api['renderQuestion']>[2]>[number];

/** Where to look for places. */
export interface Places {
  readonly texts: readonly Text[];
  /** Their policies are in no text. */
  readonly flags: Pick<SquadFlags, 'policy'>;
}

export interface JsonFile {
  readonly text: Text;
  /** Null if the text is not JSON. Its form is not checked here. */
  readonly value: unknown;
  /** Faults of the text itself. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a JSON file other than the workflow. */
export async function readJsonFile(
  path: string,
  part: Exclude<Diagnostic['in'], undefined>,
  base: JsonPointer,
  { io, api }: Context,
): Promise<JsonFile> {
  const text = await readInput(path, io);
  // The reader of workflows only parses, so it reads any JSON.
  const { workflow: value, diagnostics } = api.readWorkflow(text);
  return {
    text: { name: inputName(path), text, part, base },
    value,
    diagnostics: diagnostics.map((each) => ({ ...each, in: part, at: base + each.at })),
  };
}

/**
 * The places of diagnostics. A diagnostic about something that is in no text, such as a flag, has
 * none. Walks each text only once, because there may be many diagnostics.
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
      // The reader's diagnostics have their own line: there may be no value to locate.
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

/** Renders the diagnostics for people, each with its line or its flag. */
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

/** The diagnostics as JSON, with line and column if they are about a text. */
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

/** The places of questions in the workflow, in order and without repetition. */
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
