/**
 * Workflows of a given size, one shape for each thing that can grow. With `answers` each of them
 * becomes a squad. The size is the number of nodes; ids are `n` and the node's place in the list.
 */

/** What the shapes leave open. */
export const answers = {
  policies: { 'cyclic-stages': 'consolidate', 'undefined-variable': 'caller' },
};

/** @typedef {(size: number) => { nodes: object[], edges: object[] }} Shape */

/** @type {Readonly<Record<string, Shape>>} */
export const shapes = {
  /** One assistant, however long. */
  chain: (size) => ({ nodes: talk(size, before), edges: chain(size) }),
  /** A menu of three below each choice: an assistant for each node. */
  tree: (size) => ({ nodes: talk(size, above), edges: menu(size) }),
  /** Two branches that join again, over and over. */
  diamonds: (size) => ({ nodes: talk(size, top), edges: blocks(size) }),
  /** The same, where only the left branch captures what the node after the join reads. */
  ladder: (size) => ({
    nodes: range(size).map((at) => {
      const read = at % 3 === 0 && at > 0 ? [`v${at - 2}`] : [];
      return node(at, read, at % 3 === 1 ? [`v${at}`] : []);
    }),
    edges: blocks(size),
  }),
  /** All nodes in one circle, and an exit. */
  cycle: (size) => ({
    nodes: [...talk(size - 1, before), { id: `n${size - 1}`, type: 'endCall' }],
    edges: [
      ...chain(size - 1),
      edge(size - 2, 1, 'once more'),
      edge(size - 2, size - 1, 'that was all'),
    ],
  }),
  /** A menu in which each node captures three variables and reads nine of those above it. */
  variables: (size) => ({
    nodes: range(size).map((at) => {
      const known = at === 0 ? [] : [...new Set([0, above(above(at)), above(at)])];
      return node(at, known.flatMap(threeOf), threeOf(at));
    }),
    edges: menu(size),
  }),
  /** A chain, and five nodes that can be entered from everywhere. */
  globals: (size) => ({
    nodes: [
      ...talk(size - 5, before),
      ...range(size, size - 5).map((at) => {
        return { ...node(at, [], []), isGlobal: true, condition: `a question about ${at}` };
      }),
    ],
    edges: chain(size - 5),
  }),
};

/** A node captures a variable and reads that of an earlier one. @param {number} size @param {(at: number) => number} readFrom */
function talk(size, readFrom) {
  return range(size).map((at) => node(at, at === 0 ? [] : [`v${readFrom(at)}`], [`v${at}`]));
}

/** @param {number} at @param {string[]} read @param {string[]} captured */
function node(at, read, captured) {
  const systemPrompt = `Talk about ${at}. ${read.map((it) => `${it} is {{${it}}}.`).join(' ')}`;
  const extractVariables = captured.map((name) => {
    return { name, type: 'string', description: `thing ${name}` };
  });
  return { id: `n${at}`, type: 'conversation', systemPrompt, extractVariables };
}

/** @param {number} at */
function threeOf(at) {
  return ['a', 'b', 'c'].map((letter) => `${letter}${at}`);
}

/** @param {number} at */
function before(at) {
  return at - 1;
}

/** In a menu; the first node is above itself. @param {number} at */
function above(at) {
  return Math.max(0, Math.floor((at - 1) / 3));
}

/** In a block of three, the node where the branches part. @param {number} at */
function top(at) {
  return 3 * above(at);
}

/** @param {number} size */
function chain(size) {
  return range(size, 1).map((at) => edge(before(at), at));
}

/** @param {number} size */
function menu(size) {
  return range(size, 1).map((at) => edge(above(at), at, `choice ${at}`));
}

/** The last node of a block is the first of the next. @param {number} size */
function blocks(size) {
  return range(size, 1).flatMap((at) => {
    if (at % 3 !== 0) return [edge(top(at), at, `branch ${at}`)];
    return [edge(at - 2, at), edge(at - 1, at)];
  });
}

/** @param {number} from @param {number} to @param {string} [condition] */
function edge(from, to, condition) {
  return { from: `n${from}`, to: `n${to}`, ...(condition !== undefined && { condition }) };
}

/** @param {number} to */
function range(to, from = 0) {
  return Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
}
