/** The workflows of the goldens with a few small changes: whatever becomes of it, the own squad is not refuted. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { verify } from '../../src/index.js';
import { settle } from '../../src/testing.js';
import { isObject, type Json, type JsonObject } from '../../src/text/json.js';
import { child, type JsonPointer } from '../../src/text/pointer.js';
import { listFolders, readCase } from '../golden/cases.js';
import { append, change, drop, listOf, put, textOf, valueAt } from '../json.js';
import { runs, seed } from '../seed.js';

const workflows = listFolders().flatMap((name) => {
  const workflow = readCase(name)?.reading.workflow;
  return isObject(workflow as Json) ? [workflow as JsonObject] : [];
});
const texts = [
  ...['{{order}}', '{{ name | upcase }}', '{% if x %}a{% endif %}', 'x == "y"', 'true', ''],
  ...['if the caller agrees', 'end the call', 'handoff_to_a', 'Say: "hello"', 'the same words'],
];

/** All places but the root; a schema that is none is sent as it is, so nothing in one is changed. */
const placesIn = (value: Json, at: JsonPointer = ''): JsonPointer[] =>
  value === null || typeof value !== 'object' || at.endsWith('/body')
    ? []
    : Object.entries(value).flatMap(([key, it]) => [
        child(at, key),
        ...placesIn(it as Json, child(at, key)),
      ]);

const pick = <T>(list: readonly T[], number: number): T => list[number % list.length]!;
const edits: readonly ((document: JsonObject, at: JsonPointer, number: number) => JsonObject)[] = [
  drop,
  (document, at, number) => put(document, at, pick(texts, number)),
  (document, at, number) => put(document, at, valueAt(document, pick(placesIn(document), number))!),
  (document, at, number) =>
    change(document, at, (it) =>
      typeof it === 'string' ? `${it} ${pick(texts, number)}` : [...listOf(it), ...listOf(it)],
    ),
  (document, at, number) => {
    const nodes = listOf(document['nodes']).filter((it) => isObject(it));
    if (nodes.length === 0 || !Array.isArray(document['edges'])) return document;
    const [from, to] = [at.length, number].map((it) => pick(nodes, it)['id'] ?? '');
    return append(document, '/edges', { from, to, condition: pick(texts, number) } as JsonObject);
  },
];

const edit = fc.record({ kind: fc.nat(), at: fc.nat(), number: fc.nat() });
const changed = fc
  .tuple(fc.nat(), fc.array(edit, { minLength: 1, maxLength: 3 }))
  .map(([base, all]) =>
    all.reduce(
      (document, { kind, at, number }) => {
        const places = placesIn(document);
        const place = places.length === 0 ? '' : pick(places, at);
        return place === '' ? document : pick(edits, kind)(document, place, number);
      },
      pick(workflows, base),
    ),
  );

it.each(['squad', 'vapi'] as const)(
  'holds for %s, or is asked about or refused',
  (target) => {
    let complete = 0;
    const property = fc.property(changed, (workflow) => {
      const { result, options } = settle(workflow, { target });
      if (result.output === null) return;
      complete += 1;
      const { verdict, diagnostics } = verify(workflow, result.output, options);
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      expect(errors.map(({ message }) => textOf(message))).toEqual([]);
      expect(verdict).not.toBe('fails');
    });
    const count = runs(150);
    fc.assert(property, { seed, numRuns: count });
    expect(complete).toBeGreaterThan(count / 8);
  },
  600_000,
);
