/** Pictures that are larger than their boxes: what is of interest is scrolled into sight. */

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
