/**
 * Picture → places: ranks from top to bottom, by dagre.
 *
 * The same picture gives the same places. Nodes and edges go in by number, never by id: ids come
 * from a document, and dagre keeps its graph in plain objects.
 */
import { Graph, layout } from '@dagrejs/dagre';
import { type MeasuredNode, type MeasuredText, measureEdge, measureNode } from './measure.js';
import type { Picture } from './picture.js';
import { type Bends, type Box, type Passage, type Point, routes } from './routes.js';

/** Its centre, and what is drawn. */
export interface PlacedNode extends MeasuredNode, Point {}

export interface PlacedEdge {
  readonly line: Line;
  /** Its centre and lines; null where nothing stands at the edge. */
  readonly label: (MeasuredText & Point) | null;
}

/** Of an edge from a node to itself, the corners that it goes round. */
export type Line =
  | { readonly kind: 'passages'; readonly passages: readonly Passage[] }
  | { readonly kind: 'loop'; readonly corners: readonly Point[] };

/** Nodes and edges stand in the order of the picture's. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

const spacing = { nodesep: 30, edgesep: 16, ranksep: 52 } as const;

/** Around everything. */
const margin = 12;

export function layOut(picture: Picture): Layout {
  const measured = picture.nodes.map(measureNode);
  const labels = picture.edges.map(measureEdge);
  const numbers = new Map(picture.nodes.map(({ id }, index) => [id, index]));
  const ends = picture.edges.map(({ from, to }) => [numbers.get(from)!, numbers.get(to)!] as const);
  const graph = runDagre(measured, labels, ends);
  const nodes = measured.map((node, at) => ({ ...node, ...pointOf(graph.node(`n${at}`)) }));
  const edges = ends.map(([from, to], at) => {
    const edge = graph.edge(`n${from}`, `n${to}`, `e${at}`);
    const points = (edge.points as readonly Point[]).map(pointOf);
    const label = labels[at] ?? null;
    const middle = pointOf(edge);
    return { from, to, points, middle, label: label === null ? null : { ...label, ...middle } };
  });
  return fitted(nodes, drawLines(nodes, edges));
}

function runDagre(
  nodes: readonly MeasuredNode[],
  labels: readonly (MeasuredText | null)[],
  ends: readonly (readonly [from: number, to: number])[],
): Graph {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', ...spacing });
  for (const [at, { width, height }] of nodes.entries()) graph.setNode(`n${at}`, { width, height });
  for (const [at, [from, to]] of ends.entries()) {
    const { width, height } = labels[at] ?? { width: 0, height: 0 };
    const edge = { width, height, labelpos: 'c', minlen: 1, weight: 1 };
    graph.setEdge(`n${from}`, `n${to}`, edge, `e${at}`);
  }
  layout(graph);
  return graph;
}

interface BentEdge {
  readonly from: number;
  readonly to: number;
  readonly points: readonly Point[];
  /** Where a label has its room, whether there is one or not. */
  readonly middle: Point;
  readonly label: PlacedEdge['label'];
}

function drawLines(nodes: readonly PlacedNode[], edges: readonly BentEdge[]): PlacedEdge[] {
  const bent = edges.filter(({ from, to }) => from !== to);
  const ways = routes(
    [...nodes, ...edges.flatMap(({ label }) => label ?? [])],
    bent.map(
      ({ from, to, points }): Bends => ({
        from: nodes[from]!,
        to: nodes[to]!,
        bends: points.slice(1, -1),
      }),
    ),
  );
  const lines = new Map(bent.map((edge, at) => [edge, ways[at]!]));
  return edges.map((edge) => {
    const passages = lines.get(edge);
    const line: Line =
      passages === undefined
        ? { kind: 'loop', corners: loopRound(nodes[edge.from]!, edge.middle) }
        : { kind: 'passages', passages };
    return { line, label: edge.label };
  });
}

/** Out of the right side of a box, down past the label, and in again. */
function loopRound({ x, y, width, height }: Box, middle: Point): Point[] {
  const right = rounded(x + width / 2);
  const [upper, lower] = [rounded(y - height / 4), rounded(y + height / 4)];
  return [
    { x: right, y: upper },
    { x: middle.x, y: upper },
    { x: middle.x, y: lower },
    { x: right, y: lower },
  ];
}

/** dagre's coordinates, without the digits that nobody sees. */
function pointOf({ x = 0, y = 0 }: { readonly x?: number; readonly y?: number }): Point {
  return { x: rounded(x), y: rounded(y) };
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The size that everything has room in; what lies left of the margin or above it moves all. */
function fitted(nodes: readonly PlacedNode[], edges: readonly PlacedEdge[]): Layout {
  const boxes: readonly Box[] = [...nodes, ...edges.flatMap(({ label }) => label ?? [])];
  const points = [...boxes.flatMap(cornersOf), ...edges.flatMap(({ line }) => pointsOf(line))];
  const [left, right] = extent(points.map(({ x }) => x));
  const [top, bottom] = extent(points.map(({ y }) => y));
  const by = { x: rounded(margin - left), y: rounded(margin - top) };
  return {
    width: Math.ceil(right + by.x + margin),
    height: Math.ceil(bottom + by.y + margin),
    nodes: nodes.map((node) => ({ ...node, ...moved(node, by) })),
    edges: edges.map(({ line, label }) => ({
      line: movedLine(line, by),
      label: label === null ? null : { ...label, ...moved(label, by) },
    })),
  };
}

function cornersOf({ x, y, width, height }: Box): Point[] {
  return [
    { x: x - width / 2, y: y - height / 2 },
    { x: x + width / 2, y: y + height / 2 },
  ];
}

function pointsOf(line: Line): readonly Point[] {
  if (line.kind === 'loop') return line.corners;
  return line.passages.flatMap(({ x, from, to }) => [
    { x, y: from },
    { x, y: to },
  ]);
}

/** Of none: 0 to 0. */
function extent(values: readonly number[]): readonly [least: number, most: number] {
  let [least, most] = [values[0] ?? 0, values[0] ?? 0];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return [least, most];
}

function moved({ x, y }: Point, by: Point): Point {
  return { x: rounded(x + by.x), y: rounded(y + by.y) };
}

function movedLine(line: Line, by: Point): Line {
  if (line.kind === 'loop') {
    return { kind: 'loop', corners: line.corners.map((corner) => moved(corner, by)) };
  }
  const passages = line.passages.map(({ x, from, to }) => ({
    x: rounded(x + by.x),
    from: rounded(from + by.y),
    to: rounded(to + by.y),
  }));
  return { kind: 'passages', passages };
}
