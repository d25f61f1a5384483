/**
 * A workflow in the making: nodes and edges without texts, put together from small known shapes.
 *
 * A generated workflow is a list of pieces. Each piece is hung on a node that is already there, so
 * that everything but the islands is reachable, and leaving pieces out gives a smaller workflow of
 * the same kind: the list shrinks well.
 */
import { isExit, nth, type SpecNodeType, wheel } from './spec-workflow.js';

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

  /** A node that edges may leave: the random number picks one. */
  inner(number: number): number {
    return wheel(
      this.indices((node) => !isExit(node)),
      number,
    );
  }

  indices(wanted: (node: SketchNode, index: number) => boolean): number[] {
    return this.nodes.flatMap((node, index) => (wanted(node, index) ? [index] : []));
  }
}

type Draw = (sketch: Sketch, at: number, other: number) => void;

const talk = (number: number): SpecNodeType => wheel(['conversation', 'gather'], number >> 3);
const exit = (number: number): SpecNodeType =>
  wheel(['endCall', 'transferCall', 'hangup'], number >> 3);
const odd = (number: number): boolean => number % 2 === 1;

/** The shapes, by name. `at` is a node that edges may leave, `other` any number. */
export const shapes = {
  step: (s, at, other) => s.edge(at, s.node(talk(other)), odd(other)),
  chain: (s, at, other) => {
    const middle = s.node('conversation');
    s.edge(at, middle, odd(other));
    s.edge(middle, s.node(talk(other)), false);
  },
  branch: (s, at, other) => {
    s.edge(at, s.node(talk(other)), true);
    s.edge(at, s.node('conversation'), odd(other));
  },
  rejoin: (s, at, other) => {
    const [left, right] = [s.node('conversation'), s.node(talk(other))];
    s.edge(at, left, true);
    s.edge(at, right, odd(other));
    const join = s.node('conversation');
    s.edge(left, join, false);
    s.edge(right, join, odd(other));
  },
  tool: (s, at, other) => {
    const tool = s.node('apiRequest');
    s.edge(at, tool, odd(other));
    s.edge(tool, s.node(talk(other)), odd(other >> 1));
  },
  'last-tool': (s, at, other) => s.edge(at, s.node('apiRequest'), odd(other)),
  'tool-diamond': (s, at, other) => {
    const [left, right] = [s.node('apiRequest'), s.node('apiRequest')];
    s.edge(at, left, true);
    s.edge(at, right, odd(other));
    const join = s.node(talk(other));
    s.edge(left, join, false);
    s.edge(right, join, odd(other >> 1));
  },
  'self-loop': (s, at) => s.edge(at, at, true),
  retry: (s, at, other) => {
    const tool = s.node('apiRequest');
    s.edge(at, tool, odd(other));
    s.edge(tool, at, true);
    s.edge(tool, s.node(talk(other)), odd(other >> 1));
  },
  cycle: (s, at, other) => {
    const there = s.node(talk(other));
    s.edge(at, there, odd(other));
    s.edge(there, at, odd(other >> 1));
  },
  'long-cycle': (s, at, other) => {
    const [first, second] = [
      s.node('conversation'),
      s.node(wheel(['apiRequest', 'gather'], other)),
    ];
    s.edge(at, first, true);
    s.edge(first, second, false);
    s.edge(second, at, true);
  },
  back: (s, at, other) => s.edge(at, s.inner(other), true),
  forward: (s, at, other) => {
    const later = s.indices((node, index) => index > at && !node.isGlobal);
    if (later.length > 0) s.edge(at, wheel(later, other), odd(other));
  },
  parallel: (s, at, other) => {
    const target = s.edges.find(({ from }) => from === at)?.to;
    if (target !== undefined && target !== at) s.edge(at, target, true);
    else s.edge(at, s.node(talk(other)), true);
  },
  exit: (s, at, other) => s.edge(at, s.node(exit(other)), odd(other)),
  'shared-exit': (s, at, other) => {
    const exits = s.indices(isExit);
    s.edge(at, exits.length > 0 ? wheel(exits, other) : s.node(exit(other)), odd(other));
  },
  'after-exit': (s, at, other) => {
    const last = s.node(exit(other));
    s.edge(at, last, true);
    s.edge(last, at, odd(other));
  },
  'global-talk': (s, _at, other) => {
    s.node(talk(other), true);
  },
  'global-exit': (s, _at, other) => {
    s.node(exit(other), true);
  },
  'global-tool': (s, at, other) => {
    const tool = s.node('apiRequest', true);
    const onward = at > 0 && odd(other >> 1);
    if (odd(other)) s.edge(tool, onward ? at : s.node('conversation'), odd(other >> 2));
  },
  island: (s, at, other) => {
    const [first, second] = [s.node('conversation'), s.node('gather')];
    s.edge(first, second, false);
    s.edge(second, first, true);
    if (odd(other)) s.edge(second, at, true);
  },
  'second-start': (s, at, other) => s.edge(s.node(talk(other)), at, odd(other)),
  equal: (s, at, other) => {
    const originals = s.indices(({ isGlobal }, index) => index > 0 && !isGlobal);
    const original = originals.length > 0 ? wheel(originals, other) : s.node('conversation');
    s.edge(at, original, true);
    s.edge(at, repeat(s, original), odd(other));
  },
  'equal-pair': (s, at, other) => {
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
} satisfies Record<string, Draw>;

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
    shapes[piece.shape](sketch, sketch.inner(piece.at), piece.other);
  }
  return sketch;
}
