import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/compiler/ir/json.js';
import { keepsSquad, keepsVapiSquad } from '../../../src/schemas/keepers.generated.js';
import {
  type SchemaFault,
  validateSquad,
  validateVapiSquad,
} from '../../../src/schemas/validators.generated.js';
import { findFaults } from '../../../src/verify/shape/find-faults.js';
import { readRule } from '../../../src/verify/shape/rules.js';
import { runs, seed } from '../../seed.js';
import { clinic, migrate, places, without, withValue } from '../migration.js';

const shapes = [
  ['squad', 'squad', validateSquad, keepsSquad],
  ['vapi', 'vapi-squad', validateVapiSquad, keepsVapiSquad],
] as const;

/** These only repeat that something below them failed. */
const echoes = new Set(['if', 'anyOf', 'oneOf', 'allOf']);

/** The faults as comparable texts, each once. */
function describeFaults(faults: readonly SchemaFault[]): string[] {
  const own = faults.filter(({ keyword }) => !echoes.has(keyword));
  const texts = own.map(({ instancePath, keyword, params }) => {
    const { missingProperty, additionalProperty, limit } = params;
    const what = missingProperty ?? additionalProperty ?? limit ?? '';
    return `${instancePath} ${keyword} ${String(what)}`;
  });
  return [...new Set(texts)].sort();
}

const settings = {
  rejectionPlan: {
    conditions: [
      { type: 'liquid', liquid: 'x' },
      { type: 'regex', regex: 'y' },
    ],
  },
  parameters: [{ key: 'a', value: null }],
  destinations: [
    { type: 'sip', sipUri: 'sip:x' },
    { type: 'number', number: '' },
  ],
  contextEngineeringPlan: { type: 'lastNMessages' },
  name: 'x'.repeat(41),
};

describe.each(shapes)('findFaults with the shape of target %s', (target, name, validate, keeps) => {
  const rule = readRule(name);
  const given = migrate({ ...clinic, voice: { provider: 'acme' } }, { target });
  const all = places(given.document).slice(1);

  it('finds what the generated validator finds', () => {
    let faulty = 0;
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom(...Object.values(settings), '', 0, null, {}, []),
    );
    const change = fc.record({
      at: fc.nat(),
      how: fc.constantFrom('replace', 'remove', 'add', 'add-known'),
      value,
    });
    const property = fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      let input = given;
      for (const { at, how, value: part } of changes) {
        const place = all[at % all.length]!.at;
        const known = Object.keys(settings)[at % 5]!;
        const more = how === 'add' ? 'unknown' : known;
        try {
          if (how === 'remove') input = without(input, place);
          else if (how === 'replace') input = withValue(input, place, part as Json);
          else input = withValue(input, `${place}/${more}`, part as Json);
        } catch {
          // An earlier change took the place away.
        }
      }
      const document = JSON.parse(JSON.stringify(input.document)) as JsonObject;
      const holds = validate(document);
      const expected = describeFaults(validate.errors ?? []);
      expect(describeFaults(findFaults(document, rule))).toEqual(expected);
      expect(keeps(document)).toBe(holds);
      if (!holds) faulty += 1;
    });
    fc.assert(property, { seed, numRuns: runs(1500) });
    expect(faulty).toBeGreaterThan(800);
  });

  it('finds what the generated validator finds in any value', () => {
    const property = fc.property(fc.jsonValue(), (value) => {
      for (const document of [value, { squad: value }, { members: value }, { members: [value] }]) {
        expect(keeps(document)).toBe(validate(document));
        const expected = describeFaults(validate.errors ?? []);
        expect(describeFaults(findFaults(document as Json, rule))).toEqual(expected);
      }
    });
    fc.assert(property, { seed, numRuns: runs(300) });
  });
});
