/**
 * Members of plain objects that are made when they are first read, and then kept.
 *
 * They are accessors, and all objects share those of a name: what a member is made by stands in the
 * object itself, where nobody sees it who lists, spreads or prints it. A getter written into an
 * object literal is a closure of its own instead, and V8 keeps accessors among what has lived long:
 * whatever such a closure knows, a whole compilation for instance, would not go with the garbage of
 * the moment, but wait for the heap to be collected as a whole.
 */
import { once } from './once.js';

type Makers<Members> = { readonly [Name in keyof Members]: () => Members[Name] };

const held = Symbol('makers');

interface Holder {
  readonly [held]: Readonly<Record<string, () => unknown>>;
}

/** The object itself, with further members behind its own; their order is that of the makers. */
export function withLazy<Own extends object, Members extends object>(
  own: Own,
  makers: Makers<Members>,
): Own & Members {
  holdMakers(own, makers);
  for (const name of Object.keys(makers)) addLazy(own, name);
  return own as Own & Members;
}

/** Tells an object what members are made by, which are then added one by one. */
export function holdMakers(own: object, makers: Readonly<Record<string, () => unknown>>): void {
  const kept: Record<string, () => unknown> = {};
  for (const name of Object.keys(makers)) kept[name] = once(makers[name]!);
  Object.defineProperty(own, held, { value: kept });
}

/** Adds a member behind those that are there. */
export function addLazy(own: object, name: string): void {
  let accessor = accessors.get(name);
  if (accessor === undefined) {
    accessor = accessorOf(name);
    accessors.set(name, accessor);
  }
  Object.defineProperty(own, name, accessor);
}

/** By name; there are as many as members are named in this program. */
const accessors = new Map<string, PropertyDescriptor>();

function accessorOf(name: string): PropertyDescriptor {
  return {
    enumerable: true,
    configurable: true,
    get(this: Holder) {
      return this[held][name]!();
    },
  };
}
