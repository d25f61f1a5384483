/** Whatever a schema is like, a rule that is broken anywhere in it is found there. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FindingCode } from '../../../../src/adapters/documents/extraction-schema/finding.js';
import { lintExtractionSchema } from '../../../../src/adapters/documents/extraction-schema/lint.js';
import { toExtractionSchema } from '../../../../src/adapters/documents/extraction-schema/to-schema.js';
import { anyVariables, currency, described, full, type Loose, nested, text } from './schemas.js';

type Role = 'root' | 'field' | 'items';

interface Spot {
  readonly schema: Loose;
  readonly at: string;
  readonly role: Role;
}

function spotsOf(schema: Loose, at = '', role: Role = 'root'): Spot[] {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    spotsOf(field, `${at}/properties/${name}`, 'field'),
  );
  const items = schema.items ? spotsOf(schema.items, `${at}/items`, 'items') : [];
  return [{ schema, at, role }, ...fields, ...items];
}

const isObject = ({ schema }: Spot) => schema.type === 'object';
const isArray = ({ schema }: Spot) => schema.type === 'array';
const isScalar = (spot: Spot) => !isObject(spot) && !isArray(spot);
const isField = ({ role }: Spot) => role === 'field';
const isPlain = (spot: Spot) => isObject(spot) && !('service:type' in spot.schema);

/** How a rule is broken: where that is possible, what it does, and where that is seen. */
interface Mutation {
  readonly code: `extraction/${string}` & FindingCode;
  readonly fits: (spot: Spot) => boolean;
  readonly spoil: (schema: Loose) => void;
  readonly seen: string;
}

const put =
  (more: object) =>
  (schema: Loose): void => {
    Object.assign(schema, more);
  };

const mutations: readonly Mutation[] = [
  {
    code: 'extraction/root',
    fits: ({ role }) => role === 'root',
    spoil: put({ type: 'array', items: text() }),
    seen: '',
  },
  {
    code: 'extraction/not-nullable',
    fits: (spot) => isScalar(spot) && isField(spot),
    spoil: put({ type: 'boolean' }),
    seen: '/type',
  },
  {
    code: 'extraction/type',
    fits: (spot) => !isObject(spot),
    spoil: put({ type: 'date' }),
    seen: '/type',
  },
  {
    code: 'extraction/nullable-container',
    fits: (spot) => isObject(spot) || isArray(spot),
    spoil: (it) => put({ type: [it.type, 'null'] })(it),
    seen: '/type',
  },
  {
    code: 'extraction/items',
    fits: isArray,
    spoil: (it) => put({ items: { type: 'array', items: it.items } })(it),
    seen: '/items',
  },
  {
    code: 'extraction/not-a-schema',
    fits: isPlain,
    spoil: (it) => {
      it.properties.spoilt = true;
      it.required.push('spoilt');
    },
    seen: '/properties/spoilt',
  },
  {
    code: 'extraction/property-name',
    fits: isPlain,
    spoil: (it) => {
      it.properties['a b'] = text();
      it.required.push('a b');
    },
    seen: '/properties/a b',
  },
  {
    code: 'extraction/too-deep',
    fits: ({ role }) => role === 'root',
    spoil: (it) => {
      it.properties.spoilt = { ...nested(5), ...described };
      it.required.push('spoilt');
    },
    seen: `/properties/spoilt${'/properties/inner'.repeat(4)}`,
  },
  {
    code: 'extraction/properties',
    fits: isObject,
    spoil: put({ properties: null }),
    seen: '/properties',
  },
  {
    code: 'extraction/required',
    fits: isPlain,
    spoil: (it) => {
      it.properties.spoilt = text();
    },
    seen: '/required',
  },
  {
    code: 'extraction/required-unknown',
    fits: isObject,
    spoil: (it) => it.required.unshift('spoilt'),
    seen: '/required/0',
  },
  {
    code: 'extraction/additional-properties',
    fits: isObject,
    spoil: put({ additionalProperties: {} }),
    seen: '/additionalProperties',
  },
  {
    code: 'extraction/enum-null',
    fits: isScalar,
    spoil: put({ enum: ['a'], type: ['string', 'null'] }),
    seen: '/enum',
  },
  {
    code: 'extraction/enum-value',
    fits: isScalar,
    spoil: put({ enum: [null, true] }),
    seen: '/enum/1',
  },
  {
    code: 'extraction/enum-type',
    fits: isScalar,
    spoil: put({ enum: ['a', null], type: ['number', 'null'] }),
    seen: '/enum',
  },
  { code: 'extraction/unsupported', fits: () => true, spoil: put({ anyOf: [{}] }), seen: '/anyOf' },
  {
    code: 'extraction/no-description',
    fits: (spot) => isField(spot) && spot.schema.description !== undefined,
    spoil: put({ description: '' }),
    seen: '',
  },
  {
    code: 'extraction/special-type',
    fits: () => true,
    spoil: put({ 'service:type': 'money' }),
    seen: '/service:type',
  },
  {
    code: 'extraction/date',
    fits: (spot) => !isScalar(spot),
    spoil: put({ 'service:type': 'date' }),
    seen: '/service:type',
  },
  {
    code: 'extraction/currency',
    fits: (spot) => isObject(spot) && spot.schema['service:type'] !== 'currency',
    spoil: put({ 'service:type': 'currency' }),
    seen: '/service:type',
  },
  {
    code: 'extraction/signature',
    fits: (spot) => isObject(spot) && spot.schema['service:type'] !== 'signature',
    spoil: put({ 'service:type': 'signature' }),
    seen: '/service:type',
  },
  {
    code: 'extraction/extra-part',
    fits: isPlain,
    spoil: (it) => {
      Object.assign(it, currency());
      it.properties.more = text();
      it.required.push('more');
    },
    seen: '/service:type',
  },
  {
    code: 'extraction/descriptions-alone',
    fits: ({ schema }) => !schema.enum,
    spoil: put({ 'service:descriptions': ['a'] }),
    seen: '/service:descriptions',
  },
  {
    code: 'extraction/descriptions-count',
    fits: isScalar,
    spoil: put({ enum: ['a', null], 'service:descriptions': [] }),
    seen: '/service:descriptions',
  },
  {
    code: 'extraction/malformed',
    fits: () => true,
    spoil: put({ 'service:name': 5 }),
    seen: '/service:name',
  },
];

describe('a broken rule is found where it is broken', () => {
  const anySchema = fc.oneof(
    anyVariables.map((variables): Loose => toExtractionSchema(variables)),
    fc.constant(full()),
  );
  for (const { code, fits, spoil, seen } of mutations) {
    it(code, () => {
      let spoilt = 0;
      fc.assert(
        fc.property(anySchema, fc.nat(), (right, choice) => {
          const schema = structuredClone(right);
          const spots = spotsOf(schema).filter(fits);
          const spot = spots[choice % Math.max(1, spots.length)];
          if (spot === undefined) return;
          spoil(spot.schema);
          spoilt += 1;
          const places = lintExtractionSchema(schema).filter((each) => each.code === code);
          expect(places.map(({ at }) => at)).toContain(`${spot.at}${seen}`);
        }),
        { numRuns: 60 },
      );
      expect(spoilt).toBeGreaterThan(10);
    });
  }
});

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
