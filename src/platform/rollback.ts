/** Undoes everything that a journal records. */
import { ApiError } from '../clients/http/error.js';
import { asObject } from '../text/json.js';
import type { Journal, Made, Thing } from './journal.js';
import { mayExist } from './push.js';
import { concernsAll, type Kind, kinds, type Service } from './service.js';

export interface Undone {
  readonly thing: Made;
  /** `gone`: it was deleted before, or names another squad by now; `in-use`: `user` names it. */
  readonly kind: 'deleted' | 'restored' | 'gone' | 'in-use' | 'not-tried' | 'fault';
  readonly fault?: ApiError;
  readonly user?: Made;
  /** The squad that a route names, or may name, after this. */
  readonly squadId?: unknown;
}

/** Whether nothing is left to undo of it. */
export function isUndone({ kind }: Undone): boolean {
  return kind === 'deleted' || kind === 'restored' || kind === 'gone';
}

/** What is undone first, because it names what comes after it. */
const order: readonly Kind[] = ['campaign', 'number', 'squad', 'assistant'];

/** What to undo, including changes that may have happened: users first, then the newest. */
export function toUndo(things: readonly Thing[], baseUrl: string): Made[] {
  const there = things.filter((it) => it.baseUrl === baseUrl && it.id !== null && mayExist(it));
  const newest = (there as Made[]).toReversed();
  return newest.sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
}

/** The request that undoes it. */
export function describeUndo({ kind, id, file, at, workflowId, baseUrl }: Made): string {
  const url = `${baseUrl}/${kinds[kind].path}/${id}`;
  const request =
    workflowId === undefined ? `DELETE ${url}` : `PATCH ${url}: workflow ${workflowId}`;
  return `${request} (${file}, ${at})`;
}

/** Undoes these things in order, and records each. Nothing is deleted while something names it. */
export async function* rollBack(
  things: readonly Made[],
  journal: Journal,
  service: Service,
): AsyncGenerator<Undone> {
  let stopped = false;
  /** What still names a thing. */
  const users = new Map<Made, Made>();
  for (const thing of things) {
    const { kind, file } = thing;
    const user = users.get(thing);
    const undo = kinds[kind].undo === 'restore' ? restore : remove;
    const undone: Undone = stopped
      ? { thing, kind: 'not-tried' }
      : user !== undefined
        ? { thing, kind: 'in-use', user }
        : await undo(thing, journal, service);
    stopped ||= concernsAll(undone.fault);
    if (isUndone(undone)) await journal.write({ ...thing, state: 'undone' });
    // A squad names the assistants that were created for its file.
    const isHolding = kind === 'squad' && !isUndone(undone);
    const isNamed = (it: Made) =>
      it.kind === 'squad'
        ? it.id === undone.squadId
        : isHolding && it.kind === 'assistant' && it.file === file;
    for (const each of things.filter(isNamed)) users.set(each, thing);
    yield undone;
  }
}

/** Makes a route name its workflow again. */
async function restore(thing: Made, journal: Journal, service: Service): Promise<Undone> {
  const { kind, id, squadId, workflowId } = thing;
  journal.checkpoint();
  const now = await service.read(kind, id);
  if (now instanceof ApiError) {
    const isGone = now.code === 'api/not-found';
    return isGone ? { thing, kind: 'gone' } : { thing, kind: 'fault', fault: now, squadId };
  }
  const named = asObject(now)['squadId'];
  // Somebody has moved it since; leave it there.
  if (named !== squadId) return { thing, kind: 'gone', squadId: named };
  journal.checkpoint();
  const answer = await service.update(kind, id, { workflowId, squadId: null });
  const undone = outcomeOf(thing, 'restored', answer);
  return undone.kind === 'fault' ? { ...undone, squadId } : undone;
}

async function remove(thing: Made, journal: Journal, service: Service): Promise<Undone> {
  journal.checkpoint();
  return outcomeOf(thing, 'deleted', await service.remove(thing.kind, thing.id));
}

/** A confirmed request is done even if the rest of its response is lost. */
function outcomeOf(thing: Made, done: Undone['kind'], answer: unknown): Undone {
  if (!(answer instanceof ApiError)) return { thing, kind: done };
  if (answer.code === 'api/not-found') return { thing, kind: 'gone' };
  if (answer.outcome === 'applied') return { thing, kind: done };
  return { thing, kind: 'fault', fault: answer };
}
