/** What questions show of the workflow: nodes, addresses, different settings. */
import { type NamedNode, wordsFor } from '../../compiler/ir/names.js';
import { redact } from '../../compiler/ir/secrets.js';
import { isObject, type Json, textOf } from '../../text/json.js';
import { enumerate, quote, quoteAll } from '../quote.js';
import { phrase } from '../sentence.js';

/** A setting with its values, and the ids of the nodes that have each of them. */
export interface Difference {
  readonly setting: string;
  readonly wanted: readonly { readonly value: Json; readonly nodes: readonly string[] }[];
}

export function nameOf(node: NamedNode): string {
  const words = wordsFor(node);
  return words === null ? quote(node.id) : `${quote(node.id)} (${quote(words)})`;
}

export function namesOf(nodes: readonly NamedNode[], word: 'and' | 'or' = 'and'): string {
  return enumerate(nodes.map(nameOf), word);
}

/** Method and address of a request, as far as known; secrets in the address are hidden. */
export function addressOf(url: string | null, method: string | null): string | null {
  const parts = [method, url && `“${phrase(redact(url), 120)}”`].filter(
    (it) => it !== null && it !== '',
  );
  return parts.length === 0 ? null : parts.join(' ');
}

/** Example: `voice (voiceId “Elliot” in “greeting”; voiceId “Savannah” in “collect”)`. */
export function saysHow({ setting, wanted }: Difference): string {
  const values = wanted.map(({ value }) => redact(value));
  const keys = [...new Set(values.flatMap((it) => (isObject(it) ? Object.keys(it) : [])))];
  const isSame = (key: string) => new Set(values.map((it) => wordOf(memberOf(it, key)))).size === 1;
  const telling = keys.filter((key) => !isSame(key)).sort();
  const say = (value: Json) => {
    if (!isObject(value)) return value === null ? 'none' : wordOf(value);
    return enumerate(telling.map((key) => `${key} ${wordOf(memberOf(value, key))}`));
  };
  const all = wanted.map(({ nodes }, at) => `${say(values[at]!)} in ${quoteAll(nodes)}`);
  const more = all.length > 6 ? [`${all.length - 5} more`] : [];
  return `${setting} (${[...all.slice(0, all.length > 6 ? 5 : 6), ...more].join('; ')})`;
}

function memberOf(value: Json, key: string): Json {
  return isObject(value) ? (value[key] ?? null) : null;
}

function wordOf(value: Json): string {
  if (value === null) return 'not set';
  return quote(textOf(value));
}
