/** Where the places that evidence points to stand in the files that were read. */
import { escapeControls, textWidth } from '../diagnostics/quote.js';
import type { Evidence, JsonPointer } from '../index.js';
import type { CheckInput } from './check-input.js';
import type { Source } from './compile-input.js';
import type { Api } from './invocation.js';
import type { Layout } from './layout.js';

/** What points to places on both sides: a fact, or a call. */
export type Pointing = Pick<Evidence, 'source' | 'output'>;

/** A place as it is shown: `workflow.json:12:7`, and the JSON Pointer. */
export interface ShownPlace {
  readonly where: string;
  readonly at: JsonPointer;
}

/** The places of a fact, those of the workflow and those of the squad. */
export type PlacesOf = (pointing: Pointing) => readonly (readonly ShownPlace[])[];

/** Walks each text once for all the places that will be asked for. */
export function findPlaces(all: readonly Pointing[], input: CheckInput, api: Api): PlacesOf {
  const pointers = (side: keyof Pointing) => new Set(all.flatMap((each) => each[side]));
  const inWorkflow = finder(input.source, pointers('source'), api);
  const inSquad = finder(input.squad, pointers('output'), api);
  return ({ source, output }) => [source.map(inWorkflow), output.map(inSquad)];
}

function finder({ name, text }: Source, pointers: Iterable<JsonPointer>, api: Api) {
  const found = api.locateAll(text, pointers);
  return (at: JsonPointer): ShownPlace => {
    const place = found.get(at);
    return { where: place ? `${name}:${place.line}:${place.column}` : name, at };
  };
}

/** Places of one side that are shown without `--verbose`. */
const mostPlaces = 4;

/** The places one below the other; a pointer that does not fit beside its line goes below it. */
export function placeLines(
  sides: readonly (readonly ShownPlace[])[],
  indent: number,
  { columns, style, verbose }: Layout,
): string[] {
  const margin = ' '.repeat(indent);
  return sides.flatMap((places) => {
    const shown = verbose ? places : places.slice(0, mostPlaces);
    const lines = shown.flatMap(({ where, at }) => {
      const [file, pointer] = [escapeControls(where), escapeControls(at)];
      const fits = indent + textWidth(file) + 2 + textWidth(pointer) <= columns;
      if (pointer === '') return [`${margin}${style.cyan(file)}`];
      if (fits) return [`${margin}${style.cyan(file)}  ${style.dim(pointer)}`];
      return [`${margin}${style.cyan(file)}`, `${margin}  ${style.dim(pointer)}`];
    });
    const left = places.length - shown.length;
    return left === 0 ? lines : [...lines, `${margin}… and ${left} more`];
  });
}
