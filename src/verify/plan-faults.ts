/**
 * What a handoff carries otherwise than it is to, told one fault at a time.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import type { Json, JsonObject } from '../compiler/ir/json.js';
import type { Text } from '../compiler/ir/workflow.js';
import { ofVariables } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import { type Finding, finding } from './item.js';
import { findAliasFaults } from './plan-aliases.js';
import { faultOfProperty, type PropertyFault } from './plan-property.js';
import type { AliasReading, CarryingSchema } from './plan-reading.js';
import type { Destination } from './squad-reading.js';
import type { Crossing } from './variables/crossings.js';
import { put } from './variables/lists.js';

/** The handoff that is looked at. */
interface Scene {
  readonly comparison: Comparison;
  readonly destination: Destination;
  /** All that is to cross with it. */
  readonly crossing: readonly Crossing[];
}

/** What is said where a handoff carries too little, too much, or says too much about it. */
type Wording = Pick<typeof ofVariables, 'lacks' | 'carriesInVain' | 'notRequired' | 'otherSchema'>;

type Sentence = (from: string, to: string) => string;

/** Exactly the properties that are wanted, as their captures have them, all required. */
export function checkCarrying(
  scene: Scene,
  schema: CarryingSchema | null,
  wording: Wording,
  wanted: readonly Crossing[],
  faults: Finding[],
): void {
  if (schema === null && wanted.length === 0) return;
  if (schema === null) {
    findWrongNames(scene, scene.destination, noNames, wording, wanted, faults);
    return;
  }
  const { properties, required } = schema;
  // Most plans require their properties in order, so that nobody has to list these.
  const isEach = listsInOrder(required, properties);
  if (!isEach || required.length !== wanted.length || !hasAll(schema, wanted)) {
    findWrongNames(scene, schema, Object.keys(properties), wording, wanted, faults);
  }
  checkProperties(scene, schema, wanted, faults);
  if (!schema.isPlain) faults.push(refute(scene, wording.otherSchema, [schema.at]));
  if (!isEach && !listsEach(required, Object.keys(properties))) {
    faults.push(refute(scene, wording.notRequired, [schema.at]));
  }
}

const noNames: readonly string[] = [];

/** What can stand somewhere. */
interface Placed {
  readonly at: JsonPointer;
}

/** Whether the list has exactly the keys of the object, in their order. */
function listsInOrder(list: readonly Json[], properties: JsonObject): boolean {
  let count = 0;
  for (const key in properties) {
    if (list[count] !== key) return false;
    count += 1;
  }
  return count === list.length;
}

function hasAll(schema: CarryingSchema, wanted: readonly Crossing[]): boolean {
  for (const { variable } of wanted) {
    if (!Object.hasOwn(schema.properties, variable.name)) return false;
  }
  return true;
}

/** Tells which properties are wanted and not there, and which are there in vain. */
function findWrongNames(
  scene: Scene,
  { at }: Placed,
  present: readonly string[],
  wording: Wording,
  wanted: readonly Crossing[],
  faults: Finding[],
): void {
  const there = new Set(present);
  const missing = namesOf(wanted).filter((name) => !there.has(name));
  if (missing.length > 0) {
    const lacks: Sentence = (...ends) => wording.lacks(...ends, missing);
    faults.push(refute(scene, lacks, [at], listAbout(scene, missing)));
  }
  const names = new Set(namesOf(wanted));
  const extra = present.filter((name) => !names.has(name));
  if (extra.length > 0) {
    const inVain: Sentence = (...ends) => wording.carriesInVain(...ends, extra);
    faults.push(refute(scene, inVain, [at], listAbout(scene, extra)));
  }
}

function checkProperties(
  scene: Scene,
  schema: CarryingSchema,
  wanted: readonly Crossing[],
  faults: Finding[],
): void {
  const { properties } = schema;
  let wrong: [name: string, what: PropertyFault][] | null = null;
  for (const { variable, captures } of wanted) {
    const { name } = variable;
    if (!Object.hasOwn(properties, name)) continue;
    const what = faultOfProperty(properties[name], name, captures);
    if (what !== null) wrong = put(wrong, [name, what]);
  }
  if (wrong === null) return;
  const whatOf = new Map(wrong);
  for (const crossing of listAbout(scene, [...whatOf.keys()])) {
    const { name } = crossing.variable;
    const sentence: Sentence = (...ends) =>
      ofVariables.wrongSchema(...ends, name, whatOf.get(name)!);
    faults.push(refute(scene, sentence, [schema.at], [crossing]));
  }
}

/** What crosses under these names, in their order; something found out may cross as an alias too. */
function listAbout({ crossing }: Scene, names: readonly string[]): Crossing[] {
  const byName = new Map(crossing.map((it) => [it.variable.name, it]));
  return names.flatMap((name) => byName.get(name) ?? []);
}

/** Whether the list has each of these names once, and nothing else. */
function listsEach(list: readonly Json[], names: readonly string[]): boolean {
  if (list.length !== names.length) return false;
  const listed = new Set(list);
  return listed.size === list.length && names.every((name) => listed.has(name));
}

/** Exactly the aliases that are wanted, each behind those that it is made of. */
export function checkAliases(
  scene: Scene,
  derived: ReadonlyMap<string, Text>,
  aliases: readonly AliasReading[] | null,
  place: Placed,
  faults: Finding[],
): void {
  if (aliases === null) {
    faults.push(refute(scene, ofVariables.derives, [place.at]));
    return;
  }
  if (derived.size === 0 && aliases.length === 0) return;
  const { at } = place;
  const { missing, hasExtra, otherwise } = findAliasFaults(derived, aliases);
  if (missing.length > 0) {
    const lacks: Sentence = (from, to) => ofVariables.lacks(from, to, missing);
    faults.push(refute(scene, lacks, [at], listAbout(scene, missing)));
  }
  if (hasExtra) faults.push(refute(scene, ofVariables.derives, [at]));
  for (const crossing of listAbout(scene, otherwise)) {
    const { name } = crossing.variable;
    const derives: Sentence = (from, to) => ofVariables.derivesOtherwise(from, to, name);
    faults.push(refute(scene, derives, [at], [crossing]));
  }
}

/** What is said of a handoff that carries what it is to carry. */
export function confirm(scene: Scene, schemas: readonly (CarryingSchema | null)[]): Finding {
  const { crossing } = scene;
  const places = schemas.flatMap((it) => (it === null ? [] : [it.at]));
  const carries: Sentence = (from, to) => ofVariables.carries(from, to, namesOf(crossing));
  return { ...refute(scene, carries, places, crossing), holds: true };
}

/** A fault that is about what crosses so, or about the handoff itself. */
export function refute(
  { comparison, destination }: Scene,
  sentence: Sentence,
  output: readonly JsonPointer[],
  about: readonly Crossing[] = [],
): Finding {
  const { match, nameOf, placeOf } = comparison;
  const captured = about.flatMap(({ captures }) => captures.map(({ at }) => at));
  const ways = () => match.passagesOf(destination).map(({ edge, to }) => edge?.at ?? placeOf(to));
  const source = [...new Set(captured.length > 0 ? captured : ways())];
  const { member, target } = destination;
  return finding(false, () => sentence(nameOf(member), target?.value ?? ''), source, output);
}

function namesOf(crossing: readonly Crossing[]): string[] {
  return crossing.map(({ variable }) => variable.name);
}
