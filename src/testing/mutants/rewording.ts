/** Changes of texts: one word for another, parts taken out or put in. */
import type { JsonObject } from '../../compiler/ir/json.js';
import { put } from './edit.js';
import type { Span } from './prompt-lines.js';
import type { PromptView } from './prompt-view.js';
import type { MemberView, SquadView } from './squad-view.js';

/**
 * The text with one word changed to another; null where it has no word. Templates stay as they
 * are: the damage is one of the words around them.
 */
export function reword(text: string, word: string): string | null {
  const plain = text.replaceAll(/\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g, (tag) =>
    ' '.repeat(tag.length),
  );
  const found = /\p{L}[\p{L}\p{N}]+/u.exec(plain);
  if (found === null) return null;
  return text.slice(0, found.index) + word + text.slice(found.index + found[0].length);
}

/** What stands at a part from now on. */
export interface Change extends Span {
  readonly text: string;
}

/** The text with these parts changed; they do not overlap. */
export function rewrite(text: string, changes: readonly Change[], within?: Span): string {
  const { start, end } = within ?? { start: 0, end: text.length };
  let at = start;
  let written = '';
  for (const change of changes.toSorted((one, other) => one.start - other.start)) {
    if (change.start < at || change.end > end) continue;
    written += text.slice(at, change.start) + change.text;
    at = change.end;
  }
  return written + text.slice(at, end);
}

/** The squad with another prompt of the member. */
export function withPrompt(
  { squad }: Pick<SquadView, 'squad'>,
  { promptAt, prompt }: Pick<MemberView, 'promptAt' | 'prompt'>,
  ...changes: readonly Change[]
): JsonObject {
  return put(squad, promptAt, rewrite(prompt.text, changes));
}

export function replace({ start, end }: Span, text: string): Change {
  return { start, end, text };
}

export function cut(span: Span): Change {
  return replace(span, '');
}

export function insertAt(start: number, text: string): Change {
  return { start, end: start, text };
}

/** Whether the prompt of the member, or what it says first, holds the text. */
export function says({ prompt, opening }: MemberView, text: string): boolean {
  return prompt.text.includes(text) || opening.includes(text);
}

/** The words of a part, short enough for a message. */
export function brief({ text }: PromptView, { start, end }: Span): string {
  return quote(text.slice(start, end));
}

export function quote(text: string): string {
  const line = text.trim().replaceAll('\n', ' ');
  return JSON.stringify(line.length > 60 ? `${line.slice(0, 59)}…` : line);
}
