/**
 * Fetches workflows by their ids, one after the other: `GET {base_url}/workflow/{id}`.
 *
 * Out: one outcome for each id, as it comes. Faults of one id leave the others alone; where no
 * other id could do better (the key, the network), the rest is not tried.
 */
import { isId, urlOf } from './base-url.js';
import { laidOut } from './json-layout.js';
import type { Network } from './network.js';
import { type Fault, generalFaults, send } from './platform-api.js';

export type Pulled =
  | { readonly id: string; readonly kind: 'workflow'; readonly text: string }
  | { readonly id: string; readonly kind: 'fault'; readonly fault: Fault }
  /** An answer that is no JSON, or no object. */
  | { readonly id: string; readonly kind: 'not-json'; readonly looksLikeHtml: boolean }
  | { readonly id: string; readonly kind: 'not-tried' };

/** Fetches each id once, in the order given. */
export async function* pull(
  ids: readonly string[],
  from: Source,
  network: Network,
): AsyncGenerator<Pulled> {
  let stopped = false;
  for (const id of new Set(ids)) {
    if (stopped) {
      yield { id, kind: 'not-tried' };
      continue;
    }
    const outcome = await pullOne(id, from, network);
    stopped = outcome.kind === 'fault' && generalFaults.has(outcome.fault.kind);
    yield outcome;
  }
}

/** Where the platform is, and the key that opens it. */
export interface Source {
  readonly baseUrl: string;
  readonly key: string;
}

/** So many the platform lists at most. */
export const mostListed = 1000;

/** The ids of all workflows that the key opens: `GET {base_url}/workflow`. */
export async function listWorkflows(
  { baseUrl, key }: Source,
  network: Network,
): Promise<{ readonly ids: readonly string[] } | Exclude<Pulled, { kind: 'workflow' }>> {
  const url = `${baseUrl}/workflow?limit=${mostListed}`;
  const reply = await send({ method: 'GET', url, key }, network);
  const id = 'all workflows';
  if (!reply.ok) return { id, kind: 'fault', fault: reply.fault };
  const listed = parsed(reply.text);
  if (!Array.isArray(listed)) {
    return { id, kind: 'not-json', looksLikeHtml: reply.text.trimStart().startsWith('<') };
  }
  return { ids: listed.flatMap((each) => (typeof each?.id === 'string' ? each.id : [])) };
}

/** What a tool that workflows know by its id is called, and what it is for. */
export interface ToolName {
  readonly name: string;
  readonly description?: string;
}

/** The function of a tool: `GET {base_url}/tool/{id}`; null where the platform does not tell it. */
export async function nameTool(
  id: string,
  { baseUrl, key }: Source,
  network: Network,
): Promise<ToolName | Fault | null> {
  const reply = await send({ method: 'GET', url: urlOf(baseUrl, 'tool', id), key }, network);
  if (!reply.ok) return reply.fault;
  const tool = parsed(reply.text);
  const { name, description } = tool?.function ?? tool ?? {};
  if (typeof name !== 'string' || name === '') return null;
  return typeof description === 'string' ? { name, description } : { name };
}

/** The ids of tools that stand in a workflow, wherever: in `toolIds` and as `toolId`. */
export function toolIdsIn(text: string): string[] {
  const ids: string[] = [];
  JSON.parse(text, (key, value: unknown) => {
    const all = key === 'toolId' ? [value] : key === 'toolIds' ? [value].flat() : [];
    for (const each of all) if (typeof each === 'string' && isId(each)) ids.push(each);
    return value;
  });
  return [...new Set(ids)];
}

// biome-ignore lint/suspicious/noExplicitAny: an answer has any shape, and its members are judged
function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function pullOne(id: string, { baseUrl, key }: Source, network: Network): Promise<Pulled> {
  const reply = await send({ method: 'GET', url: urlOf(baseUrl, 'workflow', id), key }, network);
  if (!reply.ok) return { id, kind: 'fault', fault: reply.fault };
  const text = reply.text.trim();
  if (!isJsonObject(text)) return { id, kind: 'not-json', looksLikeHtml: text.startsWith('<') };
  return { id, kind: 'workflow', text: text.includes('\n') ? `${text}\n` : laidOut(text) };
}

function isJsonObject(text: string): boolean {
  return text.startsWith('{') && parsed(text) !== null;
}
