/** Arrow keys in a picture: the nearest shape that lies that way. */

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
