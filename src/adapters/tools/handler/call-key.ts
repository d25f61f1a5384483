/**
 * The keys of a call: what it is remembered by, and what the services are told to know it by.
 *
 * Both are made of the ids of the conversation and of the call in it, so that a repeat has the same
 * wherever it arrives. Services get a digest: of fixed length, and nothing can be read out of it.
 */
export function storeKey(callId: string, toolCallId: string): string {
  return JSON.stringify([callId, toolCallId]);
}

/** 64 hex digits. */
export async function idempotencyKey(key: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
