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

/** Controls, separators of lines and paragraphs, halves of surrogate pairs; steps, or nothing. */
const noName = /[\p{Cc}\u2028\u2029\p{Cs}]|^\.{0,2}$/u;

export function pathOf(operation: Operation, given: readonly unknown[] = []): string {
  const { id, path, integers } = operation;
  let filled = 0;
  const text = path.replace(/{(\w+)}/g, (_, name: string) => {
    const value = given[filled];
    filled += 1;
    const fits = integers?.includes(name)
      ? Number.isSafeInteger(value) && Number(value) > 0
      : typeof value === 'string' && !noName.test(value);
    if (!fits) throw invalidArgument(id, name);
    return encodeURIComponent(value as string);
  });
  if (filled !== given.length) throw invalidArgument(id, 'path');
  return text;
}
