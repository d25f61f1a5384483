/** What the search for sources stands on, and what it comes to. */
import { realpathSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Source, SourceFault } from '../plan.js';
import type { FoundFile, Search } from './source-files.js';
import { sourceName } from './source-name.js';

export type Met =
  | { readonly kind: 'source'; readonly source: Source }
  | { readonly kind: 'fault'; readonly fault: SourceFault };

export interface Ground {
  /** Folder that relative paths start from. */
  readonly cwd: string;
  /** The real path of the output folder, whether it exists or not. */
  readonly out: string;
  readonly search: Search;
}

const lines = /\.(?:jsonl|ndjson)$/i;
const sourceFile = /\.(?:json|jsonl|ndjson)$/i;

/**
 * Folders that hold no workflows: squadc's own, and those beside which Kubernetes puts links with
 * names that last (`..2025_01_31_10_00_00.123`).
 */
const leftOut = /^(?:\.squadc$|\.\.)/;

export function groundOf(cwd: string, outFolder: string): Ground {
  const out = realPath(resolve(cwd, outFolder));
  return {
    cwd,
    out,
    search: {
      met: new Set(),
      takes: (name) => sourceFile.test(name),
      enters: (real) => real !== out && !leftOut.test(basename(real)),
    },
  };
}

/** A source, found by way of `base`. */
export function sourceMet({ path, size }: FoundFile, base: string, ground: Ground): Met {
  const name = sourceName(path, base, ground.cwd);
  const form = lines.test(name) ? 'lines' : 'document';
  return { kind: 'source', source: { path, name, form, bytes: size } };
}

export function faultMet(name: string, code: SourceFault['code'], message: string): Met {
  return { kind: 'fault', fault: { name, code, message } };
}

/** The path itself where it leads nowhere. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
