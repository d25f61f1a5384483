import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { totalSpan } from '../../../src/report/graph/condense.js';
import { type Layout, layOut } from '../../../src/report/graph/layout.js';
import type { Picture } from '../../../src/report/graph/picture.js';
import { renderSvg } from '../../../src/report/graph/render-svg.js';
import type { Box, Point } from '../../../src/report/graph/routes.js';
import { runs, seed } from '../../seed.js';
import { compiledPictures, goldenWorkflow, sketch } from './compiled-pictures.js';
import { hostileLabel } from './hostile-labels.js';

function graph(nodes: number, edges: number): fc.Arbitrary<Picture> {
  return fc.integer({ min: 1, max: nodes }).chain((count) => {
    const end = fc.nat(count - 1);
    return fc
      .tuple(
        fc.array(hostileLabel(), { minLength: count, maxLength: count }),
        fc.array(fc.tuple(end, end, hostileLabel()), { maxLength: edges }),
      )
      .map(([labels, lines]) => sketch(labels, lines));
  });
}

function overlap(a: Box, b: Box): boolean {
  const apart = (key: 'x' | 'y', size: 'width' | 'height') =>
    Math.abs(a[key] - b[key]) >= (a[size] + b[size]) / 2 - 0.5;
  return !apart('x', 'width') && !apart('y', 'height');
}

/** Whether a straight part that runs up or down goes through a box, its border aside. */
function cuts(x: number, [from, to]: readonly [number, number], box: Box): boolean {
  const [top, bottom] = [Math.min(from, to), Math.max(from, to)];
  const beside = Math.abs(x - box.x) >= box.width / 2 - 0.5;
  return !beside && top < box.y + box.height / 2 - 0.5 && bottom > box.y - box.height / 2 + 0.5;
}

function faultsOf({ nodes, edges, width, height }: Layout): string[] {
  const labels = edges.flatMap(({ label }) => label ?? []);
  const boxes: Box[] = [...nodes, ...labels];
  const inside = ({ x, y }: Point) => x >= 0 && y >= 0 && x <= width && y <= height;
  const found: string[] = [];
  for (const [at, box] of boxes.entries()) {
    if (!inside({ x: box.x - box.width / 2, y: box.y - box.height / 2 }))
      found.push(`${at} is out`);
    if (!inside({ x: box.x + box.width / 2, y: box.y + box.height / 2 }))
      found.push(`${at} is out`);
    for (const [other, its] of boxes.slice(at + 1).entries()) {
      if (overlap(box, its)) found.push(`${at} overlaps ${at + 1 + other}`);
    }
  }
  for (const [number, { line }] of edges.entries()) {
    if (line.kind === 'loop') continue;
    const others = edges.flatMap(({ label }, its) => (its === number ? [] : (label ?? [])));
    for (const { x, from, to } of line.passages) {
      for (const label of others) {
        if (cuts(x, [from, to], label)) found.push(`a line cuts ${label.lines.join(' ')}`);
      }
      for (const [at, box] of nodes.entries())
        if (cuts(x, [from, to], box)) found.push(`a line cuts ${at}`);
    }
  }
  return found;
}

describe('the layout', () => {
  it.each([
    'worked-pattern',
    'global-transfer',
    'ivr-tree',
    'cycle-consolidated',
    'retry-round-a-tool',
  ])('of %s has nothing on anything else', (name) => {
    const { workflow } = compiledPictures(goldenWorkflow(name));
    expect(faultsOf(layOut(workflow))).toEqual([]);
  });

  it('has nothing on anything else, whatever is drawn', () => {
    fc.assert(
      fc.property(graph(14, 18), (picture) => {
        expect(faultsOf(layOut(picture))).toEqual([]);
      }),
      { seed, numRuns: runs(40) },
    );
  });

  it('begins with the start on top', () => {
    const { workflow } = compiledPictures(goldenWorkflow('cycle-consolidated'));
    const { nodes } = layOut(workflow);
    expect(workflow.nodes[0]?.isStart).toBe(true);
    expect(nodes[0]!.y).toBe(Math.min(...nodes.map(({ y }) => y)));
  });

  it('draws parallel edges and loops apart', () => {
    const layout = layOut(
      sketch(
        ['a', 'b'],
        [
          [0, 1, 'x'],
          [0, 1, 'y'],
          [1, 1, 'again'],
          [1, 0],
        ],
      ),
    );
    expect(faultsOf(layout)).toEqual([]);
    expect(layout.edges.map(({ line }) => line.kind)).toEqual([
      'passages',
      'passages',
      'loop',
      'passages',
    ]);
    const [loop, box, label] = [layout.edges[2]!.line, layout.nodes[1]!, layout.edges[2]!.label!];
    if (loop.kind !== 'loop') throw new Error('no loop');
    const right = box.x + box.width / 2;
    expect(loop.corners.map(({ x }) => x)).toEqual([right, label.x, label.x, right]);
    for (const { y } of loop.corners) expect(Math.abs(y - box.y)).toBeLessThan(box.height / 2);
    const last = layout.edges[3]!.line;
    if (last.kind !== 'passages') throw new Error('a loop');
    expect(last.passages.at(-1)!.to).toBeLessThan(last.passages[0]!.from);
  });

  it('is the same each time, and for any order of keys', () => {
    const workflow = goldenWorkflow('ivr-tree');
    const reversed = JSON.parse(JSON.stringify(workflow), (_key, value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).reverse())
        : value,
    );
    const svg = (document: typeof workflow) => {
      const { workflow: picture } = compiledPictures(document);
      return renderSvg(picture, layOut(picture), { theme: 'auto' });
    };
    expect(svg(reversed)).toBe(svg(workflow));
    expect(svg(workflow)).toBe(svg(workflow));
  });
});

describe('the span of the edges', () => {
  it('counts ranks, edges back and forth, and no loops', () => {
    expect(
      totalSpan(
        sketch(
          ['a', 'b', 'c'],
          [
            [0, 1],
            [1, 2],
            [0, 2],
            [2, 0],
            [1, 1],
          ],
        ),
      ),
    ).toBe(6);
  });

  it('is found for a chain of any length', () => {
    const count = 50_000;
    const chain = Array.from({ length: count - 1 }, (_, at): [number, number] => [at, at + 1]);
    expect(
      totalSpan(
        sketch(
          Array.from({ length: count }, () => 'n'),
          chain,
        ),
      ),
    ).toBe(count - 1);
  });
});
