/**
 * Where the lines of a layout run.
 *
 * dagre gives a line the middle of each rank that it crosses. Drawn from point to point, a line that
 * travels far to the side would cut the boxes beside it. So a line goes straight down through a rank
 * and its whole height, and sideways only in the gap between two ranks, where no box is.
 */

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

/** A straight part, through a rank; `from` is the end that the line comes to first. */
export interface Passage {
  readonly x: number;
  readonly from: number;
  readonly to: number;
}

/** An edge with the bends that the layout gave it, without those at its ends. */
export interface Bends {
  readonly from: Box;
  readonly to: Box;
  readonly bends: readonly Point[];
}

/** The passages of each edge; the first begins and the last ends at a box. */
export function routes(boxes: readonly Box[], edges: readonly Bends[]): Passage[][] {
  const heights = bandsOf(boxes);
  const ports = portsOf(edges);
  return edges.map(({ from, to, bends }, index) => {
    const down = from.y < to.y;
    const inner = bends.map((bend) => passage(bend.x, bend.y, heights.get(bend.y) ?? 0, down));
    const { out, into } = ports[index]!;
    const sign = down ? 1 : -1;
    const leave = from.y + (sign * (heights.get(from.y) ?? from.height)) / 2;
    const arrive = to.y - (sign * (heights.get(to.y) ?? to.height)) / 2;
    return joined([
      { x: out, from: from.y + (sign * from.height) / 2, to: leave },
      ...inner,
      { x: into, from: arrive, to: to.y - (sign * to.height) / 2 },
    ]);
  });
}

/** The greatest height among the boxes of each rank, by the middle of the rank. */
function bandsOf(boxes: readonly Box[]): Map<number, number> {
  const heights = new Map<number, number>();
  for (const { y, height } of boxes) heights.set(y, Math.max(heights.get(y) ?? 0, height));
  return heights;
}

function passage(x: number, y: number, height: number, down: boolean): Passage {
  const half = (down ? height : -height) / 2;
  return { x, from: y - half, to: y + half };
}

/** Passages that follow each other in one line are one. */
function joined(passages: readonly Passage[]): Passage[] {
  const lines: Passage[] = [];
  for (const next of passages) {
    const last = lines[lines.length - 1];
    if (last !== undefined && last.x === next.x) lines[lines.length - 1] = { ...last, to: next.to };
    else lines.push(next);
  }
  return lines;
}

interface Ports {
  readonly out: number;
  readonly into: number;
}

/** An end of an edge at the upper or the lower side of a box, and where the edge comes from. */
interface End {
  readonly edge: number;
  readonly which: keyof Ports;
  readonly box: Box;
  readonly towards: number;
}

/** The ends at one side of a box share its width, in the order in which their lines come. */
function portsOf(edges: readonly Bends[]): Ports[] {
  const sides = new Map<Box, { readonly lower: End[]; readonly upper: End[] }>();
  const note = (end: End, isLower: boolean) => {
    const side = sides.get(end.box) ?? { lower: [], upper: [] };
    sides.set(end.box, side);
    (isLower ? side.lower : side.upper).push(end);
  };
  for (const [edge, { from, to, bends }] of edges.entries()) {
    const down = from.y < to.y;
    const [first = to, last = from] = [bends[0], bends[bends.length - 1]];
    note({ edge, which: 'out', box: from, towards: first.x }, down);
    note({ edge, which: 'into', box: to, towards: last.x }, !down);
  }
  const ports = edges.map(() => ({ out: 0, into: 0 }));
  for (const { lower, upper } of sides.values()) {
    for (const ends of [lower, upper]) share(ends, ports);
  }
  return ports;
}

/** A single end lies in the middle. */
function share(ends: readonly End[], ports: Record<keyof Ports, number>[]): void {
  const ordered = [...ends].sort((a, b) => a.towards - b.towards || a.edge - b.edge);
  for (const [at, { edge, which, box }] of ordered.entries()) {
    const x = box.x + box.width * ((at + 1) / (ends.length + 1) - 0.5);
    ports[edge]![which] = Math.round(x * 10) / 10;
  }
}
