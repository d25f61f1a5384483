/** The lines of a picture as SVG paths. */
import type { Line } from './layout.js';
import type { Passage, Point } from './routes.js';

const head = { length: 9, half: 4 } as const;

/** Straight through ranks, in a curve from one passage to the next; round corners for a loop. */
export function linePath(line: Line): string {
  return line.kind === 'loop' ? loopPath(line.corners) : passagesPath(line.passages);
}

/** A triangle at the end of the line. */
export function headPath(line: Line): string {
  const { tip, direction } = endOf(line);
  const base = { x: tip.x - direction.x * head.length, y: tip.y - direction.y * head.length };
  const side = (by: number) => ({ x: base.x - direction.y * by, y: base.y + direction.x * by });
  return `M${text(tip)}L${text(side(head.half))}L${text(side(-head.half))}Z`;
}

/** The line ends inside of its head, whose tip would be blunt otherwise. */
const overlap = head.length - 2;

function passagesPath(passages: readonly Passage[]): string {
  const parts = passages.map(({ x, from, to }, at) => {
    const before = passages[at - 1];
    const start = before === undefined ? `M${text({ x, y: from })}` : curve(before, { x, y: from });
    const end = at === passages.length - 1 ? to - Math.sign(downOf(passages)) * overlap : to;
    return end === from ? start : `${start}V${tenth(end)}`;
  });
  return parts.join('');
}

/** Leaves and arrives straight; all of its way to the side lies between the two ranks. */
function curve(before: Passage, { x, y }: Point): string {
  const middle = (before.to + y) / 2;
  return `C${text({ x: before.x, y: middle })} ${text({ x, y: middle })} ${text({ x, y })}`;
}

/** 1 where the line goes down, -1 where it goes up. */
function downOf(passages: readonly Passage[]): number {
  const [first, last] = [passages[0]!, passages[passages.length - 1]!];
  return last.to >= first.from ? 1 : -1;
}

function endOf(line: Line): { readonly tip: Point; readonly direction: Point } {
  if (line.kind === 'passages') {
    const { x, to } = line.passages[line.passages.length - 1]!;
    return { tip: { x, y: to }, direction: { x: 0, y: downOf(line.passages) } };
  }
  const tip = line.corners[line.corners.length - 1]!;
  const before = line.corners.findLast(({ x, y }) => x !== tip.x || y !== tip.y) ?? tip;
  const [dx, dy] = [tip.x - before.x, tip.y - before.y];
  const length = Math.hypot(dx, dy) || 1;
  return { tip, direction: { x: dx / length, y: dy / length } };
}

/** Along its corners, each of them rounded. */
function loopPath(corners: readonly Point[]): string {
  const [first, ...rest] = corners;
  const turns = rest.slice(0, -1).map((corner, at) => {
    const before = towards(corner, corners[at]!);
    return `L${text(before)}Q${text(corner)} ${text(towards(corner, rest[at + 1]!))}`;
  });
  const end = towards(corners[corners.length - 1]!, corners[corners.length - 2]!, overlap);
  return `M${text(first!)}${turns.join('')}L${text(end)}`;
}

/** From a corner a little on the way to the next, at most half of it. */
function towards(corner: Point, next: Point, by = 8): Point {
  const [dx, dy] = [next.x - corner.x, next.y - corner.y];
  const length = Math.hypot(dx, dy) || 1;
  const part = Math.min(by, length / 2) / length;
  return { x: corner.x + dx * part, y: corner.y + dy * part };
}

function text({ x, y }: Point): string {
  return `${tenth(x)} ${tenth(y)}`;
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
