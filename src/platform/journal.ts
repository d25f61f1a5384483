/**
 * The journal of pushes: what squadc has made or changed on the platform.
 *
 * Each line is a thing as it is known from then on, and the last line of a thing counts. Before a
 * request that creates or changes something is sent, a line that allows for both outcomes is on the
 * disk; a result that is known follows it. Of documents only the digests of their fields are kept:
 * enough to tell what changed and what somebody edited, and values may contain secrets.
 *
 * The file is appended to, not replaced, so that it survives a crash at any moment. A lock next to
 * it keeps two runs from creating the same thing.
 */
import { open, readFile, stat, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import { digestOf } from '../io/digest.js';
import { type Holder, takeLock } from '../io/lock.js';
import { asObject, canonicalJson, isObject } from '../text/json.js';
import { isId, type Kind, kinds } from './service.js';

/** The start of every line; distinguishes a truncated line from a file of another kind. */
const lineStart = '{"squadc":"push-journal/3",';

/** Something that squadc created or changed on the platform. */
export interface Thing {
  /** Its number in this journal, from 1. */
  readonly thing: number;
  /** When the line was written. */
  readonly at: string;
  /** `unknown`: a request for it may have acted; `undone`: deleted or restored. */
  readonly state: 'unknown' | 'done' | 'refused' | 'undone';
  readonly kind: Kind;
  readonly id: string | null;
  readonly baseUrl: string;
  /** The file that was pushed, and the name of the thing. */
  readonly file: string;
  readonly name: string;
  /** Digest of everything that was sent of the last accepted version. */
  readonly hash: string;
  /** The last version that was accepted, and later ones that may have been. */
  readonly versions: readonly Version[];
  /** The workflow that a phone number named before, and the squad that it names now. */
  readonly workflowId?: string;
  readonly squadId?: string;
}

/** Something that exists according to the journal. */
export type Made = Thing & { readonly id: string };

/** A version of a thing that the platform may have. */
export interface Version {
  readonly sent: Digests;
  /** What the platform answered, if that was more than an id. */
  readonly held?: Digests;
}

export interface Journal {
  /** The things, oldest first. */
  things(): readonly Thing[];
  /** Called before each request; throws if no more may be sent. */
  checkpoint(): void;
  /** Writes what is known of a thing from now on. */
  write(thing: Omit<Thing, 'at'>): Promise<void>;
  close(): Promise<void>;
}

export type JournalFault =
  | { readonly fault: 'line'; readonly line: number }
  | { readonly fault: 'locked'; readonly holder: Holder }
  | { readonly fault: 'missing' }
  | { readonly fault: 'file'; readonly error: unknown };

/** The journal or its lock was removed or replaced, so no further request may be sent. */
export class JournalLost extends Error {
  override readonly name = 'JournalLost';

  constructor(readonly file: string) {
    super('the file was removed or replaced');
  }
}

/** Reads the journal without opening it for writing. */
export async function readJournal(file: string): Promise<readonly Thing[] | JournalFault> {
  const reading = await read(file);
  return 'fault' in reading ? reading : [...reading.things.values()];
}

/**
 * Opens the journal for writing, and creates it if there is none. `interrupt` throws once the user
 * has stopped the run.
 */
export async function openJournal(
  file: string,
  interrupt: () => void = () => {},
): Promise<Journal | JournalFault> {
  let release = () => {};
  try {
    const lock = takeLock(`${file}.lock`);
    if ('pid' in lock) return { fault: 'locked', holder: lock };
    release = lock;
    const reading = await read(file);
    if ('fault' in reading && reading.fault !== 'missing') {
      release();
      return reading;
    }
    // A truncated line was never acted on.
    if (!('fault' in reading)) await truncate(file, reading.end);
    const things = 'fault' in reading ? new Map<number, Thing>() : reading.things;
    const handle = await open(file, 'a', 0o600);
    await syncFolder(file);
    return {
      things: () => [...things.values()],
      checkpoint: () => {
        interrupt();
        if (!lock.isHeld()) throw new JournalLost(lock.file);
      },
      write: async (known) => {
        const thing = { ...known, at: new Date().toISOString() };
        await handle.writeFile(`${lineStart}${JSON.stringify(thing).slice(1)}\n`);
        await handle.sync();
        const [own, there] = await Promise.all([handle.stat(), stat(file).catch(() => null)]);
        if (own.ino !== there?.ino || own.dev !== there.dev) throw new JournalLost(file);
        things.set(thing.thing, thing);
      },
      close: async () => {
        await handle.close();
        release();
      },
    };
  } catch (error) {
    release();
    return { fault: 'file', error };
  }
}

/** A new file survives a crash only if its folder has been synced, too. */
async function syncFolder(file: string): Promise<void> {
  const folder = await open(dirname(file), 'r').catch(() => null);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

interface Reading {
  readonly things: Map<number, Thing>;
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
  const things = new Map<number, Thing>();
  const lines = text.split('\n');
  const rest = lines.pop()!;
  for (const [at, line] of lines.entries()) {
    const thing = thingOf(line);
    if (thing === null || thing.thing > things.size + 1) return { fault: 'line', line: at + 1 };
    things.set(thing.thing, thing);
  }
  const isCutOff = rest.startsWith(lineStart) || lineStart.startsWith(rest);
  if (!isCutOff) return { fault: 'line', line: lines.length + 1 };
  return { things, end: Buffer.byteLength(text) - Buffer.byteLength(rest) };
}

/** The thing of a line; null if the line is not one. */
function thingOf(line: string): Thing | null {
  if (!line.startsWith(lineStart)) return null;
  try {
    const { squadc: _, ...thing } = JSON.parse(line);
    const texts = ['at', 'baseUrl', 'file', 'name', 'hash'].map((key) => thing[key]);
    const isWhole =
      texts.every((text) => typeof text === 'string') &&
      /^(?:unknown|done|refused|undone)$/.test(thing.state) &&
      Object.hasOwn(kinds, thing.kind) &&
      (thing.id === null ? thing.state !== 'done' : isId(thing.id)) &&
      Number.isSafeInteger(thing.thing) &&
      thing.thing > 0 &&
      thing.versions.every(({ sent, held = {} }: Version) => areDigests(sent) && areDigests(held));
    return isWhole ? thing : null;
  } catch {
    return null;
  }
}

function areDigests(value: unknown): boolean {
  return value === asObject(value) && Object.values(value).every((it) => typeof it === 'string');
}

/**
 * Digests by the paths of fields: `model.tools`, `members.1.assistant.voice.voiceId`. A list is one
 * field, except for the members of a squad. Null counts as absent, and the order of keys, which
 * databases change, has no meaning.
 */
export type Digests = Readonly<Record<string, string>>;

/** Fields that the platform adds to what it was sent. */
const keptByPlatform = /^(?:id|orgId|createdAt|updatedAt|latestVersion|isServerUrlSecretSet)$/;

/** The fields of a document that is sent, or that the platform has. */
export function fieldsOf(document: unknown): Digests {
  const fields: [string, string][] = [];
  const visit = (value: unknown, path: readonly string[]) => {
    if (value === null || value === undefined) return;
    const isDescended = !Array.isArray(value) || path.join() === 'members';
    const entries = typeof value === 'object' && isDescended ? Object.entries(value) : [];
    if (entries.length === 0 || path.length > 20)
      fields.push([path.join('.'), digestOfValue(value)]);
    else for (const [key, inner] of entries) visit(inner, [...path, key]);
  };
  for (const [key, value] of Object.entries(document ?? {})) {
    if (!keptByPlatform.test(key)) visit(value, [key]);
  }
  return Object.fromEntries(fields);
}

/** The digest of a value; the order of keys does not matter, and null counts as absent. */
export function digestOfValue(value: unknown): string {
  const withoutNull = (each: unknown) =>
    isObject(each)
      ? Object.fromEntries(Object.entries(each).filter(([, member]) => member !== null))
      : each;
  return digestOf(canonicalJson(value, withoutNull));
}

/** The fields that differ between two documents. */
export function changedFields(before: Digests, after: Digests): string[] {
  const names = Object.keys({ ...before, ...after });
  return names.filter((name) => before[name] !== after[name]).sort();
}

/** The fields that differ both from what was sent and from what the platform answered. */
export function editedFields(versions: readonly Version[], now: Digests): string[] {
  const names = new Set(
    [now, ...versions.flatMap(({ sent, held = {} }) => [sent, held])].flatMap(Object.keys),
  );
  // If the platform never showed the document, fields that were not sent may be its own.
  const isOurs = (name: string, { sent, held }: Version) =>
    (now[name] !== undefined && now[name] === sent[name]) ||
    (held ? now[name] === held[name] : sent[name] === undefined);
  return [...names].filter((name) => !versions.some((each) => isOurs(name, each))).sort();
}
