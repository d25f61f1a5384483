/** The files of `squadc merge`: written beside their places, and put there together at the end. */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../batch/journal/writer.js';
import { sarifOpening } from '../report/sarif.js';
import { csvHeader } from '../report/summary-csv.js';
import { jsonOpening } from '../report/summary-json.js';
import { markdownOpening } from '../report/summary-markdown.js';
import { type SummaryName, summaryNames } from '../report/summary-names.js';
import type { WritePieces } from '../report/write-summaries.js';
import { exitCodes, Refusal } from './exit.js';

export interface MergedFiles {
  readonly write: WritePieces;
  /** Puts what was written to its places. */
  keep(): void;
  /** Removes what was written. */
  discard(): void;
}

/** How files begin that squadc wrote; anything else at their places is somebody's own. */
const openings: Readonly<Record<SummaryName, string>> = {
  'summary.json': jsonOpening,
  'summary.csv': csvHeader,
  'summary.md': markdownOpening,
  'summary.sarif': sarifOpening,
};

/** `only`: the name of the one file that is wanted, which takes the JSON. */
export function mergedFiles(folder: string, only: string | null, force: boolean): MergedFiles {
  const targets = new Map(
    summaryNames
      .filter((name) => only === null || name === 'summary.json')
      .map((name) => [name, join(folder, only ?? name)] as const),
  );
  if (!force) for (const [name, path] of targets) refuseForeign(path, openings[name]);
  const written = new Map<string, string>();
  return {
    write(name, pieces) {
      const path = targets.get(name);
      // Nobody wants it, but it has to be taken: what passes by is counted.
      if (path === undefined) for (const _ of pieces);
      else {
        mkdirSync(folder, { recursive: true });
        const unfinished = `${path}.${process.pid}.tmp`;
        written.set(unfinished, path);
        writePieces(unfinished, pieces);
      }
    },
    keep() {
      for (const [unfinished, path] of written) renameSync(unfinished, path);
    },
    discard() {
      for (const unfinished of written.keys()) rmSync(unfinished, { force: true });
    },
  };
}

function writePieces(path: string, pieces: Iterable<string>): void {
  const file = openSync(path, 'wx');
  try {
    for (const piece of pieces) writeWhole(file, Buffer.from(piece));
  } finally {
    closeSync(file);
  }
}

function refuseForeign(path: string, opening: string): void {
  if (beginsWith(path, opening)) return;
  throw new Refusal(
    `${path} is not a file that squadc wrote; --force overwrites it`,
    exitCodes.wrongUsage,
  );
}

/** Nothing at all begins with anything: writing there says what is wrong. */
function beginsWith(path: string, opening: string): boolean {
  if (!existsSync(path)) return true;
  if (!statSync(path).isFile()) return false;
  const expected = Buffer.from(opening);
  const file = openSync(path, 'r');
  try {
    const found = Buffer.alloc(expected.length);
    const read = readSync(file, found, 0, expected.length, 0);
    return read === expected.length && found.equals(expected);
  } finally {
    closeSync(file);
  }
}
