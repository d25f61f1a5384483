/**
 * The only file that knows the parser of JavaScript and TypeScript.
 *
 * In: the text of a script without byte order mark. Out: its syntax tree in the form of ESTree
 * (offsets in code units), or null where the parser refuses it, for whatever reason.
 */
import { type ParserPlugin, parse } from '@babel/parser';

export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

const languages: readonly (readonly [RegExp, readonly ParserPlugin[]])[] = [
  [/\.[cm]?ts$/i, ['typescript', 'decorators']],
  [/\.tsx$/i, ['typescript', 'jsx', 'decorators']],
  [/\.[cm]?jsx?$/i, ['jsx', 'decorators']],
];

/** Whether files of this name hold a script. */
export function isScript(path: string): boolean {
  return languageOf(path) !== null;
}

function languageOf(path: string): readonly ParserPlugin[] | null {
  return languages.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}

/** The tree of the script; null where it cannot be read, or is nested too deeply. */
export function parseScript(path: string, text: string): SyntaxNode | null {
  const language = languageOf(path);
  if (language === null) return null;
  try {
    const options = { allowReturnOutsideFunction: true, attachComment: false } as const;
    return parse(text, {
      ...options,
      sourceType: 'unambiguous',
      plugins: ['estree', ...language],
    }).program as unknown as SyntaxNode;
  } catch {
    return null;
  }
}

/** Whether a member of a node is a node itself. */
export function isNode(value: unknown): value is SyntaxNode {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    typeof value.type === 'string' &&
    'start' in value &&
    'end' in value
  );
}
