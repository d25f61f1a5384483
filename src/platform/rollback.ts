/**
 * Moves phone numbers and campaigns from a workflow to its squad, and undoes everything that a
 * journal records.
 */
import { ApiError } from '../adapters/http/error.js';
import type { Journal, Thing } from './journal.js';
import { type Pushed, record } from './push.js';
import {
  type Answer,
  concernsAll,
  isId,
  kinds,
  mostListed,
  recordOf,
  type Service,
} from './service.js';

/** A phone number or a campaign that names a workflow. */
export interface Line {
  readonly kind: 'number' | 'campaign';
  readonly id: string;
  /** The number itself, or its name. */
  readonly name: string;
  readonly workflowId: string;
}

/** The lines that name one of these workflows; `more` if the list may be incomplete. */
export async function linesOf(
  kind: Line['kind'],
  workflows: ReadonlySet<string>,
  service: Service,
): Promise<Answer<{ readonly lines: readonly Line[]; readonly more: boolean } | null>> {
  const listed = await service.list(kind);
  if (listed instanceof ApiError || listed === null) return listed;
  const lines = listed.map(recordOf).flatMap(({ id, workflowId, number, name, sipUri }): Line[] => {
    if (!isId(id) || typeof workflowId !== 'string' || !workflows.has(workflowId)) return [];
    return [{ kind, id, name: String(number ?? sipUri ?? name ?? ''), workflowId }];
  });
  return { lines, more: listed.length >= mostListed };
}

/** Makes the line name the squad. */
export async function moveLine(
  { kind, id, name, workflowId }: Line,
  to: { readonly squadId: string; readonly file: string; readonly baseUrl: string },
  journal: Journal,
  service: Service,
): Promise<Pick<Pushed, 'kind' | 'fault'>> {
  const body = { squadId: to.squadId, workflowId: null };
  const known = journal
    .things()
    .find((it) => it.kind === kind && it.id === id && it.baseUrl === to.baseUrl && mayExist(it));
  return record({ ...to, kind, id, name, workflowId }, body, known, journal, service);
}

/** Whether it is there, or a request for it may have acted. */
const mayExist = ({ state }: Thing) => state === 'done' || state === 'unknown';

/** Something that exists according to the journal. */
export type Made = Thing & { readonly id: string };

export interface Undone {
  readonly thing: Made;
  /** `gone`: it was deleted before, or names another squad by now. */
  readonly kind: 'deleted' | 'restored' | 'gone' | 'not-tried' | 'fault';
  readonly fault?: ApiError;
}

/** What to undo, newest first, including changes that may have happened. */
export function toUndo(things: readonly Thing[], baseUrl: string): Made[] {
  const there = things.filter((it) => it.baseUrl === baseUrl && it.id !== null && mayExist(it));
  return (there as Made[]).toReversed();
}

/** Undoes these things in order, and records each. */
export async function* rollBack(
  things: readonly Made[],
  journal: Journal,
  service: Service,
): AsyncGenerator<Undone> {
  let stopped = false;
  for (const thing of things) {
    const undone: Undone = stopped ? { thing, kind: 'not-tried' } : await undo(thing, service);
    stopped ||= undone.fault !== undefined && concernsAll(undone.fault);
    const isUndone = undone.fault === undefined && undone.kind !== 'not-tried';
    if (isUndone) await journal.write({ ...thing, state: 'undone' });
    yield undone;
  }
}

async function undo(thing: Made, service: Service): Promise<Undone> {
  const { kind, id, squadId, workflowId } = thing;
  const isDeleted = kinds[kind].undo === 'delete';
  if (!isDeleted) {
    const now = await service.read(kind, id);
    if (now instanceof ApiError) return outcomeOf(thing, 'gone', now);
    // Somebody has moved it since; leave it there.
    if (recordOf(now)['squadId'] !== squadId) return { thing, kind: 'gone' };
  }
  const answer = isDeleted
    ? await service.remove(kind, id)
    : await service.update(kind, id, { workflowId, squadId: null });
  return outcomeOf(thing, isDeleted ? 'deleted' : 'restored', answer);
}

/** A confirmed request is done even if the rest of its response is lost. */
function outcomeOf(thing: Made, done: Undone['kind'], answer: unknown): Undone {
  if (!(answer instanceof ApiError)) return { thing, kind: done };
  if (answer.code === 'api/not-found') return { thing, kind: 'gone' };
  if (answer.outcome === 'applied') return { thing, kind: done };
  return { thing, kind: 'fault', fault: answer };
}
