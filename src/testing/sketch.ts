/**
 * A workflow in the making: nodes and edges without texts, put together from small known shapes.
 *
 * A generated workflow is a list of pieces. Each piece is hung on a node that is already there, so
 * that everything but the islands is reachable, and leaving pieces out gives a smaller workflow of
 * the same kind: the list shrinks well.
 */
import { isExit, type SpecNodeType } from '../simulator/spec-workflow.js';
import { nth, wheel } from './pick.js';

export interface SketchNode {
  readonly type: SpecNodeType;
  readonly isGlobal: boolean;
  /** The node whose texts this one repeats; itself where it repeats none. */
  readonly like: number;
}

export interface SketchEdge {
  readonly from: number;
  readonly to: number;
  readonly conditioned: boolean;
  /** The edge whose condition this one repeats; itself where it repeats none. */
  readonly like: number;
}

/** One piece of a workflow, and two random numbers that say where it goes. */
export interface Piece {
  readonly shape: Shape;
  readonly at: number;
  readonly other: number;
}

/** What a shape belongs to, and can be left out with. */
export type Family = 'cycles' | 'globals' | 'tools' | 'exits' | 'equals' | 'dead' | 'gaps';
export type Shape = keyof typeof shapes;

export class Sketch {
  readonly nodes: SketchNode[] = [];
  readonly edges: SketchEdge[] = [];

  node(type: SpecNodeType, isGlobal = false, like = this.nodes.length): number {
    return this.nodes.push({ type, isGlobal, like }) - 1;
  }

  edge(from: number, to: number, conditioned: boolean, like = this.edges.length): void {
    this.edges.push({ from, to, conditioned, like });
  }

  indices(wanted: (node: SketchNode, index: number) => boolean): number[] {
    return this.nodes.flatMap((node, index) => (wanted(node, index) ? [index] : []));
  }

  /** A node that edges may leave: the random number picks one. */
  inner(number: number): number {
    return wheel(
      this.indices((node) => !isExit(node)),
      number,
    );
  }
}

/**
 * A shape in letters: `@?t` is an edge from the node that the piece hangs on to a new talk node. What
 * stands between two nodes says whether the edge has a condition: `!` yes, `-` no, `?` and `~` by
 * random bits. `*t` is a global node.
 */
type Draw = string | ((sketch: Sketch, at: number, other: number) => void);

/** Each letter is one new node; those with two types are chosen by the random number. */
const letters: Readonly<Record<string, (other: number) => SpecNodeType>> = {
  t: (other) => wheel(['conversation', 'gather'], other >> 3),
  c: () => 'conversation',
  d: () => 'conversation',
  g: () => 'gather',
  a: () => 'apiRequest',
  b: () => 'apiRequest',
  w: (other) => wheel(['apiRequest', 'gather'], other),
  x: (other) => wheel(['endCall', 'transferCall', 'hangup'], other >> 3),
};

const odd = (number: number): boolean => number % 2 === 1;

const marks: Readonly<Record<string, (other: number) => boolean>> = {
  '!': () => true,
  '-': () => false,
  '?': odd,
  '~': (other) => odd(other >> 1),
};

/** The shapes, by name: how often, what they belong to, and what they draw. */
export const shapes = {
  step: [4, [], '@?t'],
  chain: [1, [], '@?c c-t'],
  branch: [4, [], '@!t @?c'],
  rejoin: [2, [], '@!c @?t c-d t?d'],
  forward: [
    3,
    [],
    (s, at, other) => {
      const later = s.indices((node, index) => index > at && !node.isGlobal);
      if (later.length > 0) s.edge(at, wheel(later, other), odd(other));
    },
  ],
  parallel: [
    1,
    [],
    (s, at, other) => {
      const target = s.edges.find(({ from }) => from === at)?.to;
      if (target === undefined || target === at) drawLetters(s, '@!t', at, other);
      else s.edge(at, target, true);
    },
  ],
  tool: [3, ['tools'], '@?a a~t'],
  'last-tool': [1, ['tools'], '@?a'],
  'tool-diamond': [1, ['tools'], '@!a @?b a-t b~t'],
  'self-loop': [1, ['cycles'], '@!@'],
  retry: [1, ['cycles', 'tools'], '@?a a!@ a~t'],
  cycle: [1, ['cycles'], '@?t t~@'],
  'long-cycle': [1, ['cycles', 'tools'], '@!c c-w w!@'],
  back: [1, ['cycles'], (s, at, other) => s.edge(at, s.inner(other), true)],
  exit: [2, ['exits'], '@?x'],
  'shared-exit': [
    3,
    ['exits'],
    (s, at, other) => {
      const exits = s.indices(isExit);
      if (exits.length === 0) drawLetters(s, '@?x', at, other);
      else s.edge(at, wheel(exits, other), odd(other));
    },
  ],
  'after-exit': [1, ['exits', 'dead'], '@!x x?@'],
  'global-talk': [1, ['globals'], '*t'],
  'global-exit': [1, ['globals', 'exits'], '*x'],
  'global-tool': [
    1,
    ['globals', 'tools'],
    (s, at, other) => {
      const tool = s.node('apiRequest', true);
      const onward = at > 0 && odd(other >> 1);
      if (odd(other)) s.edge(tool, onward ? at : s.node('conversation'), odd(other >> 2));
    },
  ],
  island: [
    1,
    ['dead'],
    (s, at, other) => drawLetters(s, odd(other) ? 'c-g g!c g!@' : 'c-g g!c', at, other),
  ],
  'second-start': [1, ['gaps'], 't?@'],
  equal: [
    1,
    ['equals'],
    (s, at, other) => {
      const originals = s.indices(({ isGlobal }, index) => index > 0 && !isGlobal);
      const original = originals.length > 0 ? wheel(originals, other) : s.node('conversation');
      s.edge(at, original, true);
      s.edge(at, repeat(s, original), odd(other));
    },
  ],
  'equal-pair': [
    1,
    ['equals'],
    (s, at, other) => {
      const originals = s.indices((node, index) => index > 0 && !node.isGlobal && !isExit(node));
      if (originals.length === 0) s.edge(at, s.node('conversation'), true);
      const original = originals.length > 0 ? wheel(originals, other) : s.nodes.length - 1;
      const copy = repeat(s, original);
      s.edge(at, copy, true);
      const onward = s.edges.findIndex(({ from, to }) => from === copy && to !== copy);
      const next = s.edges[onward];
      if (next === undefined || nth(s.nodes, next.to).isGlobal || next.to === 0) return;
      s.edges[onward] = { ...next, to: repeat(s, next.to) };
    },
  ],
} as const satisfies Readonly<
  Record<string, readonly [weight: number, families: readonly Family[], Draw]>
>;

function drawLetters(sketch: Sketch, text: string, at: number, other: number): void {
  const drawn = new Map([['@', at]]);
  const nodeOf = (letter: string, isGlobal = false): number => {
    const node = drawn.get(letter) ?? sketch.node(letters[letter]!(other), isGlobal);
    drawn.set(letter, node);
    return node;
  };
  for (const [first = '', mark = '', last = ''] of text.split(' ')) {
    if (first === '*') nodeOf(mark, true);
    else sketch.edge(nodeOf(first), nodeOf(last), marks[mark]!(other));
  }
}

/** Adds a node with the texts and the edges that this one has so far. */
function repeat(sketch: Sketch, original: number): number {
  const { type, like } = nth(sketch.nodes, original);
  const copy = sketch.node(type, false, like);
  for (const edge of [...sketch.edges]) {
    if (edge.from !== original) continue;
    sketch.edge(copy, edge.to === original ? copy : edge.to, edge.conditioned, edge.like);
  }
  return copy;
}

/** The pieces in a workflow; copies are drawn last, so that they stay equal. */
export function draw(startsWithTool: boolean, pieces: readonly Piece[], maxNodes: number): Sketch {
  const sketch = new Sketch();
  sketch.node(startsWithTool ? 'apiRequest' : 'conversation');
  const copies = (piece: Piece): boolean => piece.shape.startsWith('equal');
  for (const piece of [...pieces.filter((each) => !copies(each)), ...pieces.filter(copies)]) {
    if (sketch.nodes.length >= maxNodes) break;
    const drawing: Draw = shapes[piece.shape][2];
    const at = sketch.inner(piece.at);
    if (typeof drawing === 'string') drawLetters(sketch, drawing, at, piece.other);
    else drawing(sketch, at, piece.other);
  }
  return sketch;
}
