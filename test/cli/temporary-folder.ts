/** A folder for the files of one test file, removed after its last test. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** The folder, and a function that puts a file there and returns its name. */
export function temporaryFolder(): { folder: string; put(name: string, text: string): string } {
  const folder = mkdtempSync(join(tmpdir(), 'squadc-cli-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return {
    folder,
    put(name, text) {
      writeFileSync(join(folder, name), text);
      return name;
    },
  };
}
