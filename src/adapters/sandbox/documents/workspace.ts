/** What all parts of the documents API share: the clock, ids, and where its addresses begin. */
import type { Schedule } from '../clock.js';
import type { Resource } from './collection.js';

export interface Workspace {
  readonly clock: Schedule;
  /** Begins an address of this server; known once it listens. */
  readonly origin: () => string;
  /** What every new resource has. */
  born(prefix: string): Resource;
  /** The same resource, changed now. */
  changed<T extends Resource>(resource: T, change: Partial<T>): T;
}

export function createWorkspace(
  clock: Schedule,
  nextId: (prefix: string) => string,
  origin: () => string,
): Workspace {
  let sequence = 0;
  return {
    clock,
    origin,
    born(prefix) {
      sequence += 1;
      const now = clock.now();
      return { id: nextId(prefix), sequence, createdAt: now, updatedAt: now };
    },
    changed: (resource, change) => ({ ...resource, ...change, updatedAt: clock.now() }),
  };
}
