import { isJsonObject, type Json, type JsonObject } from '../../compiler/ir/json.js';
import type { Choice, Question } from '../../compiler/ir/result.js';
import { escapeControls } from '../quote.js';
import type { Style } from './style.js';

/**
 * A question with its choices, the proposed one marked, and the answer to write:
 *
 *     question[ambiguous-start:]: The workflow does not say where a call starts. …
 *       * node (proposed): Start at this node
 *         The assistant that holds the node becomes the first member and answers the call.
 *         value: the id of the node that a call starts at
 *       = answer: {"answers":{"ambiguous-start:":{"choice":"node","value":"greeting"}}}
 */
export function renderQuestion(question: Question, style: Style): string {
  const label = style.bold(style.cyan(`question[${escapeControls(question.id)}]`));
  return [
    `${label}${style.bold(`: ${escapeControls(question.text)}`)}`,
    ...question.choices.flatMap((choice) => choiceLines(choice, question.proposal, style)),
    `  ${style.dim('=')} ${style.bold('answer')}: ${escapeControls(answerFor(question))}`,
  ].join('\n');
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

/** The proposal where there is one, otherwise the first choice; as it stands in a file. */
function answerFor({ id, choices, proposal, proposalValue }: Question): string {
  const choice = choices.find(({ key }) => key === proposal) ?? choices[0];
  const value = choice?.value === undefined ? undefined : (proposalValue ?? blank(choice.value));
  return JSON.stringify({ answers: { [id]: { choice: choice?.key ?? '', value } } });
}

/** A value of the right outline, to be filled in. */
function blank({ type, properties, required }: JsonObject): Json {
  if (type === 'array') return [['…']];
  if (!isJsonObject(properties) || !Array.isArray(required)) return '…';
  return Object.fromEntries(required.map((key) => [String(key), '…']));
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
