/**
 * Workflows in a few letters: `a>b b>t *g` is two edges and a global node; `a!x` captures a variable,
 * `t=x` takes it from a response, `b?x` reads it, and `b:x` is entered if it is yes.
 */
import type { SpecNode, SpecNodeType, SpecWorkflow } from '../../src/testing.js';
import { flow, variable } from '../compiler/build.js';

/** The first letter is the type: `t` a tool, `e` the end, `x` a transfer, all others talk. */
const types: Readonly<Record<string, SpecNodeType>> = {
  t: 'apiRequest',
  e: 'endCall',
  x: 'transferCall',
};

/** The first node that is named comes first, the others follow in alphabetical order. */
export function graph(text: string): SpecWorkflow {
  const words = text.split(' ').map((word) => /^(\w*)([>*!=?:])(\w+)$/.exec(word)!.slice(1));
  const of = (sign: string) =>
    words.flatMap(([left, each, right]) => (each === sign ? [[left!, right!] as const] : []));
  const globals = of('*').map(([, id]) => id);
  const arrows = of('>');
  const ids = [...new Set([...arrows.flat(), ...globals])];
  const nodes = [ids[0]!, ...ids.slice(1).sort()].map((id) => nodeOf(id, globals.includes(id)));
  const give = (sign: string, more: (name: string) => Partial<SpecNode>): void => {
    for (const [id, name] of of(sign)) Object.assign(nodes.find((it) => it.id === id)!, more(name));
  };
  const variable = (name: string) => ({ name, type: 'string' as const, description: name });
  give('!', (name) => ({ extractVariables: [variable(name)] }));
  give('=', (name) => ({ responseVariables: [{ ...variable(name), path: name }] }));
  give('?', (name) => ({ systemPrompt: `Use {{${name}}}.` }));
  const edges = arrows.map(([from, to]) => {
    const [decided] = of(':').filter(([id]) => id === to);
    const condition = decided ? `${decided[1]} == 'yes'` : `${from} leads to ${to}`;
    return arrows.filter(([id]) => id === from).length > 1 ? { from, to, condition } : { from, to };
  });
  return { name: 'By hand', nodes, edges };
}

function nodeOf(id: string, isGlobal: boolean): SpecNode {
  const type = types[id.slice(0, 1)] ?? 'conversation';
  const node: SpecNode = { id, type };
  if (type === 'conversation') node.systemPrompt = `Work of ${id}.`;
  if (type === 'transferCall') node.destination = '+14155550100';
  if (type === 'apiRequest') {
    const headers = { Authorization: 'Bearer sample' };
    Object.assign(node, { url: `https://api.example.com/${id}`, method: 'GET', headers });
  }
  return isGlobal ? { ...node, isGlobal, condition: `the caller needs ${id}` } : node;
}

/** The worked pattern: greeting, collection of two variables, two branches, one end. */
export function worked(): SpecWorkflow {
  const extractVariables = [variable('topic', { enum: ['a', 'b'] }), variable('account')];
  const nodes = {
    greet: { systemPrompt: 'Greet the caller.', firstMessage: 'Hello.' },
    collect: { systemPrompt: 'Ask for topic and account.', extractVariables },
    billing: 'Talk about the bills of {{account}}.',
    support: 'Solve the problem of {{account}}.',
    end: { type: 'endCall' },
  };
  const branches = ['billing', 'support'].map(
    (topic) => `collect > ${topic}: the topic is ${topic}`,
  );
  return flow(nodes, [
    'greet > collect',
    ...branches,
    'billing > end',
    'support > end',
  ]) as SpecWorkflow;
}

/** The texts of a workflow that its squad must contain. */
export function textsOf({ nodes, edges }: SpecWorkflow): string[] {
  const texts = [
    ...nodes.flatMap(({ firstMessage, systemPrompt, transferPlan, condition, ...node }) => [
      ...[firstMessage, systemPrompt, transferPlan?.message, condition],
      ...(node.extractVariables ?? []).map(({ description }) => description),
    ]),
    ...edges.map(({ condition }) => condition),
  ];
  return texts.filter((text) => text !== undefined);
}
