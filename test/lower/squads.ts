/** Workflows in few words, and what tests want to see of their squads. */
import { expect } from 'vitest';
import { type CompileOptions, type CompileResult, compile } from '../../src/index.js';

type Node = string | object;

/** Nodes by id, a text being instructions; edges as `a > b: condition | a > c`. */
export function flow(nodes: Record<string, Node>, edges = '', more: object = {}) {
  return {
    name: 'Calls',
    nodes: Object.entries(nodes).map(([id, node]) => ({
      id,
      type: 'conversation',
      ...(typeof node === 'string' ? { systemPrompt: node } : node),
    })),
    edges: edges
      .split(' | ')
      .filter(Boolean)
      .map((edge) => {
        const [, from, to, condition] = /^(\S+) > (\S+?)(?:: (.*))?$/.exec(edge)!;
        return { from, to, ...(condition === undefined ? {} : { condition }) };
      }),
    ...more,
  };
}

export const end = { type: 'endCall' };

export function captures(...names: readonly string[]) {
  return { extractVariables: names.map((name) => variable(name)) };
}

export function variable(name: string, more: object = {}) {
  return { name, type: 'string', description: `the ${name}`, ...more };
}

export function request(more: object = {}) {
  const url = 'https://api.example.com/x';
  return { type: 'apiRequest', url, method: 'GET', headers: { Authorization: '{{key}}' }, ...more };
}

export function transfer(more: object = {}) {
  return { type: 'transferCall', destination: '+4930123456', ...more };
}

/**
 * A workflow of small nodes: `s+x` captures x, `a?x` reads it, `r=x` is a request that sets it, and
 * `g!` is global; of edges that all have a condition.
 */
export function net(nodes: string, edges: string): object {
  const made = nodes.split(' ').map((text): [string, Node] => {
    const [id = ''] = /^\w+/.exec(text)!;
    const named = (mark: string) =>
      [...text.matchAll(RegExp(`\\${mark}(\\w+)`, 'g'))].map(([, it]) => it!);
    const [sets] = named('=').map((name) => ({ responseVariables: [{ name, path: 'a.b' }] }));
    const reading = named('?').map((name) => `{{${name}}}`);
    const systemPrompt = [`Do ${id}.`, ...reading].join(' ');
    const global = text.includes('!') ? { isGlobal: true, condition: `asks for ${id}` } : {};
    return [id, sets ? request(sets) : { systemPrompt, ...captures(...named('+')), ...global }];
  });
  const arrows = edges.split(' ').map((it) => it.replace(/(\w+)>(\w+)/, '$1 > $2: $1 to $2'));
  return flow(Object.fromEntries(made), arrows.join(' | '));
}

/** Compiles; fails where questions are open or something is wrong. */
export function compiled(workflow: unknown, options: CompileOptions = {}): CompileResult {
  const all = { dynamicVariables: ['key'], ...options };
  const result = compile(workflow, all);
  const errors = result.diagnostics.filter(({ severity }) => severity === 'error');
  expect([result.questions.map(({ id }) => id), errors]).toEqual([[], []]);
  return result;
}

// biome-ignore lint/suspicious/noExplicitAny: documents of two shapes
export type Any = any;

/** The assistants of a squad for whichever target. */
export function assistantsOf({ output }: CompileResult): Any[] {
  const { squad, members }: Any = output;
  return (squad?.members ?? members).map((member: Any) => member.assistant ?? member);
}

/** The tools of the assistant at a position. */
export function toolsOf(result: CompileResult, index = 0): Any[] {
  const { model, assistantOverrides } = assistantsOf(result)[index];
  return (model ?? assistantOverrides)[model === undefined ? 'tools:append' : 'tools'] ?? [];
}

/** Every destination of its handoffs. */
export function destinationsOf(result: CompileResult, index = 0): Any[] {
  return toolsOf(result, index).flatMap(({ type, destinations }) =>
    type === 'handoff' ? destinations : [],
  );
}

export function promptOf(result: CompileResult, index = 0): string {
  return assistantsOf(result)[index].model.messages[0].content;
}

/** The codes of what is found, with their places. */
export function codesOf({ diagnostics }: CompileResult, area = ''): string[] {
  const found = diagnostics.filter(({ code }) => code.startsWith(area));
  return found.map(({ code, at }) => `${code} ${at}`);
}
