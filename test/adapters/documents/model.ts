/** A plain model of files and runs of the documents service, and what it is held against. */
import type { Sandbox } from '../../../src/adapters/sandbox/sandbox.js';
import type { DocumentsClient } from '../../../src/documents.js';

export const times = { pendingMs: 100, processingMs: 400, cancellingMs: 200 };

interface ModelRun {
  readonly startedAt: number;
  /** How it ends if it is not cancelled. */
  readonly outcome: string;
  cancelledAt?: number;
}

export interface Model {
  /** Names by id; the oldest first, as in the next. */
  readonly files: Map<string, string>;
  readonly runs: Map<string, ModelRun>;
  readonly gone: string[];
  /** Ends that were ordered for runs to come. */
  readonly orders: string[];
  now: number;
}

export interface Real {
  readonly sandbox: Sandbox;
  readonly client: DocumentsClient;
  /** Which steps were taken, so that none is there in vain. */
  readonly taken: Set<string>;
}

/** What a run's status has to be by now. */
export function statusOf({ startedAt, outcome, cancelledAt }: ModelRun, now: number): string {
  if (cancelledAt !== undefined) {
    return now - cancelledAt < times.cancellingMs ? 'CANCELLING' : 'CANCELLED';
  }
  const age = now - startedAt;
  if (age < times.pendingMs) return 'PENDING';
  return age < times.pendingMs + times.processingMs ? 'PROCESSING' : (outcome.split('=')[0] ?? '');
}

export const isOver = (status: string) => /^(?:PROCESSED|FAILED|CANCELLED)$/.test(status);

/** The files that there are, by what no client and no fault comes between. */
export async function filesIn({ documentsUrl }: Sandbox): Promise<Map<string, string>> {
  const headers = {
    authorization: 'Bearer sandbox-key',
    'x-service-api-version': '2026-02-09',
    'x-sandbox-fault': 'none',
  };
  const answer = await fetch(`${documentsUrl}/files?maxPageSize=1000&sortDir=asc`, { headers });
  const { data } = (await answer.json()) as { data: { id: string; name: string }[] };
  return new Map(data.map(({ id, name }) => [id, name]));
}
