/**
 * Chance that can be repeated: numbers and ids that depend on a seed and on what they are for, not
 * on the order in which requests happen to arrive.
 */
import { createHash } from 'node:crypto';

/** Two independent numbers from 0 to below 1 for a subject. */
export function chanceOf(seed: number, subject: string): readonly [first: number, second: number] {
  const hash = digest(seed, subject);
  return [hash.readUIntBE(0, 6) / 2 ** 48, hash.readUIntBE(6, 6) / 2 ** 48];
}

/** Ids with a prefix, each once, the same in every run with the same seed. */
export function createIds(seed: number): (prefix: string) => string {
  const counts = new Map<string, number>();
  return (prefix) => {
    const count = (counts.get(prefix) ?? 0) + 1;
    counts.set(prefix, count);
    return `${prefix}${digest(seed, `${prefix}${count}`).toString('hex').slice(0, 20)}`;
  };
}

function digest(seed: number, subject: string): Buffer {
  return createHash('sha256').update(`${seed}:${subject}`).digest();
}
