/**
 * Conditions of edges, in the forms of the platform.
 *
 * An edge without a condition may have an empty one. A text that is one comparison of a variable
 * with a literal, or Liquid from end to end, is an expression in whatever form it stands, so it may
 * be marked as one; any other text is a sentence for the model, word for word.
 */
import { saidCondition } from '../spec-workflow.js';
import type { Draw, Written } from './dialect.js';

/** As exports hold it; undefined: the edge has none. */
export function exportCondition(
  text: string | undefined,
  index: number,
  draw: Draw,
): Written | undefined {
  if (text === undefined || saidCondition(text) === undefined) return draw(silent(text), index);
  return draw([asPrompt(text), ...asLogic(text)], index);
}

/** As older tasks hold it: a list of what the caller says. */
export function taskCondition(
  text: string | undefined,
  index: number,
  draw: Draw,
): Written | string | undefined {
  if (text === undefined || saidCondition(text) === undefined) return draw(silent(text), index);
  const forms = [{ type: 'ai', matches: [text] }, text, ...asLogic(text)];
  return draw(asLogic(text).length > 0 ? forms.reverse() : forms, index);
}

function silent(text: string | undefined): (Written | undefined)[] {
  return [undefined, asPrompt(text ?? '')];
}

function asPrompt(prompt: string): Written {
  return { type: 'ai', prompt };
}

const comparison = /^\s*[A-Za-z_]\w* == '[^'{}%]*'\s*$/;
const printing = /^\s*\{% if [^{}%]*%\}[^{}%]*\{% endif %\}\s*$/;

/** The text marked as an expression, where it is one anyway. */
function asLogic(text: string): Written[] {
  return comparison.test(text) || printing.test(text) ? [{ type: 'logic', liquid: text }] : [];
}
