/**
 * Which of many texts stand in one long text, word for word.
 *
 * In: the long text, the texts to look for. Out: those that stand in it. Looking for each by itself
 * costs the product of their sizes; here every place of the long text is looked at once per order
 * of magnitude of the lengths. A text is at a place where three hashes agree and the comparison
 * says so: that of its beginning, cut to a power of two, that of the whole, and its length.
 */

/** Below this many texts the built-in search is faster. */
const few = 12;

export function findTexts(whole: string, wanted: Iterable<string>): ReadonlySet<string> {
  const texts = new Set(wanted);
  const found = new Set<string>();
  if (texts.size <= few) {
    for (const text of texts) if (whole.includes(text)) found.add(text);
    return found;
  }
  const hashes = hashPrefixes(whole);
  for (const [size, group] of groupBySize(texts)) {
    if (size === 0) found.add('');
    else searchGroup(whole, hashes, size, group, found);
  }
  return found;
}

/** Polynomial hashes of all prefixes; the hash of any part follows from two of them. */
interface Hashes {
  readonly prefixes: Int32Array;
  readonly powers: Int32Array;
}

const base = 0x01000193;

function hashPrefixes(text: string): Hashes {
  const prefixes = new Int32Array(text.length + 1);
  const powers = new Int32Array(text.length + 1).fill(1);
  for (let at = 0; at < text.length; at += 1) {
    prefixes[at + 1] = append(prefixes[at]!, text, at);
    powers[at + 1] = Math.imul(powers[at]!, base);
  }
  return { prefixes, powers };
}

function append(hash: number, text: string, at: number): number {
  return (Math.imul(hash, base) + text.charCodeAt(at) + 1) | 0;
}

/** The hash of the beginning of a text. */
function hashText(text: string, length: number): number {
  let hash = 0;
  for (let at = 0; at < length; at += 1) hash = append(hash, text, at);
  return hash;
}

function hashOf({ prefixes, powers }: Hashes, from: number, length: number): number {
  return (prefixes[from + length]! - Math.imul(prefixes[from]!, powers[length]!)) | 0;
}

/** By the largest power of two that is not longer than they are. */
function groupBySize(texts: ReadonlySet<string>): ReadonlyMap<number, string[]> {
  const groups = new Map<number, string[]>();
  for (const text of texts) {
    const size = text.length === 0 ? 0 : 2 ** Math.floor(Math.log2(text.length));
    const group = groups.get(size);
    if (group === undefined) groups.set(size, [text]);
    else group.push(text);
  }
  return groups;
}

/** Texts with one beginning: by length, by hash of the whole. */
type Candidates = Map<number, Map<number, string[]>>;

function searchGroup(
  whole: string,
  hashes: Hashes,
  size: number,
  texts: readonly string[],
  found: Set<string>,
): void {
  const byBeginning = new Map<number, Candidates>();
  const filter = new Uint8Array(1 << 16);
  for (const text of texts) {
    const beginning = hashText(text, size);
    filter[beginning & 0xffff] = 1;
    const lengths = getOrAdd(byBeginning, beginning, (): Candidates => new Map());
    const sums = getOrAdd(lengths, text.length, () => new Map<number, string[]>());
    getOrAdd(sums, hashText(text, text.length), (): string[] => []).push(text);
  }
  for (let at = 0; at + size <= whole.length; at += 1) {
    const beginning = hashOf(hashes, at, size);
    if (filter[beginning & 0xffff] === 0) continue;
    for (const [length, sums] of byBeginning.get(beginning) ?? []) {
      if (at + length > whole.length) continue;
      const sum = hashOf(hashes, at, length);
      const candidates = sums.get(sum);
      if (candidates === undefined) continue;
      const left = candidates.filter((text) => !whole.startsWith(text, at));
      if (left.length === candidates.length) continue;
      for (const text of candidates) if (!left.includes(text)) found.add(text);
      // What was found need not be looked for again.
      if (left.length > 0) sums.set(sum, left);
      else sums.delete(sum);
    }
  }
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const fresh = make();
  map.set(key, fresh);
  return fresh;
}
