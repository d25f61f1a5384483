/** Diagnostics and questions as a terminal shows them. Pure: colours are passed in as functions. */
import type { Diagnostic, Question } from '../compiler/ir/result.js';
import { escapeControls } from '../text/escape.js';
import { isObject, type Json, type JsonObject } from '../text/json.js';
import { excerpt, type Place } from './excerpt.js';
import { linesWithin } from './quote.js';
import { describedBy } from './schema-fault.js';

/** Functions that style a text; each may return it unchanged. */
export type Style = Readonly<
  Record<'bold' | 'red' | 'yellow' | 'cyan' | 'dim', (text: string) => string>
>;

/** A place in a file. */
export interface FilePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The place of a diagnostic in a file. */
export interface SourcePlace extends Place, FilePlace {}

const colours = { error: 'red', warning: 'yellow', info: 'cyan' } as const;

/**
 * A diagnostic with the line of its place:
 *
 *     error[flow/missing-node]: This edge leads to “colect”, but no node has that id.
 *       --> workflow.json:12:13
 *        |
 *     12 |       "to": "colect"
 *        |             ^^^^^^^^
 *        = help: Write “collect” if that is the node you mean.
 *
 * Without a source, the place is shown as a JSON Pointer, or as the words in `place`, such as a flag
 * of the command. Lines are broken to fit the columns.
 */
export function renderDiagnostic(
  { severity, code, message, at, in: document, related, help }: Diagnostic,
  place: SourcePlace | string | null,
  style: Style,
  columns = Number.POSITIVE_INFINITY,
): string {
  const paint = style[colours[severity]];
  const label = `${severity}[${code}]`;
  const head = linesWithin(`${label}: ${escapeControls(message)}`, columns).map((line, index) =>
    index === 0 && line.startsWith(label)
      ? style.bold(paint(label)) + style.bold(line.slice(label.length))
      : style.bold(line),
  );
  const source = typeof place === 'object' ? place : null;
  const gutter = ' '.repeat(source === null ? 1 : String(source.line).length);
  const room = columns - gutter.length - 3;
  const inDocument = `${document ?? 'workflow'} ${escapeControls(at)}`.trimEnd();
  const inWords = typeof place === 'string' ? escapeControls(place) : inDocument;
  const shownPlace = source === null ? inWords : inFile(source);
  const lines = [...head, `${gutter}${style.dim('-->')} ${shownPlace}`];
  if (source !== null) {
    const { line, mark } = excerpt(source, room);
    const bar = style.dim('|');
    lines.push(
      `${gutter} ${bar}`,
      `${style.dim(String(source.line))} ${bar} ${line}`.trimEnd(),
      `${gutter} ${bar} ${paint(mark)}`,
    );
  }
  if (related.length > 0) {
    const others = related.slice(0, 5).map((each) => escapeControls(each || 'the document'));
    if (related.length > 5) others.push(`${related.length - 5} more`);
    lines.push(`${gutter} ${style.dim('=')} see also: ${others.join(', ')}`);
  }
  const [first = '', ...more] = linesWithin(`help: ${escapeControls(help)}`, room);
  lines.push(`${gutter} ${style.dim('=')} ${style.bold('help')}${first.slice('help'.length)}`);
  return [...lines, ...more.map((line) => `${gutter}   ${line}`)].join('\n');
}

/** In the form that editors and terminals turn into a link. */
function inFile({ file, line, column }: FilePlace): string {
  return `${escapeControls(file)}:${line}:${column}`;
}

/**
 * A question with its choices, and the proposal as an answer that can be pasted:
 *
 *     question[ambiguous-start:workflow]: The workflow does not say where a call starts. …
 *       --> workflow.json:4:5, 12:5
 *       * node (proposed): Start at this node
 *         The assistant that holds the node becomes the first member and answers the call.
 *         value: the id of the node that a call starts at
 *       = proposed: {"answers":{"ambiguous-start:workflow":{"choice":"node","value":"greeting"}}}
 *
 * The places are those of `at` in the file; without a file none are shown.
 */
export function renderQuestion(
  { id, text, choices, proposal, proposalValue }: Question,
  style: Style,
  [firstPlace, ...otherPlaces]: readonly FilePlace[] = [],
): string {
  const label = style.bold(style.cyan(`question[${escapeControls(id)}]`));
  const lines = [`${label}${style.bold(`: ${escapeControls(text)}`)}`];
  if (firstPlace !== undefined) {
    const others = otherPlaces.slice(0, 4).map(({ line, column }) => `${line}:${column}`);
    if (otherPlaces.length > 4) others.push(`${otherPlaces.length - 4} more`);
    lines.push(`  ${style.dim('-->')} ${[inFile(firstPlace), ...others].join(', ')}`);
  }
  for (const { key, label: words, effect, value } of choices) {
    const [bullet, proposed] = key === proposal ? ['*', ' (proposed)'] : ['-', ''];
    lines.push(`  ${bullet} ${style.bold(key)}${proposed}: ${words}`, `    ${effect}`);
    if (value !== undefined) lines.push(`    value: ${valueInWords(value)}`);
  }
  if (proposal !== null) {
    const answer = { answers: { [id]: { choice: proposal, value: proposalValue } } };
    const shown = escapeControls(JSON.stringify(answer));
    lines.push(`  ${style.dim('=')} ${style.bold('proposed')}: ${shown}`);
  }
  return lines.join('\n');
}

/** “{ header: a header name, such as Authorization; secret: … }”, or the description alone. */
function valueInWords(schema: JsonObject): string {
  const { properties, required } = schema;
  if (!isObject(properties)) return described(schema);
  const needed = Array.isArray(required) ? required.map(String) : [];
  return `{ ${needed.map((key) => `${key}: ${described(properties[key])}`).join('; ')} }`;
}

function described(schema: Json | undefined): string {
  const words = describedBy(schema) ?? 'a value';
  const values = isObject(schema) ? schema.enum : undefined;
  if (!Array.isArray(values) || values.length > 10) return words;
  return `${words}; one of ${escapeControls(values.join(', '))}`;
}
