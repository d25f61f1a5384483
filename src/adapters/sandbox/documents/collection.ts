/**
 * Resources of one kind, and how lists page through them.
 *
 * A page token says after which resource to go on, so that pages neither repeat nor miss one when
 * others come and go meanwhile.
 */
import { Refused } from '../answer.js';
import { type Call, integer, queryParameter } from '../call.js';

export interface Resource {
  readonly id: string;
  /** Counts all resources in the order in which they came: equal times are told apart by it. */
  readonly sequence: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface Collection<T extends Resource> {
  add(item: T): T;
  find(id: string): T;
  /** Puts a changed resource in the place of the one with its id. */
  replace(item: T): T;
  has(id: string): boolean;
  delete(id: string): void;
  all(): readonly T[];
}

export interface Page<T> {
  readonly object: 'list';
  readonly data: readonly T[];
  readonly nextPageToken?: string;
}

/** `noun` names the resource in refusals. */
export function createCollection<T extends Resource>(noun: string): Collection<T> {
  const items = new Map<string, T>();
  const find = (id: string): T => {
    const item = items.get(id);
    if (item === undefined) throw new Refused(404, `There is no ${noun} with this id`);
    return item;
  };
  const set = (item: T): T => {
    items.set(item.id, item);
    return item;
  };
  return {
    add: set,
    find,
    replace: set,
    has: (id) => items.has(id),
    delete: (id) => {
      find(id);
      items.delete(id);
    },
    all: () => [...items.values()],
  };
}

const defaultPageSize = 10;
const largestPageSize = 1000;

/** One page, in the form that lists have. Newest first, as long as nothing else is asked for. */
export function pageOf<T extends Resource>(
  call: Call,
  items: readonly T[],
  render: (item: T) => unknown,
): Page<unknown> {
  const size = integer(call, 'maxPageSize', defaultPageSize);
  if (size < 1 || size > largestPageSize) {
    throw new Refused(400, `maxPageSize must be from 1 to ${largestPageSize}`);
  }
  const { placeOf, order } = sortingOf(call);
  const token = queryParameter(call, 'nextPageToken');
  const start = token === undefined ? null : readToken(token);
  const rest = items
    .filter((item) => start === null || order(placeOf(item), start) > 0)
    .sort((a, b) => order(placeOf(a), placeOf(b)));
  const page = rest.slice(0, size);
  const last = page.at(-1);
  const more = last !== undefined && rest.length > size;
  return {
    object: 'list',
    data: page.map(render),
    ...(more ? { nextPageToken: tokenOf(placeOf(last)) } : {}),
  };
}

/** Where a resource stands in a list: its time, then its number. */
type Place = readonly [time: number, sequence: number];

interface Sorting {
  readonly placeOf: (item: Resource) => Place;
  readonly order: (a: Place, b: Place) => number;
}

function sortingOf(call: Call): Sorting {
  const byUpdate = oneOf(call, 'sortBy', ['createdAt', 'updatedAt']) === 'updatedAt';
  const sign = oneOf(call, 'sortDir', ['desc', 'asc']) === 'asc' ? 1 : -1;
  return {
    placeOf: ({ createdAt, updatedAt, sequence }) => [byUpdate ? updatedAt : createdAt, sequence],
    order: (a, b) => sign * (a[0] - b[0] || a[1] - b[1]),
  };
}

/** A parameter with few values, of which the first stands for none. */
function oneOf(call: Call, name: string, values: readonly [string, ...string[]]): string {
  const value = queryParameter(call, name) ?? values[0];
  if (values.includes(value)) return value;
  throw new Refused(400, `${name} must be one of ${values.join(', ')}`);
}

function tokenOf(place: Place): string {
  return Buffer.from(place.join()).toString('base64url');
}

function readToken(token: string): Place {
  const text = Buffer.from(token, 'base64url').toString('latin1');
  const [, time, sequence] = /^(\d{1,15}),(\d{1,15})$/.exec(text) ?? [];
  if (time !== undefined && sequence !== undefined) return [Number(time), Number(sequence)];
  throw new Refused(400, 'nextPageToken is not one that a list has returned');
}
