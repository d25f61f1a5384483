import { phrase } from './words.js';

/** Why a text, a template or a value cannot be read, in words. */

/** What is wrong, and what to do about it where more can be said than to correct it. */
type Reason = readonly [what: string, help?: string];

const syntax: ReadonlyMap<string, Reason> = new Map<string, Reason>([
  [
    'empty',
    [
      'nothing is in it',
      'Check that the path is right, and that what writes the text has not failed.',
    ],
  ],
  [
    'utf-16',
    ['it looks like UTF-16, in which every second byte is zero', 'Save the text as UTF-8.'],
  ],
  ['unexpected-character', ['a character stands here that JSON does not allow at this place']],
  [
    'unexpected-end',
    ['the text ends too early', 'Export or copy the document again; it was probably cut off.'],
  ],
  ['invalid-number', ['a number is not written as JSON writes numbers']],
  ['invalid-string', ['a text in quotes is not closed, or holds a bare line break']],
  ['invalid-escape', ['a backslash in a text is not followed by a known escape']],
  ['comment', ['it holds a comment, which JSON does not know', 'Remove the comment.']],
  ['trailing-comma', ['a comma stands after the last element', 'Remove the comma.']],
  ['comma-expected', ['a comma is missing']],
  ['colon-expected', ['a colon is missing after a key']],
  ['value-expected', ['a value is missing']],
  ['property-name-expected', ['a key in double quotes is missing']],
  ['close-expected', ['a closing bracket or brace is missing']],
  [
    'trailing-content',
    [
      'something follows after the end of the document',
      'Leave one document in the text; several workflows, one on each line of a .jsonl file, are ' +
        'for `squadc migrate`.',
    ],
  ],
]);

const template: ReadonlyMap<string, string> = new Map([
  ['empty', 'it holds an output without a name, {{ }}'],
  ['invalid', 'what stands in it is no expression'],
  ['unknown-tag', 'it uses a tag that does not exist'],
  ['misplaced-tag', 'a tag such as {% else %} or {% endif %} stands outside of its block'],
  ['output-not-closed', 'a {{ has no }}'],
  ['tag-not-closed', 'a {% has no %}'],
  ['block-not-closed', 'a block such as {% if %} has no end'],
  ['partials-not-supported', 'it includes another template, which is not supported'],
]);

const value: ReadonlyMap<string, string> = new Map([
  ['not-a-value', 'something in them is not a JSON value'],
  ['too-deep', 'they are nested too deeply'],
  ['too-many-values', 'they hold too many values'],
  ['reserved-key', 'they use a key that is reserved'],
  ['lone-surrogate', 'a text in them holds half a character'],
  ['text-too-long', 'a text in them is too long'],
]);

/** Why a text is not JSON; an unknown reason gets words that fit any. */
export function syntaxReason(reason: string): string {
  return syntax.get(reason)?.[0] ?? 'the text breaks off or breaks a rule of JSON here';
}

/** What to do about it. */
export function syntaxHelp(reason: string): string {
  return syntax.get(reason)?.[1] ?? 'Correct the text at this place, or export the workflow again.';
}

/** Why a template cannot be read. */
export function templateReason(reason: string): string {
  return template.get(reason) ?? phrase(reason);
}

/** Why answers or options are not JSON. */
export function valueReason(reason: string): string {
  return value.get(reason) ?? phrase(reason);
}
