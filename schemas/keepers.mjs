/**
 * JSON Schemas → functions that tell whether a value keeps them, and nothing more.
 *
 * In: schemas by `$id`, which may refer to each other and to themselves. Out: the source of one
 * function for each part of a schema that is more than a type. They note nothing, so that a value
 * without faults, which nearly every one is, costs no garbage, and they read properties by name.
 * Guarantees: what they say yes to keeps the schema; of JSON without reserved keys that keeps it they
 * say no only where it is very deep, so that the stack is bounded. A keyword that is not known here
 * ends the build.
 */

/** @typedef {import('ajv').AnySchemaObject} Schema */
/** @typedef {{ schema: Schema, home: Schema }} Part a part of a schema, and the schema it stands in */

/** Documents of the platform are never as deep. */
const deepest = 200;

/** What says nothing about a value. */
const silent = new Set(['$schema', '$id', '$defs', 'title', 'description']);

/** @type {Readonly<Record<string, (value: string) => string>>} */
const types = {
  string: (value) => `typeof ${value} === 'string'`,
  number: (value) => `typeof ${value} === 'number'`,
  integer: (value) => `Number.isInteger(${value})`,
  boolean: (value) => `typeof ${value} === 'boolean'`,
  array: (value) => `Array.isArray(${value})`,
  object: (value) => `isObject(${value})`,
};

const prelude = `
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A limit is on characters, of which there are at least half as many as units. */
function isLong(text, least) {
  return text.length >= 2 * least || [...text].length >= least;
}

function isShort(text, most) {
  return text.length <= most || [...text].length <= most;
}
`;

/** @param {Readonly<Record<string, Schema>>} named by the name of the function @param {readonly Schema[]} all */
export function keeperSource(named, all) {
  const writer = createWriter(all);
  const exported = Object.entries(named).map(
    ([name, schema]) =>
      `export function ${name}(value) {\n  const depth = 0;\n  return ${writer.test({ schema, home: schema }, 'value')};\n}\n`,
  );
  return [prelude, ...writer.functions(), ...exported].join('\n');
}

/** @param {readonly Schema[]} all */
function createWriter(all) {
  /** @type {Map<Schema, string>} */
  const names = new Map();
  /** @type {string[]} */
  const functions = [];

  /** An expression that tells whether the value keeps the schema. @param {Part} part @param {string} value @returns {string} */
  function test({ schema, home }, value) {
    if (typeof schema === 'boolean') return String(schema);
    const keywords = Object.keys(schema).filter((key) => !silent.has(key));
    if (keywords.length === 0) return 'true';
    const call = () =>
      `${nameOf({ schema, home })}(${value}, ${value === 'value' ? 'depth' : inside})`;
    if (keywords.length > 1) return call();
    if (schema.$ref) return test(follow(all, schema.$ref, home), value);
    return plainTest(schema, value) ?? call();
  }

  /** @param {Part} part */
  function nameOf({ schema, home }) {
    const known = names.get(schema);
    if (known !== undefined) return known;
    const name = `keeps${names.size}`;
    // A schema may refer to itself, so its name is known before its parts are written.
    names.set(schema, name);
    const lines = [...writeChecks(schema, (part, value) => test({ schema: part, home }, value))];
    const body = [`if (depth > ${deepest}) return false;`, ...lines, 'return true;'].join('\n');
    functions.push(`function ${name}(value, depth) {\n${body}\n}\n`);
    return name;
  }

  return { test, functions: () => functions };
}

/** The depth of what is inside of a value. */
const inside = 'depth + 1';

/** Type and choices. @param {Schema} schema @param {string} value */
function plainTest({ type, enum: allowed, const: only }, value) {
  if (type !== undefined) return types[type]?.(value);
  const values = only === undefined ? allowed : [only];
  return values
    ?.map((/** @type {unknown} */ it) => `${value} === ${JSON.stringify(it)}`)
    .join(' || ');
}

/** @param {Schema} schema @param {(part: Schema, value: string) => string} test @returns {Generator<string>} */
function* writeChecks(schema, test) {
  const { $ref, type, enum: allowed, const: only, not, if: condition, then, else: other } = schema;
  refuseUnknown(schema);
  if (type !== undefined) yield demand(test({ type }, 'value'));
  if (allowed !== undefined || only !== undefined) {
    yield demand(/** @type {string} */ (plainTest({ enum: allowed, const: only }, 'value')));
  }
  yield* onlyFor('string', type, [...writeTextChecks(schema)]);
  yield* onlyFor('number', type, [...writeNumberChecks(schema)]);
  yield* onlyFor('array', type, [...writeListChecks(schema, test)]);
  yield* onlyFor('object', type, [...writeObjectChecks(schema, test)]);
  if ($ref !== undefined) yield demand(test({ $ref }, 'value'));
  for (const part of schema.allOf ?? []) yield demand(test(part, 'value'));
  // A no because of the depth would not do here.
  for (const part of [not, condition]) if (hasInside(part)) throw new Error('too deep a condition');
  if (not !== undefined) yield demand(`!(${test(not, 'value')})`);
  if (condition === undefined) return;
  const [kept, broken] = [test(then ?? {}, 'value'), test(other ?? {}, 'value')];
  yield demand(`${test(condition, 'value')} ? ${kept} : ${broken}`);
}

/** Whether the schema looks at more than a value and its properties. @param {Schema | undefined} schema */
function hasInside(schema = {}) {
  const { $ref, allOf, items, additionalProperties, properties = {} } = schema;
  const plain = Object.values(properties).every(
    (it) => plainTest(it, '') !== undefined || it === true,
  );
  return [$ref, allOf, items, additionalProperties].some((it) => it !== undefined) || !plain;
}

/** Keywords say something of one kind of value. @param {string} kind @param {string} type @param {string[]} lines */
function* onlyFor(kind, type, lines) {
  if (type === kind || lines.length === 0) yield* lines;
  else yield `if (${types[kind]?.('value')}) {\n${lines.join('\n')}\n}`;
}

/** @param {string} condition */
function demand(condition) {
  return `if (!(${condition})) return false;`;
}

/** @param {Schema} schema */
function* writeTextChecks({ minLength, maxLength, pattern }) {
  // A text that is not empty has a character.
  if (minLength === 1) yield demand(`value !== ''`);
  else if (minLength !== undefined) yield demand(`isLong(value, ${minLength})`);
  if (maxLength !== undefined) yield demand(`isShort(value, ${maxLength})`);
  if (pattern !== undefined) yield demand(`${new RegExp(pattern, 'u')}.test(value)`);
}

/** @param {Schema} schema */
function* writeNumberChecks({ minimum, maximum }) {
  if (minimum !== undefined) yield demand(`value >= ${minimum}`);
  if (maximum !== undefined) yield demand(`value <= ${maximum}`);
}

/** @param {Schema} schema @param {(part: Schema, value: string) => string} test */
function* writeListChecks({ minItems, uniqueItems, items }, test) {
  if (minItems !== undefined) yield demand(`value.length >= ${minItems}`);
  if (items !== undefined) yield `for (const item of value) ${demand(test(items, 'item'))}`;
  if (uniqueItems === undefined) return;
  if (items?.type !== 'string') throw new Error('only texts can be told apart');
  yield demand('value.length < 2 || new Set(value).size === value.length');
}

/** @param {Schema} schema @param {(part: Schema, value: string) => string} test */
function* writeObjectChecks(schema, test) {
  const { properties = {}, required = [], additionalProperties: others, minProperties } = schema;
  const names = [...new Set([...Object.keys(properties), ...required])];
  const isClosed = others === false;
  if (isClosed) yield 'let others = 0;\nfor (const _ in value) others += 1;';
  for (const [at, name] of names.entries()) {
    // Otherwise an object that does not have it itself would have it from its prototype.
    if (name in {}) throw new Error(`all objects have ${name}`);
    const kept = test(properties[name] ?? true, `part${at}`);
    const isRequired = required.includes(name);
    if (kept === 'true' && !isRequired && !isClosed) continue;
    yield `const part${at} = value[${JSON.stringify(name)}];`;
    const checks = [
      ...(kept === 'true' ? [] : [demand(kept)]),
      ...(isClosed ? ['others -= 1;'] : []),
    ];
    if (isRequired) yield `if (part${at} === undefined) return false;\n${checks.join('\n')}`;
    else yield `if (part${at} !== undefined) {\n${checks.join('\n')}\n}`;
  }
  if (isClosed) yield demand('others === 0');
  if (minProperties !== undefined) yield demand(`Object.keys(value).length >= ${minProperties}`);
  if (isClosed || others === undefined) return;
  if (names.length > 0) throw new Error('properties with a schema stand beside others with one');
  yield `for (const key in value) ${demand(test(others, 'value[key]'))}`;
}

/** The part of a schema that a reference names. @param {readonly Schema[]} all @param {string} reference @param {Schema} home @returns {Part} */
function follow(all, reference, home) {
  const [address = '', path = ''] = reference.split('#');
  const document = address === '' ? home : all.find(({ $id }) => $id === address);
  if (document === undefined) throw new Error(`there is no schema ${address}`);
  const keys = path.split('/').slice(1);
  return { schema: keys.reduce((part, key) => part[key], document), home: document };
}

const known = new Set([
  ...silent,
  ...['$ref', 'type', 'enum', 'const', 'allOf', 'not', 'if', 'then', 'else'],
  ...[
    'minLength',
    'maxLength',
    'pattern',
    'minimum',
    'maximum',
    'minItems',
    'uniqueItems',
    'items',
  ],
  ...['properties', 'required', 'additionalProperties', 'minProperties'],
]);

/** @param {Schema} schema */
function refuseUnknown(schema) {
  const unknown = Object.keys(schema).find((keyword) => !known.has(keyword));
  if (unknown !== undefined) throw new Error(`keepers.mjs does not know the keyword ${unknown}`);
}
