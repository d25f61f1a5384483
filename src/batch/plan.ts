/**
 * What a run works on: its sources, and the blocks of work that they are cut into.
 *
 * Blocks are numbered in the order of the input. A worker reads a block by itself, so that no
 * workflow crosses from thread to thread.
 */

/** A file that was found. */
export interface Source {
  /** For opening it; never written anywhere but into the journal. */
  readonly path: string;
  /** POSIX, the same on every machine. */
  readonly name: string;
  /** `lines`: JSONL, a workflow a line. */
  readonly form: 'document' | 'lines';
  readonly bytes: number;
}

/** Workflows that one worker does in one go. */
export type Block =
  | { readonly kind: 'documents'; readonly index: number; readonly sources: readonly Source[] }
  | {
      readonly kind: 'lines';
      readonly index: number;
      readonly source: Source;
      /** The lines that begin in [start, end) of the file's bytes. */
      readonly start: number;
      readonly end: number;
    };

/** A source that is no workflow of any kind: a path that leads nowhere, a folder without rights. */
export interface SourceFault {
  readonly name: string;
  readonly code: 'batch/missing' | 'batch/unreadable' | 'batch/empty';
  readonly message: string;
}

export interface Plan {
  readonly sources: readonly Source[];
  readonly faults: readonly SourceFault[];
  /** More than 1,000 workflows: folders are spread over 256. */
  readonly spread: boolean;
}

/** One workflow's text out of a block. */
export type Item = {
  readonly source: string;
  /** Within the block, from 0 on; blank lines count. Only for JSONL. */
  readonly line?: number;
} & (
  | { readonly bytes: Uint8Array }
  | { readonly failure: { readonly code: string; readonly message: string } }
);

/** What reading a block came to beside its items: lines that begin in it, blank ones included. */
export interface BlockEnd {
  readonly lines: number;
}
