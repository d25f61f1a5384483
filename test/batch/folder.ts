/** A folder for the files of one test, removed after it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

export interface TestFolder {
  /** Its path, or that of something below. */
  at(...names: readonly string[]): string;
  /** Puts a file there, and the folders that it is in; the result is its path. */
  put(name: string, content?: string | Uint8Array): string;
  /** Puts a pipe there, into which nobody writes. */
  putPipe(name: string): void;
}

export function testFolder(): TestFolder {
  let folder = '';
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'squadc-sources-')));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const at = (...names: readonly string[]) => join(folder, ...names);
  return {
    at,
    put(name, content = '{}') {
      mkdirSync(dirname(at(name)), { recursive: true });
      writeFileSync(at(name), content);
      return at(name);
    },
    putPipe(name) {
      execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', at(name)]);
    },
  };
}
