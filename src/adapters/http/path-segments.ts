/**
 * Fills the path of an operation.
 *
 * In: path parameters in path order, unchecked. Out: the encoded path; each parameter is exactly
 * one segment of it. Refused: numbers that are no safe positive integers, and texts that are empty,
 * are a step through folders (`.`, `..`) or hold what no name holds (control characters, separators
 * of lines, half a character).
 */
import { invalidArgument } from './api-error.js';
import type { Operation } from './operation.js';

/** Texts and names of a path by turns, `/Bill/`, `idBill`, ``; there are as many as operations. */
const splitPaths = new Map<string, readonly string[]>();

/** Controls, separators of lines and paragraphs, halves of surrogate pairs; steps, or nothing. */
const noName = /[\p{Cc}\u2028\u2029\p{Cs}]|^\.{0,2}$/u;

export function pathOf(operation: Operation, given: readonly unknown[] = []): string {
  const { id, path, integers } = operation;
  const parts = splitPaths.get(path) ?? path.split(/[{}]/);
  splitPaths.set(path, parts);
  if (given.length !== parts.length >> 1) throw invalidArgument(id, 'path');
  let filled = '';
  for (const [index, part] of parts.entries()) {
    const value = given[index >> 1];
    if (index % 2 === 0) filled += part;
    else if (integers?.includes(part)) {
      if (!(Number.isSafeInteger(value) && (value as number) > 0)) throw invalidArgument(id, part);
      filled += value;
    } else {
      if (typeof value !== 'string' || noName.test(value)) throw invalidArgument(id, part);
      filled += encodeURIComponent(value);
    }
  }
  return filled;
}
