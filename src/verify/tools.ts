/**
 * Item 5. "apiRequest, transferCall and tool nodes are attached to the correct assistant."
 *
 * Every assistant has the tools of its nodes and of answers, each once, and no others. A tool does
 * exactly what the source or an answer says, and says when it is called where nothing else does;
 * tools in the platform's own words are as the source has them. Names are free as long as they are
 * legal, unique and those that the prompt calls. What the platform is to refuse it refuses.
 */
import { child, type JsonPointer } from '../compiler/ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../compiler/ir/json.js';
import { isE164 } from '../compiler/ir/tool.js';
import { ofTools } from '../diagnostics/checklist.js';
import { append } from '../graph/lists.js';
import type { Comparison, Pairing } from './comparison.js';
import type { ExpectedTool } from './expected-tools.js';
import { type Finding, finding } from './findings.js';
import { canonical, elements, objectOf, textOf } from './json.js';
import { checkHandoffGuards, givenRefusals, wantedRefusals } from './refusals.js';
import type { Member, Tool } from './squad.js';

/** What a tool is known by; what tells it from another of its name or content is looked at first. */
interface Known {
  readonly name: string;
  readonly content: string;
  readonly told: string;
  readonly address: string | null;
}

const likenesses: readonly ((tool: Known) => string | null)[] = [
  ({ name, content, told }) => `${name} ${content} ${told}`,
  ({ name, content }) => (name === '' ? null : `${name} ${content}`),
  ({ content, told }) => `${content} ${told}`,
  ({ content }) => content,
  ({ name }) => (name === '' ? null : name),
  ({ address }) => address,
  ({ name, told }) => (name === '' ? told : null),
];

export function pairTools(
  { tools }: Member,
  expected: readonly ExpectedTool[],
  wrapped: boolean,
): Pairing {
  const know = (value: JsonObject, name: string): Known => {
    const type = textOf(value['type']) ?? '';
    const { number, sipUri } = objectOf(elements(value['destinations'])[0]);
    const address = textOf(value['url'] ?? number ?? sipUri);
    const content = [...fieldsOf(value, wrapped)].sort().join('\n');
    return {
      name: name === '' ? '' : `${type} ${name}`,
      content: `${type}\n${content}`,
      told: `${type} ${inOrder(descriptionOf(value))} ${canonical(value['rejectionPlan'])}`,
      address: address === null ? null : `${type} ${address}`,
    };
  };
  const given = tools.filter(({ type }) => type !== 'handoff');
  const ours = new Map(expected.map((it) => [it, know(it.value, it.name ?? '')]));
  const theirs = new Map(given.map((it) => [it, know(it.value, it.name)]));
  const pairs: [ExpectedTool, Tool][] = [];
  for (const likeness of likenesses) {
    const alike = new Map<string | null, Tool[]>();
    for (const [tool, known] of [...theirs].reverse()) append(alike, likeness(known), tool);
    alike.delete(null);
    for (const [want, known] of ours) {
      const tool = alike.get(likeness(known))?.pop();
      if (tool === undefined) continue;
      pairs.push([want, tool]);
      ours.delete(want);
      theirs.delete(tool);
    }
  }
  return { pairs, missing: [...ours.keys()], leftOver: [...theirs.keys()] };
}

/** What tells the model when to call the tool. */
function descriptionOf(value: JsonObject): Json | undefined {
  const { description: ofFunction } = objectOf(value['function']);
  const [first] = elements(value['destinations']);
  return value['description'] ?? ofFunction ?? objectOf(first)['description'];
}

/** Alternatives may stand in any order. */
function inOrder(description: Json | undefined): string {
  const alternatives = (textOf(description) ?? '').split('; or ');
  return alternatives.sort().join('; or ');
}

/** What says what a tool is, how it is called or when, and not what it does. */
const apart: readonly string[] = ['type', 'name', 'description', 'rejectionPlan'];

/** What a tool does, as comparable text by field. */
function fieldsOf(value: JsonObject, wrapped: boolean): Map<string, string> {
  const fields = new Map<string, string>();
  const put = (field: string, part: Json, isSchema = false): void => {
    fields.set(field, canonical(part, isSchema && !wrapped));
  };
  for (const [key, part] of Object.entries(value)) {
    if (apart.includes(key)) continue;
    if (key === 'function') {
      const { parameters = null, name: _, description: __, ...more } = objectOf(part);
      put('function/parameters', parameters, true);
      if (Object.keys(more).length > 0) put('function', more);
    } else if (key === 'destinations') {
      put('destinations', elements(part).length);
      elements(part).forEach((it, index) => {
        const said = Object.entries(withoutDefaults(objectOf(it)));
        for (const [name, each] of said) put(`destinations/${index}/${name}`, each);
      });
    } else if (key === 'variableExtractionPlan') {
      const { aliases, ...others } = objectOf(part);
      if (elements(aliases).length > 0) put(key, byKey(elements(aliases).map(withPath)));
      for (const [name, each] of Object.entries(others)) put(`${key}/${name}`, each);
    } else if (key === 'parameters') put(key, byKey(elements(part)));
    else put(key, part, key === 'headers' || key === 'body');
  }
  return fields;
}

/** A transfer that nobody announces, and a check that holds, are what the platform does by itself. */
function withoutDefaults(destination: JsonObject): JsonObject {
  const { description: _, transferPlan, numberE164CheckEnabled: check, ...said } = destination;
  const plan = { mode: 'blind-transfer', ...objectOf(transferPlan) };
  const isPlain = plan.mode === 'blind-transfer' && Object.keys(plan).length === 1;
  const isChecked = check === undefined || isE164(textOf(said['number']) ?? '');
  return {
    ...said,
    ...(isPlain ? {} : { transferPlan: plan }),
    ...(isChecked ? {} : { numberE164CheckEnabled: check }),
  };
}

/** White space round a path says nothing; a key that does not belong there is a fault of the shape. */
function withPath(alias: Json): JsonObject {
  const { key = null, value = null } = objectOf(alias);
  const path = /^\s*\{\{\s*(\$\S*?)\s*\}\}\s*$/.exec(textOf(value) ?? '')?.[1];
  return { key, value: path ?? value };
}

/** Pairs of a key and a value: their order says nothing. */
function byKey(pairs: readonly Json[]): readonly Json[] {
  const keyOf = (it: Json) => textOf(objectOf(it)['key']) ?? '';
  return pairs.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

export function checkTools(comparison: Comparison): Finding[] {
  const { squad, pairings, expectedTools } = comparison;
  const isUnseen = squad.members.some(({ unseen }) => unseen);
  const facts = [
    ...squad.members.flatMap((member) => checkMember(comparison, member, pairings[member.index]!)),
    ...expectedTools.homeless.map(({ id, at }) =>
      finding(isUnseen, isUnseen ? ofTools.unseen(id) : ofTools.nowhere(id), [at], []),
    ),
    ...checkHandoffGuards(comparison),
  ];
  return facts.length > 0 ? facts : [finding(true, ofTools.none(), [], [])];
}

function checkMember(
  { squad, expectedTools }: Comparison,
  member: Member,
  { pairs, missing, leftOver }: Pairing,
): Finding[] {
  const { index, tools, toolIds, called, at, unseen } = member;
  // Each tool that the platform keeps stands there once by its id, and no other.
  const lost = new Map(expectedTools.idsOf(index));
  const extra = toolIds.filter(({ id }) => !lost.delete(id));
  const named = new Map<string, Tool>();
  const shared = tools.flatMap((tool) => {
    const before = tool.name === '' ? undefined : named.get(tool.name);
    named.set(tool.name, tool);
    const text = ofTools.sharedName(called, tool.name);
    return before === undefined ? [] : [finding(false, text, [], [before.at, tool.at])];
  });
  return [
    ...pairs.flatMap(([want, tool]) => comparePair(squad.wrapped, member, want, tool)),
    ...extra.map((it) => finding(false, ofTools.leftOver(called, it.id), [], [it.at])),
    ...Array.from(lost, ([id, it]) => finding(false, ofTools.lacks(called, id), [it], [at])),
    // What a saved assistant has is not to be seen.
    ...missing.map(({ label, at: source }) => {
      const text = unseen ? ofTools.unseen(label) : ofTools.lacks(called, label);
      return finding(unseen, text, [source], [at]);
    }),
    ...leftOver.map((it) =>
      finding(false, ofTools.leftOver(called, it.name || it.type), [], [it.at]),
    ),
    ...shared,
  ];
}

/** The faults of a tool; that it is there as expected, where it has none. */
function comparePair(
  wrapped: boolean,
  { called, ours }: Member,
  want: ExpectedTool,
  tool: Tool,
): Finding[] {
  const { label, at, kind, gates, value, name } = want;
  const faults: Finding[] = [];
  const fault = (text: string, field: string, source = at): void => {
    faults.push(finding(false, text, [source], [placeIn(tool, field)]));
  };
  const read = kind === 'given' ? wholeOf : (it: JsonObject) => fieldsOf(it, wrapped);
  const [expected, actual] = [read(value), read(tool.value)];
  // Who implements a custom tool says where, and in other hands what it needs.
  if (kind === 'custom') {
    actual.delete('server');
    if (!ours) for (const it of [expected, actual]) it.delete('function/parameters');
  }
  for (const field of new Set([...expected.keys(), ...actual.keys()])) {
    const [one, other] = [expected.get(field), actual.get(field)];
    if (one === other || isWithin(field, expected, actual)) continue;
    const how = one === undefined ? 'extra' : other === undefined ? 'missing' : 'other';
    const last = field.slice(field.lastIndexOf('/') + 1);
    fault(ofTools.differs(called, label, last, how), field, sourceOf(want, field));
  }
  const isOwn = Object.hasOwn(value, 'rejectionPlan');
  const refused = wantedRefusals(gates) || (isOwn ? givenRefusals(value) : '');
  if (!(kind === 'given' && isOwn) && givenRefusals(tool.value) !== refused) {
    fault(ofTools.guardedOtherwise(called, label), 'rejectionPlan');
  }
  if (kind !== 'given') {
    const isNamed = kind === 'custom' ? tool.name === name : legal.test(tool.name);
    const holder = tool.type === 'function' ? 'function/' : '';
    if (name !== null && !isNamed)
      fault(ofTools.misnamed(called, label, tool.name), `${holder}name`);
    const described = kind === 'transfer' ? 'destinations/0/' : holder;
    if (!isTold(want, tool, ours))
      fault(ofTools.undescribed(called, label), `${described}description`);
  }
  return faults.length > 0 ? faults : [finding(true, ofTools.has(called, label), [at], [tool.at])];
}

const legal = /^[A-Za-z0-9_-]{1,40}$/;

/** A tool that the source has in the platform's own words, by field; its own refusals are a field. */
function wholeOf({ type: _, ...value }: JsonObject): Map<string, string> {
  return new Map(Object.entries(value).map(([key, part]) => [key, canonical(part)]));
}

/** Whether a whole destination is too many or missing, which its number tells. */
function isWithin(field: string, ...sides: readonly ReadonlyMap<string, string>[]): boolean {
  const place = /^destinations\/\d+/.exec(field)?.[0];
  return place !== undefined && sides.some((it) => !it.has(`${place}/type`));
}

/** Whether the descriptions say what is expected: exactly that where the wording is squadc's. */
function isTold({ value, kind, texts }: ExpectedTool, tool: Tool, ours: boolean): boolean {
  const isOwn = (it: string) => texts.some((text) => text.value === it && text.rule !== undefined);
  const says = (given: Json | undefined, wanted: Json | undefined): boolean => {
    if (wanted === undefined) return given === undefined || !ours;
    if (ours) return inOrder(given) === inOrder(wanted);
    if (kind === 'custom') return true;
    const alternatives = String(wanted).split('; or ');
    return alternatives.every((it) => isOwn(it) || (textOf(given) ?? '').includes(it));
  };
  if (kind !== 'transfer') return says(descriptionOf(tool.value), descriptionOf(value));
  const given = elements(tool.value['destinations']).map(objectOf);
  return elements(value['destinations']).every((wanted, index) => {
    const it = given[index];
    return it === undefined || says(it['description'], objectOf(wanted)['description']);
  });
}

/** Where the source says what this field is to be. */
function sourceOf({ at, origins }: ExpectedTool, field: string): JsonPointer {
  const origin = origins.find(({ output }) => `${output}/`.startsWith(`/${field}/`))?.origin;
  if (origin?.kind === 'source') return origin.at;
  return origin?.kind === 'synthesized' ? (origin.from[0] ?? at) : at;
}

/** Where the field stands in the tool; what encloses it, where it is missing. */
function placeIn({ at, value }: Tool, field: string): JsonPointer {
  let place = at;
  let inside: Json = value;
  for (const key of field.split('/')) {
    const holder: Json = inside;
    const isThere: boolean = isJsonObject(holder) && Object.hasOwn(holder, key);
    const part: Json | undefined = isThere ? objectOf(holder)[key] : elements(holder)[Number(key)];
    if (part === undefined) break;
    inside = part;
    place = child(place, key);
  }
  return place;
}
