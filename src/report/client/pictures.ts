/**
 * The two pictures and the text around them: point at one thing, and all that belongs to it lights up.
 *
 * A shape has an id (`data-id`) and the ids of its partners in the other picture (`data-links`); a
 * text has the ids of the shapes that it is about. What the pointer is on counts first, then the
 * focus, then what was clicked.
 */
import { groupBy } from '../../graph/lists.js';

type Reader = Record<'pointed' | 'focused' | 'kept', Element | null>;

/** Of the page as it is now: shapes by id, and names of edges and handoffs. */
let shapes: ReadonlyMap<string, readonly SVGElement[]> = new Map();
let labels: Readonly<Record<string, string>> = {};

/** Until the signal ends it, because the page is about to be replaced. */
export function linkPictures(signal: AbortSignal): void {
  shapes = groupBy(document.querySelectorAll<SVGElement>('svg [data-id]'), idOf);
  labels = JSON.parse(document.querySelector('#labels')?.textContent ?? '{}');
  if (shapes.size === 0) return;
  for (const svg of document.querySelectorAll('.canvas svg')) describeShapes(svg);
  const reader: Reader = { pointed: null, focused: null, kept: null };
  const set = (key: keyof Reader, element: Element | null) => {
    if (reader[key] === element) return;
    reader[key] = element;
    light(reader.pointed ?? reader.focused ?? reader.kept);
  };
  const keep = (element: Element) => set('kept', element === reader.kept ? null : element);
  const at = ({ target }: Event) =>
    target instanceof Element ? target.closest('[data-id], [data-links]') : null;
  const listen = <Kind extends keyof WindowEventMap>(
    kind: Kind,
    listener: (event: WindowEventMap[Kind]) => void,
  ) => addEventListener(kind, listener, { signal });
  listen('pointerover', (event) => set('pointed', at(event)));
  listen('pointerout', ({ relatedTarget }) => relatedTarget ?? set('pointed', null));
  listen('focusin', (event) => set('focused', at(event)));
  listen('focusout', () => set('focused', null));
  listen('click', (event) => {
    const element = at(event);
    if (element === null || !(isShape(element) || element.matches('a'))) return;
    keep(element);
    const [shape] = isShape(element) ? [] : shapesOf(element);
    if (shape === undefined) return;
    // The link leads to the section; its shape may be far below the top of it.
    event.preventDefault();
    shape.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
  listen('keydown', (event) => {
    if (event.key === 'Escape') set('kept', null);
    const shape = event.target;
    if (!(shape instanceof SVGElement && isShape(shape))) return;
    const next = neighbourOf(shape, event.key);
    if (event.key === 'Enter' || event.key === ' ') keep(shape);
    else if (next === undefined) return;
    else {
      makeTabStop(next);
      next.focus();
    }
    event.preventDefault();
  });
}

function isShape(element: Element): boolean {
  return element.hasAttribute('data-id');
}

function idOf(shape: Element): string {
  return shape.getAttribute('data-id') ?? '';
}

function linksOf(element: Element): string[] {
  return (element.getAttribute('data-links') ?? '').split(' ').filter((id) => id !== '');
}

function shapesWith(ids: readonly string[]): SVGElement[] {
  return [...new Set(ids)].flatMap((id) => shapes.get(id) ?? []);
}

/** The shape itself with its label, or the shapes that a text is about. */
function shapesOf(element: Element): SVGElement[] {
  return shapesWith(isShape(element) ? [idOf(element)] : linksOf(element));
}

/** The name of an edge or handoff, and the text in the picture. */
function nameOf(shape: Element): string {
  const title = shape.querySelector('title')?.textContent?.trim().replace(/\s+/g, ' ') ?? '';
  const name = Object.hasOwn(labels, idOf(shape)) ? labels[idOf(shape)] : '';
  return [name, title].filter((text) => text !== '').join(': ') || 'unnamed';
}

function listOf(all: readonly Element[]): string {
  const names = [...new Set(all.map(nameOf))];
  const more = names.length > 4 ? ` and ${names.length - 4} more` : '';
  return names.slice(0, 4).join(', ') + more;
}

/** The accessible name of a shape begins with what it shows. One shape is a stop of the Tab key. */
function describeShapes(svg: Element): void {
  for (const [index, shape] of stopsIn(svg).entries()) {
    shape.setAttribute('tabindex', index === 0 ? '0' : '-1');
    shape.setAttribute('role', 'button');
    const shown = [...shape.querySelectorAll('text')].map((text) => text.textContent).join(' ');
    const name = shown.includes('…') ? `${shown}: ${nameOf(shape)}` : shown || nameOf(shape);
    const partners = shapesWith(linksOf(shape));
    const more = partners.length === 0 ? '' : `; belongs to ${listOf(partners)}`;
    shape.setAttribute('aria-label', name + more);
  }
}

/** Nodes, then edges; the label of an edge is no stop of its own. */
function stopsIn(svg: Element | null): SVGElement[] {
  return ['.node', '.edge'].flatMap((kind) => [...(svg?.querySelectorAll<SVGElement>(kind) ?? [])]);
}

function neighbourOf(shape: SVGElement, key: string): SVGElement | undefined {
  const all = stopsIn(shape.closest('svg'));
  const step = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[key];
  if (step !== undefined) return all[all.indexOf(shape) + step] ?? shape;
  return { Home: all[0], End: all.at(-1) }[key];
}

function makeTabStop(shape: SVGElement): void {
  for (const each of stopsIn(shape.closest('svg'))) each.setAttribute('tabindex', '-1');
  shape.setAttribute('tabindex', '0');
}

function light(element: Element | null): void {
  for (const lit of document.querySelectorAll('.lit')) lit.classList.remove('lit');
  const own = element === null ? [] : shapesOf(element);
  const partners = shapesWith(own.flatMap(linksOf));
  const ids = new Set(own.map(idOf));
  const texts = [...document.querySelectorAll('[data-links]:not([data-id])')].filter((text) =>
    linksOf(text).some((id) => ids.has(id)),
  );
  for (const each of [...own, ...partners, ...texts]) each.classList.add('lit');
  for (const svg of document.querySelectorAll('.canvas svg')) {
    svg.classList.toggle('dimmed', own.length > 0);
  }
  const [partner] = partners;
  if (partner !== undefined && element !== null && isShape(element)) {
    // Tab leads on to the partner, and a picture in its actual size scrolls to it.
    makeTabStop(partner);
    centre(partner);
  }
  const line = document.querySelector<HTMLElement>('#linked');
  if (line === null) return;
  line.hidden = own.length === 0;
  line.textContent = [own, partners].flatMap((all) => (all[0] ? listOf(all) : [])).join(' ↔ ');
}

function centre(shape: Element): void {
  const canvas = shape.closest('.canvas');
  const [from, to] = [canvas?.getBoundingClientRect(), shape.getBoundingClientRect()];
  if (from === undefined) return;
  const left = to.left + to.width / 2 - from.left - from.width / 2;
  const top = to.top + to.height / 2 - from.top - from.height / 2;
  canvas?.scrollBy({ left, top });
}
