/**
 * Fetches workflows by their ids, one after the other, and names files for them.
 *
 * Faults of one id leave the others alone; where no other id could do better (the key, the network),
 * the rest is not tried.
 */
import { createHash } from 'node:crypto';
import { ApiError } from '../adapters/http/error.js';
import { type Answer, concernsAll, isId, recordOf, type Service } from './service.js';

/** What came of an id: a text, a fault, or why the text is none. */
export interface Pulled {
  readonly id: string;
  readonly text?: string;
  readonly fault?: ApiError | 'not-tried' | 'web-page' | 'no-object' | undefined;
}

/** Fetches each id once, in the order given. */
export async function* pull(ids: readonly string[], service: Service): AsyncGenerator<Pulled> {
  let stopped = false;
  for (const id of new Set(ids)) {
    const pulled: Pulled = stopped ? { id, fault: 'not-tried' } : await pullOne(id, service);
    stopped ||= pulled.fault instanceof ApiError && concernsAll(pulled.fault);
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

/** What a tool that workflows know by its id is called, and what it is for. */
export interface ToolName {
  readonly name: string;
  readonly description?: string;
}

/** The function of a tool; null where the platform does not tell its name. */
export async function nameTool(id: string, service: Service): Promise<Answer<ToolName | null>> {
  const tool = await service.read('tool', id);
  if (tool instanceof ApiError) return tool;
  const { name, description } = recordOf(recordOf(tool)['function'] ?? tool);
  if (typeof name !== 'string' || name === '') return null;
  return typeof description === 'string' ? { name, description } : { name };
}

/** The ids of tools that stand in a workflow (JSON), wherever: in `toolIds` and as `toolId`. */
export function toolIdsIn(workflow: string): string[] {
  const places = workflow.matchAll(/"toolIds?"\s*:\s*(\[[^\]]*\]|"(?:[^"\\]|\\.)*")/g);
  const texts = [...places].flatMap(([, value]) => value?.match(/"(?:[^"\\]|\\.)*"/g) ?? []);
  return [...new Set(texts.map((text) => JSON.parse(text)))].filter(isId);
}

/** Beyond this depth the margin would outgrow the text. */
const maxDepth = 100;

/**
 * JSON with two spaces for each level, and its values untouched: numbers keep their digits, and of
 * keys that occur twice both stay, which parsing and printing would not keep.
 */
function laidOut(json: string): string {
  const tokens = json.match(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/g) ?? [];
  let [text, depth, previous] = ['', 0, ''];
  for (const token of tokens) {
    const closes = /^[}\]]$/.test(token);
    const afterOpening = /^[{[]$/.test(previous);
    if (closes) depth -= 1;
    if (closes !== afterOpening || previous === ',') text += `\n${'  '.repeat(depth)}`;
    text += token === ':' ? ': ' : token;
    if (/^[{[]$/.test(token)) depth += 1;
    if (depth > maxDepth) return json;
    previous = token;
  }
  return `${text}\n`;
}

/** Names that Windows keeps for devices, whatever follows the first dot. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/;

/**
 * A file name without extension for an id, which anybody may have made up: the id itself where that
 * is safe everywhere, else what is safe of it, with a part of its hash. Names of two ids differ also
 * where a file system takes large letters for small ones.
 */
export function fileNameFor(id: string): string {
  if (/^[a-z0-9][a-z0-9._-]{0,60}(?<!\.)$/.test(id) && !reserved.test(id)) return id;
  const safe = [...id.normalize('NFC').replaceAll(/[^\p{L}\p{M}\p{N}_-]/gu, '_')];
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 12);
  return `_${safe.slice(0, 50).join('')}-${hash}`;
}
