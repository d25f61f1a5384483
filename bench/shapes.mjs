/**
 * Workflows of a given size, one shape for each thing that can grow. With `answers` each of them
 * becomes a squad. The size is the number of nodes; ids are `n` and the node's place in the list.
 */

/** @typedef {{ name: string, nodes: object[], edges: object[] }} Workflow */

/** What the shapes leave open. */
export const answers = {
  policies: { 'cyclic-stages': 'consolidate', 'undefined-variable': 'caller' },
};

/** @type {Readonly<Record<string, (size: number) => Workflow>>} */
export const shapes = {
  /** One assistant, however long. */
  chain: (size) => ({ name: 'chain', nodes: talk(size, before), edges: chain(size) }),
  /** A menu of three below each choice: an assistant for each node. */
  tree: (size) => ({ name: 'tree', nodes: talk(size, above), edges: menu(size) }),
  /** Two branches that join again, over and over. */
  diamonds: (size) => ({
    name: 'diamonds',
    nodes: talk(size, (node) => 3 * Math.floor((node - 1) / 3)),
    edges: blocks(size),
  }),
  /** The same, where only the left branch captures what the node after the join reads. */
  ladder: (size) => ({
    name: 'ladder',
    nodes: range(0, size).map((node) => rung(node)),
    edges: blocks(size),
  }),
  /** All nodes in one circle, and an exit. */
  cycle: (size) => ({
    name: 'cycle',
    nodes: [...talk(size - 1, before), { id: `n${size - 1}`, type: 'endCall' }],
    edges: [
      ...chain(size - 1),
      edge(size - 2, 1, 'once more'),
      edge(size - 2, size - 1, 'that was all'),
    ],
  }),
  /** A menu in which each node captures three variables and reads nine of those above it. */
  variables: (size) => ({
    name: 'variables',
    nodes: range(0, size).map((node) => {
      const known = node === 0 ? [] : [...new Set([0, above(above(node)), above(node)])];
      const reads = known.flatMap(threeOf).map((it) => `${it} is {{${it}}}.`);
      return prompted(node, `Ask for the things of ${node}. ${reads.join(' ')}`, threeOf(node));
    }),
    edges: menu(size),
  }),
  /** A chain, and five nodes that can be entered from everywhere. */
  globals: (size) => ({
    name: 'globals',
    nodes: [
      ...talk(size - 5, before),
      ...range(size - 5, size).map((node) => ({
        ...prompted(node, `Answer questions about topic ${node}.`, []),
        isGlobal: true,
        condition: `the caller asks about topic ${node}`,
      })),
    ],
    edges: chain(size - 5),
  }),
};

/** Nodes that capture a variable each and read that of an earlier one. @param {number} size @param {(node: number) => number} readsFrom */
function talk(size, readsFrom) {
  return range(0, size).map((node) => {
    const known = node === 0 ? '' : ` So far we know {{v${readsFrom(node)}}}.`;
    return prompted(node, `Ask for thing ${node}.${known}`, [`v${node}`]);
  });
}

/** @param {number} node */
function rung(node) {
  if (node % 3 === 1) return prompted(node, `Ask for thing ${node}.`, [`v${node}`]);
  const reads = node % 3 === 0 && node > 0 ? ` So far we may know {{v${node - 2}}}.` : '';
  return prompted(node, `Talk about thing ${node}.${reads}`, []);
}

/** @param {number} node @param {string} systemPrompt @param {string[]} captured */
function prompted(node, systemPrompt, captured) {
  const extractVariables = captured.map((name) => {
    return { name, type: 'string', description: `thing ${name}` };
  });
  return { id: `n${node}`, type: 'conversation', systemPrompt, extractVariables };
}

/** @param {number} node */
function threeOf(node) {
  return ['a', 'b', 'c'].map((letter) => `${letter}${node}`);
}

/** @param {number} node */
function before(node) {
  return node - 1;
}

/** In a menu; the first node is above itself. @param {number} node */
function above(node) {
  return Math.max(0, Math.floor((node - 1) / 3));
}

/** @param {number} size */
function chain(size) {
  return range(1, size).map((node) => edge(node - 1, node));
}

/** @param {number} size */
function menu(size) {
  return range(1, size).map((node) => edge(above(node), node, `choice ${node}`));
}

/** Blocks of three nodes; the last node of one is the first of the next. @param {number} size */
function blocks(size) {
  return range(0, Math.floor((size - 1) / 3)).flatMap((block) => {
    const [top, left, right, join] = [3 * block, 3 * block + 1, 3 * block + 2, 3 * block + 3];
    return [
      edge(top, left, `left at ${top}`),
      edge(top, right, `right at ${top}`),
      edge(left, join),
      edge(right, join),
    ].filter(({ to }) => Number(to.slice(1)) < size);
  });
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
