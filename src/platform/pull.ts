/**
 * Fetches workflows by their ids, one after the other: `GET {base_url}/workflow/{id}`.
 *
 * Out: one outcome for each id, as it comes. Faults of one id leave the others alone; where no
 * other id could do better (the key, the network), the rest is not tried.
 */
import { urlOf } from './base-url.js';
import { laidOut } from './json-layout.js';
import type { Network } from './network.js';
import { type Fault, generalFaults, send } from './platform-api.js';

export type Pulled =
  | { readonly id: string; readonly kind: 'workflow'; readonly text: string }
  | { readonly id: string; readonly kind: 'fault'; readonly fault: Fault }
  /** An answer that is no JSON, or no object. */
  | { readonly id: string; readonly kind: 'not-json'; readonly looksLikeHtml: boolean }
  | { readonly id: string; readonly kind: 'not-tried' };

/** Fetches each id once, in the order given. */
export async function* pull(
  ids: readonly string[],
  from: { readonly baseUrl: string; readonly key: string },
  network: Network,
): AsyncGenerator<Pulled> {
  let stopped = false;
  for (const id of new Set(ids)) {
    if (stopped) {
      yield { id, kind: 'not-tried' };
      continue;
    }
    const outcome = await pullOne(id, from, network);
    stopped = outcome.kind === 'fault' && generalFaults.has(outcome.fault.kind);
    yield outcome;
  }
}

async function pullOne(
  id: string,
  { baseUrl, key }: { readonly baseUrl: string; readonly key: string },
  network: Network,
): Promise<Pulled> {
  const reply = await send({ method: 'GET', url: urlOf(baseUrl, 'workflow', id), key }, network);
  if (!reply.ok) return { id, kind: 'fault', fault: reply.fault };
  const text = reply.text.trim();
  if (!isJsonObject(text)) return { id, kind: 'not-json', looksLikeHtml: text.startsWith('<') };
  return { id, kind: 'workflow', text: text.includes('\n') ? `${text}\n` : laidOut(text) };
}

function isJsonObject(text: string): boolean {
  try {
    return text.startsWith('{') && typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
