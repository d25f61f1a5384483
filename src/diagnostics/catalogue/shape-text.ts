/** Faults of texts and values: JSON, limits, reserved names, templates. */
import { quote } from '../quote.js';
import { entry } from './entry.js';
import { syntaxHelp, syntaxReason, templateReason } from './syntax-reasons.js';
import { capital, kindInWords, textInWords } from './words.js';

export const shapeOfText = {
  'shape/not-json': entry<{ reason: string }>({
    severity: 'error',
    title: 'The text is not JSON',
    message: ({ reason }) => `The text is not JSON: ${syntaxReason(reason)}.`,
    why:
      'A workflow is read as JSON (RFC 8259). JSON knows no comments, no comma after the last ' +
      'element and no single quotes. Reading on after a fault would be guessing, so nothing of ' +
      'the document is used.',
    help: ({ reason }) => syntaxHelp(reason),
    example: { reason: 'comma-expected' },
  }),
  'shape/duplicate-key': entry<{ key: string }>({
    severity: 'error',
    title: 'A key stands twice in one object',
    message: ({ key }) => `The key ${quote(key)} stands twice in the same object.`,
    why:
      'JSON leaves open which of two equal keys counts, and programs differ: most take the last ' +
      'one and forget the first without a word. One of the two values would be lost.',
    help: ({ key }) => `Keep one ${quote(key)} and delete or rename the other.`,
    example: { key: 'systemPrompt' },
  }),
  'shape/too-deep': entry<{ limit: number }>({
    severity: 'error',
    title: 'The document is nested too deeply',
    message: ({ limit }) => `Objects and lists are nested more than ${limit} levels deep here.`,
    why:
      'A workflow needs only a handful of levels. Deeper nesting comes from a broken export or ' +
      'from a document that was made to exhaust its reader, so reading stops at a limit.',
    help: () => 'Remove the nested part, or check that this file really is a workflow.',
    example: { limit: 500 },
  }),
  'shape/too-large': entry<{ limit: number }>({
    severity: 'error',
    title: 'The document holds too many values',
    message: ({ limit }) => `The document holds more than ${limit} values.`,
    why:
      'Every text, number, list and object counts as a value. A workflow that people work on ' +
      'stays far below the limit; a larger one comes from a program that repeats itself or was ' +
      'made to exhaust its reader.',
    help: () => 'Check that this really is one workflow, and split it if it is.',
    example: { limit: 5_000_000 },
  }),
  'shape/not-a-value': entry<{ found: string }>({
    severity: 'error',
    title: 'Something here is not a JSON value',
    message: ({ found }) => `JSON has no way to write what stands here: ${kindInWords(found)}.`,
    why:
      'A workflow consists of texts, finite numbers, true, false, null, lists and plain objects. ' +
      'Anything else could not be written to a file and read back unchanged.',
    help: () => 'Replace it by a JSON value, or leave the field out.',
    example: { found: 'function' },
  }),
  'shape/reserved-name': entry<{ name: string }>({
    severity: 'error',
    title: 'A name is reserved',
    message: ({ name }) => `${quote(name)} cannot be used as a key, an id or a variable name.`,
    why:
      'The names __proto__, constructor and prototype have a meaning of their own in the ' +
      'programs that read JSON. Using them for something else can corrupt those programs, so ' +
      'they are refused.',
    help: () => 'Choose another name, here and wherever this one is referred to.',
    example: { name: '__proto__' },
  }),
  'shape/unsafe-name': entry<{ name: string }>({
    severity: 'error',
    title: 'A name would break the texts it stands in',
    message: ({ name }) =>
      `${quote(name)} holds a brace or a line break, which no name or choice may.`,
    why:
      'Names of variables and the choices that they allow stand in prompts and in templates. A ' +
      'brace would be read as the start or the end of a template, and a line break would start a ' +
      'new instruction.',
    help: () => 'Write it without braces and on one line, here and wherever it is read.',
    example: { name: '{{x}}' },
  }),
  'shape/lone-surrogate': entry({
    severity: 'error',
    title: 'A text holds half a character',
    message: () => 'This text holds one half of a character that is written in two halves.',
    why:
      'Characters such as emoji are stored as two halves (a surrogate pair). One half alone is ' +
      'not text: it cannot be written as UTF-8 and would come out as a replacement character.',
    help: () =>
      'Type the damaged character again; it was probably cut when the text was shortened.',
    example: {},
  }),
  'shape/text-too-long': entry<{ length: number; limit: number; what: string }>({
    severity: 'error',
    title: 'A text is too long',
    message: ({ length, limit, what }) =>
      `${capital(textInWords(what))} is ${length} characters long; at most ${limit} are allowed.`,
    why:
      'The platform refuses texts over its limits, and no reader takes texts without end. squadc ' +
      'never cuts a text to make it fit, because a cut instruction changes what the assistant does.',
    help: ({ length, limit }) =>
      `Shorten the text by ${Math.max(1, length - limit)} characters, or split the node in two.`,
    example: { length: 1180, limit: 1000, what: 'the condition of the edge' },
  }),
  'shape/liquid-syntax': entry<{ reason: string }>({
    severity: 'error',
    title: 'A template cannot be read',
    message: ({ reason }) =>
      `The {{…}} or {%…%} template in this text is broken: ${templateReason(reason)}.`,
    why:
      'Texts of a call are Liquid templates: {{name}} inserts a variable. A broken template ' +
      'would be spoken aloud as it stands, or fail in the middle of a call, and nobody can ' +
      'tell which variables it reads.',
    help: () => 'Close every {{ with }} and every {% with %}, and end every block that was opened.',
    example: { reason: 'output-not-closed' },
  }),
  'shape/liquid-too-large': entry<{ limit: 'tags' | 'levels' }>({
    severity: 'error',
    title: 'A template is too large',
    message: ({ limit }) =>
      limit === 'tags'
        ? 'This text holds more than 1000 template tags.'
        : 'The template tags in this text are nested more than 100 levels deep.',
    why:
      'Reading a template takes time and memory that grow faster than its size. A text that a ' +
      'person wrote stays far below 1000 tags and 100 levels.',
    help: () => 'Split the text over several nodes, or take the generated part out of it.',
    example: { limit: 'tags' },
  }),
};
