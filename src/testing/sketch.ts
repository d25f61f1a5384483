/**
 * A workflow under construction: nodes and edges without texts, assembled from small shapes.
 *
 * A generated workflow is a list of pieces. Each piece is attached to an existing node, so that
 * everything except the islands is reachable, and leaving pieces out gives a smaller workflow of
 * the same kind: the list shrinks well.
 */
import { positions, wheel } from './pick.js';
import { isExit, type SpecNodeType } from './spec-workflow.js';

interface SketchNode {
  readonly type: SpecNodeType;
  readonly isGlobal: boolean;
  /** The node whose texts this one repeats; itself if it repeats none. */
  readonly like: number;
}

interface SketchEdge {
  readonly from: number;
  readonly to: number;
  readonly conditioned: boolean;
  /** The edge whose condition this one repeats; itself if it repeats none. */
  readonly like: number;
}

export interface Sketch {
  readonly nodes: SketchNode[];
  readonly edges: SketchEdge[];
}

/** One piece of a workflow, and two random numbers that choose its place. */
export interface Piece {
  readonly shape: Shape;
  readonly at: number;
  readonly other: number;
}

/** What a shape belongs to, and can be left out with. */
export type Family = 'cycles' | 'globals' | 'tools' | 'exits' | 'equals' | 'dead' | 'gaps';
export type Shape = keyof typeof shapes;

/**
 * The shapes by name: weight, families, and a drawing. `@?t` is an edge from the node that the
 * piece is attached to, to a new talk node; `*t` is a global node. The letters are below; the sign
 * between two tells whether the edge has a condition: `!` yes, `-` no, `?` and `~` by random bits.
 */
export const shapes = {
  step: [4, [], '@?t'],
  chain: [1, [], '@?c c-t'],
  branch: [4, [], '@!t @?c'],
  rejoin: [2, [], '@!c @?t c-d t?d'],
  forward: [3, [], '@?L'],
  parallel: [1, [], '@!N'],
  tool: [3, ['tools'], '@?a a~t'],
  'last-tool': [1, ['tools'], '@?a'],
  'tool-diamond': [1, ['tools'], '@!a @?b a-t b~t'],
  'self-loop': [1, ['cycles'], '@!@'],
  retry: [1, ['cycles', 'tools'], '@?a a!@ a~t'],
  cycle: [1, ['cycles'], '@?t t~@'],
  'long-cycle': [1, ['cycles', 'tools'], '@!c c-w w!@'],
  back: [1, ['cycles'], '@!O'],
  exit: [2, ['exits'], '@?x'],
  'shared-exit': [3, ['exits'], '@?X'],
  'late-exit': [2, ['exits'], '@!x @!t t~x'],
  'after-exit': [1, ['exits', 'dead'], '@!x x?@'],
  'global-talk': [1, ['globals'], '*t'],
  'global-exit': [1, ['globals', 'exits'], '*x'],
  'global-tool': [1, ['globals', 'tools'], '*a'],
  'global-tool-on': [1, ['globals', 'tools'], '*a a?L'],
  island: [1, ['dead'], 'c-g g!c'],
  'island-ashore': [1, ['dead'], 'c-g g!c g!@'],
  'second-start': [1, ['gaps'], 't?@'],
  equal: [1, ['equals'], '@!E @?Q'],
  'equal-pair': [1, ['equals'], '@!E @!P'],
} as const satisfies Readonly<
  Record<string, readonly [weight: number, families: readonly Family[], drawing: string]>
>;

/** New nodes: the letter gives the type, or several types for the random number to choose from. */
const types: Readonly<Record<string, readonly SpecNodeType[]>> = {
  t: ['conversation', 'gather'],
  c: ['conversation'],
  d: ['conversation'],
  g: ['gather'],
  a: ['apiRequest'],
  b: ['apiRequest'],
  w: ['apiRequest', 'gather'],
  x: ['endCall', 'transferCall', 'hangup'],
};

/** Existing nodes: the number chooses among these; a new node if there are none. */
const known: Readonly<Record<string, (sketch: Sketch, at: number) => readonly number[]>> = {
  O: innerNodes,
  X: ({ nodes }) => positions(nodes, isExit),
  L: ({ nodes }, at) => positions(nodes, ({ isGlobal }, index) => index > at && !isGlobal),
  N: ({ edges }, at) =>
    edges.filter(({ from, to }) => from === at && to !== at).map(({ to }) => to),
  E: ({ nodes }) => positions(nodes, ({ isGlobal }, index) => index > 0 && !isGlobal),
};

/** Which edges have a condition. */
const marks: Readonly<Record<string, (other: number) => boolean>> = {
  '!': () => true,
  '-': () => false,
  '?': (other) => other % 2 === 1,
  '~': (other) => (other >> 1) % 2 === 1,
};

/** The pieces as a workflow; copies are drawn last, so that they stay equal. */
export function draw(startsWithTool: boolean, pieces: readonly Piece[], maxNodes: number): Sketch {
  const sketch: Sketch = { nodes: [], edges: [] };
  addNode(sketch, startsWithTool ? 'apiRequest' : 'conversation');
  const isCopy = ({ shape }: Piece): boolean => shape.startsWith('equal');
  for (const piece of [...pieces.filter((each) => !isCopy(each)), ...pieces.filter(isCopy)]) {
    if (sketch.nodes.length < maxNodes) hang(sketch, piece);
  }
  return sketch;
}

/** Nodes that edges may leave. */
function innerNodes({ nodes }: Sketch): number[] {
  return positions(nodes, (node) => !isExit(node));
}

function addNode({ nodes }: Sketch, type: SpecNodeType, isGlobal = false, like = nodes.length) {
  return nodes.push({ type, isGlobal, like }) - 1;
}

function hang(sketch: Sketch, { shape, at, other }: Piece): void {
  const { edges } = sketch;
  const drawn = new Map([['@', wheel(innerNodes(sketch), at)]]);
  const make = (letter: string, isGlobal: boolean): number => {
    if (letter === 'Q') return repeat(sketch, drawn.get('E')!);
    if (letter === 'P') return repeatWithNext(sketch, drawn.get('E')!);
    const found = known[letter]?.(sketch, drawn.get('@')!) ?? [];
    if (found.length > 0) return wheel(found, other);
    return addNode(sketch, wheel(types[letter.toLowerCase()] ?? types.t!, other >> 3), isGlobal);
  };
  const nodeOf = (letter: string, isGlobal = false): number => {
    const node = drawn.get(letter) ?? make(letter, isGlobal);
    drawn.set(letter, node);
    return node;
  };
  for (const [first = '', mark = '', last = ''] of shapes[shape][2].split(' ')) {
    if (first === '*') nodeOf(mark, true);
    else {
      const [from, to] = [nodeOf(first), nodeOf(last)];
      edges.push({ from, to, conditioned: marks[mark]!(other), like: edges.length });
    }
  }
}

/** Adds a node with the texts and the edges that this one has so far. */
function repeat(sketch: Sketch, original: number): number {
  const { type, like } = sketch.nodes[original]!;
  const copy = addNode(sketch, type, false, like);
  for (const edge of sketch.edges.filter(({ from }) => from === original)) {
    sketch.edges.push({ ...edge, from: copy, to: edge.to === original ? copy : edge.to });
  }
  return copy;
}

/** Like `repeat`, and the copy leads to a copy of one of the original's successors. */
function repeatWithNext(sketch: Sketch, original: number): number {
  const copy = repeat(sketch, original);
  const onward = sketch.edges.findIndex(({ from, to }) => from === copy && to !== copy);
  const edge = sketch.edges[onward];
  if (edge && edge.to > 0 && !sketch.nodes[edge.to]!.isGlobal) {
    sketch.edges[onward] = { ...edge, to: repeat(sketch, edge.to) };
  }
  return copy;
}

/** The elements of a list, one for each node or edge, that have the texts of this one. */
export function alike<T>(list: readonly T[], likes: readonly { like: number }[], index: number) {
  return list.filter((_, at) => likes[at]!.like === likes[index]!.like);
}
