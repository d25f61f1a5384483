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
  const prefixes = hashPrefixes(whole);
  for (const [size, group] of groupBySize(texts)) {
    if (size === 0) found.add('');
    else searchGroup(whole, prefixes, size, group, found);
  }
  return found;
}

/** Whether one of these texts stands in the whole; few are only looked for when they are asked for. */
export function testTexts(
  whole: string,
  wanted: ReadonlyMap<string, unknown>,
): (text: string) => boolean {
  if (wanted.size <= few) return (text) => whole.includes(text);
  const found = findTexts(whole, wanted.keys());
  return (text) => found.has(text);
}

/** Polynomial hashes of all prefixes; the hash of any part follows from two of them. */
function hashPrefixes(text: string): Int32Array {
  const prefixes = new Int32Array(text.length + 1);
  for (let at = 0; at < text.length; at += 1) prefixes[at + 1] = append(prefixes[at]!, text, at);
  return prefixes;
}

const base = 0x01000193;

function append(hash: number, text: string, at: number): number {
  return (Math.imul(hash, base) + text.charCodeAt(at) + 1) | 0;
}

/** The hash of the beginning of a text. */
function hashText(text: string, length: number): number {
  let hash = 0;
  for (let at = 0; at < length; at += 1) hash = append(hash, text, at);
  return hash;
}

/** `base` to the power of the length. */
function weightOf(length: number): number {
  let weight = 1;
  for (let left = length, square = base; left > 0; left >>>= 1) {
    if (left % 2 === 1) weight = Math.imul(weight, square);
    square = Math.imul(square, square);
  }
  return weight;
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

/** Texts of one length, by their hashes. */
interface SameLength {
  readonly weight: number;
  readonly texts: Map<number, string[]>;
}

function searchGroup(
  whole: string,
  prefixes: Int32Array,
  size: number,
  texts: readonly string[],
  found: Set<string>,
): void {
  const byBeginning = indexTexts(texts, size);
  const filter = new Uint8Array(1 << 16);
  for (const beginning of byBeginning.keys()) filter[beginning & 0xffff] = 1;
  const weight = weightOf(size);
  for (let at = 0; at + size <= whole.length; at += 1) {
    const beginning = (prefixes[at + size]! - Math.imul(prefixes[at]!, weight)) | 0;
    if (filter[beginning & 0xffff] === 0) continue;
    for (const [length, same] of byBeginning.get(beginning) ?? []) {
      if (at + length > whole.length) continue;
      const hash = (prefixes[at + length]! - Math.imul(prefixes[at]!, same.weight)) | 0;
      const candidates = same.texts.get(hash);
      if (candidates !== undefined) take(whole, at, candidates, found);
      // What was found need not be looked for again.
      if (candidates?.length === 0) same.texts.delete(hash);
    }
  }
}

/** By the hash of their beginning, by length. */
function indexTexts(texts: readonly string[], size: number): Map<number, Map<number, SameLength>> {
  const index = new Map<number, Map<number, SameLength>>();
  for (const text of texts) {
    const { length } = text;
    const lengths = getOrAdd(index, hashText(text, size), () => new Map<number, SameLength>());
    const same = getOrAdd(lengths, length, () => ({ weight: weightOf(length), texts: new Map() }));
    getOrAdd(same.texts, hashText(text, length), (): string[] => []).push(text);
  }
  return index;
}

/** Takes off the list what stands at this place. */
function take(whole: string, at: number, candidates: string[], found: Set<string>): void {
  const left = candidates.filter((text) => !whole.startsWith(text, at));
  if (left.length === candidates.length) return;
  for (const text of candidates) if (!left.includes(text)) found.add(text);
  candidates.splice(0, candidates.length, ...left);
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const fresh = make();
  map.set(key, fresh);
  return fresh;
}
