/** Compares the expected/ folder of a case with the actual files, or rewrites it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { Files } from './cases.js';

/** Whether this run rewrites the expected files; never in CI, where nobody reviews them. */
export function wantsUpdate(environment: Readonly<Record<string, string | undefined>>): boolean {
  const isSet = (name: string) => !['', '0', 'false'].includes(environment[name] ?? '');
  if (isSet('UPDATE_GOLDENS') && isSet('CI')) {
    throw new Error('UPDATE_GOLDENS is refused in CI: update at your desk and review the change');
  }
  return isSet('UPDATE_GOLDENS');
}

/** Fails if a file is missing, stale or different, and shows the first file that differs. */
export function compareFiles(folder: string, files: Files): void {
  expect(listFiles(folder), `files of ${folder}`).toEqual([...files.keys()].sort());
  for (const [name, content] of files) {
    expect(readFileSync(join(folder, name), 'utf8'), join(folder, name)).toBe(content);
  }
}

/** The same for one file. */
export function expectFile(path: string, content: string): void {
  if (wantsUpdate(process.env)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  expect(readFileSync(path, 'utf8'), path).toBe(content);
}

/** Writes these files, and deletes all others of the folder. */
export function writeFiles(folder: string, files: Files): void {
  mkdirSync(folder, { recursive: true });
  for (const name of listFiles(folder)) {
    if (!files.has(name)) rmSync(join(folder, name), { recursive: true });
  }
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
}

const listFiles = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).sort() : [];
