import { isJsonObject, type Json, type JsonObject } from '../../compiler/ir/json.js';
import type { Choice, Question } from '../../compiler/ir/result.js';
import { escapeControls } from '../quote.js';
import { type FilePlace, inFile } from './file-place.js';
import type { Style } from './style.js';

/** Of those beside the first. */
const mostPlaces = 4;

/**
 * A question with its choices, and the proposal as an answer that can be pasted:
 *
 *     question[ambiguous-start:]: The workflow does not say where a call starts. …
 *       --> workflow.json:4:5, 12:5
 *       * node (proposed): Start at this node
 *         The assistant that holds the node becomes the first member and answers the call.
 *         value: the id of the node that a call starts at
 *       = proposed: {"answers":{"ambiguous-start:":{"choice":"node","value":"greeting"}}}
 *
 * Its places are shown where they are given: those of `at`, in the file that was read.
 */
export function renderQuestion(
  question: Question,
  style: Style,
  places: readonly FilePlace[] = [],
): string {
  const label = style.bold(style.cyan(`question[${escapeControls(question.id)}]`));
  return [
    `${label}${style.bold(`: ${escapeControls(question.text)}`)}`,
    ...placeLine(places, style),
    ...question.choices.flatMap((choice) => choiceLines(choice, question.proposal, style)),
    ...proposedAnswer(question).map(
      (answer) => `  ${style.dim('=')} ${style.bold('proposed')}: ${escapeControls(answer)}`,
    ),
  ].join('\n');
}

/** The first place; of the others the line and the column, as they are in the same file. */
function placeLine([first, ...others]: readonly FilePlace[], style: Style): string[] {
  if (first === undefined) return [];
  const shown = others.slice(0, mostPlaces).map(({ line, column }) => `${line}:${column}`);
  const more = others.length > mostPlaces ? [`${others.length - mostPlaces} more`] : [];
  return [`  ${style.dim('-->')} ${[inFile(first), ...shown, ...more].join(', ')}`];
}

function choiceLines(choice: Choice, proposal: string | null, style: Style): string[] {
  const proposed = choice.key === proposal;
  const key = `${style.bold(choice.key)}${proposed ? ' (proposed)' : ''}`;
  const lines = [`  ${proposed ? '*' : '-'} ${key}: ${choice.label}`, `    ${choice.effect}`];
  if (choice.value !== undefined) lines.push(`    value: ${valueInWords(choice.value)}`);
  return lines;
}

/** “{ header: a header name, such as Authorization; secret: … }”, or the description alone. */
function valueInWords(schema: JsonObject): string {
  const { properties, required } = schema;
  if (!isJsonObject(properties)) return described(schema);
  const needed = Array.isArray(required) ? required.map(String) : [];
  const parts = needed.map((key) => `${key}: ${described(properties[key])}`);
  return `{ ${parts.join('; ')} }`;
}

function described(schema: Json | undefined): string {
  const { description, enum: values } = isJsonObject(schema) ? schema : {};
  const words = typeof description === 'string' ? lowerFirst(description) : 'a value';
  if (!Array.isArray(values) || values.length > 10) return words;
  return `${words}; one of ${escapeControls(values.join(', '))}`;
}

/** The proposal as it stands in a file of answers; none where only a human can know. */
function proposedAnswer({ id, proposal, proposalValue }: Question): string[] {
  if (proposal === null) return [];
  return [JSON.stringify({ answers: { [id]: { choice: proposal, value: proposalValue } } })];
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
