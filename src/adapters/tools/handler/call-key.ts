/**
 * The key of a call: what it is remembered by, and what the services are told to know it by.
 *
 * It is made of all that makes a call this one: the conversation, the id of the call in it, the
 * account, the operation, and what was said. So a repeat has the same key wherever it arrives, and
 * no other call has it, even where ids repeat. A digest: of fixed length, and nothing can be read
 * out of it.
 */
import type { Account } from './board.js';
import type { Conversation } from './request.js';
import { isObject } from './schema-check.js';

/** What a call is known by. */
export interface KeyFacts {
  readonly conversation: Conversation;
  readonly toolCallId: string;
  readonly account: Account;
  readonly operation: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** 64 hex digits. */
export async function keyOf(facts: KeyFacts): Promise<string> {
  const { conversation, toolCallId, account, operation, values } = facts;
  const { entry, orgId } = account;
  const text = JSON.stringify(
    [conversation, toolCallId, entry ?? null, orgId ?? null, operation, values],
    (_, value) => (isObject(value) ? Object.fromEntries(Object.entries(value).sort()) : value),
  );
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
