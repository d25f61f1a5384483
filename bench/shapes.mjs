/** Workflows of a given size, one shape per thing that can cost time. */

/** @typedef {{ name: string, nodes: object[], edges: object[] }} Workflow */

/** @type {Readonly<Record<string, (size: number) => Workflow>>} */
export const shapes = {
  chain: (size) => ({ name: 'chain', nodes: talk(size), edges: chain(size) }),
  tree: (size) => ({
    name: 'tree',
    nodes: talk(size),
    edges: range(1, size).map((node) => edge(Math.floor((node - 1) / 3), node, `choice ${node}`)),
  }),
  diamonds: (size) => ({
    name: 'diamonds',
    nodes: talk(size),
    edges: range(0, size - 3).flatMap((node) => (node % 3 === 0 ? diamond(node) : [])),
  }),
  cycle: (size) => ({
    name: 'cycle',
    nodes: talk(size),
    edges: [...chain(size), edge(size - 1, 1, 'once more')],
  }),
};

/** @param {number} size */
function talk(size) {
  return range(0, size).map((node) => ({
    id: `n${node}`,
    type: 'conversation',
    systemPrompt: `Ask for the ${node}th thing. So far we know {{v${Math.max(0, node - 1)}}}.`,
    extractVariables: [{ name: `v${node}`, type: 'string', description: `the ${node}th thing` }],
  }));
}

/** @param {number} size */
function chain(size) {
  return range(1, size).map((node) => edge(node - 1, node));
}

/** @param {number} node */
function diamond(node) {
  return [
    edge(node, node + 1, `left at ${node}`),
    edge(node, node + 2, `right at ${node}`),
    edge(node + 1, node + 3),
    edge(node + 2, node + 3),
  ];
}

/** @param {number} from @param {number} to @param {string} [condition] */
function edge(from, to, condition) {
  const ends = { from: `n${from}`, to: `n${to}` };
  return condition === undefined ? ends : { ...ends, condition };
}

/** @param {number} from @param {number} to */
function range(from, to) {
  return Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
}
