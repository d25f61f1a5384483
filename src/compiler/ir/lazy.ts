/**
 * Members of plain objects that are made when they are first read, and then kept.
 *
 * They are accessors, and all objects share those of a name: what a member is made by stands in the
 * object itself, where nobody sees it who lists, spreads or prints it. A getter written into an
 * object literal is a closure of its own instead, and V8 keeps accessors among what has lived long:
 * whatever such a closure knows, a whole compilation for instance, would not go with the garbage of
 * the moment, but wait for the heap to be collected as a whole.
 */
export type Makers<Members> = { readonly [Name in keyof Members]: () => Members[Name] };

const held = Symbol('makers');

interface Holder {
  readonly [held]: Held;
}

/** What the members of one object are made by, and what has been made. */
class Held {
  private made: Map<string, unknown> | null = null;

  constructor(private readonly makers: Makers<Record<string, unknown>>) {}

  get(name: string): unknown {
    this.made ??= new Map();
    if (!this.made.has(name)) this.made.set(name, this.makers[name]!());
    return this.made.get(name);
  }
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
export function holdMakers<Members extends object>(own: object, makers: Makers<Members>): void {
  Object.defineProperty(own, held, { value: new Held(makers as Makers<Record<string, unknown>>) });
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
      return this[held].get(name);
    },
  };
}
