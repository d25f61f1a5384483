/** The shapes of the two pictures, the texts beside them, and what belongs to what. */

export interface Spots {
  readonly labels: Labels;
  readonly shapes: ReadonlyMap<string, readonly Element[]>;
  /** Elements that are no shapes, by the ids that they are about. */
  readonly texts: ReadonlyMap<string, readonly Element[]>;
}

/** Names of edges and handoffs, by their places; a picture has their conditions alone. */
type Labels = Readonly<Record<string, string>>;

/** Looks for them once; the page does not change. */
export function findSpots(): Spots {
  const labels: Labels = JSON.parse(document.querySelector('#labels')?.textContent ?? '{}');
  const spots = {
    labels,
    shapes: new Map<string, Element[]>(),
    texts: new Map<string, Element[]>(),
  };
  const put = (map: Map<string, Element[]>, id: string, element: Element) => {
    map.set(id, [...(map.get(id) ?? []), element]);
  };
  for (const shape of document.querySelectorAll('svg [data-id]'))
    put(spots.shapes, idOf(shape), shape);
  for (const text of document.querySelectorAll('[data-links]:not([data-id])')) {
    for (const id of linksOf(text)) put(spots.texts, id, text);
  }
  return spots;
}

export function picturesOf(): SVGElement[] {
  return [...document.querySelectorAll<SVGElement>('.canvas svg')];
}

/** One of each id: an edge and what is written at it are one thing. */
export function shapesIn(svg: Element | null): Element[] {
  const all = [...(svg?.querySelectorAll('[data-id]') ?? [])];
  return [...new Map(all.reverse().map((shape) => [idOf(shape), shape])).values()].reverse();
}

/** What has the id of the element where it is a shape, else the shapes that it is about. */
export function shapesOf(spots: Spots, element: Element): Element[] {
  const ids = isShape(element) ? [idOf(element)] : linksOf(element);
  return ids.flatMap((id) => spots.shapes.get(id) ?? []);
}

export function partnersOf({ shapes }: Spots, shape: Element): Element[] {
  return linksOf(shape).flatMap((id) => shapes.get(id) ?? []);
}

function linksOf(element: Element): string[] {
  return (element.getAttribute('data-links') ?? '').split(' ').filter((id) => id !== '');
}

export function idOf(shape: Element): string {
  return shape.getAttribute('data-id') ?? '';
}

export function isShape(element: Element): boolean {
  return element.hasAttribute('data-id');
}

export function isLink(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('a[data-links]') !== null;
}

export function labelOf({ labels }: Spots, shape: Element): string {
  const id = idOf(shape);
  const title = shape.querySelector('title')?.textContent?.trim().replace(/\s+/g, ' ') ?? '';
  const name = Object.hasOwn(labels, id) ? (labels[id] ?? '') : '';
  return [name, title].filter((text) => text !== '').join(': ') || 'unnamed';
}

/** Moves what is in a box, not the page; a picture with one of them in sight stays as it is. */
export function bringIntoSight(shapes: readonly Element[], behavior: ScrollBehavior): void {
  for (const box of document.querySelectorAll('.canvas')) {
    const own = shapes.filter((shape) => box.contains(shape));
    const [first] = own;
    if (first === undefined || own.some((shape) => isInSight(shape, box))) continue;
    const [at, around] = [first.getBoundingClientRect(), box.getBoundingClientRect()];
    box.scrollBy({
      left: (at.left + at.right - around.left - around.right) / 2,
      top: (at.top + at.bottom - around.top - around.bottom) / 2,
      behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : behavior,
    });
  }
}

function isInSight(shape: Element, box: Element): boolean {
  const [at, around] = [shape.getBoundingClientRect(), box.getBoundingClientRect()];
  const isBeside = at.left < around.left || at.right > around.right;
  return !isBeside && at.top >= around.top && at.bottom <= around.bottom;
}

export type Way = 'up' | 'down' | 'left' | 'right';

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The shape, or null where none lies that way. */
export function shapeFrom(shape: Element, all: readonly Element[], way: Way): Element | null {
  const from = shape.getBoundingClientRect();
  const boxes = all.map((each) => ({ each, cost: cost(from, each.getBoundingClientRect(), way) }));
  const reached = boxes.filter(({ each, cost }) => each !== shape && cost !== null);
  const best = reached.reduce<(typeof reached)[number] | null>(
    (near, it) => (near === null || it.cost! < near.cost! ? it : near),
    null,
  );
  return best?.each ?? null;
}

/** How far it is; to go aside counts twice. Null where it lies another way. */
function cost(from: Box, to: Box, way: Way): number | null {
  const dx = (to.left + to.right - from.left - from.right) / 2;
  const dy = (to.top + to.bottom - from.top - from.bottom) / 2;
  const [ahead, aside] = {
    up: [-dy, dx],
    down: [dy, dx],
    left: [-dx, dy],
    right: [dx, dy],
  }[way] as [number, number];
  return ahead > 1 ? ahead + 2 * Math.abs(aside) : null;
}
