/** Builds small workflows, and reads the parts of results that tests look at. */
import { expect } from 'vitest';
import type {
  Answers,
  CompileOptions,
  CompileResult,
  Verification,
  VerifyOptions,
} from '../../src/index.js';
import * as library from '../../src/index.js';

export type Fields = Readonly<Record<string, unknown>>;
/** Nodes by id or name; a text is a conversation node with these instructions. */
export type Nodes = Readonly<Record<string, string | object>>;
/** `a > b: the condition`, each alone or all in one text, `a > b | a > c`; or as they are. */
export type Edges = string | readonly (string | object)[];

/** A workflow in the shape of spec/3. */
export function flow(nodes: Nodes, edges: Edges = '', more: Fields = {}) {
  const made = listNodes(nodes, 'systemPrompt').map(([id, node]) => ({ id, ...node }));
  return { name: 'By hand', nodes: made, edges: listEdges(edges), ...more };
}

/** An export of the platform. */
export function exported(nodes: Nodes, edges: Edges = '', more: Fields = {}) {
  const made = listNodes(nodes, 'prompt').map(([name, node]) => {
    return { name, prompt: `Do ${name}.`, ...node };
  });
  return { name: 'Export', nodes: made, edges: listEdges(edges), ...more };
}

function listNodes(nodes: Nodes, instructions: string): [string, Fields][] {
  return Object.entries(nodes).map(([id, node]) => {
    const fields = typeof node === 'string' ? { [instructions]: node } : node;
    return [id, { type: 'conversation', ...fields }];
  });
}

function listEdges(edges: Edges): object[] {
  const list = typeof edges === 'string' ? edges.split(' | ').filter(Boolean) : edges;
  return list.map((edge) => {
    if (typeof edge !== 'string') return edge;
    const [, from, to, condition] = /^(.+?) > (.+?)(?:: (.*))?$/s.exec(edge)!;
    return condition === undefined ? { from, to } : { from, to, condition };
  });
}

/** Nodes of a sketch by the first letter of their ids; all others are conversations. */
const kinds: Readonly<Record<string, (id: string) => Fields>> = {
  t: (id) => request({ url: `https://api.example.com/${id}` }),
  x: () => end,
  y: () => transfer(),
  g: (id) => ({ ...says(`Do the work of ${id}.`), isGlobal: true, condition: `asks for ${id}` }),
};

/**
 * A workflow by its edges, `a > b | b > c: the condition`; a name alone is a node that no edge has.
 * Nodes stand in the order in which they are named; `more` says more of some of them.
 */
export function sketch(edges: string, more: Readonly<Record<string, object>> = {}) {
  const parts = edges.split(' | ');
  const ids = new Set(parts.flatMap((part) => part.replace(/: .*/s, '').split(' > ')));
  const nodes = [...ids].map((id) => {
    const node = kinds[id[0]!]?.(id) ?? says(`Do the work of ${id}.`);
    return [id, { ...node, ...more[id] }] as const;
  });
  return flow(
    Object.fromEntries(nodes),
    parts.filter((part) => part.includes(' > ')),
  );
}

/** The rows of a table in a text; `||` separates its columns. */
export function tableOf(text: string): string[][] {
  const rows = text.trim().split('\n');
  return rows.map((row) => row.split('||').map((column) => column.trim()));
}

/** The fields of nodes by their roles: `a sets, b reads sets`. */
export function withRoles(text: string, roles: Readonly<Record<string, object>>) {
  const nodes = text.split(', ').filter(Boolean);
  return Object.fromEntries(
    nodes.map((node) => {
      const [id, ...given] = node.split(' ');
      return [id, Object.assign({}, ...given.map((role) => roles[role]!))] as const;
    }),
  ) as Record<string, object>;
}

export const end = { type: 'endCall' };

export function says(systemPrompt: string) {
  return { systemPrompt };
}

/** A transfer to a number. */
export function transfer(more: Fields = {}): Fields {
  return { type: 'transferCall', destination: '+14155550100', ...more };
}

/** A request that leaves nothing open. */
export function request(more: Fields = {}): Fields {
  const headers = { Authorization: 'Bearer sample' };
  return { type: 'apiRequest', url: 'https://api.example.com', method: 'GET', headers, ...more };
}

export function variable(name: string, more: Fields = {}) {
  return { name, type: 'string', description: `the ${name}`, ...more };
}

/** `name: type` where one is no string. */
export function captures(...names: readonly string[]) {
  const list = names.map((each) => each.split(': '));
  return { extractVariables: list.map(([name, type = 'string']) => variable(name!, { type })) };
}

export function answer(id: string, choice: string, value?: unknown): { answers: Answers } {
  const given = value === undefined ? { choice } : { choice, value };
  return { answers: { answers: { [id]: given } } as Answers };
}

/** Nobody needs captured values after the call: tests that are about something else do not answer. */
function quiet<Options extends VerifyOptions>(options: Options): Options {
  const policies = { 'values-after-call': 'none', ...options.answers?.policies };
  return { ...options, answers: { ...options.answers, policies } };
}

export function compile(workflow: unknown, options: CompileOptions = {}): CompileResult {
  return library.compile(workflow, quiet(options));
}

export function verify(
  workflow: unknown,
  squad: unknown,
  options: VerifyOptions = {},
): Verification {
  return library.verify(workflow, squad, quiet(options));
}

/** The result, which must be complete. */
export function compiled(workflow: unknown, options: CompileOptions = {}): CompileResult {
  const result = compile(workflow, options);
  const errors = result.diagnostics.filter(({ severity }) => severity === 'error');
  expect([result.questions.map(({ id }) => id), errors]).toEqual([[], []]);
  return result;
}

/** Reported of most small workflows. */
export const noEnd = 'flow/no-end';
const ofMost = new Set([noEnd, 'data/lost-after-call']);

/** Diagnostics as `code at related…`, limited to codes with the prefix. */
export function told({ diagnostics }: Pick<CompileResult, 'diagnostics'>, prefix = ''): string[] {
  return diagnostics
    .filter(({ code }) => !ofMost.has(code))
    .flatMap(({ code, at, related }) =>
      code.startsWith(prefix) ? [[code, at, ...related].join(' ')] : [],
    );
}

// biome-ignore lint/suspicious/noExplicitAny: documents of two shapes
export type Any = any;

/** The assistants of a squad or its draft, in either shape. */
export function assistantsOf({ output, draft }: Pick<CompileResult, 'output' | 'draft'>): Any[] {
  const document: Any = output ?? draft;
  return (document.squad ?? document).members.map((member: Any) => member.assistant ?? member);
}

/** The tools of the assistant at a position. */
export function toolsOf(result: CompileResult, index = 0): Any[] {
  const { model, assistantOverrides } = assistantsOf(result)[index];
  return (model === undefined ? assistantOverrides?.['tools:append'] : model.tools) ?? [];
}

/** The tools of all assistants, without handoffs. */
export function otherToolsOf(result: CompileResult): Any[] {
  const all = assistantsOf(result).flatMap((_, index) => toolsOf(result, index));
  return all.filter(({ type }) => type !== 'handoff');
}

/** Every destination of its handoffs. */
export function destinationsOf(result: CompileResult, index = 0): Any[] {
  const handoffs = toolsOf(result, index).filter(({ type }) => type === 'handoff');
  return handoffs.flatMap(({ destinations }) => destinations);
}

/** What each handoff carries, `from > to: names`, aliases after an equals sign. */
export function crossings(result: CompileResult): string[] {
  return assistantsOf(result).flatMap(({ name }, index) =>
    destinationsOf(result, index).flatMap(({ assistantName, variableExtractionPlan: plan }) => {
      if (plan === undefined) return [];
      const aliases = plan.aliases?.map(({ key }: Any) => `=${key}`) ?? [];
      const names = Object.keys(plan.schema?.properties ?? {});
      return [`${name} > ${assistantName}: ${names.sort().join()}${aliases.join('')}`];
    }),
  );
}

export function promptOf(result: CompileResult, index = 0): string {
  return assistantsOf(result)[index].model.messages[0].content;
}
