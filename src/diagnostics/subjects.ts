/** What questions show of the workflow: nodes, addresses, different settings. */
import { digest, type NamedNode, wordsFor } from '../compiler/ir/names.js';
import type { Settled } from '../compiler/ir/options.js';
import { redact } from '../compiler/ir/secrets.js';
import {
  type SettingName,
  settingNames,
  settingOf,
  type Transfer,
  type Workflow,
  type WorkflowNode,
} from '../compiler/ir/workflow.js';
import { groupBy } from '../graph/lists.js';
import { asObject, isObject, type Json, textOf } from '../text/json.js';
import { enumerate, quote, quoteAll } from './quote.js';
import { phrase } from './sentence.js';

export function nameOf(node: NamedNode): string {
  const words = wordsFor(node);
  return words === null ? quote(node.id) : `${quote(node.id)} (${quote(words)})`;
}

export function namesOf(nodes: readonly NamedNode[], word: 'and' | 'or' = 'and'): string {
  return enumerate(nodes.map(nameOf), word);
}

/** Method and address of a request, as far as known; secrets in the address are hidden. */
export function addressOf(url: string | null, method: string | null): string | null {
  const parts = [method, url && `“${phrase(redact(url), 120)}”`];
  return parts.filter(Boolean).join(' ') || null;
}

function wordOf(value: Json): string {
  return value === null ? 'not set' : quote(textOf(value));
}

/** What a workflow says of a transfer that has no destination; a bad number is none. */
export function goalOf({ address }: Transfer): string {
  if (address === null) return 'transfers the call, but the workflow does not say where to';
  return `transfers the call to ${quote(address.value)}, which is neither a number nor a SIP address`;
}

/** What a workflow does not say of an endpoint, and what it says; a bad address is missing. */
export function gapsOf(
  url: string | null,
  method: string | null,
  missing: readonly ('url' | 'method')[],
): string {
  const said = addressOf(url, method);
  const parts = { url: 'an address (url)', method: 'a method' };
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

/**
 * The settings in which the nodes differ, each with its values and the nodes that have them; a node
 * without its own has the workflow's.
 *
 * Example: `voice (voiceId “Elliot” in “greeting”; voiceId “Savannah” in “collect”)`.
 */
export function describeDifferences(
  nodes: readonly WorkflowNode[],
  settings: readonly SettingName[],
  workflow: Pick<Workflow, 'settings'>,
): string {
  const describe = (setting: SettingName) => {
    const byValue = groupBy(nodes, (node) => JSON.stringify(wantedBy(node, workflow, setting)));
    byValue.delete('null');
    const sides = [...byValue.values()];
    const values = sides.map(([one]) => redact(wantedBy(one!, workflow, setting)));
    const keys = new Set(values.flatMap((it) => Object.keys(asObject(it))));
    const isSame = (key: string) =>
      new Set(values.map((it) => wordOf(asObject(it)[key] ?? null))).size === 1;
    const differing = [...keys].filter((key) => !isSame(key)).sort();
    const say = (value: Json) => {
      if (!isObject(value)) return wordOf(value);
      return enumerate(differing.map((key) => `${key} ${wordOf(value[key] ?? null)}`));
    };
    const all = sides.map((equal, at) => {
      return `${say(values[at]!)} in ${quoteAll(equal.map(({ id }) => id))}`;
    });
    const more = all.length > 6 ? [`${all.length - 5} more`] : [];
    return `${setting} (${[...all.slice(0, all.length > 6 ? 5 : 6), ...more].join('; ')})`;
  };
  return enumerate(settings.map(describe));
}

function wantedBy(node: WorkflowNode, workflow: Pick<Workflow, 'settings'>, name: SettingName) {
  return settingOf(node, workflow, name)?.value ?? null;
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
    const wanted = nodes.map((node) => wantedBy(node, workflow, name));
    const sides = isStrict ? wanted : wanted.filter((value) => value !== null);
    return new Set(sides.map((value) => JSON.stringify(value))).size > 1;
  });
}
