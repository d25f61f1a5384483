import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block, Plan, Source } from '../../../src/batch/plan.js';
import { blocksOf } from '../../../src/batch/sources/blocks.js';
import { runs, seed } from '../../seed.js';

const kilobyte = 1024;
const document = (name: string, bytes = 1): Source => ({
  path: `/${name}`,
  name,
  form: 'document',
  bytes,
});
const lines = (name: string, bytes: number): Source => ({
  ...document(name, bytes),
  form: 'lines',
});
const planOf = (sources: readonly Source[]): Plan => ({ sources, faults: [], spread: false });

function shapes(sources: readonly Source[]): unknown[] {
  return [...blocksOf(planOf(sources))].map((block) =>
    block.kind === 'documents'
      ? block.sources.map(({ name }) => name)
      : [block.source.name, block.start, block.end],
  );
}

describe('the blocks of a run', () => {
  it('are none without sources', () => expect(shapes([])).toEqual([]));

  it('hold up to 64 documents', () => {
    const sources = Array.from({ length: 130 }, (_, at) => document(`${at}.json`));
    const blocks = [...blocksOf(planOf(sources))];
    expect(blocks.map((it) => it.kind === 'documents' && it.sources.length)).toEqual([64, 64, 2]);
  });

  it('hold up to a megabyte of documents, or one that is larger', () => {
    const sources = [600, 424, 1, 5000, 1, 1].map((size, at) => document(`${at}`, size * kilobyte));
    expect(shapes(sources)).toEqual([['0', '1'], ['2'], ['3'], ['4', '5']]);
  });

  it('cut lines into ranges', () => {
    expect(shapes([lines('a', 1200 * kilobyte)])).toEqual([
      ['a', 0, 512 * kilobyte],
      ['a', 512 * kilobyte, 1024 * kilobyte],
      ['a', 1024 * kilobyte, 1200 * kilobyte],
    ]);
    expect(shapes([lines('a', 512 * kilobyte)])).toEqual([['a', 0, 512 * kilobyte]]);
  });

  it('keep the order', () => {
    const sources = [document('a'), lines('b', 5), document('c'), document('d'), lines('e', 5)];
    expect(shapes(sources)).toEqual([['a'], ['b', 0, 5], ['c', 'd'], ['e', 0, 5]]);
  });

  it('are made when they are asked for', () => {
    const { value } = blocksOf(planOf([lines('a', 2 ** 50)])).next();
    expect(value).toMatchObject({ index: 0, end: 512 * kilobyte });
  });

  it('hold everything once, in order, numbered', () => {
    const sources = fc.array(
      fc.record({ isDocument: fc.boolean(), bytes: fc.nat(3 * 1024 * kilobyte) }),
      { maxLength: 100 },
    );
    fc.assert(
      fc.property(sources, (all) => {
        const given = all.map(({ isDocument, bytes }, at) =>
          isDocument ? document(`${at}`, bytes) : lines(`${at}`, bytes + 1),
        );
        const blocks = [...blocksOf(planOf(given))];
        expect(blocks.map(({ index }) => index)).toEqual([...blocks.keys()]);
        expect(joined(blocks)).toEqual(given.map((it) => [it.name, 0, it.bytes]));
      }),
      { seed, numRuns: runs(100) },
    );
  });
});

/** The ranges that follow on each other made one. */
function joined(blocks: readonly Block[]): [string, number, number][] {
  const all: [string, number, number][] = [];
  for (const block of blocks) {
    const last = all.at(-1);
    if (block.kind === 'documents') {
      for (const { name, bytes } of block.sources) all.push([name, 0, bytes]);
    } else if (last !== undefined && last[0] === block.source.name && last[2] === block.start) {
      last[2] = block.end;
    } else {
      all.push([block.source.name, block.start, block.end]);
    }
  }
  return all;
}
