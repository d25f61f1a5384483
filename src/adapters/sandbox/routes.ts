/**
 * From method and path to operation.
 *
 * Paths are matched as they were sent, segment by segment, and decoded afterwards: an encoded slash
 * stays within its segment, and `..` is a segment like others.
 */
import { type Answer, Refused } from './answer.js';
import type { Call } from './call.js';

export interface Route {
  readonly operation: string;
  readonly method: string;
  /** The path below the base address, with `{name}` for what varies. */
  readonly template: string;
  readonly act: (call: Call) => Answer;
}

export interface Match {
  readonly route: Route;
  readonly path: ReadonlyMap<string, string>;
}

export type Router = (method: string, path: string) => Match | null;

interface Candidate {
  readonly route: Route;
  readonly segments: readonly string[];
}

export function createRouter(routes: readonly Route[]): Router {
  const candidates = new Map<string, Candidate[]>();
  for (const route of routes) {
    const segments = route.template.split('/').slice(1);
    const key = `${route.method} ${segments.length}`;
    candidates.set(key, [...(candidates.get(key) ?? []), { route, segments }]);
  }
  // `/items/bulk` goes before `/items/{itemId}`.
  for (const each of candidates.values()) each.sort((a, b) => variables(a) - variables(b));
  return (method, path) => {
    const sent = path.split('/').slice(1);
    for (const { route, segments } of candidates.get(`${method} ${sent.length}`) ?? []) {
      if (segments.every((segment, index) => isVariable(segment) || segment === sent[index])) {
        return { route, path: valuesOf(segments, sent) };
      }
    }
    return null;
  };
}

function variables({ segments }: Candidate): number {
  return segments.filter(isVariable).length;
}

function isVariable(segment: string): boolean {
  return segment.startsWith('{');
}

function valuesOf(segments: readonly string[], sent: readonly string[]): Map<string, string> {
  const values = new Map<string, string>();
  for (const [index, segment] of segments.entries()) {
    if (isVariable(segment)) values.set(segment.slice(1, -1), decoded(sent[index] ?? ''));
  }
  return values;
}

function decoded(segment: string): string {
  try {
    const value = decodeURIComponent(segment);
    if (value !== '') return value;
  } catch {
    // Told below, as an empty one is.
  }
  throw new Refused(400, 'A part of the path is empty or not well encoded');
}
