/**
 * What is said when a service did not do what it was asked.
 *
 * In: whatever was thrown. Out: a sentence. Nothing that the service said goes into it: its words
 * are for whoever runs the handler, and may hold anything.
 * Guarantee: of a change that may have been made it is never said that it was not.
 */
import type { ApiError } from '../../http/api-error.js';
import type { Effect } from '../table/tool.js';
import type { CallResult } from './result.js';
import { texts } from './texts.js';

/** Read by name: the client may come from another copy of the package. */
export function factsOf(error: unknown): Partial<ApiError> & { readonly runId?: unknown } {
  return error instanceof Error && error.name === 'ApiError' ? (error as ApiError) : {};
}

export function failureOf(error: unknown, effect: Effect): CallResult {
  const { outcome = 'unknown', code, status } = factsOf(error);
  if (code === 'api/not-found') return texts.notFound;
  if (effect === 'reads') return outcome === 'refused' ? refusalOf(status) : texts.unreachable;
  if (outcome === 'applied') return texts.done;
  // The key was seen before, by an attempt of this call or by a delivery that this handler does not
  // remember; whether anything came of it the service does not say.
  if (status === 409) return texts.uncertain;
  if (outcome === 'unknown') return texts.open;
  // An argument that the client itself does not send.
  if (code === 'api/invalid-argument') return texts.refused;
  return outcome === 'refused' ? refusalOf(status) : texts.unavailable;
}

/** With these the caller can do nothing about it. */
function refusalOf(status = 400): CallResult {
  const ours = /^(?:401|402|403|408|429|5\d\d)$/.test(`${status}`);
  return ours ? texts.unavailable : texts.refused;
}
