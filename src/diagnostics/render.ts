/** Diagnostics as they are shown in a terminal. Pure: colours come in as functions. */
import type { Diagnostic, Severity } from '../compiler/ir/result.js';
import { escapeControls } from './quote.js';
import { excerpt, type Place } from './render/excerpt.js';
import { type FilePlace, inFile } from './render/file-place.js';
import { linesWithin } from './render/lines.js';
import type { Style } from './render/style.js';

export type { FilePlace } from './render/file-place.js';
export { renderQuestion } from './render/question.js';
export type { Style } from './render/style.js';

/** Where a diagnostic stands in a file that was read. */
export interface SourcePlace extends Place, FilePlace {}

const colours: Readonly<Record<Severity, 'red' | 'yellow' | 'cyan'>> = {
  error: 'red',
  warning: 'yellow',
  info: 'cyan',
};

/**
 * A diagnostic with the line that it is about:
 *
 *     error[flow/missing-node]: This edge leads to “colect”, but no node has that id.
 *       --> workflow.json:12:13
 *        |
 *     12 |       "to": "colect"
 *        |             ^^^^^^^^
 *        = help: Write “collect” if that is the node you mean.
 *
 * Without a source, the place is given as a JSON Pointer, or in the words that are given in its
 * place, such as the flag of a command. Lines are broken where the terminal has
 * fewer columns.
 */
export function renderDiagnostic(
  diagnostic: Diagnostic,
  place: SourcePlace | string | null,
  style: Style,
  columns = Number.POSITIVE_INFINITY,
): string {
  const source = typeof place === 'object' ? place : null;
  const gutter = ' '.repeat(source === null ? 1 : String(source.line).length);
  const lines = [
    ...headline(diagnostic, style, columns),
    `${gutter}${style.dim('-->')} ${shownPlace(place, diagnostic)}`,
    ...(source === null ? [] : shownLine(source, gutter, diagnostic.severity, style, columns)),
    ...seeAlso(diagnostic).map((places) => `${gutter} ${style.dim('=')} see also: ${places}`),
    ...helpLines(diagnostic, gutter, style, columns),
  ];
  return lines.join('\n');
}

function headline(
  { severity, code, message }: Diagnostic,
  style: Style,
  columns: number,
): string[] {
  const label = `${severity}[${code}]`;
  const lines = linesWithin(`${label}: ${escapeControls(message)}`, columns);
  const [first = '', ...others] = lines;
  if (!first.startsWith(label)) return lines.map(style.bold);
  const painted =
    style.bold(style[colours[severity]](label)) + style.bold(first.slice(label.length));
  return [painted, ...others.map(style.bold)];
}

function helpLines({ help }: Diagnostic, gutter: string, style: Style, columns: number): string[] {
  const lines = linesWithin(`help: ${escapeControls(help)}`, columns - gutter.length - 3);
  return lines.map((line, index) =>
    index === 0
      ? `${gutter} ${style.dim('=')} ${style.bold('help')}${line.slice('help'.length)}`
      : `${gutter}   ${line}`,
  );
}

function shownPlace(place: SourcePlace | string | null, diagnostic: Diagnostic): string {
  if (place === null) return inDocument(diagnostic);
  return typeof place === 'string' ? escapeControls(place) : inFile(place);
}

function inDocument(diagnostic: Diagnostic): string {
  return `${diagnostic.in ?? 'workflow'} ${escapeControls(diagnostic.at)}`.trimEnd();
}

function shownLine(
  source: SourcePlace,
  gutter: string,
  severity: Severity,
  style: Style,
  columns: number,
): string[] {
  const { line, mark } = excerpt(source, columns - gutter.length - 3);
  const bar = style.dim('|');
  return [
    `${gutter} ${bar}`,
    `${style.dim(String(source.line))} ${bar} ${line}`.trimEnd(),
    `${gutter} ${bar} ${style[colours[severity]](mark)}`,
  ];
}

function seeAlso({ related }: Diagnostic): string[] {
  if (related.length === 0) return [];
  const more = related.length > 5 ? [`${related.length - 5} more`] : [];
  const places = related.slice(0, 5).map((at) => escapeControls(at === '' ? 'the document' : at));
  return [[...places, ...more].join(', ')];
}
