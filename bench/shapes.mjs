/**
 * Workflows of a given size, one shape for each thing that can cost time. With `answers` each of
 * them becomes a squad.
 *
 * The size is the number of nodes. A clique is nothing but its edges, so its size is their number,
 * or the next that a clique can have.
 */
import { anywhere, end, knowing, liquid, plain, range, talk } from './compile/nodes.mjs';

/** @typedef {{ name: string, nodes: object[], edges: object[] }} Workflow */

/** What the shapes leave open. */
export const answers = {
  policies: { 'cyclic-stages': 'consolidate', 'undefined-variable': 'caller' },
};

/** @type {Readonly<Record<string, (size: number) => Workflow>>} */
export const shapes = {
  /** One assistant, however long. */
  chain: (size) => ({
    name: 'chain',
    nodes: [...talk(size - 1, before), end(size - 1)],
    edges: chain(size),
  }),
  /** A menu of three below each choice: an assistant for each node. */
  tree: (size) => ({ name: 'tree', nodes: talk(size, above), edges: menu(size) }),
  /** Two ways that meet again, over and over. */
  diamonds: (size) => ({
    name: 'diamonds',
    nodes: talk(size, (node) => 3 * Math.floor((node - 1) / 3)),
    edges: range(0, size - 3).flatMap((node) => (node % 3 === 0 ? diamond(node) : [])),
  }),
  /** All nodes on one way round, and a way out. */
  cycle: (size) => ({
    name: 'cycle',
    nodes: [...talk(size - 1, before), end(size - 1)],
    edges: [
      ...chain(size - 1),
      edge(size - 2, 1, 'once more'),
      edge(size - 2, size - 1, 'that was all'),
    ],
  }),
  /** A greeting, and stages of which each leads to all others. */
  clique: (edges) => {
    const stages = range(1, 1 + Math.ceil((1 + Math.sqrt(1 + 4 * edges)) / 2));
    return {
      name: 'clique',
      nodes: talk(1 + stages.length, () => 0),
      edges: [
        edge(0, 1),
        ...stages.flatMap((from) =>
          stages.filter((to) => to !== from).map((to) => edge(from, to, `on to thing ${to}`)),
        ),
      ],
    };
  },
  /** A menu in which each node captures three variables and reads nine of those above it. */
  variables: (size) => ({ name: 'variables', nodes: knowing(size, above), edges: menu(size) }),
  /**
   * A chain, and nodes that can be entered from anywhere, from each other too: as many as are
   * entered in `size` ways.
   */
  globals: (size) => {
    const length = size - Math.ceil(Math.sqrt(size));
    return {
      name: 'globals',
      nodes: [...talk(length, before), ...anywhere(length, size)],
      edges: chain(length),
    };
  },
  /** A menu whose prompts have nothing to fill in. */
  plain: (size) => ({ name: 'plain', nodes: plain(size), edges: menu(size) }),
  /** A menu whose prompts filter, decide and loop. */
  liquid: (size) => ({ name: 'liquid', nodes: liquid(size, above), edges: menu(size) }),
};

/** The text of one workflow. @param {string} shape @param {number} size */
export function textOf(shape, size) {
  return JSON.stringify(shapes[shape]?.(size));
}

/** @param {number} node */
function before(node) {
  return node - 1;
}

/** In a menu; the first node is its own. @param {number} node */
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
