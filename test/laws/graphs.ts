/** Workflows by hand: `a>b b>t *g` is two edges and a global node. */

import type { SpecNode, SpecNodeType, SpecWorkflow } from '../../src/testing.js';

/** The first letter is the type: `t` a tool, `e` the end, `x` a transfer, all others talk. */
const types: Readonly<Record<string, SpecNodeType>> = {
  t: 'apiRequest',
  e: 'endCall',
  x: 'transferCall',
};

/** Nodes in alphabetical order, but the first that is named comes first. */
export function graph(text: string): SpecWorkflow {
  const words = text.split(' ');
  const globals = words.filter((word) => word.startsWith('*')).map((word) => word.slice(1));
  const pairs = words.filter((word) => word.includes('>')).map((word) => word.split('>'));
  const ids = [...new Set([...pairs.flat(), ...globals])];
  const ordered = [ids[0]!, ...ids.slice(1).sort()];
  const branches = (from: string): boolean => pairs.filter(([id]) => id === from).length > 1;
  return {
    name: 'By hand',
    nodes: ordered.map((id) => nodeNamed(id, globals.includes(id))),
    edges: pairs.map(([from = '', to = '']) =>
      branches(from) ? { from, to, condition: `${from} leads to ${to}` } : { from, to },
    ),
  };
}

function nodeNamed(id: string, isGlobal: boolean): SpecNode {
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
  const extractVariables = [
    { name: 'topic', type: 'string' as const, description: 'what it is about', enum: ['a', 'b'] },
    { name: 'account', type: 'string' as const, description: 'the account number' },
  ];
  const talk = (id: string, systemPrompt: string): SpecNode => ({
    id,
    type: 'conversation',
    systemPrompt,
  });
  return {
    name: 'Worked pattern',
    nodes: [
      { ...talk('greet', 'Greet the caller.'), firstMessage: 'Hello.' },
      { ...talk('collect', 'Ask for topic and account.'), extractVariables },
      talk('billing', 'Talk about the bills of {{account}}.'),
      talk('support', 'Solve the problem of {{account}}.'),
      { id: 'end', type: 'endCall' },
    ],
    edges: [
      { from: 'greet', to: 'collect' },
      { from: 'collect', to: 'billing', condition: 'the topic is billing' },
      { from: 'collect', to: 'support', condition: 'the topic is support' },
      { from: 'billing', to: 'end' },
      { from: 'support', to: 'end' },
    ],
  };
}
