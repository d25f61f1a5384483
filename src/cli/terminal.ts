/**
 * Style for terminals: when to colour, and with what.
 *
 * FORCE_COLOR decides where it is set, then NO_COLOR (any value but the empty one), then whether
 * the output is a terminal that is not a dumb one. JSON is never coloured.
 */
import { styleText } from 'node:util';
import type { Io, TextOutput } from './io.js';

/** Paints a text, or leaves it as it is. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
  readonly green: (text: string) => string;
}

/** Whether texts on this output are painted. */
export function mayColour(output: TextOutput, env: Io['env']): boolean {
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (env.NO_COLOR) return false;
  return output.isTTY && env.TERM !== 'dumb';
}

/** The style for texts on this output. */
export function styleFor(output: TextOutput, env: Io['env']): Style {
  const coloured = mayColour(output, env);
  const paint = (format: keyof Style) => (text: string) =>
    coloured ? styleText(format, text, { validateStream: false }) : text;
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    red: paint('red'),
    yellow: paint('yellow'),
    cyan: paint('cyan'),
    green: paint('green'),
  };
}

/**
 * The text with control characters made visible, tabs and line ends aside.
 *
 * Texts of a workflow can come from anybody; shown as they are, they could steer the terminal.
 */
export function printable(text: string): string {
  return text.replace(controlCharacter, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${code}`;
  });
}

// Controls but for tab and line feed, and the marks that change the order of what follows.
const controlCharacter = /(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
