/** A folder of its own, removed after the last test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'squadc-run-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
