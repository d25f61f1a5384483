/**
 * The aliases of a plan against those that cross: exactly these, word for word, each behind those
 * that it is made of.
 */
import type { Text } from '../compiler/ir/workflow.js';
import type { AliasReading } from './plan-reading.js';

/** The keys of aliases that are not as they are to be. */
export interface AliasFaults {
  readonly missing: readonly string[];
  /** Whether there are aliases that are not wanted, or twice. */
  readonly hasExtra: boolean;
  /** Those with another template, or before one that they are made of. */
  readonly otherwise: readonly string[];
}

/** `derived` are the templates that are wanted, by key. */
export function findAliasFaults(
  derived: ReadonlyMap<string, Text>,
  aliases: readonly AliasReading[],
): AliasFaults {
  const places = new Map(aliases.map(({ key }, place) => [key, place]));
  const isExtra = ({ key }: AliasReading, place: number) =>
    !derived.has(key) || places.get(key) !== place;
  const wrong = aliases.filter(({ key, value }) => (derived.get(key)?.value ?? value) !== value);
  const early = [...derived].filter(([key, alias]) =>
    alias.uses.some(({ name }) => {
      const isBehind = (places.get(name) ?? -1) > (places.get(key) ?? places.size);
      return isBehind && !isMadeOfAll(derived, name, key);
    }),
  );
  return {
    missing: [...derived.keys()].filter((key) => !places.has(key)),
    hasExtra: aliases.some(isExtra),
    otherwise: [...wrong.map(({ key }) => key), ...early.map(([key]) => key)],
  };
}

/** Whether the one alias is made of the other, through whatever others: then they are a circle. */
function isMadeOfAll(derived: ReadonlyMap<string, Text>, one: string, other: string): boolean {
  const pending = new Set([one]);
  for (const name of pending) {
    for (const use of derived.get(name)?.uses ?? []) pending.add(use.name);
  }
  return pending.has(other);
}
