/**
 * Deletes what a journal says was created, newest first: `DELETE {base_url}/squad/{id}`.
 *
 * What is gone already counts as deleted. Nothing is deleted that the journal does not name.
 */
import { urlOf } from './base-url.js';
import type { Creation } from './journal.js';
import type { Journal } from './journal-file.js';
import type { Network } from './network.js';
import { type Fault, generalFaults, send } from './platform-api.js';

/** A squad that exists by the journal. */
export type Created = Creation & { readonly id: string };

export type RolledBack = { readonly squad: Created } & (
  | { readonly kind: 'deleted' | 'gone' | 'not-tried' }
  | { readonly kind: 'fault'; readonly fault: Fault }
);

/** The squads to delete, newest first. */
export function existing(creations: readonly Creation[], baseUrl: string): Created[] {
  return creations
    .flatMap((each) => {
      const { state, id } = each;
      return state === 'created' && id !== null && each.baseUrl === baseUrl
        ? [{ ...each, id }]
        : [];
    })
    .reverse();
}

/** Deletes the squads in the order given, and writes down each. */
export async function* rollBack(
  squads: readonly Created[],
  key: string,
  journal: Journal,
  network: Network,
): AsyncGenerator<RolledBack> {
  let stopped = false;
  for (const squad of squads) {
    const outcome: RolledBack = stopped
      ? { squad, kind: 'not-tried' }
      : await deleteOne(squad, key, journal, network);
    stopped ||= outcome.kind === 'fault' && generalFaults.has(outcome.fault.kind);
    yield outcome;
  }
}

async function deleteOne(
  squad: Created,
  key: string,
  journal: Journal,
  network: Network,
): Promise<RolledBack> {
  const url = urlOf(squad.baseUrl, 'squad', squad.id);
  const reply = await send({ method: 'DELETE', url, key }, network);
  const isGone = !reply.ok && reply.fault.kind === 'missing';
  if (!reply.ok && !isGone && !tookEffect(reply.fault)) {
    return { squad, kind: 'fault', fault: reply.fault };
  }
  const at = new Date(network.now()).toISOString();
  await journal.append({ event: 'deleted', intent: squad.intent, at });
  return { squad, kind: isGone ? 'gone' : 'deleted' };
}

/** A deletion that was confirmed stays one when the rest of the answer is lost. */
function tookEffect({ status }: Fault): boolean {
  return status !== null && status >= 200 && status < 300;
}
