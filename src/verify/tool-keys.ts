/**
 * Keys: what makes a tool of the document the tool of a node, as comparable text.
 *
 * Names and descriptions of tools are the compiler's; urls, methods, bodies, numbers, messages and
 * what a response sets are the source's or an answer's. Target `vapi` writes headers and bodies in
 * a shape of its own, so there their texts are compared apart, see `textsOfRequest`.
 */
import { isJsonObject, type Json } from '../compiler/ir/json.js';
import type { WorkflowNode } from '../compiler/ir/workflow.js';
import { elements, objectOf, type Tool, textOf } from './squad-reading.js';

/** The key of a request node's tool. */
export function keyOfRequest({ request }: WorkflowNode, wrapped: boolean): string {
  const aliases = (request?.responses ?? []).map(({ name, path }) => [name, `{{$.${path}}}`]);
  if (request?.operation != null) return comparable(['operation', aliases]);
  return comparable([
    'request',
    request?.url?.value ?? null,
    request?.method?.value ?? null,
    request?.timeoutSeconds?.value ?? null,
    request?.credentialId?.value ?? null,
    aliases,
    ...(wrapped ? [request?.headers?.value ?? null, request?.body?.value ?? null] : []),
  ]);
}

/** The key of a transferCall node's tool. */
export function keyOfTransfer({ transfer }: WorkflowNode): string {
  const destination = transfer?.destination?.value;
  const address = destination?.type === 'sip' ? destination.sipUri : destination?.number;
  return comparable([
    'transfer',
    destination?.type ?? null,
    address ?? null,
    transfer?.message?.value ?? null,
  ]);
}

/** The key of a custom tool that an answer asked for; its name may have had to be made legal. */
export function keyOfCustom(name: string): string {
  return comparable(['custom', lettersOf(name)]);
}

/** The keys under which a tool of the document can be wanted. */
export function keysOfTool({ type, value }: Tool, wrapped: boolean): string[] {
  const aliases = aliasesOf(value).map(([key, text]) => [key, text.replaceAll(/\s+/g, '')]);
  if (type === 'apiRequest') {
    const { url, method, timeoutSeconds, credentialId, headers, body } = value;
    const plain = [url, method, timeoutSeconds, credentialId].map((it) => it ?? null);
    const shaped = wrapped ? [headers ?? null, body ?? null] : [];
    return [comparable(['request', ...plain, aliases, ...shaped])];
  }
  if (type === 'transferCall') {
    const { type: kind, number, sipUri, message } = objectOf(elements(value['destinations'])[0]);
    return [comparable(['transfer', kind ?? null, number ?? sipUri ?? null, message ?? null])];
  }
  if (type !== 'function') return [];
  return [comparable(['operation', aliases]), keyOfCustom(nameOfTool(value))];
}

/** The name under which the model calls the tool. */
export function nameOfTool(value: Tool['value']): string {
  return textOf(value['name']) ?? textOf(objectOf(value['function'])['name']) ?? '';
}

/** The variables that a tool's response sets, with the templates that say from what. */
export function aliasesOf(value: Tool['value']): [key: string, value: string][] {
  return elements(objectOf(value['variableExtractionPlan'])['aliases']).map((alias) => {
    const { key, value: template } = objectOf(alias);
    return [textOf(key) ?? '', textOf(template) ?? ''];
  });
}

/** All texts of a value, its keys among them. */
export function textsWithin(value: Json): ReadonlySet<string> {
  const texts = new Set<string>();
  const pending: Json[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') texts.add(next);
    if (typeof next !== 'object' || next === null) continue;
    const named = isJsonObject(next);
    for (const [key, part] of Object.entries(next)) {
      if (named) texts.add(key);
      pending.push(part as Json);
    }
  }
  return texts;
}

/** White space in templates aside, responses are compared as written; letters make the name. */
function lettersOf(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]+/g, '').slice(0, 24);
}

/** The value as text, keys sorted. Values are at most as deep as a document may be. */
function comparable(value: Json): string {
  return JSON.stringify(value, (_key, part: Json) =>
    isJsonObject(part)
      ? Object.fromEntries(
          Object.keys(part)
            .sort()
            .map((key) => [key, part[key]!]),
        )
      : part,
  );
}
