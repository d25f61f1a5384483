/**
 * Fetches workflows by id, one after the other, and names files for them.
 *
 * An id that fails does not affect the others. If every other id would fail in the same way (the
 * key, the network), the rest is not tried.
 */
import { applyEdits, format } from 'jsonc-parser';
import { ApiError } from '../clients/http/error.js';
import { digestOf } from '../io/digest.js';
import { asObject } from '../text/json.js';
import { type Answer, concernsAll, isId, type Service } from './service.js';

/** The result for an id: a text, a fault, or why the text is not a workflow. */
export interface Pulled {
  readonly id: string;
  readonly text?: string;
  readonly fault?: ApiError | 'not-tried' | 'web-page' | 'no-object' | undefined;
}

/** Fetches each id once, in the order given. `checkpoint` may throw before each request. */
export async function* pull(
  ids: readonly string[],
  service: Service,
  checkpoint: () => void = () => {},
): AsyncGenerator<Pulled> {
  let stopped = false;
  for (const id of new Set(ids)) {
    checkpoint();
    const pulled: Pulled = stopped ? { id, fault: 'not-tried' } : await pullOne(id, service);
    stopped ||= concernsAll(pulled.fault);
    yield pulled;
  }
}

async function pullOne(id: string, service: Service): Promise<Pulled> {
  const answer = await service.workflow(id);
  if (answer instanceof ApiError) return { id, fault: answer };
  const text = answer.trim();
  if (text.startsWith('<')) return { id, fault: 'web-page' };
  if (!text.startsWith('{') || !isJson(text)) return { id, fault: 'no-object' };
  return { id, text: text.includes('\n') ? `${text}\n` : laidOut(text) };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Name and description of a tool that workflows refer to by id. */
export interface ToolName {
  readonly name: string;
  readonly description?: string;
}

/** The function of a tool; null if the platform does not say its name. */
export async function nameTool(id: string, service: Service): Promise<Answer<ToolName | null>> {
  const tool = await service.read('tool', id);
  if (tool instanceof ApiError) return tool;
  const { name, description } = asObject(asObject(tool)['function'] ?? tool);
  if (typeof name !== 'string' || name === '') return null;
  return typeof description === 'string' ? { name, description } : { name };
}

/** The ids of tools anywhere in a workflow (JSON), in `toolIds` and `toolId`. */
export function toolIdsIn(workflow: string): string[] {
  const places = workflow.matchAll(/"toolIds?"\s*:\s*(\[[^[\]]*\]|"(?:[^"\\]|\\.)*")/g);
  const texts = [...places].flatMap(([, value]) => value?.match(/"(?:[^"\\]|\\.)*"/g) ?? []);
  return [...new Set(texts.map((text) => JSON.parse(text)))].filter(isId);
}

/** Deeper than this, the indentation would outgrow the text. */
const maxDepth = 100;

/**
 * Indents JSON by two spaces and leaves its values untouched. Parsing and printing would change the
 * digits of numbers and drop duplicate keys.
 */
function laidOut(json: string): string {
  let [depth, deepest] = [0, 0];
  for (const sign of json.match(/[{}[\]]/g) ?? []) {
    depth += /[{[]/.test(sign) ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  if (deepest > maxDepth) return json;
  const edits = format(json, undefined, { insertSpaces: true, tabSize: 2, eol: '\n' });
  return `${applyEdits(json, edits)}\n`;
}

/** Names that Windows reserves for devices, with any extension. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/;

/**
 * A file name without extension for an untrusted id: the id itself if it is safe on every system,
 * else its safe characters and a part of its hash. Two ids have different names even if the file
 * system ignores case.
 */
export function fileNameFor(id: string): string {
  if (/^[a-z0-9][a-z0-9._-]{0,60}(?<!\.)$/.test(id) && !reserved.test(id)) return id;
  const safe = [...id.normalize('NFC').replaceAll(/[^\p{L}\p{M}\p{N}_-]/gu, '_')];
  return `_${safe.slice(0, 50).join('')}-${digestOf(id, 12)}`;
}
