/** Small pieces of sentences that several entries share. */
import { escapeControls, shorten } from '../quote.js';

/** The words for a kind of JSON value, or of what is none; other phrases are left as they are. */
const kinds: ReadonlyMap<string, string> = new Map([
  ['string', 'a text'],
  ['number', 'a number'],
  ['integer', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['undefined', 'an empty place'],
  ['function', 'a function'],
  ['symbol', 'a symbol'],
  ['bigint', 'an integer without limits (bigint)'],
  ['NaN', 'NaN, a number that is none'],
  ['Infinity', 'infinity'],
  ['-Infinity', 'minus infinity'],
  ['Date', 'a Date'],
  ['Map', 'a Map'],
  ['Set', 'a Set'],
  ['RegExp', 'a regular expression'],
  ['Promise', 'a Promise'],
  ['Error', 'an Error'],
  ['class instance', 'an instance of a class'],
  ['unreadable object', 'an object that cannot be read'],
  ['accessor property', 'a property that is computed when it is read'],
  ['hidden property', 'a property that is hidden from writers of JSON'],
  ['symbol key', 'an object with a key that is a symbol'],
  ['sparse array', 'a list with gaps'],
  ['array with extra properties', 'a list with named properties'],
]);

/** “array” → “a list”. */
export function kindInWords(kind: string): string {
  return kinds.get(kind) ?? phrase(kind);
}

/** A part of a sentence that the caller words; only made safe and short. */
export function phrase(text: string): string {
  return escapeControls(shorten(text, 200)).replace(/\.+$/u, '');
}

/** A whole sentence that becomes a part of another one. */
export function withoutStop(text: string): string {
  return escapeControls(shorten(text.replace(/[.\s]+$/u, ''), 600));
}

/** The text with a capital first letter. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What a limit speaks of, where it is not named more closely. */
export function textInWords(what: string): string {
  return what === 'text' ? 'this text' : phrase(what);
}
