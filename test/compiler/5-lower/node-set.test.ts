import { describe, expect, it } from 'vitest';
import { createNodeSet, few } from '../../../src/compiler/5-lower/node-set.js';
import type { NodeIndex } from '../../../src/compiler/ir/ids.js';

describe('createNodeSet', () => {
  it.each([0, 1, few, few + 1, 4 * few])('knows its nodes, %i of them', (count) => {
    const nodes = Array.from({ length: count }, (_, at) => (2 * at) as NodeIndex);
    const set = createNodeSet(nodes);
    expect([set.nodes, set.size]).toEqual([nodes, count]);
    for (let node = -1; node <= 2 * count; node += 1) {
      expect(set.has(node as NodeIndex)).toBe(nodes.includes(node as NodeIndex));
    }
  });
});
