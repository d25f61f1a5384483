import { phrase } from './words.js';

/** Why a text, a template or a value cannot be read, in words. */

const syntax: ReadonlyMap<string, string> = new Map([
  ['unexpected-character', 'a character stands here that JSON does not allow at this place'],
  ['unexpected-end', 'the text ends too early'],
  ['invalid-number', 'a number is not written as JSON writes numbers'],
  ['invalid-string', 'a text in quotes is not closed, or holds a bare line break'],
  ['invalid-escape', 'a backslash in a text is not followed by a known escape'],
  ['comment', 'it holds a comment, which JSON does not know'],
  ['comma-expected', 'a comma is missing'],
  ['colon-expected', 'a colon is missing after a key'],
  ['value-expected', 'a value is missing'],
  ['property-name-expected', 'a key in double quotes is missing'],
  ['close-expected', 'a closing bracket or brace is missing'],
  ['trailing-content', 'something follows after the end of the document'],
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
  return syntax.get(reason) ?? 'the text breaks off or breaks a rule of JSON here';
}

/** Why a template cannot be read. */
export function templateReason(reason: string): string {
  return template.get(reason) ?? phrase(reason);
}

/** Why answers or options are not JSON. */
export function valueReason(reason: string): string {
  return value.get(reason) ?? phrase(reason);
}
