/** Headers: what may be sent in one, and what an answer says in one. */
import type { AnswerHeaders } from './transport.js';

export function isHeaderName(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name);
}

/** Texts that say something, in characters that end no header and begin no other. */
export function isHeaderValue(value: unknown): value is string {
  return typeof value === 'string' && /^[ -~]+$/.test(value) && value.trim() !== '';
}

/** Several values are joined; absent ones are the empty text. */
export function headerOf(headers: AnswerHeaders, name: string): string {
  return `${headers[name] ?? ''}`;
}

export function isJson(headers: AnswerHeaders): boolean {
  const json = /^\s*(?:application|text)\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;
  return json.test(headerOf(headers, 'content-type'));
}
