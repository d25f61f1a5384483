/** Writes generated files: only when their content changes, and then atomically. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Other processes may be reading the file. @param {string} path @param {string} content */
export function writeGenerated(path, content) {
  if (currentContent(path) === content) return;
  const unfinished = `${path}.${process.pid}.tmp`;
  writeFileSync(unfinished, content);
  renameSync(unfinished, path);
}

/** @param {string} path */
function currentContent(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
