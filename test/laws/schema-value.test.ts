import { describe, expect, it } from 'vitest';
import { checkOf } from '../../src/adapters/tools/handler/schema-check.js';
import { toolDefinitions } from '../../src/adapters/tools/table/definitions.js';
import type { JsonObject } from '../../src/compiler/ir/json.js';
import { makeValue } from '../../src/testing.js';

const asked = Object.values(toolDefinitions).flatMap(({ operation, parameters }) =>
  parameters
    .filter(({ required }) => required)
    .map(({ name, schema }) => [`${operation}.${name}`, schema as JsonObject] as const),
);

describe('a value for what can be asked about an operation', () => {
  it.each(asked)('%s fits', (_, schema) => {
    for (const number of [0, 1, 7]) {
      expect(checkOf(schema)(makeValue(schema, [number, 3]))).toBeUndefined();
    }
  });
});
