/**
 * What the schema of a service tells of its operations: validators of their bodies, and texts. The
 * bills service uses it, too.
 *
 * In: a JSON Schema with a property for each operation (`parameters`, `request`, `response`), and the
 * function that was made of it. Out: both by operation id. Clients are complete without them.
 */
import type { Operation, Validator, Validators } from '../http/operation.js';

/** A function that holds a value against the whole schema, as `schemas/compile.mjs` makes it. */
interface SchemaCheck {
  (value: unknown): boolean;
  readonly errors?: readonly { instancePath: string; message?: string }[] | null;
}

/** What an operation is for, and its parameters by name, those in the path first. */
export interface OperationText {
  readonly description: string;
  readonly parameters: Readonly<Record<string, string>>;
}

interface Described {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Described>>;
}

/** A finding is a JSON Pointer into the body and what is wrong there. */
export function validatorsOf(
  operations: readonly Operation[],
  check: SchemaCheck,
): Readonly<Record<string, Validators>> {
  const validatorOf = (id: string, side: 'request' | 'response'): Validator => {
    const place = `/${id}/${side}`;
    return (body = {}) => {
      if (check({ [id]: { [side]: body } })) return [];
      return (check.errors ?? []).map(({ instancePath, message = 'is not valid' }) => {
        return `${instancePath.slice(place.length) || 'body'} ${message}`;
      });
    };
  };
  const entries = operations.map(({ id, body, answer }) => {
    const response = validatorOf(id, 'response');
    const optional: Validator = (given) => (given === undefined ? [] : response(given));
    const request = body === 'json' && { request: validatorOf(id, 'request') };
    return [id, { ...request, response: answer === 'nothing' ? optional : response }];
  });
  return Object.fromEntries(entries);
}

/** For documentation and for whoever chooses among the operations. */
export function textsOf(
  operations: readonly Operation[],
  schema: Readonly<Record<string, unknown>>,
): Readonly<Record<string, OperationText>> {
  const definitions = schema['$defs'] as Readonly<Record<string, Described>>;
  /** What it says itself, or what it refers to says. */
  const resolved = (described: Described = {}): Described => {
    const name = described.$ref?.split('/').at(-1) ?? '';
    return { ...definitions[name], ...described };
  };
  const entries = operations.map(({ id }) => {
    const { description = '', properties } = (schema as Described).properties?.[id] ?? {};
    const parameters = Object.entries(resolved(properties?.['parameters']).properties ?? {});
    const texts = parameters.map(([name, said]) => [name, resolved(said).description ?? '']);
    return [id, { description, parameters: Object.fromEntries(texts) }];
  });
  return Object.fromEntries(entries);
}
