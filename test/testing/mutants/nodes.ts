/** Nodes and edges in few words. */
import type { SpecEdge, SpecNode } from '../../../src/testing/index.js';

export function talk(id: string, more: Partial<SpecNode> = {}): SpecNode {
  return { id, type: 'conversation', systemPrompt: `Do the work of ${id}.`, ...more };
}

/** `a>b` is an edge without a condition, `a>b: c` one with the condition c. */
export function edge(text: string): SpecEdge {
  const [, from = '', to = '', condition] = /^(\S+)>(\S+?)(?:: (.*))?$/.exec(text) ?? [];
  return condition === undefined ? { from, to } : { from, to, condition };
}
