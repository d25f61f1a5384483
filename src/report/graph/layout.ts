/**
 * Picture → places: ranks from top to bottom, by dagre.
 *
 * The same picture gives the same places. Nodes and edges go in by number, never by id: ids come
 * from a document, and dagre keeps its graph in plain objects.
 *
 * dagre gives a line the middle of each rank that it crosses. Drawn from point to point, a line that
 * travels far to the side would cut the boxes beside it. So a line goes straight down through a rank
 * and its whole height, and sideways only in the gap between two ranks, where no box is.
 */
import { Graph, layout } from '@dagrejs/dagre';
import { append } from '../../graph/lists.js';
import type { Picture, PictureEdge, PictureNode } from './picture.js';
import { noteOf } from './picture.js';
import { type Room, textWidth, wrapText } from './text.js';

export const fonts = { label: 13, caption: 11, edge: 11 } as const;
export const lineHeights = { label: 17, caption: 15, edge: 14 } as const;
/** Between the border of a node and its text. */
export const padding = { x: 12, y: 8 } as const;
/** Of a badge with the number of an assistant, and from one to the next. */
export const badge = { height: 15, step: 3, padding: 4 } as const;

const rooms = {
  node: { width: 170, size: fonts.label, lines: 3, cut: 'middle' },
  exit: { width: 130, size: fonts.label, lines: 2, cut: 'middle' },
  edge: { width: 150, size: fonts.edge, lines: 3, cut: 'end' },
  caption: { width: 170, size: fonts.caption, lines: 1, cut: 'end' },
} as const satisfies Readonly<Record<string, Room>>;

/** Assistants whose numbers are shown; of more, how many there are. */
const mostBadges = 4;
const margin = 12;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** `x` and `y` are its centre. */
interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

export interface Badge {
  readonly text: string;
  readonly width: number;
  /** Null for the rest of many. */
  readonly group: number | null;
}

export interface PlacedNode extends Box {
  readonly lines: readonly string[];
  /** Empty where there is nothing to say. */
  readonly caption: string;
  readonly badges: readonly Badge[];
}

export interface PlacedEdge {
  /** The line and the triangle at its end, as SVG paths. */
  readonly path: string;
  readonly head: string;
  /** Null where nothing stands at the edge. */
  readonly label: (Box & { readonly lines: readonly string[] }) | null;
}

/** Nodes and edges stand in the order of the picture's. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

export function layOut(picture: Picture): Layout {
  const measured = picture.nodes.map(measureNode);
  const labels = picture.edges.map(measureEdge);
  const numbers = new Map(picture.nodes.map(({ id }, index) => [id, index]));
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 30, edgesep: 16, ranksep: 52 });
  for (const [at, { width, height }] of measured.entries()) {
    graph.setNode(`n${at}`, { width, height });
  }
  const ends = picture.edges.map(({ from, to }) => [numbers.get(from)!, numbers.get(to)!] as const);
  for (const [at, [from, to]] of ends.entries()) {
    const { width, height } = labels[at] ?? { width: 0, height: 0 };
    const edge = { width, height, labelpos: 'c', minlen: 1, weight: 1 };
    graph.setEdge(`n${from}`, `n${to}`, edge, `e${at}`);
  }
  layout(graph);
  const nodes = measured.map((node, at) => ({ ...node, ...pointOf(graph.node(`n${at}`)) }));
  const edges = ends.map(([from, to], at) => {
    const edge = graph.edge(`n${from}`, `n${to}`, `e${at}`);
    const points = edge.points as readonly Point[];
    const label = labels[at] ?? null;
    return {
      from: nodes[from]!,
      to: nodes[to]!,
      bends: points.slice(1, -1).map(pointOf),
      middle: pointOf(edge),
      label: label === null ? null : { ...label, ...pointOf(edge) },
    };
  });
  return draw(nodes, edges);
}

/** dagre's coordinates, without the digits that nobody sees. */
function pointOf({ x = 0, y = 0 }: Partial<Point>): Point {
  return { x: tenth(x), y: tenth(y) };
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}

function measureNode(node: PictureNode): Omit<PlacedNode, 'x' | 'y'> {
  const isSmall = node.kind === 'exit' || node.kind === 'anywhere';
  const lines = wrapText(node.label, isSmall ? rooms.exit : rooms.node);
  const [caption = ''] = wrapText(noteOf(node, ' · '), rooms.caption);
  const badges = badgesOf(node);
  const top = badgesWidth(badges) + (caption === '' ? 0 : textWidth(caption, fonts.caption) + 4);
  const widths = lines.map((line) => textWidth(line, fonts.label));
  const captionHeight = top > 0 ? lineHeights.caption : 0;
  return {
    width: Math.ceil(Math.max(30, top, ...widths) + 2 * padding.x),
    height: lines.length * lineHeights.label + captionHeight + 2 * padding.y,
    lines,
    caption,
    badges,
  };
}

function badgesOf({ groups }: PictureNode): Badge[] {
  const shown = groups.length > mostBadges ? groups.slice(0, mostBadges - 1) : groups;
  const hidden = groups.length - shown.length;
  const texts: (readonly [string, number | null])[] = [
    ...shown.map((group) => [String(group + 1), group] as const),
    ...(hidden === 0 ? [] : [[`+${hidden}`, null] as const]),
  ];
  return texts.map(([text, group]) => {
    const width = Math.max(badge.height, textWidth(text, fonts.caption) + 2 * badge.padding);
    return { text, width: Math.ceil(width), group };
  });
}

export function badgesWidth(badges: readonly Badge[]): number {
  return badges.reduce((sum, { width }) => sum + width + badge.step, 0);
}

function measureEdge({ label }: PictureEdge) {
  const lines = wrapText(label, rooms.edge);
  if (lines.length === 0) return null;
  const width = Math.max(...lines.map((line) => textWidth(line, fonts.edge)));
  return { width: Math.ceil(width) + 8, height: lines.length * lineHeights.edge + 4, lines };
}

interface BentEdge {
  readonly from: PlacedNode;
  readonly to: PlacedNode;
  /** In the middle of each rank between its ends. */
  readonly bends: readonly Point[];
  /** Where a label has its room, whether there is one or not. */
  readonly middle: Point;
  readonly label: PlacedEdge['label'];
}

/** All of it moved to the margins, as a line may run left of all boxes. */
function draw(nodes: readonly PlacedNode[], edges: readonly BentEdge[]): Layout {
  const boxes: Box[] = [...nodes, ...edges.flatMap(({ label }) => label ?? [])];
  for (const { x, y } of edges.flatMap(({ bends }) => bends)) {
    boxes.push({ x, y, width: 0, height: 0 });
  }
  const [left, right] = extent(boxes, ({ x, width }) => [x - width / 2, x + width / 2]);
  const [top, bottom] = extent(boxes, ({ y, height }) => [y - height / 2, y + height / 2]);
  const move = <Place extends Point>(place: Place): Place => ({
    ...place,
    x: tenth(place.x - left + margin),
    y: tenth(place.y - top + margin),
  });
  const moved = new Map(nodes.map((node) => [node, move(node)]));
  const placed = edges.map(
    (edge): BentEdge => ({
      from: moved.get(edge.from)!,
      to: moved.get(edge.to)!,
      bends: edge.bends.map(move),
      middle: move(edge.middle),
      label: edge.label && move(edge.label),
    }),
  );
  return {
    width: Math.ceil(right - left + 2 * margin),
    height: Math.ceil(bottom - top + 2 * margin),
    nodes: [...moved.values()],
    edges: drawEdges([...moved.values()], placed),
  };
}

/** Of none: 0 to 0. */
function extent(boxes: readonly Box[], rangeOf: (box: Box) => readonly [number, number]) {
  let [least, most] = boxes[0] === undefined ? [0, 0] : rangeOf(boxes[0]);
  for (const box of boxes) {
    const [from, to] = rangeOf(box);
    least = Math.min(least, from);
    most = Math.max(most, to);
  }
  return [least, most] as const;
}

function drawEdges(nodes: readonly PlacedNode[], edges: readonly BentEdge[]): PlacedEdge[] {
  // The greatest height among the boxes of each rank, by the middle of the rank.
  const heights = new Map<number, number>();
  for (const { y, height } of [...nodes, ...edges.flatMap(({ label }) => label ?? [])]) {
    heights.set(y, Math.max(heights.get(y) ?? 0, height));
  }
  const ports = portsOf(edges);
  return edges.map((edge) => {
    const { from, to, bends, label } = edge;
    if (from === to) return { ...loop(from, edge.middle), label };
    const sign = from.y < to.y ? 1 : -1;
    const half = (y: number, fallback: number) => (sign * (heights.get(y) ?? fallback)) / 2;
    const start = from.y + (sign * from.height) / 2;
    const tip = to.y - (sign * to.height) / 2;
    const ranks = bends.map(({ x, y }) => ({ x, from: y - half(y, 0), to: y + half(y, 0) }));
    const passages = [
      { x: ports.out.get(edge)!, from: start, to: from.y + half(from.y, from.height) },
      ...ranks,
      { x: ports.into.get(edge)!, from: to.y - half(to.y, to.height), to: tip - sign * overlap },
    ];
    return { ...line(passages, tip, sign), label };
  });
}

/** The line ends inside of its head, whose tip would be blunt otherwise. */
const head = { length: 9, half: 4 } as const;
const overlap = head.length - 2;

/** A straight part through a rank; `from` is the end that the line comes to first. */
interface Passage {
  readonly x: number;
  readonly from: number;
  readonly to: number;
}

/** Straight through ranks; it leaves and arrives straight, and goes sideways in between. */
function line(passages: readonly Passage[], tip: number, sign: number) {
  const [first] = passages as [Passage];
  let path = `M${tenth(first.x)} ${tenth(first.from)}`;
  let [x, y, drawn] = [first.x, first.from, first.from];
  for (const next of passages) {
    if (next.x !== x) {
      const middle = tenth((y + next.from) / 2);
      if (y !== drawn) path += `V${tenth(y)}`;
      path += `C${tenth(x)} ${middle} ${tenth(next.x)} ${middle} ${tenth(next.x)} ${tenth(next.from)}`;
      drawn = next.from;
    }
    [x, y] = [next.x, next.to];
  }
  if (y !== drawn) path += `V${tenth(y)}`;
  const base = tenth(tip - sign * head.length);
  const sides = `L${tenth(x - head.half)} ${base}L${tenth(x + head.half)} ${base}`;
  return { path, head: `M${tenth(x)} ${tenth(tip)}${sides}Z` };
}

/** Out of the right side of a box, round the middle of the label, and in again. */
function loop({ x, y, width, height }: Box, middle: Point) {
  const right = x + width / 2;
  const [upper, lower] = [tenth(y - height / 4), tenth(y + height / 4)];
  const far = tenth((4 * middle.x - right) / 3);
  const end = tenth(right + overlap);
  const base = tenth(right + head.length);
  return {
    path: `M${tenth(right)} ${upper}C${far} ${upper} ${far} ${lower} ${end} ${lower}`,
    head: `M${tenth(right)} ${lower}L${base} ${lower - head.half}L${base} ${lower + head.half}Z`,
  };
}

/** An end of an edge at the upper or the lower side of a box, and where the edge comes from. */
interface End {
  readonly edge: BentEdge;
  readonly which: 'out' | 'into';
  readonly box: Box;
  readonly towards: number;
}

/** The ends at one side of a box share its width, in the order in which their lines come. */
function portsOf(edges: readonly BentEdge[]) {
  const sides = { upper: new Map<Box, End[]>(), lower: new Map<Box, End[]>() };
  for (const edge of edges) {
    const { from, to, bends } = edge;
    if (from === to) continue;
    const [side, other] =
      from.y < to.y ? (['lower', 'upper'] as const) : (['upper', 'lower'] as const);
    const [first = to, last = from] = [bends[0], bends.at(-1)];
    append(sides[side], from, { edge, which: 'out', box: from, towards: first.x });
    append(sides[other], to, { edge, which: 'into', box: to, towards: last.x });
  }
  const ports = { out: new Map<BentEdge, number>(), into: new Map<BentEdge, number>() };
  for (const ends of [...sides.upper.values(), ...sides.lower.values()]) {
    const ordered = [...ends].sort((a, b) => a.towards - b.towards);
    for (const [at, { edge, which, box }] of ordered.entries()) {
      const x = box.x + box.width * ((at + 1) / (ends.length + 1) - 0.5);
      ports[which].set(edge, tenth(x));
    }
  }
  return ports;
}
