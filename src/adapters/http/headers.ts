/** Headers: what may be sent in one, and what an answer says in one. */
import type { AnswerHeaders } from './transport.js';

export function isHeaderName(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name);
}

/** Texts that say something, in characters that end no header and begin no other. */
export function isHeaderValue(value: unknown): value is string {
  return typeof value === 'string' && /^(?=.*\S)[ -~]+$/.test(value);
}

/** Several values are joined; absent ones are the empty text. */
export function headerOf(headers: AnswerHeaders, name: string): string {
  return `${headers[name] ?? ''}`;
}

export function isJson(headers: AnswerHeaders): boolean {
  const json = /^\s*(?:application|text)\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;
  return json.test(headerOf(headers, 'content-type'));
}

/**
 * What `Retry-After` asks for, in milliseconds: whole seconds, or a date. `date` is the time of day.
 * Undefined without a readable one.
 */
export function waitOf(headers: AnswerHeaders, date: number): number | undefined {
  const text = headerOf(headers, 'retry-after').trim();
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  // Date.parse reads all sorts of things; a date of HTTP begins with the day of the week.
  const until = /^[A-Z][a-z]{2,8}, \d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(until) ? undefined : Math.max(0, until - date);
}
