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
