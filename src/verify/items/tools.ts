/**
 * Item 5. "apiRequest, transferCall and tool nodes are attached to the correct assistant."
 *
 * Every assistant has the tools of its nodes and of answers, each once, and no others. A tool does
 * exactly what the source or an answer says, and says when to call it if nothing else does; given
 * tools are as the source has them. Names are free as long as they are legal, unique and those that
 * the prompt calls. The platform refuses what it should refuse.
 */
import { unraw } from '../../call/prompt.js';
import type { Member, Tool } from '../../call/squad.js';
import type { TargetShape } from '../../compiler/targets.js';
import { ofTools } from '../../diagnostics/checklist.js';
import { groupBy } from '../../graph/lists.js';
import { asObject, canonicalJson, type Json, type JsonObject } from '../../text/json.js';
import { canonicalSchema, elements, inOrder, textOf } from '../../text/parts.js';
import { type JsonPointer, pointer, valueAt } from '../../text/pointer.js';
import type { Comparison, Pairing } from '../comparison.js';
import { type ExpectedTool, rejectionPlanFor } from '../expected/tools.js';
import { doubt, type Finding, fact, fault, part } from '../finding.js';
import { otherWords } from '../foreign/prose.js';

/**
 * The content of a tool by field, with the fields of its function, its destinations and its plan
 * listed individually, and without defaults of the platform and meaningless order.
 */
function fieldsOf(value: JsonObject): ReadonlyMap<string, Json> {
  const { type: _, function: declared, destinations, variableExtractionPlan, ...others } = value;
  const fields = new Map(Object.entries(others).filter(([key, part]) => !isUsual(key, part)));
  const put = (base: string, parts: JsonObject): void => {
    for (const [key, part] of Object.entries(parts)) fields.set(`${base}/${key}`, part);
  };
  put('function', asObject(declared));
  if (destinations !== undefined) fields.set('destinations', elements(destinations).length);
  for (const [index, it] of elements(destinations).entries()) {
    put(`destinations/${index}`, withoutDefaults(asObject(it)));
  }
  const { aliases, ...more } = asObject(variableExtractionPlan);
  put('variableExtractionPlan', more);
  const pairs = elements(aliases).map(withPath);
  if (pairs.length > 0) fields.set('variableExtractionPlan', sorted(pairs));
  const { parameters, rejectionPlan } = others;
  if (parameters !== undefined) fields.set('parameters', sorted(elements(parameters)));
  if (rejectionPlan !== undefined) fields.set('rejectionPlan', refusalsOf(rejectionPlan));
  return fields;
}

/** The platform waits 20 seconds for a response, and for a tool unless it is asynchronous. */
function isUsual(key: string, value: Json): boolean {
  return (key === 'timeoutSeconds' && value === 20) || (key === 'async' && value === false);
}

/** An unannounced transfer and an enabled check of the number are defaults of the platform. */
function withoutDefaults(destination: JsonObject): JsonObject {
  const { transferPlan, numberE164CheckEnabled: check, ...said } = destination;
  const plan = { mode: 'blind-transfer', ...asObject(transferPlan) };
  const isPlain = plan.mode === 'blind-transfer' && Object.keys(plan).length === 1;
  return {
    ...said,
    ...(isPlain ? {} : { transferPlan: plan }),
    ...(check === undefined || check === true ? {} : { numberE164CheckEnabled: check }),
  };
}

/** White space within the braces has no meaning; an unknown key is a fault of the shape. */
function withPath(alias: Json): Json {
  const { key = null, value = null } = asObject(alias);
  const path = /^\{\{\s*(\$\S*?)\s*\}\}$/.exec(textOf(value) ?? '')?.[1];
  return { key, value: path ?? value };
}

function refusalsOf(plan: Json | undefined): Json {
  const { conditions, ...others } = asObject(plan);
  return { ...others, conditions: sorted(elements(conditions)) };
}

function sorted(list: readonly Json[]): Json {
  return list.toSorted((one, other) => (canonicalJson(one) < canonicalJson(other) ? -1 : 1));
}

/** A field as comparable text. Target `vapi` has schemas where target `squad` sends values. */
function written(field: string, part: Json | undefined, shape: TargetShape): string {
  const isSchema = /^(?:headers|body|function\/parameters)$/.test(field);
  return isSchema && shape.hasSchemas ? canonicalSchema(part) : canonicalJson(part);
}

/** Fields that say how or when to call a tool, and not what it does. */
const namingFields = /(?:^|^function\/)name$|(?:^|\/)description$|^rejectionPlan$/;

/** Keys that identify a tool; those that distinguish similar tools come first. */
function identifyingKeys(given: JsonObject, called: string | null, shape: TargetShape) {
  const all = elements(given['destinations']).toSorted((one, other) =>
    addressOf(one) < addressOf(other) ? -1 : 1,
  );
  const value: JsonObject = all.length === 0 ? given : { ...given, destinations: all };
  const fields = fieldsOf(value);
  const type = textOf(value['type']) ?? '';
  const contentFields = [...fields].filter(([field]) => !namingFields.test(field));
  const parts = contentFields.map(([field, part]) => `${field} ${written(field, part, shape)}`);
  const content = `${type}\n${parts.sort().join('\n')}`;
  const [description] = [...fields].flatMap(([field, part]) =>
    /(?:^|^function\/|\/0\/)description$/.test(field) ? (textOf(part) ?? []) : [],
  );
  const refused = canonicalJson(fields.get('rejectionPlan'));
  const descriptionKey = `${type} ${inOrder(unraw(description ?? '').plain)} ${refused}`;
  const name = called ? `${type} ${called}` : null;
  const address = textOf(value['url']) ?? all.map(addressOf).join(' ');
  return [
    `${name} ${content} ${descriptionKey}`,
    name && `${name} ${content}`,
    `${content} ${descriptionKey}`,
    content,
    name,
    address ? `${type} ${address}` : null,
    name ? null : descriptionKey,
  ];
}

export function pairTools(
  { tools }: Member,
  expected: readonly ExpectedTool[],
  shape: TargetShape,
): Pairing {
  const given = tools.filter(({ type }) => type !== 'handoff');
  const keyed = <T extends ExpectedTool | Tool>(all: readonly T[]) =>
    new Map(all.map((it) => [it, identifyingKeys(it.value, it.name, shape)]));
  const [missing, leftOver] = [keyed(expected), keyed(given)];
  const pairs: [ExpectedTool, Tool][] = [];
  for (let level = 0; missing.size > 0 && level < 7; level += 1) {
    const alike = groupBy(leftOver.keys(), (tool) => leftOver.get(tool)![level] ?? null);
    alike.delete(null);
    for (const [want, keys] of missing) {
      const tool = alike.get(keys[level]!)?.shift();
      if (tool === undefined) continue;
      pairs.push([want, tool]);
      missing.delete(want);
      leftOver.delete(tool);
    }
  }
  return { pairs, missing: [...missing.keys()], leftOver: [...leftOver.keys()] };
}

export function checkTools(comparison: Comparison): Finding[] {
  const { squad, homeless } = comparison;
  // The tools of a saved assistant are not visible.
  const isUnseen = squad.members.some(({ unseen }) => unseen);
  return [
    ...squad.members.flatMap((member) => checkMember(comparison, member)),
    ...homeless.map((node) =>
      isUnseen
        ? part(ofTools.unseen(node.id), [node], [])
        : fault(ofTools.nowhere(node.id), [node], []),
    ),
    ...checkHandoffGuards(comparison),
  ];
}

function checkMember({ squad, needed, pairings }: Comparison, member: Member): Finding[] {
  const { index, tools, toolIds, called, unseen } = member;
  const { pairs, missing, leftOver } = pairings[index]!;
  // Each saved tool is referenced once by its id, and no other is.
  const lost = new Map(needed[index]!.ids);
  const superfluous = toolIds.filter(({ id }) => !lost.delete(id));
  const lacks = missing.flatMap((it): Finding[] => {
    if (unseen) return [part(ofTools.unseen(it.label), [it], [member])];
    // Item 6 tells of a call that cannot be ended.
    const isTold = it.value['type'] === 'endCall';
    return isTold ? [] : [fault(ofTools.lacks(called, it.label), [it], [member])];
  });
  return [
    ...pairs.flatMap(([want, tool]) => comparePair(squad.shape, member, want, tool)),
    ...superfluous.map((it) => fault(ofTools.leftOver(called, it.id), [], [it])),
    ...Array.from(lost, ([id, at]) => fault(ofTools.lacks(called, id), [at], [member])),
    ...lacks,
    ...leftOver.map((it) => fault(ofTools.leftOver(called, it.name || it.type), [], [it])),
    ...[...groupBy(tools, ({ name }) => name)].flatMap(([name, bearers]) => {
      const isShared = name !== '' && bearers.length > 1;
      return isShared ? fault(ofTools.sharedName(called, name), [], bearers) : [];
    }),
  ];
}

/** The faults of a tool, or the fact that it is as expected. */
function comparePair(shape: TargetShape, member: Member, want: ExpectedTool, tool: Tool) {
  const { called, worded } = member;
  const { label, kind, value } = want;
  // A given tool is compared word for word.
  const partsOf = (it: JsonObject) =>
    kind === 'given' ? new Map(Object.entries(it)) : fieldsOf(it);
  const [expected, actual] = [partsOf(inOrderOf(value, tool.value)), partsOf(tool.value)];
  const faults = [...new Set([...expected.keys(), ...actual.keys()])].flatMap((field) => {
    const [from, to] = [expected.get(field), actual.get(field)];
    if (written(field, from, shape) === written(field, to, shape)) return [];
    if (isWithin(field, expected, actual)) return [];
    const text = sayDifference(field, [from, to], want, tool, member);
    return text === null ? [] : [fault(text, [want], [placeIn(tool, field)])];
  });
  if (faults.length > 0) return faults;
  const doubts = worded || kind === 'given' ? [] : listDoubts(member, want, expected, actual, tool);
  return [fact(ofTools.has(called, label), [want], [tool]), ...doubts];
}

const addressOf = (destination: Json) => {
  const { number, sipUri } = asObject(destination);
  return textOf(number ?? sipUri) ?? '';
};

/** The tool with its destinations in the order of another; each says itself when it is chosen. */
function inOrderOf(value: JsonObject, { destinations: given }: JsonObject): JsonObject {
  const { destinations } = value;
  if (destinations === undefined) return value;
  const left = [...elements(destinations)];
  const takeAs = (keyOf: (it: Json) => string) => (it: Json) => {
    const at = left.findIndex((each) => keyOf(each) === keyOf(it));
    return at < 0 ? [] : left.splice(at, 1);
  };
  // One number can have several, such as one for each extension.
  const isSame = (it: Json) => canonicalJson({ ...asObject(it), description: null });
  const same = elements(given).map(takeAs(isSame));
  const near = takeAs(addressOf);
  const moved = elements(given).flatMap((it, at) => (same[at]!.length > 0 ? same[at]! : near(it)));
  return { ...value, destinations: [...moved, ...left] };
}

/** What is wrong with a field in words, as it should be and as it is; null if it may differ. */
function sayDifference(
  field: string,
  [from, to]: readonly (Json | undefined)[],
  want: ExpectedTool,
  { name }: Tool,
  { called, worded }: Member,
): string | null {
  const { label, kind, refusesItself } = want;
  const last = field.slice(field.lastIndexOf('/') + 1);
  if (field === 'rejectionPlan' && !refusesItself) return ofTools.guardedOtherwise(label, called);
  if (kind !== 'given' && last === 'description') {
    return isDescribed(want, from, to, worded) ? null : ofTools.undescribed(label, called);
  }
  if (kind !== 'given' && last === 'name') {
    const isFree = kind === 'request' && legal.test(name);
    return isFree ? null : ofTools.misnamed(label, called, name);
  }
  // A custom tool's implementer says where it is, and outside squadc's wording what it needs.
  if (kind === 'custom' && field === 'server') return null;
  if (kind === 'custom' && field === 'function/parameters' && !worded) return null;
  const how = from === undefined ? 'extra' : to === undefined ? 'missing' : 'other';
  return ofTools[how](label, called, last);
}

/** Descriptions that say more than when to use the tool. */
function listDoubts(
  { called }: Member,
  { label, texts }: ExpectedTool,
  expected: ReadonlyMap<string, Json>,
  actual: ReadonlyMap<string, Json>,
  tool: Tool,
): Finding[] {
  const descriptionsIn = (fields: ReadonlyMap<string, Json>) =>
    [...fields].filter(([field]) => /(?:^|\/)description$/.test(field));
  const wanted = descriptionsIn(expected).flatMap(([, it]) => textOf(it)?.split(/; or |: /) ?? []);
  const known = [...texts.map(({ value }) => value), label, tool.name, ...wanted];
  return descriptionsIn(actual).flatMap(([field, part]) => {
    const words = otherWords(textOf(part) ?? '', known);
    if (words.length === 0) return [];
    return doubt(ofTools.alsoSays(called, label, words), [], [placeIn(tool, field)]);
  });
}

const legal = /^[A-Za-z0-9_-]{1,40}$/;

/** True for a field of a superfluous or missing destination, which their number reports. */
function isWithin(field: string, ...sides: readonly ReadonlyMap<string, Json>[]): boolean {
  const place = /^destinations\/\d+/.exec(field)?.[0];
  return place !== undefined && sides.some((it) => !it.has(`${place}/type`));
}

/** True if a description says what is expected: exactly, if the wording is squadc's. */
function isDescribed(
  { kind, texts, isDescribed: isDescribedAtSource }: ExpectedTool,
  wanted: Json | undefined,
  given: Json | undefined,
  ours: boolean,
): boolean {
  const said = unraw(textOf(given) ?? '').plain;
  if (ours) return wanted !== undefined && inOrder(said) === inOrder(unraw(String(wanted)).plain);
  if (kind === 'custom' || wanted === undefined) return true;
  // Elsewhere, what leads to a request need not be said again.
  if (kind === 'request' && !isDescribedAtSource)
    return texts.every(({ value }) => said.includes(value));
  const isOwn = (it: string) => texts.some((text) => text.value === it && text.rule !== undefined);
  const parts = unraw(String(wanted)).plain.split('; or ');
  const isSaid = (it: string) => isOwn(it) || said.includes(it);
  // A destination's own description stands before the conditions.
  return parts.every((it) => isSaid(it) || it.split(': ').every(isSaid));
}

/** The place of the field, or of the tool that lacks it. */
function placeIn({ at, value }: Tool, field: string): JsonPointer {
  const place = pointer(...field.split('/'));
  return valueAt(value, place) === undefined ? at : `${at}${place}`;
}

/** Checks that the platform refuses the handoffs it should, by the handoffs of each tool. */
function checkHandoffGuards({ squad, handoffsOf }: Comparison): Finding[] {
  return [...groupBy(squad.destinations, ({ tool }) => tool)].flatMap(([tool, destinations]) => {
    const handoffs = destinations.flatMap((it) => handoffsOf.get(it) ?? []);
    if (tool === null || handoffs.length === 0) return [];
    const wanted = rejectionPlanFor(handoffs.map(({ condition }) => condition));
    const given = tool.value['rejectionPlan'];
    const [one, other] = [wanted, given].map((it) => it && refusalsOf(it));
    if (canonicalJson(one) === canonicalJson(other)) return [];
    const { called } = squad.members[destinations[0]!.member]!;
    const source = new Set(handoffs.map(({ condition, at }) => condition?.at ?? at));
    const place = placeIn(tool, 'rejectionPlan');
    return [fault(ofTools.handoffGuardedOtherwise(called), [...source], [place])];
  });
}
