/** Small workflows in a few words, their squads, and what the verifier says of the two. */
import { type CompileOptions, compile, type JsonObject, verify } from '../../src/index.js';

export interface Small {
  readonly nodes: readonly JsonObject[];
  readonly edges: readonly string[];
  /** Whether the nodes are those of an export of the platform. */
  readonly isExport?: boolean;
}

export function talk(id: string, more: JsonObject = {}): JsonObject {
  return { id, type: 'conversation', systemPrompt: `Do the work of ${id}.`, ...more };
}

/** A request that needs no answer. */
export function tool(id: string, more: JsonObject = {}): JsonObject {
  const headers = { Authorization: 'Bearer {{secret}}' };
  return {
    id,
    type: 'apiRequest',
    url: `https://api.example.com/${id}`,
    method: 'GET',
    headers,
    ...more,
  };
}

/** Nodes by id, those with a `!` tools, those with a `~` nothing but a line, with what else they have; and edges, by `, `. */
export function flow(ids: string, edges: string, more: Record<string, JsonObject> = {}): Small {
  const nodes = ids.split(' ').map((text) => {
    const id = text.replace(/[!~]/, '');
    const line = { id, type: 'conversation', firstMessage: `Here is ${id}.` };
    if (text.endsWith('~')) return { ...line, ...more[id] };
    return text === id ? talk(id, more[id]) : tool(id, more[id]);
  });
  return { nodes, edges: edges === '' ? [] : edges.split(', ') };
}

export function asks(...names: string[]): JsonObject {
  return {
    extractVariables: names.map((name) => ({ name, type: 'string', description: `the ${name}` })),
  };
}

/** `a>b` is an edge without a condition, `a>b: c` one with the condition c. */
function workflowOf({ nodes, edges, isExport = false }: Small): JsonObject {
  const read = edges.map((text) => {
    const [, from = '', to = '', condition] = /^(\S+?)>(\S+?)(?:: (.*))?$/.exec(text) ?? [];
    if (condition === undefined) return { from, to };
    return { from, to, condition: isExport ? { type: 'ai', prompt: condition } : condition };
  });
  return { name: 'Small', nodes, edges: read };
}

const given: CompileOptions = { dynamicVariables: ['secret'] };

export function squadOf(small: Small, options: CompileOptions = {}): JsonObject {
  const { output, questions } = compile(workflowOf(small), { ...given, ...options });
  if (output === null) throw new Error(questions.map(({ id }) => id).join(', '));
  return output as JsonObject;
}

/** The items that do not hold, and the texts of the evidence of one item by whether it holds. */
export function check(small: Small, squad: JsonObject, options: CompileOptions = {}) {
  const { checklist, counterexamples, holds } = verify(workflowOf(small), squad, {
    ...given,
    ...options,
  });
  const evidenceOf = (item: number, isTrue: boolean) =>
    checklist[item - 1]!.evidence.filter((it) => it.holds === isTrue).map(({ text }) => text);
  return {
    holds,
    failing: checklist.filter((it) => !it.holds).map(({ item }) => item),
    waived: checklist.flatMap(({ waivedBy }) => waivedBy?.replace(/~.*/, '') ?? []),
    faults: (item: number) => evidenceOf(item, false),
    facts: (item: number) => evidenceOf(item, true),
    calls: counterexamples.map(({ steps }) => steps.map(({ node }) => node).join(' ')),
  };
}
