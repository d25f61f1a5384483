/**
 * The journal of pushes: what was sent to the platform, and what exists there because of it.
 *
 * Each line is an entry, in one format for all kinds of things. A request that creates or changes
 * something has an intent, which is on the disk before the request is sent, and a result. An intent
 * without a result may have acted. Only digests of the fields are kept, since values may contain
 * secrets.
 *
 * The file is appended to, not replaced, so that it survives a crash at any moment. A lock next to
 * it keeps two runs from creating the same thing.
 */
import { type FileHandle, open, readFile, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Digests } from './fields.js';
import { type Holder, takeLock } from './lock.js';
import { isId, type Kind, kinds } from './service.js';

/** The start of every line; distinguishes a truncated line from a file of another kind. */
const lineStart = '{"squadc":"push-journal/1",';

/** A request that makes or changes something is about to be sent. */
export interface Intent {
  readonly event: 'intent';
  /** Number of the intent in this journal, from 1. */
  readonly intent: number;
  readonly at: string;
  readonly kind: Kind;
  /** The id of what is changed; absent if it is created. */
  readonly id?: string;
  readonly baseUrl: string;
  /** The file that was pushed, and the name of the thing. */
  readonly file: string;
  readonly name: string;
  /** Digest of everything that is sent. */
  readonly hash: string;
  readonly sent: Digests;
  /** The workflow that a phone number named before. */
  readonly workflowId?: string;
  /** The squad that it names now. */
  readonly squadId?: string;
}

type Numbered<Event> = Event & { readonly intent: number; readonly at: string };

export type JournalEntry =
  | Intent
  /** Done; `held` is what the platform answered, if that was more than an id. */
  | Numbered<{ readonly event: 'done'; readonly id: string; readonly held?: Digests }>
  /** Nothing was done. */
  | Numbered<{ readonly event: 'refused' }>
  /** Something may have been done. */
  | Numbered<{ readonly event: 'unknown' }>
  /** Deleted or restored, or found to be so already. */
  | Numbered<{ readonly event: 'undone' }>;

/** A version of a thing that the platform may have. */
export interface Version {
  readonly sent: Digests;
  readonly held?: Digests | undefined;
}

/** Something that squadc created or changed on the platform, according to the journal. */
export interface Thing extends Omit<Intent, 'event' | 'id'> {
  readonly id: string | null;
  readonly state: 'done' | 'refused' | 'unknown' | 'undone';
  /** The last version that was accepted, and later ones that may have been. */
  readonly versions: readonly Version[];
}

/** The line of an entry. */
export function lineOf(entry: JournalEntry): string {
  return `${lineStart}${JSON.stringify(entry).slice(1)}\n`;
}

/** The things of a journal, oldest first. */
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

/** Reads the journal without opening it for writing. */
export async function readJournal(file: string): Promise<readonly Thing[] | JournalFault> {
  const reading = await read(file);
  return 'fault' in reading ? reading : thingsOf(reading.entries);
}

/** Opens the journal for writing, and creates it if there is none. */
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
    // A truncated line was never acted on.
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

/** A new file survives a crash only if its folder has been synced, too. */
async function syncFolder(file: string): Promise<void> {
  const folder = await open(dirname(file), 'r').catch(() => null);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

interface Reading {
  readonly entries: readonly JournalEntry[];
  /** Offset in bytes after the last complete line; the rest was cut off while it was written. */
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
    // Each intent has a new number, and every other entry has the number of an intent.
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

/** The entry of a line; null if it is not one. */
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
