/**
 * The blocks of work that a run's sources are cut into.
 *
 * Blocks are small enough to keep all workers busy to the end and to hold in memory, and large
 * enough that handing them over costs nothing beside the work. They depend on the sources alone.
 */
import type { Block, Plan, Source } from '../plan.js';

const maxDocuments = 64;
const maxDocumentBytes = 1024 * 1024;
const rangeBytes = 512 * 1024;

/** Whether its lines, if it has any, are counted from 1 again. */
export function opensFile(block: Block): boolean {
  return block.kind === 'documents' || block.start === 0;
}

/** The blocks in the order of the input, each made when it is asked for. */
export function* blocksOf(plan: Plan): Generator<Block> {
  let index = 0;
  let documents: Source[] = [];
  let bytes = 0;
  for (const source of plan.sources) {
    const isFull = documents.length === maxDocuments || bytes + source.bytes > maxDocumentBytes;
    if (documents.length > 0 && (isFull || source.form === 'lines')) {
      yield { kind: 'documents', index: index++, sources: documents };
      [documents, bytes] = [[], 0];
    }
    if (source.form === 'document') {
      documents.push(source);
      bytes += source.bytes;
    } else {
      for (let start = 0; start < source.bytes; start += rangeBytes) {
        const end = Math.min(start + rangeBytes, source.bytes);
        yield { kind: 'lines', index: index++, source, start, end };
      }
    }
  }
  if (documents.length > 0) yield { kind: 'documents', index, sources: documents };
}
