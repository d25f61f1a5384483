/** What a validator is that is compiled ahead of time from a schema in `schemas/`. */

/** A violation of a schema; `instancePath` is a JSON Pointer. */
export interface SchemaFault {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

/** Returns true if the value matches the schema; `errors` has the faults of the last call. */
export interface Validator {
  (value: unknown): boolean;
  readonly errors?: readonly SchemaFault[] | null;
}
