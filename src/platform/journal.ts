/**
 * What a journal of pushes says: entries, one a line, and what follows from them.
 *
 * Each request to create has an intent, written before it is sent, and a result after. An intent
 * without a result is a squad that may exist: the program ended in between, or the answer was lost.
 */

/** Every line begins like this, so that a line cut off is told from a file of another kind. */
const lineStart = '{"squadc":"push-journal/1",';

/** A request to create a squad is about to be sent. */
export interface Intent {
  readonly event: 'intent';
  /** Number of the intent in this journal, from 1. */
  readonly intent: number;
  readonly at: string;
  readonly hash: string;
  readonly baseUrl: string;
  readonly file: string;
}

export type JournalEntry =
  | Intent
  | { readonly event: 'created'; readonly intent: number; readonly at: string; readonly id: string }
  /** Nothing was created. */
  | { readonly event: 'refused'; readonly intent: number; readonly at: string }
  /** Something may have been created. */
  | { readonly event: 'unknown'; readonly intent: number; readonly at: string }
  /** Deleted, or found to be gone already. */
  | { readonly event: 'deleted'; readonly intent: number; readonly at: string };

/** An attempt to create a squad, and what became of it. */
export interface Creation extends Omit<Intent, 'event'> {
  readonly state: 'created' | 'refused' | 'unknown' | 'deleted';
  readonly id: string | null;
}

export interface JournalReading {
  readonly entries: readonly JournalEntry[];
  /** Where the last whole line ends; what follows was cut off while it was written. */
  readonly end: number;
}

/** The line of an entry. */
export function lineOf(entry: JournalEntry): string {
  return `${lineStart}${JSON.stringify(entry).slice(1)}\n`;
}

/** The entries of a journal; the number of the line that is none where there is one. */
export function readJournal(text: string): JournalReading | { readonly faultyLine: number } {
  const end = text.lastIndexOf('\n') + 1;
  const entries: JournalEntry[] = [];
  const met = new Set<number>();
  for (const line of text.slice(0, end).split('\n').slice(0, -1)) {
    const entry = entryOf(line);
    if (entry === null || !fits(entry, met)) return { faultyLine: entries.length + 1 };
    entries.push(entry);
  }
  const rest = text.slice(end);
  const isCutOff = rest.startsWith(lineStart) || lineStart.startsWith(rest);
  return isCutOff ? { entries, end } : { faultyLine: entries.length + 1 };
}

/** Intents have numbers of their own, and everything else follows an intent. */
function fits({ event, intent }: JournalEntry, met: Set<number>): boolean {
  if (event !== 'intent') return met.has(intent);
  if (met.has(intent)) return false;
  met.add(intent);
  return true;
}

function entryOf(line: string): JournalEntry | null {
  if (!line.startsWith(lineStart)) return null;
  try {
    const { squadc: _, ...entry } = JSON.parse(line);
    return isEntry(entry) ? (entry as JournalEntry) : null;
  } catch {
    return null;
  }
}

const textsOf: Readonly<Record<string, readonly string[]>> = {
  intent: ['at', 'hash', 'baseUrl', 'file'],
  created: ['at', 'id'],
  refused: ['at'],
  unknown: ['at'],
  deleted: ['at'],
};

function isEntry(entry: Readonly<Record<string, unknown>>): boolean {
  const { event, intent } = entry;
  if (typeof event !== 'string' || !Object.hasOwn(textsOf, event)) return false;
  const hasTexts = textsOf[event]?.every((key) => typeof entry[key] === 'string') === true;
  return hasTexts && Number.isSafeInteger(intent) && Number(intent) > 0;
}

/** What became of each intent, oldest first. */
export function creationsOf(entries: readonly JournalEntry[]): Creation[] {
  const creations = new Map<number, Creation>();
  for (const entry of entries) {
    if (entry.event === 'intent') {
      const { event: _, ...intent } = entry;
      creations.set(intent.intent, { ...intent, state: 'unknown', id: null });
      continue;
    }
    const known = creations.get(entry.intent);
    if (known === undefined) continue;
    const id = entry.event === 'created' ? entry.id : known.id;
    creations.set(entry.intent, { ...known, state: entry.event, id });
  }
  return [...creations.values()];
}

/** What a journal says of a squad that is to be created. */
export type Earlier =
  | { readonly kind: 'none' }
  | { readonly kind: 'created'; readonly id: string }
  | { readonly kind: 'unknown'; readonly at: string };

/** Whether the same squad was created there before; a created one counts more than a doubtful one. */
export function earlier(
  creations: readonly Creation[],
  { hash, baseUrl }: { readonly hash: string; readonly baseUrl: string },
): Earlier {
  const same = creations.filter((each) => each.hash === hash && each.baseUrl === baseUrl);
  const created = same.findLast(({ state }) => state === 'created');
  if (created?.id != null) return { kind: 'created', id: created.id };
  const unknown = same.findLast(({ state }) => state === 'unknown');
  return unknown === undefined ? { kind: 'none' } : { kind: 'unknown', at: unknown.at };
}
