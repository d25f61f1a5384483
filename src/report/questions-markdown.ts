/** `questions.md`: the open questions for whoever knows the business, with answers to copy. */
import { explain } from '../diagnostics/explain.js';
import { shorten } from '../diagnostics/quote.js';
import type { Choice, Json, JsonObject, JsonPointer } from '../index.js';
import { counted } from '../text/counted.js';
import { codeBlock, codeSpan, escapeControls, markdownText } from '../text/escape.js';
import { isObject } from '../text/json.js';
import { valueAt } from '../text/pointer.js';
import { answerFor } from './answers-snippet.js';
import type { AskedQuestion, ResultFile } from './model.js';

/** Lines of the source, by pointer; unknown for a line of JSONL. */
export type Places = ReadonlyMap<JsonPointer, { readonly line: number; readonly column: number }>;

/** Limits of the excerpt from the workflow. */
const mostLines = 24;
const mostCharacters = 2000;
const mostPlaces = 5;

export function questionsMarkdown(result: ResultFile, places: Places = new Map()): string {
  const { questions, name, source } = result;
  return [
    `# Questions about ${markdownText(shorten(name || source, 200))}`,
    `${counted(questions.length, 'question')} of the workflow in ${codeSpan(source)} ` +
      `${questions.length === 1 ? 'is' : 'are'} open; its squad is written once all are answered.`,
    'To answer, use `squadc answer` or the form in the report, or copy the block at the end into ' +
      'the answers file and fill it in.',
    ...questions.flatMap((question, index) => sectionOf(question, index + 1, result, places)),
    '## Answers to copy',
    'Replace `CHOOSE` with one of the choices, and `null` with a value. ' +
      'Then pass the file to `squadc migrate --answers`. Without `subject`, an answer stays valid ' +
      'even if its question changes.',
    answersBlock(result),
  ]
    .join('\n\n')
    .concat('\n');
}

function sectionOf(
  question: AskedQuestion,
  number: number,
  { workflow }: ResultFile,
  places: Places,
): string[] {
  const { kind, id, at, text, choices } = question;
  const [first] = at;
  const title = explain(kind)?.title ?? kind;
  return [
    `## ${number}. ${markdownText(title)}`,
    markdownText(text),
    [
      ...at.slice(0, mostPlaces).map((pointer) => `- Place: ${placeText(pointer, places)}`),
      ...(at.length > mostPlaces ? [`- and ${at.length - mostPlaces} more places`] : []),
      `- Question: ${codeSpan(id)}`,
    ].join('\n'),
    ...(first === undefined ? [] : sourceBlock(workflow, first)),
    'Choices:',
    choices.map((choice) => choiceLines(choice, question)).join('\n'),
  ];
}

function placeText(pointer: JsonPointer, places: Places): string {
  const place = places.get(pointer);
  const span = pointer === '' ? 'the whole workflow' : codeSpan(shorten(pointer, 200));
  return place === undefined ? span : `line ${place.line}, column ${place.column}: ${span}`;
}

/** The part of the workflow that is asked about, unless that is all of it. */
function sourceBlock(workflow: Json, pointer: JsonPointer): string[] {
  const value = pointer === '' ? undefined : valueAt(workflow, pointer);
  if (value === undefined) return [];
  const text = shorten(JSON.stringify(value, null, 2), mostCharacters);
  const lines = text.split('\n');
  const shown = lines.length > mostLines ? [...lines.slice(0, mostLines), '…'] : lines;
  return [codeBlock(shown.join('\n'), '')];
}

function choiceLines({ key, label, effect, value }: Choice, question: AskedQuestion): string {
  const proposed = key === question.proposal ? ' (proposed)' : '';
  return [
    `- ${codeSpan(key)}${proposed}: **${markdownText(label)}**`,
    `  ${markdownText(effect)}`,
    ...(value === undefined ? [] : valueLines(value)),
  ].join('\n');
}

function valueLines(schema: JsonObject): string[] {
  const { properties, required } = schema;
  if (!isObject(properties)) return [`  - Needs a value: ${described(schema)}`];
  const needed = Array.isArray(required) ? required : [];
  return [
    '  - Needs a value, an object with:',
    ...Object.entries(properties).map(([name, part]) => {
      const optional = needed.includes(name) ? '' : ' (optional)';
      return `    - ${codeSpan(name)}${optional}: ${described(part)}`;
    }),
  ];
}

function described(schema: Json): string {
  const description = isObject(schema) ? schema['description'] : null;
  const words = markdownText(typeof description === 'string' ? description : 'a value');
  const values = allowedBy(schema);
  if (values === null) return words;
  const shown = values.slice(0, 20).map((value) => codeSpan(shorten(String(value), 80)));
  const more = values.length > shown.length ? ` or ${values.length - shown.length} more` : '';
  return `${words}; one of ${shown.join(', ')}${more}`;
}

/** The values that a schema allows, or allows in a list. */
function allowedBy(schema: Json | undefined): readonly Json[] | null {
  if (!isObject(schema)) return null;
  const { enum: values, items } = schema;
  return Array.isArray(values) ? values : allowedBy(items);
}

/** JSON to paste. Control characters become escapes, which mean the same. */
function answersBlock({ key, questions }: ResultFile): string {
  const answers = questions.map(
    (question) => [question.id, { ...answerFor(question), subject: question.subject }] as const,
  );
  const document = { workflows: { [key]: { answers: Object.fromEntries(answers) } } };
  const lines = JSON.stringify(document, null, 2).split('\n').map(escapeControls);
  return codeBlock(lines.join('\n'), '').replace(/^(`+)text/, '$1json');
}
