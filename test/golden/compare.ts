/** The expected/ folder of a case: compared with what the case gives, or written anew. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Files } from './expected.js';

/** Whether this run writes the expected files; never where nobody looks at what was written. */
export function wantsUpdate(environment: Readonly<Record<string, string | undefined>>): boolean {
  const isSet = (name: string) => !['', '0', 'false'].includes(environment[name] ?? '');
  if (isSet('UPDATE_GOLDENS') && isSet('CI')) {
    throw new Error('UPDATE_GOLDENS is refused in CI: update at your desk and review the change');
  }
  return isSet('UPDATE_GOLDENS');
}

/** Fails where a file is missing, stale or different; the content of one file at a time. */
export function compareFiles(folder: string, files: Files): void {
  expect(listFiles(folder), `files of ${folder}`).toEqual([...files.keys()].sort());
  for (const [name, content] of files) {
    expect(readFileSync(join(folder, name), 'utf8'), join(folder, name)).toBe(content);
  }
}

/** Makes the folder hold these files and no others. */
export function writeFiles(folder: string, files: Files): void {
  mkdirSync(folder, { recursive: true });
  for (const name of listFiles(folder)) {
    if (!files.has(name)) rmSync(join(folder, name), { recursive: true });
  }
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
}

const listFiles = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).sort() : [];
