/**
 * A partition of 0 … n - 1 whose blocks can be split: elements are marked, and then the marked part
 * of each block becomes a block of its own.
 *
 * The elements of a block stand side by side, and what a block is split into stays where the block
 * was. Both marking and splitting cost as much as is marked, whatever the size of the blocks.
 */
export interface RefinablePartition {
  /** Elements, block by block: those of block `b` from `first[b]` to before `end[b]`. */
  readonly elements: Int32Array;
  readonly first: readonly number[];
  readonly end: readonly number[];
  readonly blockOf: Int32Array;
  readonly mark: (element: number) => void;
  /** Splits every block that is marked in part; tells of each the block that its marked part is. */
  readonly split: (onSplit: (block: number, fresh: number) => void) => void;
}

/** Begins with these blocks, numbered 0 … count - 1. */
export function createPartition(count: number, blockOf: Int32Array): RefinablePartition {
  const { elements, position, first, end } = layOut(count, blockOf);
  const marked: number[] = first.map(() => 0);
  let touched: number[] = [];

  function mark(element: number): void {
    const block = blockOf[element]!;
    const target = first[block]! + marked[block]!;
    const at = position[element]!;
    if (at < target) return;
    if (marked[block] === 0) touched.push(block);
    marked[block]! += 1;
    const other = elements[target]!;
    elements[target] = element;
    position[element] = target;
    elements[at] = other;
    position[other] = at;
  }

  function split(onSplit: (block: number, fresh: number) => void): void {
    const blocks = touched;
    touched = [];
    for (const block of blocks) {
      const middle = first[block]! + marked[block]!;
      marked[block] = 0;
      if (middle === end[block]) continue;
      const fresh = first.push(first[block]!) - 1;
      end.push(middle);
      marked.push(0);
      for (let at = first[block]!; at < middle; at += 1) blockOf[elements[at]!] = fresh;
      first[block] = middle;
      onSplit(block, fresh);
    }
  }

  return { elements, first, end, blockOf, mark, split };
}

function layOut(count: number, blockOf: Int32Array) {
  const end: number[] = new Array<number>(count).fill(0);
  for (const block of blockOf) end[block]! += 1;
  for (let block = 1; block < count; block += 1) end[block]! += end[block - 1]!;
  const first = end.map((_, block) => (block === 0 ? 0 : end[block - 1]!));
  const next = [...first];
  const elements = new Int32Array(blockOf.length);
  const position = new Int32Array(blockOf.length);
  blockOf.forEach((block, element) => {
    position[element] = next[block]!;
    elements[next[block]!++] = element;
  });
  return { elements, position, first, end };
}
