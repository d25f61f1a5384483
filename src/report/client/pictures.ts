/**
 * The two pictures and the texts below: point at one thing, and what belongs to it lights up.
 *
 * Shapes have an id (`data-id`) and the ids of the other side (`data-links`); texts have the ids of
 * the shapes that they are about. Of the places where the reader is, the pointer counts first, then
 * the focus, then what was kept.
 */
import {
  bringIntoSight,
  findSpots,
  idOf,
  isLink,
  isShape,
  labelOf,
  partnersOf,
  picturesOf,
  type Spots,
  shapeFrom,
  shapesIn,
  shapesOf,
  type Way,
} from './spots.js';

interface Reader {
  pointed: Element | null;
  focused: Element | null;
  kept: Element | null;
}

const ways: Readonly<Record<string, Way>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

/** Until the signal ends it, where what is shown is replaced. */
export function linkPictures(signal?: AbortSignal): void {
  const until = signal === undefined ? {} : { signal };
  const spots = findSpots();
  const reader: Reader = { pointed: null, focused: null, kept: null };
  for (const svg of picturesOf()) {
    prepare(svg, spots);
    // The start is where one begins to read, and a wide picture has it in the middle.
    bringIntoSight(
      shapesIn(svg).filter((shape) => shape.classList.contains('is-start')),
      'auto',
    );
  }
  const show = () => light(spots, reader.pointed ?? reader.focused ?? reader.kept);
  const at = (target: EventTarget | null) =>
    target instanceof Element ? target.closest('[data-id], [data-links]') : null;
  const follow = (key: 'pointed' | 'focused', element: Element | null) => {
    if (reader[key] === element) return;
    reader[key] = element;
    show();
  };
  addEventListener('pointerover', ({ target }) => follow('pointed', at(target)), until);
  document.documentElement.addEventListener('pointerleave', () => follow('pointed', null), until);
  addEventListener('focusin', ({ target }) => follow('focused', at(target)), until);
  addEventListener('focusout', () => follow('focused', null), until);
  const onClick = (event: MouseEvent) => {
    const { target } = event;
    const element = at(target);
    if (element === null || !(isShape(element) || isLink(target))) return;
    reader.kept = element === reader.kept ? null : element;
    if (!isShape(element)) followLink(event, shapesOf(spots, element));
    show();
  };
  addEventListener('click', onClick, until);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') reader.kept = null;
    else if (event.target instanceof Element && isShape(event.target))
      onKey(event, event.target, reader);
    else return;
    show();
  };
  addEventListener('keydown', onKeyDown, until);
}

/** To the shape itself: it may be far below the place that the address of the link means. */
function followLink(event: Event, [shape]: readonly Element[]): void {
  if (shape === undefined) return;
  event.preventDefault();
  shape.scrollIntoView(nearest);
}

const nearest: ScrollIntoViewOptions = { block: 'nearest', inline: 'nearest' };

function onKey(event: KeyboardEvent, shape: Element, reader: Reader): void {
  const way = ways[event.key];
  const all = shapesIn(shape.closest('svg'));
  if (event.key === 'Enter' || event.key === ' ') {
    reader.kept = shape === reader.kept ? null : shape;
  } else if (event.key === 'Home' || event.key === 'End') {
    moveTo(event.key === 'Home' ? all[0] : all.at(-1));
  } else if (way !== undefined) moveTo(shapeFrom(shape, all, way));
  else return;
  event.preventDefault();
}

/** One shape of each picture is a stop of the Tab key: the one that was reached last. */
function moveTo(shape: Element | null | undefined): void {
  if (shape === null || shape === undefined) return;
  stopAt(shape);
  (shape as SVGElement).focus({ preventScroll: true });
  shape.scrollIntoView(nearest);
}

function stopAt(shape: Element): void {
  for (const each of shapesIn(shape.closest('svg'))) each.setAttribute('tabindex', '-1');
  shape.setAttribute('tabindex', '0');
}

/** An image has no parts to a screen reader: a picture is a group, its shapes can be reached. */
function prepare(svg: SVGElement, spots: Spots): void {
  svg.setAttribute('role', 'group');
  for (const [index, shape] of shapesIn(svg).entries()) {
    shape.setAttribute('tabindex', index === 0 ? '0' : '-1');
    shape.setAttribute('role', 'button');
    const linked = partnersOf(spots, shape).map((partner) => labelOf(spots, partner));
    const more = linked.length === 0 ? '' : `; belongs to ${list(linked)}`;
    shape.setAttribute('aria-label', `${labelOf(spots, shape)}${more}`);
  }
}

function light(spots: Spots, element: Element | null): void {
  for (const lit of document.querySelectorAll('.lit')) lit.classList.remove('lit');
  const shapes = element === null ? [] : shapesOf(spots, element);
  const partners = shapes.flatMap((shape) => partnersOf(spots, shape));
  const texts = shapes.flatMap((shape) => spots.texts.get(idOf(shape)) ?? []);
  for (const each of [...shapes, ...partners, ...texts]) each.classList.add('lit');
  for (const svg of picturesOf()) svg.classList.toggle('dimmed', shapes.length > 0);
  // Tab leads from a shape to what belongs to it on the other side.
  if (element !== null && isShape(element) && partners[0] !== undefined) stopAt(partners[0]);
  bringIntoSight(
    element !== null && isShape(element) ? partners : [...shapes, ...partners],
    'smooth',
  );
  say(spots, shapes, partners);
}

function say(spots: Spots, shapes: readonly Element[], partners: readonly Element[]): void {
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
