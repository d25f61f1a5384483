/**
 * Whether a value of an answer may be said as what the table takes it for.
 *
 * A service hands out what people wrote into its records, and what is said to a model can instruct
 * it. So nothing passes by its place alone: it has to look like what it is taken for, and no kind
 * has room for a sentence.
 */
import type { SaidAs } from './tool.js';

const texts = {
  date: /^\d{4}-\d{2}-\d{2}(?:T[\d:.]{5,15}Z?)?$/,
  status: /^[A-Z][A-Z_]{0,39}$/,
  identifier: /^[A-Za-z0-9_-]{1,100}$/,
  // Ten letters at most, and a digit among more than five: INVOICE-2026-0017 or pdf, no request.
  sign: /^(?=\P{N}*\p{N}|\p{L}{1,5}$)(?!(?:\P{L}*\p{L}){11})[\p{L}\p{N}][\p{L}\p{N} _.#/-]{0,39}$/u,
} as const;

export function maySay(as: SaidAs, value: unknown): boolean {
  switch (as) {
    case 'count':
      return Array.isArray(value) || (Number.isSafeInteger(value) && (value as number) >= 0);
    case 'number':
    case 'amount':
      return Number.isFinite(value);
    case 'flag':
      return typeof value === 'boolean';
    case 'date':
      return typeof value === 'string' && texts.date.test(value);
    default:
      return Number.isSafeInteger(value) || (typeof value === 'string' && texts[as].test(value));
  }
}
