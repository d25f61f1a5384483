/**
 * Item 8 refuses nothing that the platform's own schema accepts: each field that the schema has at a
 * place of a squad is added there, and each that the squad has is left out. The schema is not part of
 * the project: without SQUADC_PLATFORM_SCHEMAS the test is skipped.
 */
import { describe, expect, it } from 'vitest';
import { compile, type Json, type JsonObject, verify } from '../../src/index.js';
import { drop, listOf, objectOf, platform, platformFaults, put, valueAt } from '../json.js';
import { clinic } from '../verify/foreign/workflows.js';
import { resolved, sampleOf } from './samples.js';

/** The alternative that describes a value, by its type or its provider. */
function alternativeFor(schema: Json | undefined, value: JsonObject): JsonObject {
  const found = resolved(schema);
  const fits = (each: JsonObject) =>
    ['type', 'provider'].some((key) => {
      const { enum: choices } = objectOf(objectOf(each['properties'])[key]);
      return value[key] !== undefined && listOf(choices).includes(value[key]);
    });
  return listOf(found['anyOf']).map(resolved).find(fits) ?? found;
}

interface Variant {
  readonly what: string;
  readonly squad: JsonObject;
}

function* variantsOf(squad: JsonObject, at: string, schema: Json | undefined): Iterable<Variant> {
  const value = at === '' ? squad : valueAt(squad, at)!;
  if (Array.isArray(value)) {
    for (const index of value.keys()) {
      yield* variantsOf(squad, `${at}/${index}`, resolved(schema)['items']);
    }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const own = value as JsonObject;
  for (const [key, each] of Object.entries(objectOf(alternativeFor(schema, own)['properties']))) {
    const place = `${at}/${key}`;
    if (!Object.hasOwn(own, key)) {
      yield { what: `${place} added`, squad: put(squad, place, sampleOf(each)) };
      continue;
    }
    yield { what: `${place} left out`, squad: drop(squad, place) };
    yield* variantsOf(squad, place, each);
  }
}

describe.skipIf(platform === null)('item 8', () => {
  it('refuses nothing that the platform accepts', () => {
    const squad = compile(clinic, { target: 'vapi' }).output!;
    const accepted = [...variantsOf(squad, '', platform!)].filter(
      (it) => platformFaults(it.squad).length === 0,
    );
    const refused = accepted.filter((it) => {
      const { holds, decided } = verify(clinic, it.squad).checklist[7]!;
      return !holds && decided;
    });
    expect(accepted.length).toBeGreaterThan(200);
    expect(refused.map(({ what }) => what)).toEqual([]);
  }, 120_000);
});
