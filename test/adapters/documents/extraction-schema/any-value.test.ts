/** Whatever is taken for a schema, the rules read it to its end. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lintExtractionSchema } from '../../../../src/documents-schemas.js';

it('nothing that is no schema is taken for one, and nothing makes the rules fail', () => {
  fc.assert(
    fc.property(
      fc.anything({ withBigInt: true, withSparseArray: true, withNullPrototype: true }),
      (value) => {
        expect(lintExtractionSchema(value).some(({ severity }) => severity === 'error')).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});

it('whatever stands in a schema, it is read to its end and in the same way twice', () => {
  const keys = [
    'type',
    'properties',
    'items',
    'enum',
    'required',
    'service:type',
    'description',
    'service:descriptions',
  ];
  const values = [
    fc.constantFrom('object', 'array', 'string', 'null', 'currency', 'date'),
    fc.anything({ maxDepth: 0 }),
  ];
  const anySchema = fc.object({ key: fc.constantFrom(...keys), values, maxDepth: 5 });
  fc.assert(
    fc.property(anySchema, (schema) => {
      const findings = lintExtractionSchema(schema);
      expect(lintExtractionSchema(schema)).toEqual(findings);
      for (const { at } of findings) expect(at).toMatch(/^(?:\/|$)/);
    }),
    { numRuns: 300 },
  );
});
