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
import { withoutRaw } from '../compiler/ir/tokens.js';
import { isE164 } from '../compiler/ir/tool.js';
import type { Condition } from '../compiler/ir/workflow.js';
import { ofTools } from '../diagnostics/checklist.js';
import { append, groupBy } from '../graph/lists.js';
import { type Comparison, type Finding, fact, fault, type Pairing } from './comparison.js';
import type { ExpectedTool } from './expected/tools.js';
import { canonical, elements, inOrder, objectOf, textOf } from './json.js';
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
  const given = tools.filter(({ type }) => type !== 'handoff');
  if (expected.length + given.length === 0) return { pairs: [], missing: [], leftOver: [] };
  const know = (value: JsonObject, name: string | null): Known => {
    const type = textOf(value['type']) ?? '';
    const { number, sipUri } = objectOf(elements(value['destinations'])[0]);
    const address = textOf(value['url'] ?? number ?? sipUri);
    const told = inOrder(textOf(descriptionOf(value)) ?? '');
    return {
      name: name ? `${type} ${name}` : '',
      content: `${type}\n${[...fieldsOf(value, wrapped)].sort().join('\n')}`,
      told: `${type} ${told} ${canonical(value['rejectionPlan'])}`,
      address: address === null ? null : `${type} ${address}`,
    };
  };
  const missing = new Map(expected.map((it) => [it, know(it.value, it.name)]));
  const leftOver = new Map(given.map((it) => [it, know(it.value, it.name)]));
  const pairs: [ExpectedTool, Tool][] = [];
  for (const likeness of likenesses) {
    if (missing.size === 0 || leftOver.size === 0) break;
    const alike = new Map<string | null, Tool[]>();
    for (const [tool, known] of [...leftOver].reverse()) append(alike, likeness(known), tool);
    alike.delete(null);
    for (const [want, known] of missing) {
      const tool = alike.get(likeness(known))?.pop();
      if (tool === undefined) continue;
      pairs.push([want, tool]);
      missing.delete(want);
      leftOver.delete(tool);
    }
  }
  return { pairs, missing: [...missing.keys()], leftOver: [...leftOver.keys()] };
}

/** What tells the model when to call the tool. */
function descriptionOf(value: JsonObject): Json | undefined {
  const { description: ofFunction } = objectOf(value['function']);
  const [first] = elements(value['destinations']);
  return value['description'] ?? ofFunction ?? objectOf(first)['description'];
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
      for (const [index, it] of elements(part).entries()) {
        const said = Object.entries(withoutDefaults(objectOf(it)));
        for (const [name, each] of said) put(`destinations/${index}/${name}`, each);
      }
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
  const { squad, expectedTools } = comparison;
  // What a saved assistant has is not to be seen.
  const isUnseen = squad.members.some(({ unseen }) => unseen);
  const homeless = expectedTools.homeless.map((node) => {
    if (isUnseen) return fact(ofTools.unseen(node.id), [node], []);
    return fault(ofTools.nowhere(node.id), [node], []);
  });
  const ofMembers = squad.members.flatMap((member) => checkMember(comparison, member));
  return [...ofMembers, ...homeless, ...checkHandoffGuards(comparison)];
}

function checkMember({ squad, expectedTools, pairings }: Comparison, member: Member): Finding[] {
  const { index, tools, toolIds, called, unseen } = member;
  const { pairs, missing, leftOver } = pairings[index]!;
  const findings: Finding[] = [];
  for (const [want, tool] of pairs) {
    findings.push(...comparePair(squad.wrapped, member, want, tool));
  }
  // Each tool that the platform keeps stands there once by its id, and no other.
  const lost = expectedTools.idsOf(index);
  for (const it of toolIds) {
    if (!lost.delete(it.id)) findings.push(fault(ofTools.leftOver(called, it.id), [], [it]));
  }
  for (const [id, at] of lost) findings.push(fault(ofTools.lacks(called, id), [at], [member]));
  for (const it of missing) {
    if (unseen) findings.push(fact(ofTools.unseen(it.label), [it], [member]));
    else findings.push(fault(ofTools.lacks(called, it.label), [it], [member]));
  }
  for (const it of leftOver) {
    findings.push(fault(ofTools.leftOver(called, it.name || it.type), [], [it]));
  }
  const byName = new Map<string, Tool>();
  for (const it of tools) {
    const before = byName.get(it.name);
    byName.set(it.name, it);
    if (it.name === '' || before === undefined) continue;
    findings.push(fault(ofTools.sharedName(called, it.name), [], [before, it]));
  }
  return findings;
}

/** The faults of a tool; that it is there as expected, where it has none. */
function comparePair(
  wrapped: boolean,
  { called, ours }: Member,
  want: ExpectedTool,
  tool: Tool,
): Finding[] {
  const { label, kind, gates, value, name } = want;
  const faults: Finding[] = [];
  const note = (text: string, field: string, source = want.at): void => {
    faults.push(fault(text, [source], [placeIn(tool, field)]));
  };
  // A tool that the source has in the platform's own words is compared word for word.
  const [expected, actual] = [value, tool.value].map((it) =>
    kind === 'given' ? wholeOf(it) : fieldsOf(it, wrapped),
  ) as [Map<string, string>, Map<string, string>];
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
    note(ofTools.differs(called, label, last, how), field, sourceOf(want, field));
  }
  const isOwn = Object.hasOwn(value, 'rejectionPlan');
  const refused = wantedRefusals(gates) || (isOwn ? givenRefusals(value) : '');
  if (!(kind === 'given' && isOwn) && givenRefusals(tool.value) !== refused) {
    note(ofTools.guardedOtherwise(called, label), 'rejectionPlan');
  }
  if (kind !== 'given') {
    const isNamed = kind === 'custom' ? tool.name === name : legal.test(tool.name);
    const holder = tool.type === 'function' ? 'function/' : '';
    const described = kind === 'transfer' ? 'destinations/0/' : holder;
    if (name !== null && !isNamed)
      note(ofTools.misnamed(called, label, tool.name), `${holder}name`);
    if (!isTold(want, tool, ours))
      note(ofTools.undescribed(called, label), `${described}description`);
  }
  return faults.length > 0 ? faults : [fact(ofTools.has(called, label), [want], [tool])];
}

const legal = /^[A-Za-z0-9_-]{1,40}$/;

/** By field; its own refusals are a field. */
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
    const [said, words] = [textOf(given) ?? '', String(wanted)];
    if (ours) return inOrder(said) === inOrder(words);
    const shown = withoutRaw(said);
    const parts = withoutRaw(words).split('; or ');
    return kind === 'custom' || parts.every((it) => isOwn(it) || shown.includes(it));
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
function placeIn(tool: Tool, field: string): JsonPointer {
  let { at, value }: { at: JsonPointer; value: Json } = tool;
  for (const key of field.split('/')) {
    const isThere: boolean = isJsonObject(value) && Object.hasOwn(value, key);
    const part: Json | undefined = isThere ? objectOf(value)[key] : elements(value)[Number(key)];
    if (part === undefined) break;
    value = part;
    at = child(at, key);
  }
  return at;
}

/**
 * What a plan is to refuse, as comparable text; empty where there is to be none. The platform refuses
 * a call of a tool where all texts of its rejection plan print `true`. So a plan refuses exactly where
 * none of the ways to the tool is open: one condition for the guard of each way, which prints the
 * opposite of the guard; none where a way is not guarded.
 */
function wantedRefusals(gates: readonly (Condition | null)[]): string {
  const guards = gates.map((condition) => condition?.guard ?? null);
  const isGuarded = guards.length > 0 && guards.every((guard) => guard !== null);
  return isGuarded ? refusalsOf([...new Set(guards)].map((it) => ['unless', it!])) : '';
}

/** What a tool's plan refuses; one without conditions says nothing that could be relied on. */
function givenRefusals({ rejectionPlan }: JsonObject): string {
  if (rejectionPlan === undefined) return '';
  const { conditions, ...others } = objectOf(rejectionPlan);
  const listed = Object.keys(others).length > 0 ? [] : elements(conditions);
  if (listed.length === 0) return refusalsOf([['other', canonical(rejectionPlan)]]);
  return refusalsOf(
    listed.map((it) => {
      const { type, liquid, ...more } = objectOf(it);
      const guard = negation.exec(textOf(liquid) ?? '')?.[2];
      const isGuard = type === 'liquid' && Object.keys(more).length === 0;
      return guard !== undefined && isGuard ? ['unless', guard] : ['other', canonical(it)];
    }),
  );
}

/** What the guard prints is captured, and its opposite is printed. */
const negation =
  /^\{% capture (\w+) %\}([\s\S]*)\{% endcapture %\}\{% if \1 == "true" %\}false\{% else %\}true\{% endif %\}$/;

function refusalsOf(refusals: readonly (readonly string[])[]): string {
  const texts = refusals.map((it) => JSON.stringify(it));
  return texts.sort().join('\n');
}

/** Whether the platform refuses the handoffs that it is to refuse, by the ways of each tool. */
function checkHandoffGuards({ squad, standing }: Comparison): Finding[] {
  return [...groupBy(squad.destinations, ({ tool }) => tool)].flatMap(([tool, destinations]) => {
    const passages = destinations.flatMap((it) => standing.get(it) ?? []);
    if (tool === null || passages.length === 0) return [];
    const wanted = wantedRefusals(passages.map(({ condition }) => condition));
    if (givenRefusals(tool.value) === wanted) return [];
    const { called } = squad.members[destinations[0]!.member]!;
    const source = new Set(passages.map(({ condition, at }) => condition?.at ?? at));
    const place = placeIn(tool, 'rejectionPlan');
    return [fault(ofTools.handoffGuardedOtherwise(called), [...source], [place])];
  });
}
