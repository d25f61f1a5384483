/** Finds the files and lines of diagnostics and questions. */
import { groupBy } from '../../graph/lists.js';
import type { Diagnostic, JsonPointer, Question } from '../../index.js';
import type { Api, Context } from '../command.js';
import { inputName, readInput } from '../files.js';
import type { Text } from '../io.js';
import { flagOf, type SquadFlags } from '../options.js';
import { type Style, styleFor, wrapped } from '../output/terminal.js';

/** A place in a text or the name of a flag, as `renderDiagnostic` expects it. */
type Place = NonNullable<Parameters<Api['renderDiagnostic']>[1]>;

export interface Places {
  readonly texts: readonly Text[];
  /** Their policies are in no text. */
  readonly flags: SquadFlags;
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
  clean = (text: string) => text,
): Promise<JsonFile> {
  const text = await readInput(path, io);
  // The reader of workflows only parses, so it reads any JSON.
  const { workflow: value, diagnostics } = api.readWorkflow(clean(text));
  return {
    text: { name: inputName(path), text, part, base },
    value,
    diagnostics: diagnostics.map((each) => ({ ...each, in: part, at: base + each.at })),
  };
}

/** A diagnostic, and its place or the flag that it is about. */
interface Finding {
  readonly diagnostic: Diagnostic;
  readonly place: Place | null;
}

/** Diagnostics with their places. Walks each text only once, because there may be many of them. */
export function findingsOf(
  diagnostics: readonly Diagnostic[],
  { texts, flags }: Places,
  api: Api,
): Finding[] {
  const places = new Map<Diagnostic, Place>();
  for (const diagnostic of diagnostics) {
    const flag = flagOf(diagnostic, flags);
    if (flag !== null) places.set(diagnostic, flag);
  }
  for (const { name: file, text, part, base } of texts) {
    const own = diagnostics.filter(
      (each) => each.in === part && `${each.at}/`.startsWith(`${base}/`) && !places.has(each),
    );
    const pointerOf = ({ at }: Diagnostic) => at.slice(base.length);
    const found = api.locateAll(text, new Set(own.map(pointerOf)));
    for (const diagnostic of own) {
      // The reader's diagnostics have their own line: there may be no value to locate.
      const { line, column } = diagnostic as Partial<Record<'line' | 'column', number>>;
      const place =
        line === undefined || column === undefined
          ? found.get(pointerOf(diagnostic))
          : { line, column, length: 1 };
      if (place !== undefined) places.set(diagnostic, { file, text, ...place });
    }
  }
  return diagnostics.map((each) => ({ diagnostic: each, place: places.get(each) ?? null }));
}

/** The most findings of one code that are shown: a file with thousands is wrong in one way. */
const mostOfCode = 100;

/** Renders findings for people, each with its line or its flag. */
export function* renderAll(
  findings: readonly Finding[],
  api: Api,
  style: Style,
  columns?: number,
): Generator<string> {
  const byCode = groupBy(findings, ({ diagnostic }) => diagnostic.code);
  const few = new Set([...byCode.values()].flatMap((all) => all.slice(0, mostOfCode)));
  for (const { diagnostic, place } of findings.filter((it) => few.has(it))) {
    yield api.renderDiagnostic(diagnostic, place, style, columns);
  }
  for (const [code, { length }] of byCode) {
    if (length > mostOfCode) yield `${length - mostOfCode} more of ${code}`;
  }
}

/** The diagnostics as JSON, with line and column if they are about a text. */
export function placedDiagnostics(
  diagnostics: readonly Diagnostic[],
  places: Places,
  api: Api,
): object[] {
  return findingsOf(diagnostics, places, api).map(({ diagnostic, place }) => {
    if (place === null || typeof place === 'string') return { ...diagnostic };
    return { ...diagnostic, line: place.line, column: place.column };
  });
}

/** Renders the questions with their places in the workflow, in order and without repetition. */
export function renderQuestions(
  questions: readonly Question[],
  { name: file, text }: Text,
  api: Api,
  style: Style,
  columns?: number,
): string[] {
  const found = api.locateAll(text, new Set(questions.flatMap(({ at }) => at)));
  return questions.map((question) => {
    const places = question.at.flatMap((at) => found.get(at) ?? []);
    const byOffset = new Map(places.map((place) => [place.offset, place]));
    const files = Array.from(byOffset.values(), ({ line, column }) => ({ file, line, column }));
    return wrapped(api.renderQuestion(question, style, files), columns);
  });
}

/** Reports diagnostics about answers and options on standard error. */
export function sayFindings(findings: readonly Finding[], { api, io }: Context): void {
  const { stderr, env } = io;
  for (const text of renderAll(findings, api, styleFor(stderr, env), stderr.columns)) {
    stderr.write(`${text}\n\n`);
  }
}

/** Reports diagnostics on standard error, each with its place. */
export function sayDiagnostics(
  diagnostics: readonly Diagnostic[],
  places: Places,
  context: Context,
): void {
  sayFindings(findingsOf(diagnostics, places, context.api), context);
}
