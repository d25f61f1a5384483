/**
 * Picture → coordinates: ranks from top to bottom, by dagre.
 *
 * dagre gives each line one point in every rank that it crosses. Drawn from point to point, a line
 * would cut the boxes beside it. So a line runs straight down through a rank, and moves sideways only
 * in the gap between two ranks, where there are no boxes.
 */
import { Graph, layout } from '@dagrejs/dagre';
import { append } from '../../graph/lists.js';
import { noteOf, type Picture, type PictureNode } from './picture.js';
import { type Room, textWidth, wrapText } from './text.js';

export const fonts = { label: 13, caption: 11, edge: 11 } as const;
export const lineHeights = { label: 17, caption: 15, edge: 14 } as const;
/** Between the border of a node and its text. */
export const padding = { x: 12, y: 8 } as const;
/** The number of an assistant; `step` is the gap to the next one. */
export const badge = { height: 15, step: 3, padding: 4 } as const;

const rooms = {
  node: { width: 170, size: fonts.label, lines: 3, cut: 'middle' },
  exit: { width: 130, size: fonts.label, lines: 2, cut: 'middle' },
  edge: { width: 150, size: fonts.edge, lines: 3, cut: 'end' },
  caption: { width: 170, size: fonts.caption, lines: 1, cut: 'end' },
} as const satisfies Readonly<Record<string, Room>>;

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

export type PlacedNode = ReturnType<typeof measureNode> & Point;
export type PlacedLabel = ReturnType<typeof measureLabel> & Point;

/**
 * The frame, whose `x` and `y` are its upper left corner, and the nodes and edges in the order of the
 * picture. The line of an edge and its arrowhead are SVG paths.
 */
export function layOut(picture: Picture) {
  const numbers = new Map(picture.nodes.map(({ id }, index) => [id, index]));
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 30, edgesep: 16, ranksep: 52 });
  // Numbers, not ids, which come from a document: dagre keeps its graph in plain objects.
  const shapes = picture.nodes.map(measureNode);
  for (const [at, { width, height }] of shapes.entries()) {
    graph.setNode(`n${at}`, { width, height });
  }
  const edges = picture.edges.map(({ from, to, label }, at) => {
    const [source, target] = [numbers.get(from)!, numbers.get(to)!];
    const ends = { v: `n${source}`, w: `n${target}`, name: `e${at}` };
    return { source, target, ends, label: measureLabel(label) };
  });
  for (const { ends, label } of edges) {
    const { width, height } = label;
    graph.setEdge(ends, { width, height, labelpos: 'c', minlen: 1, weight: 1 });
  }
  layout(graph);
  const nodes = shapes.map((shape, at) => ({ ...shape, ...pointOf(graph.node(`n${at}`)) }));
  const lines = edges.map(({ source, target, ends, label }): Line => {
    const edge = graph.edge(ends);
    return {
      from: nodes[source]!,
      to: nodes[target]!,
      bends: edge.points.slice(1, -1).map(pointOf),
      label: { ...label, ...pointOf(edge) },
    };
  });
  return { ...frameOf(nodes, lines), nodes, edges: drawLines(nodes, lines) };
}

/** Without the digits that nobody can see. */
export function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}

function pointOf({ x = 0, y = 0 }: Partial<Point>): Point {
  return { x: tenth(x), y: tenth(y) };
}

function measureNode(node: PictureNode) {
  const isSmall = node.kind === 'exit' || node.kind === 'anywhere';
  const lines = wrapText(node.label, isSmall ? rooms.exit : rooms.node);
  const [caption = ''] = wrapText(noteOf(node, ' · '), rooms.caption);
  const badges = badgesOf(node.groups);
  const top = badgesWidth(badges) + (caption === '' ? 0 : textWidth(caption, fonts.caption) + 4);
  const widths = lines.map((line) => textWidth(line, fonts.label));
  return {
    width: Math.ceil(Math.max(30, top, ...widths) + 2 * padding.x),
    height: lines.length * lineHeights.label + (top > 0 ? lineHeights.caption : 0) + 2 * padding.y,
    lines,
    caption,
    badges,
  };
}

/** The numbers of the assistants; null for “+5”, the number of those that are not shown. */
function badgesOf(groups: PictureNode['groups']) {
  const shown = groups.length > mostBadges ? groups.slice(0, mostBadges - 1) : groups;
  const badgeOf = (text: string, group: number | null) => {
    const width = Math.max(badge.height, textWidth(text, fonts.caption) + 2 * badge.padding);
    return { text, width: Math.ceil(width), group };
  };
  const badges = shown.map((group) => badgeOf(String(group + 1), group));
  const hidden = groups.length - shown.length;
  return hidden === 0 ? badges : [...badges, badgeOf(`+${hidden}`, null)];
}

export function badgesWidth(badges: ReturnType<typeof badgesOf>): number {
  return badges.reduce((sum, { width }) => sum + width + badge.step, 0);
}

/** Without lines if there is no label; its place is known all the same. */
function measureLabel(text: string) {
  const lines = wrapText(text, rooms.edge);
  if (lines.length === 0) return { width: 0, height: 0, lines };
  const width = Math.max(...lines.map((line) => textWidth(line, fonts.edge)));
  return { width: Math.ceil(width) + 8, height: lines.length * lineHeights.edge + 4, lines };
}

/** An edge with one bend in the middle of each rank between its ends. */
interface Line {
  readonly from: PlacedNode;
  readonly to: PlacedNode;
  readonly bends: readonly Point[];
  readonly label: PlacedLabel;
}

/** Everything that is drawn, with a margin; a line may run beyond the outermost box. */
function frameOf(nodes: readonly Box[], lines: readonly Line[]): Box {
  const bends = lines.flatMap((line) => line.bends.map((at) => ({ ...at, width: 0, height: 0 })));
  const boxes = [{ x: 0, y: 0, width: 0, height: 0 }, ...nodes, ...bends];
  boxes.push(...lines.map(({ label }) => label));
  const [left, right, top, bottom] = [
    Math.min(...boxes.map(({ x, width }) => x - width / 2)),
    Math.max(...boxes.map(({ x, width }) => x + width / 2)),
    Math.min(...boxes.map(({ y, height }) => y - height / 2)),
    Math.max(...boxes.map(({ y, height }) => y + height / 2)),
  ];
  return {
    x: Math.floor(left - margin),
    y: Math.floor(top - margin),
    width: Math.ceil(right - left + 2 * margin) + 1,
    height: Math.ceil(bottom - top + 2 * margin) + 1,
  };
}

function drawLines(nodes: readonly Box[], lines: readonly Line[]) {
  // A rank is as high as its highest box. All boxes of a rank have the same centre.
  const heights = new Map<number, number>();
  for (const { y, height } of [...nodes, ...lines.map(({ label }) => label)]) {
    heights.set(y, Math.max(heights.get(y) ?? 0, height));
  }
  const ports = portsOf(lines);
  return lines.map((line) => {
    const { from, to, bends, label } = line;
    if (from === to) return { ...drawLoop(from, label), label };
    const sign = from.y < to.y ? 1 : -1;
    const half = (y: number) => (sign * (heights.get(y) ?? 0)) / 2;
    const tip = to.y - (sign * to.height) / 2;
    const straights = [
      {
        x: ports.out.get(line)!,
        from: from.y + (sign * from.height) / 2,
        to: from.y + half(from.y),
      },
      ...bends.map(({ x, y }) => ({ x, from: y - half(y), to: y + half(y) })),
      { x: ports.into.get(line)!, from: to.y - half(to.y), to: tip - sign * overlap },
    ];
    return { ...drawLine(straights, tip, sign), label };
  });
}

/** The line ends inside its arrowhead: it is too wide for the tip. */
const head = { length: 9, half: 4 } as const;
const overlap = head.length - 2;

interface Straight {
  readonly x: number;
  readonly from: number;
  readonly to: number;
}

/** The straight parts, with a curve from each to the next. */
function drawLine(straights: readonly Straight[], tip: number, sign: number) {
  let path = '';
  for (const [at, { x, from, to }] of straights.entries()) {
    const before = straights[at - 1];
    if (before === undefined) path += `M${tenth(x)} ${tenth(from)}`;
    else if (before.x !== x) {
      const middle = tenth((before.to + from) / 2);
      path += `C${tenth(before.x)} ${middle} ${tenth(x)} ${middle} ${tenth(x)} ${tenth(from)}`;
    }
    path += `V${tenth(to)}`;
  }
  const { x } = straights.at(-1)!;
  const base = tenth(tip - sign * head.length);
  const sides = `L${tenth(x - head.half)} ${base}L${tenth(x + head.half)} ${base}`;
  return { path, head: `M${tenth(x)} ${tenth(tip)}${sides}Z` };
}

/** Out of the right side of the box, around the centre of the label, and back in. */
function drawLoop({ x, y, width, height }: Box, label: Point) {
  const right = x + width / 2;
  const [upper, lower] = [tenth(y - height / 4), tenth(y + height / 4)];
  const far = tenth((4 * label.x - right) / 3);
  const base = tenth(right + head.length);
  return {
    path: `M${tenth(right)} ${upper}C${far} ${upper} ${far} ${lower} ${tenth(right + overlap)} ${lower}`,
    head: `M${tenth(right)} ${lower}L${base} ${lower - head.half}L${base} ${lower + head.half}Z`,
  };
}

/** Lines at the same side of a box share its width, in the order of where they come from. */
function portsOf(lines: readonly Line[]) {
  type End = { readonly line: Line; readonly end: 'out' | 'into'; readonly towards: number };
  const [top, bottom] = [new Map<Box, End[]>(), new Map<Box, End[]>()];
  for (const line of lines) {
    const { from, to, bends } = line;
    if (from === to) continue;
    const [leaves, arrives] = from.y < to.y ? [bottom, top] : [top, bottom];
    append(leaves, from, { line, end: 'out', towards: (bends[0] ?? to).x });
    append(arrives, to, { line, end: 'into', towards: (bends.at(-1) ?? from).x });
  }
  const ports = { out: new Map<Line, number>(), into: new Map<Line, number>() };
  for (const [{ x, width }, ends] of [...top, ...bottom]) {
    ends.sort((a, b) => a.towards - b.towards);
    for (const [at, { line, end }] of ends.entries()) {
      ports[end].set(line, tenth(x + width * ((at + 1) / (ends.length + 1) - 0.5)));
    }
  }
  return ports;
}
