/**
 * The two pictures and the texts below: point at one thing, and what belongs to it lights up.
 *
 * Shapes have an id (`data-id`) and the ids of the other side (`data-links`); texts have the ids of
 * the shapes that they are about. Of the places where the reader is, the pointer counts first, then
 * the focus, then what was kept.
 */

/** Until the signal ends it: what is shown is replaced. */
export function linkPictures(signal: AbortSignal): void {
  const spots = findSpots();
  if (spots.pictures.length === 0) return;
  const reader: Record<'pointed' | 'focused' | 'kept', Element | null> = {
    pointed: null,
    focused: null,
    kept: null,
  };
  for (const svg of spots.pictures) prepare(svg, spots);
  const show = () => light(spots, reader.pointed ?? reader.focused ?? reader.kept);
  const at = (target: EventTarget | null) =>
    target instanceof Element ? target.closest('[data-id], [data-links]') : null;
  const follow = (key: 'pointed' | 'focused', element: Element | null) => {
    if (reader[key] === element) return;
    reader[key] = element;
    show();
  };
  const keep = (element: Element | null) => {
    reader.kept = element === reader.kept ? null : element;
    show();
  };
  const until = { signal };
  addEventListener('pointerover', ({ target }) => follow('pointed', at(target)), until);
  document.documentElement.addEventListener('pointerleave', () => follow('pointed', null), until);
  addEventListener('focusin', ({ target }) => follow('focused', at(target)), until);
  addEventListener('focusout', () => follow('focused', null), until);
  addEventListener(
    'click',
    (event) => {
      const element = at(event.target);
      const link = (event.target as Element).closest('a[data-links]');
      if (element === null || !(isShape(element) || link !== null)) return;
      // To the shape itself: it may be far below the place that the address of the link means.
      const [shape] = isShape(element) ? [] : shapesOf(spots, element);
      if (shape !== undefined) {
        event.preventDefault();
        shape.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      }
      keep(element);
    },
    until,
  );
  addEventListener(
    'keydown',
    (event) => {
      const shape = event.target as Element;
      if (event.key === 'Escape') {
        reader.kept = null;
        show();
      } else if (shape instanceof Element && isShape(shape)) {
        const isKept = event.key === 'Enter' || event.key === ' ';
        if (isKept) keep(shape);
        else if (!moveFrom(shape, event.key)) return;
        event.preventDefault();
      }
    },
    until,
  );
}

interface Spots {
  readonly pictures: readonly SVGElement[];
  /** Names of edges and handoffs, by their places; a picture has their conditions alone. */
  readonly labels: Readonly<Record<string, string>>;
  readonly shapes: ReadonlyMap<string, readonly Element[]>;
  /** Elements that are no shapes, by the ids that they are about. */
  readonly texts: ReadonlyMap<string, readonly Element[]>;
}

function findSpots(): Spots {
  const labels = JSON.parse(document.querySelector('#labels')?.textContent ?? '{}');
  const shapes = new Map<string, Element[]>();
  const texts = new Map<string, Element[]>();
  const put = (map: Map<string, Element[]>, id: string, element: Element) => {
    const known = map.get(id);
    if (known === undefined) map.set(id, [element]);
    else known.push(element);
  };
  for (const shape of document.querySelectorAll('svg [data-id]')) put(shapes, idOf(shape), shape);
  for (const text of document.querySelectorAll('[data-links]:not([data-id])')) {
    for (const id of linksOf(text)) put(texts, id, text);
  }
  const pictures = [...document.querySelectorAll<SVGElement>('.canvas svg')];
  return { pictures, labels, shapes, texts };
}

/** One of each id: an edge and what is written at it are one thing. */
function shapesIn(svg: Element | null): Element[] {
  const shapes = new Map<string, Element>();
  for (const shape of svg?.querySelectorAll('[data-id]') ?? []) {
    if (!shapes.has(idOf(shape))) shapes.set(idOf(shape), shape);
  }
  return [...shapes.values()];
}

/** What has the id of the element where it is a shape, else the shapes that it is about. */
function shapesOf(spots: Spots, element: Element): Element[] {
  const ids = isShape(element) ? [idOf(element)] : linksOf(element);
  return ids.flatMap((id) => spots.shapes.get(id) ?? []);
}

function partnersOf({ shapes }: Spots, shape: Element): Element[] {
  return linksOf(shape).flatMap((id) => shapes.get(id) ?? []);
}

function linksOf(element: Element): string[] {
  return (element.getAttribute('data-links') ?? '').split(' ').filter((id) => id !== '');
}

function idOf(shape: Element): string {
  return shape.getAttribute('data-id') ?? '';
}

function isShape(element: Element): boolean {
  return element.hasAttribute('data-id');
}

function labelOf({ labels }: Spots, shape: Element): string {
  const id = idOf(shape);
  const title = shape.querySelector('title')?.textContent?.trim().replace(/\s+/g, ' ') ?? '';
  const name = Object.hasOwn(labels, id) ? (labels[id] ?? '') : '';
  return [name, title].filter((text) => text !== '').join(': ') || 'unnamed';
}

/** A picture is a group whose shapes can be reached; what one is called begins with what it shows. */
function prepare(svg: SVGElement, spots: Spots): void {
  for (const [index, shape] of shapesIn(svg).entries()) {
    shape.setAttribute('tabindex', index === 0 ? '0' : '-1');
    shape.setAttribute('role', 'button');
    const shown = [...shape.querySelectorAll('text')].map((text) => text.textContent).join(' ');
    const label = labelOf(spots, shape);
    const name = shown.includes('…') ? `${shown}: ${label}` : shown || label;
    const linked = partnersOf(spots, shape).map((partner) => labelOf(spots, partner));
    const more = linked.length === 0 ? '' : `; belongs to ${list(linked)}`;
    shape.setAttribute('aria-label', `${name}${more}`);
  }
}

/** Whether the key leads to another shape, which is then the stop of the Tab key in its picture. */
function moveFrom(shape: Element, key: string): boolean {
  const all = shapesIn(shape.closest('svg'));
  const direction = directions[key];
  const next =
    direction === undefined
      ? { Home: all[0], End: all.at(-1) }[key]
      : nearestTo(shape, all, direction);
  if (direction === undefined && next === undefined) return false;
  if (next !== undefined) {
    stopAt(next);
    (next as SVGElement).focus({ preventScroll: true });
    next.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }
  return true;
}

const directions: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** The nearest that lies ahead; to go aside counts twice. */
function nearestTo(
  shape: Element,
  all: readonly Element[],
  [x, y]: readonly [number, number],
): Element | undefined {
  const from = middleOf(shape);
  let best: { readonly each: Element; readonly cost: number } | undefined;
  for (const each of all) {
    const to = middleOf(each);
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const ahead = x * dx + y * dy;
    const cost = ahead + 2 * Math.abs(x * dy - y * dx);
    if (ahead > 1 && (best === undefined || cost < best.cost)) best = { each, cost };
  }
  return best?.each;
}

function middleOf(element: Element): { readonly x: number; readonly y: number } {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

function stopAt(shape: Element): void {
  for (const each of shapesIn(shape.closest('svg'))) each.setAttribute('tabindex', '-1');
  shape.setAttribute('tabindex', '0');
}

function light(spots: Spots, element: Element | null): void {
  for (const lit of document.querySelectorAll('.lit')) lit.classList.remove('lit');
  const shapes = element === null ? [] : shapesOf(spots, element);
  const partners = shapes.flatMap((shape) => partnersOf(spots, shape));
  const texts = shapes.flatMap((shape) => spots.texts.get(idOf(shape)) ?? []);
  for (const each of [...shapes, ...partners, ...texts]) each.classList.add('lit');
  for (const svg of spots.pictures) svg.classList.toggle('dimmed', shapes.length > 0);
  const isOfShape = element !== null && isShape(element);
  // Tab leads from a shape to what belongs to it on the other side.
  if (isOfShape && partners[0] !== undefined) stopAt(partners[0]);
  bringIntoSight(isOfShape ? partners : [...shapes, ...partners]);
  const line = document.querySelector<HTMLElement>('#linked');
  if (line === null) return;
  line.hidden = shapes.length === 0;
  const sides = [shapes, partners].filter(({ length }) => length > 0);
  line.textContent = sides
    .map((all) => list(all.map((shape) => labelOf(spots, shape))))
    .join(' ↔ ');
}

function list(labels: readonly string[]): string {
  const distinct = [...new Set(labels)];
  const rest = distinct.length - 4;
  return distinct.slice(0, 4).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/** Moves what is in a box, not the page; a picture with one of them in sight stays as it is. */
function bringIntoSight(shapes: readonly Element[]): void {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  for (const box of document.querySelectorAll('.canvas')) {
    const around = box.getBoundingClientRect();
    const own = shapes.filter((shape) => box.contains(shape));
    const isInSight = own.some((shape) => {
      const { left, right, top, bottom } = shape.getBoundingClientRect();
      const isAcross = left >= around.left && right <= around.right;
      return isAcross && top >= around.top && bottom <= around.bottom;
    });
    if (own[0] === undefined || isInSight) continue;
    const to = middleOf(own[0]);
    const from = middleOf(box);
    const behavior = isStill ? 'auto' : 'smooth';
    box.scrollBy({ left: to.x - from.x, top: to.y - from.y, behavior });
  }
}
