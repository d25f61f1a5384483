/** Texts in a SARIF file, where some signs mean something. */
import { escapeControls } from '../diagnostics/quote.js';

/**
 * The text as a message that is shown as it is. Single braces would be placeholders, so the format
 * wants them twice; a bracket before a parenthesis would be a link.
 */
export function plainMessage(text: string): { readonly text: string } {
  const literal = text.replaceAll('{', '{{').replaceAll('}', '}}').replaceAll('](', '] (');
  return { text: literal.split('\n').map(escapeControls).join('\n') };
}
