/** Names that the target accepts: short, unique, readable; the same source gives the same names. */
import { digest } from '../ir/digest.js';

/** At most so many characters in the name of an assistant or of a request's tool. */
const maxNameLength = 40;

export type RenameReason = 'too-long' | 'taken' | 'unreadable';

export interface LegalName {
  readonly name: string;
  /** Why the name is not the wanted one; null where it is. */
  readonly reason: RenameReason | null;
}

/** Hands out names, each at most once; two that differ only in case or form count as one. */
export type NameGiver = (wanted: string) => LegalName;

/** A name as it may stand in a sentence, whoever else bears it. */
export function toLegalName(wanted: string): string {
  return shorten(clean(wanted), wanted, maxNameLength);
}

export function createAssistantNames(): NameGiver {
  return createNames(clean, ' ', maxNameLength);
}

/** Names of tools: letters, digits, underscores and dashes. */
export function createToolNames(longest = maxNameLength): NameGiver {
  return createNames(cleanToolName, '_', longest);
}

function createNames(
  legalize: (wanted: string) => string,
  separator: string,
  longest: number,
): NameGiver {
  const taken = new Set<string>();
  return (wanted) => {
    const legal = legalize(wanted);
    const short = shorten(legal, wanted, longest);
    let name = short;
    let key = keyOf(name);
    for (let copy = 2; taken.has(key); copy += 1) {
      const suffix = `${separator}${copy}`;
      name = `${take(short, longest - suffix.length)}${suffix}`;
      key = keyOf(name);
    }
    taken.add(key);
    return { name, reason: reasonOf(wanted, legal, short, name) };
  };
}

function reasonOf(wanted: string, legal: string, short: string, name: string): RenameReason | null {
  if (name !== short) return 'taken';
  if (short !== legal) return 'too-long';
  return legal === wanted ? null : 'unreadable';
}

/** Control and format characters and white space; joiners hold emoji and scripts together. */
const invisible = /(?:(?![\u200c\u200d])[\p{Cc}\p{Cf}\s])+/gu;

/** Words of printable ASCII without braces and percent signs: most names, and clean already. */
const plainName = /^[!-$&-z|~]+(?: [!-$&-z|~]+)*$/;

/** One line, without control characters and without Liquid's braces. */
function clean(wanted: string): string {
  if (plainName.test(wanted)) return wanted;
  const plain = wanted.replaceAll(/%(?=\})|[{}]/g, '').replaceAll(invisible, ' ');
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(plain) ? plain.trim() : 'assistant';
}

function cleanToolName(wanted: string): string {
  const name = clean(wanted)
    .replaceAll(/[^A-Za-z0-9_-]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  return name || 'tool';
}

/** Cuts a long name and marks it, so that two long names with one beginning stay apart. */
function shorten(name: string, wanted: string, longest: number): string {
  // A text has no more characters than units, and most names have few enough of those.
  if (name.length <= longest || [...name].length <= longest) return name;
  return `${take(name, longest - 9)}-${digest(wanted)}`;
}

/** The first characters of a text; a character of two units is never halved. */
function take(text: string, length: number): string {
  return [...text].slice(0, length).join('').trimEnd();
}

function keyOf(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
