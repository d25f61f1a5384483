/**
 * The journal of pushes: what was sent to the platform, and what is there because of it.
 *
 * One entry a line, one format for every kind of thing. Each request that makes or changes something
 * has an intent, on the disk before it is sent, and a result after; an intent without a result may
 * have acted. Values are not kept, only a digest of each field: they may hold secrets.
 *
 * The file is not replaced in one step like others, since what stands in it must outlast a crash at
 * any moment. A lock beside it keeps two runs from making the same.
 */
import { type FileHandle, open, readFile, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Digests } from './fields.js';
import { type Holder, takeLock } from './lock.js';
import { isId, type Kind, kinds } from './service.js';

/** Every line begins like this, so that a line cut off is told from a file of another kind. */
const lineStart = '{"squadc":"push-journal/1",';

/** A request that makes or changes something is about to be sent. */
export interface Intent {
  readonly event: 'intent';
  /** Number of the intent in this journal, from 1. */
  readonly intent: number;
  readonly at: string;
  readonly kind: Kind;
  /** What is changed; absent where it is made. */
  readonly id?: string;
  readonly baseUrl: string;
  /** The file that says what is sent, and what the thing is called. */
  readonly file: string;
  readonly name: string;
  /** Of all that is sent. */
  readonly hash: string;
  readonly sent: Digests;
  /** The workflow that a number named before. */
  readonly workflowId?: string;
  /** The squad that it names from now on. */
  readonly squadId?: string;
}

type Numbered<Event> = Event & { readonly intent: number; readonly at: string };

export type JournalEntry =
  | Intent
  /** Done, with what the platform answered that it holds, where that was more than an id. */
  | Numbered<{ readonly event: 'done'; readonly id: string; readonly held?: Digests }>
  /** Nothing was done. */
  | Numbered<{ readonly event: 'refused' }>
  /** Something may have been done. */
  | Numbered<{ readonly event: 'unknown' }>
  /** Deleted or put back, or found to be so already. */
  | Numbered<{ readonly event: 'undone' }>;

/** What the platform may hold of a thing. */
export interface Version {
  readonly sent: Digests;
  readonly held?: Digests | undefined;
}

/** Something on the platform that squadc made or changed, as far as the journal knows. */
export interface Thing extends Omit<Intent, 'event' | 'id'> {
  readonly id: string | null;
  readonly state: 'done' | 'refused' | 'unknown' | 'undone';
  /** The last that was taken, and those after it that may have been. */
  readonly versions: readonly Version[];
}

/** The line of an entry. */
export function lineOf(entry: JournalEntry): string {
  return `${lineStart}${JSON.stringify(entry).slice(1)}\n`;
}

/** What has become of each thing, the oldest first. */
export function thingsOf(entries: readonly JournalEntry[]): Thing[] {
  const things = new Map<number, Thing>();
  const intents = new Map<number, { readonly intent: Intent; readonly thing: number }>();
  const byId = new Map<string, number>();
  const keyOf = ({ kind, baseUrl }: Intent, id = '') => JSON.stringify([kind, baseUrl, id]);
  for (const entry of entries) {
    if (entry.event === 'intent') {
      const { event: _, id = null, ...facts } = entry;
      const known = things.get(byId.get(keyOf(entry, entry.id)) ?? 0);
      const isThere = known?.state === 'done' || known?.state === 'unknown';
      const thing: Thing = isThere
        ? { ...known, versions: [...known.versions, { sent: entry.sent }] }
        : { ...facts, id, state: 'unknown', versions: [{ sent: entry.sent }] };
      things.set(thing.intent, thing);
      intents.set(entry.intent, { intent: entry, thing: thing.intent });
      if (id !== null) byId.set(keyOf(entry, id), thing.intent);
      continue;
    }
    const { intent, thing: number } = intents.get(entry.intent)!;
    const thing = things.get(number)!;
    if (entry.event === 'done') {
      const { event: _, intent: __, at: ___, ...facts } = intent;
      const versions = [{ sent: intent.sent, held: entry.held }];
      things.set(number, { ...thing, ...facts, versions, id: entry.id, state: 'done' });
      byId.set(keyOf(intent, entry.id), number);
    } else if (entry.event === 'undone' || thing.state !== 'done') {
      things.set(number, { ...thing, state: entry.event });
    } else if (entry.event === 'refused') {
      const versions = thing.versions.filter(({ sent }) => sent !== intent.sent);
      things.set(number, { ...thing, versions });
    }
  }
  return [...things.values()];
}

export interface Journal {
  things(): readonly Thing[];
  append(entry: JournalEntry): Promise<void>;
  /** The number of the next intent. */
  next(): number;
  close(): Promise<void>;
}

export type JournalFault =
  | { readonly fault: 'line'; readonly line: number }
  | { readonly fault: 'locked'; readonly holder: Holder }
  | { readonly fault: 'missing' }
  | { readonly fault: 'file'; readonly error: unknown };

/** What the journal says, for a look at it. */
export async function readJournal(file: string): Promise<readonly Thing[] | JournalFault> {
  const reading = await read(file);
  return 'fault' in reading ? reading : thingsOf(reading.entries);
}

/** Opens the journal to write to it; it is made where there is none. */
export async function openJournal(file: string): Promise<Journal | JournalFault> {
  let unlock = () => {};
  try {
    const taken = takeLock(`${file}.lock`);
    if (typeof taken !== 'function') return { fault: 'locked', holder: taken };
    unlock = taken;
    const reading = await read(file);
    const isNew = 'fault' in reading && reading.fault === 'missing';
    if ('fault' in reading && !isNew) {
      unlock();
      return reading;
    }
    const { entries, end } = 'fault' in reading ? { entries: [], end: null } : reading;
    // A line that was cut off was never acted on.
    if (end !== null) await truncate(file, end);
    const handle = await open(file, 'a', 0o600);
    await syncFolder(file);
    return journalOn(handle, unlock, [...entries]);
  } catch (error) {
    unlock();
    return { fault: 'file', error };
  }
}

function journalOn(handle: FileHandle, unlock: () => void, entries: JournalEntry[]): Journal {
  return {
    things: () => thingsOf(entries),
    next: () => entries.reduce((last, { intent }) => Math.max(last, intent), 0) + 1,
    append: async (entry) => {
      await handle.writeFile(lineOf(entry));
      await handle.sync();
      entries.push(entry);
    },
    close: async () => {
      await handle.close();
      unlock();
    },
  };
}

/** A new file outlasts a crash only when its folder was forced to the disk as well. */
async function syncFolder(file: string): Promise<void> {
  const folder = await open(dirname(file), 'r').catch(() => null);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

interface Reading {
  readonly entries: readonly JournalEntry[];
  /** Where the last whole line ends, in bytes; what follows was cut off while it was written. */
  readonly end: number;
}

async function read(file: string): Promise<Reading | JournalFault> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isMissing ? { fault: 'missing' } : { fault: 'file', error };
  }
  const end = text.lastIndexOf('\n') + 1;
  const entries: JournalEntry[] = [];
  const met = new Set<number>();
  for (const line of text.slice(0, end).split('\n').slice(0, -1)) {
    const entry = entryOf(line);
    // Intents have numbers of their own, and everything else follows an intent.
    if (entry === null || met.has(entry.intent) === (entry.event === 'intent')) {
      return { fault: 'line', line: entries.length + 1 };
    }
    met.add(entry.intent);
    entries.push(entry);
  }
  const rest = text.slice(end);
  const isCutOff = rest.startsWith(lineStart) || lineStart.startsWith(rest);
  if (!isCutOff) return { fault: 'line', line: entries.length + 1 };
  return { entries, end: Buffer.byteLength(text.slice(0, end)) };
}

const textsOf: Readonly<Record<string, readonly string[]>> = {
  intent: ['at', 'baseUrl', 'file', 'name', 'hash'],
  done: ['at', 'id'],
  refused: ['at'],
  unknown: ['at'],
  undone: ['at'],
};

/** The entry of a line; null where it is none. */
function entryOf(line: string): JournalEntry | null {
  if (!line.startsWith(lineStart)) return null;
  try {
    const { squadc: _, ...entry } = JSON.parse(line);
    const { event, intent, kind, sent, held = {}, id = 'x' } = entry;
    if (!Object.hasOwn(textsOf, event) || !isId(id)) return null;
    const hasTexts = textsOf[event]?.every((key) => typeof entry[key] === 'string');
    const isIntent = event === 'intent';
    const fits = !isIntent || (Object.hasOwn(kinds, kind) && areDigests(sent));
    const isWhole = hasTexts && fits && areDigests(held) && Number.isSafeInteger(intent);
    return isWhole && intent > 0 ? entry : null;
  } catch {
    return null;
  }
}

function areDigests(value: unknown): boolean {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && Object.values(value).every((each) => typeof each === 'string');
}
