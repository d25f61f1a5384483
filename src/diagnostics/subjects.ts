/** What questions show of the workflow: nodes, addresses, different settings. */
import { digest, type NamedNode, wordsFor } from '../compiler/ir/names.js';
import type { Settled } from '../compiler/ir/options.js';
import { redact } from '../compiler/ir/secrets.js';
import {
  type SettingName,
  settingNames,
  settingOf,
  type Workflow,
  type WorkflowNode,
} from '../compiler/ir/workflow.js';
import { groupBy } from '../graph/lists.js';
import { isObject, type Json, textOf } from '../text/json.js';
import { enumerate, quote, quoteAll } from './quote.js';
import { phrase } from './sentence.js';

/** A setting with its values, and the ids of the nodes that have each of them. */
interface Difference {
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
function describeDifference({ setting, wanted }: Difference): string {
  const values = wanted.map(({ value }) => redact(value));
  const keys = [...new Set(values.flatMap((it) => (isObject(it) ? Object.keys(it) : [])))];
  const isSame = (key: string) => new Set(values.map((it) => wordOf(memberOf(it, key)))).size === 1;
  const differing = keys.filter((key) => !isSame(key)).sort();
  const say = (value: Json) => {
    if (!isObject(value)) return value === null ? 'none' : wordOf(value);
    return enumerate(differing.map((key) => `${key} ${wordOf(memberOf(value, key))}`));
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

const parts = { url: 'an address (url)', method: 'a method' } as const;

/** What a workflow does not say of an endpoint, and what it says; a bad address is missing. */
export function describeMissing(
  url: string | null,
  method: string | null,
  missing: readonly ('url' | 'method')[],
): string {
  const said = addressOf(url, method);
  const lacking = missing.map((part) => parts[part]).join(' and ');
  if (said === null) return lacking;
  const isBad = missing.includes('url') && url !== null;
  return `${lacking}${isBad ? ' that can be called' : ''}: ${said}`;
}

export function valuesOf(variables: readonly string[]): string {
  if (variables.length === 0) return 'its values';
  return `${variables.length === 1 ? 'the value of' : 'the values of'} ${quoteAll(variables)}`;
}

/** Why a variable must not be missing, within a sentence. */
export function reasonFor(isDeclared: boolean, requests: readonly NamedNode[]): string {
  const change = requests.length === 1 ? 'changes' : 'change';
  const used =
    requests.length === 0 ? '' : `, and ${namesOf(requests)} ${change} something with it`;
  return isDeclared ? `; it must never be missing${used}` : used;
}

/** A name for a question about several nodes: the first for people, and a digest of all. */
export function nameOfStages(nodes: readonly NamedNode[]): string {
  const ids = nodes.map(({ id }) => id);
  return `${ids[0]}~${digest(JSON.stringify([...ids].sort()))}`;
}

/** The settings in which the nodes differ; a node without its own has the workflow's. */
export function describeDifferences(
  nodes: readonly WorkflowNode[],
  settings: readonly SettingName[],
  workflow: Pick<Workflow, 'settings'>,
): string {
  const differences = settings.map((setting) => {
    const wantedBy = (node: WorkflowNode) => settingOf(node, workflow, setting)?.value ?? null;
    const sides = nodes.filter((node) => wantedBy(node) !== null);
    const byValue = groupBy(sides, (node) => JSON.stringify(wantedBy(node)));
    const wanted = Array.from(byValue.values(), (equal) => {
      return { value: wantedBy(equal[0]!), nodes: equal.map(({ id }) => id) };
    });
    return describeDifference({ setting, wanted });
  });
  return enumerate(differences);
}

/** The settings in which the nodes differ, unless an option decides; strictly, none is one, too. */
export function listDifferent(
  nodes: readonly WorkflowNode[],
  workflow: Pick<Workflow, 'settings'>,
  { model, memberOverrides }: Settled,
  isStrict = false,
): SettingName[] {
  return settingNames.filter((name) => {
    if (name === 'model' ? model !== null : Object.hasOwn(memberOverrides, name)) return false;
    const wanted = nodes.map((node) => settingOf(node, workflow, name)?.value ?? null);
    const sides = isStrict ? wanted : wanted.filter((value) => value !== null);
    return new Set(sides.map((value) => JSON.stringify(value))).size > 1;
  });
}
