/**
 * The part of a run that one machine of several does.
 *
 * A shard is named by its number from 1 on and their count, `2/8`; `auto` takes both from the
 * environment of an engine that starts many machines, `auto/8` the number alone. What is broken or
 * contradicts itself is refused: two machines of one number would lose the workflows of another.
 */
import { createHash } from 'node:crypto';
import type { Shard } from '../../report/model.js';
import { type Environment, indexByEnvironment } from './shard-environment.js';

export type ParsedShard =
  | { readonly kind: 'shard'; readonly shard: Shard }
  /** Wrong usage. */
  | { readonly kind: 'fault'; readonly message: string };

/** At most nine digits, none of them for show. */
const number = '[1-9][0-9]{0,8}';
const named = new RegExp(`^(?<index>${number})/(?<count>${number})$`);
const automatic = new RegExp(`^auto(?:/(?<count>${number}))?$`);

/** Reads `i/n`, `auto` or `auto/n`. */
export function parseShard(text: string, env: Environment): ParsedShard {
  const auto = automatic.exec(text);
  if (auto !== null) {
    const count = auto.groups?.['count'];
    return automaticShard(count === undefined ? null : Number(count), env);
  }
  const groups = named.exec(text)?.groups;
  const [index, count] = [Number(groups?.['index']), Number(groups?.['count'])];
  if (groups !== undefined && index <= count) return { kind: 'shard', shard: { index, count } };
  return fault(`shard ${text} is none: i/n, where i is 1 to n, or auto, or auto/n`);
}

function automaticShard(asked: number | null, env: Environment): ParsedShard {
  const found = indexByEnvironment(env);
  if (found.kind === 'fault') return found;
  if (asked !== null && found.count !== null && asked !== found.count) {
    return fault(`shard auto/${asked} contradicts ${found.from}, which counts ${found.count}`);
  }
  const count = asked ?? found.count;
  if (count === null) return fault(`${found.from} has no count; say it: --shard auto/n`);
  if (found.index > count) {
    return fault(`${found.from} is number ${found.index} (from 1 on) of only ${count}`);
  }
  return { kind: 'shard', shard: { index: found.index, count } };
}

function fault(message: string): ParsedShard {
  return { kind: 'fault', message };
}

/** Whether a workflow is of the shard; each is of exactly one. */
export function isOfShard(key: string, { index, count }: Shard): boolean {
  return createHash('sha256').update(key).digest().readUInt32BE(0) % count === index - 1;
}
