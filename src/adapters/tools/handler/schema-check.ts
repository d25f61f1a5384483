/**
 * Checks a value by a JSON Schema, in the few keywords that parameters of tools are written in.
 *
 * In: a schema. Out: a function that tells what a value must be, or nothing where it is right.
 * Which parameters a tool has depends on what is bound, so their schemas cannot be compiled ahead
 * of time, and a compiler of schemas is too much to carry for them.
 * Guarantee: a keyword that is not known here is refused, so that no rule of a schema goes unchecked.
 */

type Schema = Readonly<Record<string, unknown>>;

/** What a value must be or do, as the end of a sentence that begins with "it". */
export type Check = (value: unknown) => string | undefined;

type Keyword = (rule: never, schema: Schema) => Check;

export function checkOf(schema: Schema): Check {
  const checks = inOrder(schema).map(([name, rule]) => {
    const keyword = Object.hasOwn(keywords, name) ? keywords[name] : undefined;
    if (!keyword) throw new TypeError(`the keyword ${name} of a schema is not known`);
    return keyword(rule as never, schema);
  });
  return firstOf(checks);
}

/** What bounds a value comes first, so that nothing long is looked at closely. */
function inOrder(schema: Schema): [string, unknown][] {
  const bounds = (name: string) => Number(/^max(?:Length|Items|Properties)$/.test(name));
  return Object.entries(schema).sort(([one], [other]) => bounds(other) - bounds(one));
}

function firstOf(checks: readonly Check[]): Check {
  return (value) => {
    for (const check of checks) {
      const fault = check(value);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

/** The values of each type, and how one is called. */
const types: Readonly<Record<string, readonly [(value: unknown) => boolean, string]>> = {
  string: [(value) => typeof value === 'string', 'a text'],
  number: [(value) => Number.isFinite(value), 'a number'],
  integer: [(value) => Number.isInteger(value), 'a whole number'],
  boolean: [(value) => typeof value === 'boolean', 'yes or no'],
  array: [(value) => Array.isArray(value), 'a list'],
  object: [(value) => isObject(value), 'a set of details'],
};

const always: Check = () => undefined;

/** `is` looks at values of one type; all others are right, as JSON Schema has it. */
const ofNumber = (is: (value: number) => boolean, fault: string): Check => {
  return (value) => (typeof value !== 'number' || is(value) ? undefined : fault);
};
const ofText = (is: (value: string) => boolean, fault: string): Check => {
  return (value) => (typeof value !== 'string' || is(value) ? undefined : fault);
};
const ofList = (is: (value: readonly unknown[]) => boolean, fault: string): Check => {
  return (value) => (!Array.isArray(value) || is(value) ? undefined : fault);
};

const keywords: Readonly<Record<string, Keyword>> = {
  description: () => always,

  type(names: string | readonly string[]) {
    const allowed = [names].flat().map((name) => {
      const type = types[name];
      if (!type) throw new TypeError(`the type ${name} of a schema is not known`);
      return type;
    });
    const fault = `must be ${allowed.map(([, words]) => words).join(' or ')}`;
    return (value) => (allowed.some(([is]) => is(value)) ? undefined : fault);
  },

  const: (only: unknown, schema: Schema) => enumOf([only], schema),

  enum: enumOf,

  anyOf(schemas: readonly Schema[]) {
    const checks = schemas.map(checkOf);
    // What is closest to right is not known; the first says what is usual.
    return (value) => {
      const faults = checks.map((check) => check(value));
      return faults.includes(undefined) ? undefined : faults[0];
    };
  },

  minLength: (least: number) => ofText((text) => lengthOf(text) >= least, 'is too short'),
  // No character has more than two units.
  maxLength: (most: number) =>
    ofText((text) => text.length <= 2 * most && lengthOf(text) <= most, 'is too long'),
  pattern(source: string) {
    const pattern = new RegExp(source, 'u');
    return ofText((text) => pattern.test(text), 'does not have the right form');
  },

  minimum: (least: number) => ofNumber((given) => given >= least, `must be at least ${least}`),
  maximum: (most: number) => ofNumber((given) => given <= most, `must be at most ${most}`),

  minItems: (least: number) => ofList((list) => list.length >= least, 'has too few entries'),
  maxItems: (most: number) => ofList((list) => list.length <= most, 'has too many entries'),
  items(schema: Schema) {
    const check = checkOf(schema);
    return (value) => (Array.isArray(value) ? firstFault(value, check) : undefined);
  },

  properties(schemas: Readonly<Record<string, Schema>>) {
    const checks = Object.entries(schemas).map(([name, schema]): Check => {
      const check = checkOf(schema);
      return (value) => (has(value, name) ? check(value[name]) : undefined);
    });
    return firstOf(checks);
  },
  required: (names: readonly string[]) => (value) =>
    !isObject(value) || names.every((name) => has(value, name)) ? undefined : 'is not complete',
  additionalProperties(rule: boolean | Schema, { properties = {} }: Schema) {
    const check = checkOfRest(rule);
    return (value) =>
      firstFault(
        Object.entries(isObject(value) ? value : {})
          .filter(([name]) => !Object.hasOwn(properties as object, name))
          .map(([, each]) => each),
        check,
      );
  },
  propertyNames(schema: Schema) {
    const check = checkOf(schema);
    return (value) => firstFault(isObject(value) ? Object.keys(value) : [], check);
  },
  maxProperties: (most: number) => (value) =>
    !isObject(value) || Object.keys(value).length <= most ? undefined : 'has too many details',
};

function checkOfRest(rule: boolean | Schema): Check {
  if (typeof rule !== 'boolean') return checkOf(rule);
  return () => (rule ? undefined : 'has details that do not belong there');
}

function enumOf(values: readonly unknown[], _: Schema): Check {
  if (values.some((value) => value instanceof Object)) throw new TypeError('an enum of objects');
  const fault = `must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`;
  return (value) => (values.includes(value) ? undefined : fault);
}

const firstFault = (values: readonly unknown[], check: Check): string | undefined => {
  for (const value of values) {
    const fault = check(value);
    if (fault !== undefined) return fault;
  }
  return undefined;
};

/** In characters, as JSON Schema counts. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

type Members = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON has no other members than an object's own. */
function has(value: unknown, name: string): value is Members {
  return isObject(value) && Object.hasOwn(value, name);
}
