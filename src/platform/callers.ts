/**
 * The callers in one file's text, and the text with the rewritten ones.
 *
 * What a file holds is told by its name. JSON and scripts are parsed; a comment there is no caller.
 * In every other language, and where a text cannot be parsed, the name is looked for as a word.
 */
import {
  type ByHand,
  type Edit,
  type FoundCallers,
  namesWorkflow,
  offsetsOfName,
  type SquadIds,
} from './caller-place.js';
import { findInJson } from './json-callers.js';
import { findInScript } from './script-callers.js';
import { isScript } from './script-parser.js';

const json = /\.jsonc?$/i;

/** Finds the callers of a text without byte order mark. */
export function findCallers(path: string, text: string, squadIds: SquadIds): FoundCallers {
  if (!mayNameWorkflow(text)) return { rewrites: [], byHand: [] };
  if (json.test(path)) return findInJson(text, squadIds) ?? findByWord(text, 'unreadable');
  if (isScript(path)) return findInScript(path, text, squadIds) ?? findByWord(text, 'unreadable');
  return findByWord(text, 'language');
}

/** Parsing is dear; what a parser would read as the name, however it is spelt, is looked for first. */
function mayNameWorkflow(text: string): boolean {
  if (namesWorkflow(text)) return true;
  return letterEscape.test(text) && namesWorkflow(text.replaceAll(letterEscapes, letterOf));
}

/** A letter by its number: `\u0066`, `\u{66}`, `\x66`. */
const letterEscape = /\\(?:u00|u\{0*|x)([46][1-9a-f]|[57][0-9a])\}?/i;
const letterEscapes = new RegExp(letterEscape, 'gi');

function letterOf(_: string, code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16));
}

function findByWord(text: string, why: ByHand): FoundCallers {
  const byHand = offsetsOfName(text)
    .filter((offset) => why !== 'language' || !isComment(text, offset))
    .map((offset) => ({ offset, why }));
  return { rewrites: [], byHand };
}

/** Whether nothing but a number sign stands before it in its line: a comment in Python, YAML, shell. */
function isComment(text: string, offset: number): boolean {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*#/.test(text.slice(start, offset));
}

/** The edits of all rewrites, in the order of the text. */
export function editsOf({ rewrites }: FoundCallers): Edit[] {
  return rewrites.flatMap(({ edits }) => edits).sort((a, b) => a.start - b.start);
}

/** The text with the edits made; they are in order and do not overlap. */
export function withEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let end = 0;
  for (const edit of edits) {
    parts.push(text.slice(end, edit.start), edit.text);
    end = edit.end;
  }
  parts.push(text.slice(end));
  return parts.join('');
}
