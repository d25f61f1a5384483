/** What a line under a step says comes next: a step, another assistant, or the end of the call. */
import type { Transfer, WorkflowNode } from '../../compiler/ir/workflow.js';
import { type Cursor, eat, eatNumber } from '../reading/cursor.js';
import type { Ground } from './ground.js';
import type { Way } from './ways.js';

export type Next =
  | { readonly kind: 'step'; readonly step: number; readonly repeats: boolean }
  | { readonly kind: 'handoff'; readonly name: string; readonly member: number | null }
  | { readonly kind: 'left' };

/** Null where what stands here does not belong to the way; the cursor may be anywhere then. */
export function readNext(ground: Ground, { to, isExit }: Way, cursor: Cursor): Next | null {
  const node = ground.graph.nodeAt(to);
  if (isExit) return eatLeaving(cursor, node) ? left : null;
  const direct = eatStep(cursor, ', go to step ');
  if (direct !== null) return { kind: 'step', step: direct, repeats: false };
  const name = eatHandoff(cursor);
  if (name !== null) return { kind: 'handoff', name, member: ground.byName.get(name) ?? null };
  const line = node.firstMessage;
  if (line === null || !eatSaying(cursor, ':\n  Say: "', line.value, '"\n  then')) return null;
  const repeated = eatStep(cursor, ' go to step ');
  return repeated === null ? null : { kind: 'step', step: repeated, repeats: true };
}

/** Moves past the words and the number of a step, which end the line. */
function eatStep(cursor: Cursor, words: string): number | null {
  const from = cursor.at;
  const step = eat(cursor, words) ? eatNumber(cursor) : null;
  if (step !== null && eat(cursor, '\n')) return step;
  cursor.at = from;
  return null;
}

/** Moves past the name of an assistant, which may hold quotes itself, and ends the line. */
function eatHandoff(cursor: Cursor): string | null {
  const from = cursor.at;
  if (!eat(cursor, ', hand off to "')) return null;
  const { text, at: start, end } = cursor;
  const quote = text.indexOf('\n', start) - 1;
  if (quote >= start && quote + 2 <= end && text[quote] === '"') {
    cursor.at = quote + 2;
    return text.slice(start, quote);
  }
  cursor.at = from;
  return null;
}

const left: Next = { kind: 'left' };

/** Moves past what is said of an exit: its line, its instruction, and how the call goes on. */
function eatLeaving(cursor: Cursor, node: WorkflowNode): boolean {
  const { firstMessage, systemPrompt, type, transfer } = node;
  const isSilent = firstMessage === null && systemPrompt === null;
  if (!isSilent && !eat(cursor, ':\n')) return false;
  if (firstMessage !== null && !eatSaying(cursor, '  Say: "', firstMessage.value, '"\n'))
    return false;
  if (systemPrompt !== null && !eatSaying(cursor, '  ', systemPrompt.value, '\n')) return false;
  if (!eat(cursor, isSilent ? ', then ' : '  then ')) return false;
  if (type !== 'transferCall') return eat(cursor, 'end the call\n');
  return eatSaying(cursor, 'transfer the call to ', addressesOf(transfer), '\n');
}

/** Moves past a text, and the words that stand round it. */
function eatSaying(cursor: Cursor, before: string, text: string, after: string): boolean {
  return eat(cursor, before) && eat(cursor, text) && eat(cursor, after);
}

function addressesOf(transfer: Transfer | null): string {
  const all = transfer === null ? [] : [transfer, ...transfer.others];
  const addresses = all.flatMap(({ destination }) => {
    if (destination === null) return [];
    const { value } = destination;
    return [value.type === 'sip' ? value.sipUri : value.number];
  });
  return addresses.join(' or ');
}
