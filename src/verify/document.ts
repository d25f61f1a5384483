/**
 * Items 7 to 9, which look at the document itself.
 *
 * 7: names are unique, and everything that names a member names one; so do the handoffs that
 * overrides hold. 8: the document is valid by the schema of its target, names of assistants have at
 * most 40 characters, and the first message of a model is the system message. 9: it names no
 * workflowId; what the workflow itself calls so is carried word for word.
 */
import { child, type JsonPointer } from '../compiler/ir/ids.js';
import { isJsonObject, type Json } from '../compiler/ir/json.js';
import { ofCallers, ofNames, ofShape } from '../diagnostics/checklist.js';
import { faultInWords } from '../diagnostics/schema-fault.js';
import { groupBy } from '../graph/lists.js';
import {
  type SchemaFault,
  validateSquad,
  validateVapiSquad,
} from '../schemas/validators.generated.js';
import type { Comparison } from './comparison.js';
import { type Finding, finding } from './findings.js';
import { elements, findPlaces, objectOf } from './json.js';
import { listTalking } from './settings.js';
import type { Member } from './squad.js';

const longest = 40;

export function checkNames(comparison: Comparison): Finding[] {
  const { squad } = comparison;
  const { members, destinations, overrides } = squad;
  const shared = [
    ...findShared(
      members,
      ({ name }) => name,
      ({ nameAt }) => nameAt,
    ),
    ...findShared(
      members,
      ({ assistantId }) => assistantId,
      ({ at }) => `${at}/assistantId`,
    ),
  ];
  const nameless = members.filter(({ name, assistantId }) => name === null && assistantId === null);
  const unclear = [
    ...shared,
    ...nameless.map(({ at }) => finding(false, ofNames.unnamed(), [], [at])),
  ];
  const names = new Set(members.flatMap(({ name }) => name ?? []));
  const ids = new Set(members.flatMap(({ assistantId }) => assistantId ?? []));
  const isTarget = (key: string | number) => key === 'assistantName' || key === 'assistantId';
  // The handoffs in force are read as such; other overrides can hold handoffs as well.
  const inForce = new Set(
    destinations.flatMap(({ at }) => [`${at}/assistantName`, `${at}/assistantId`]),
  );
  const layers = [...members.map((it) => it.overrides), overrides].filter((it) => it !== null);
  const hidden = [
    ...layers.flatMap(({ value, at }) => findPlaces(value, at, isTarget)),
    ...destinations.flatMap(({ value, at }) =>
      findPlaces(value['assistantOverrides'] ?? null, `${at}/assistantOverrides`, isTarget),
    ),
  ].filter(({ at, value }) => typeof value === 'string' && !inForce.has(at));
  const dangling = [
    ...destinations.flatMap(({ at, member, target, leadsTo }) => {
      const text = ofNames.dangling(members[member]!.called, target);
      return leadsTo === null ? [finding(false, text, [], [at])] : [];
    }),
    ...hidden
      .filter(({ at, value }) => !(at.endsWith('Name') ? names : ids).has(String(value)))
      .map(({ at, value }) => finding(false, ofNames.danglingOverride(String(value)), [], [at])),
  ];
  const resolved = finding(true, ofNames.resolve(destinations.length + hidden.length), [], []);
  return [
    ...(unclear.length > 0 ? unclear : [finding(true, ofNames.unique(members.length), [], [])]),
    ...(dangling.length > 0 ? dangling : [resolved]),
    ...checkGivenNames(comparison),
  ];
}

/** Values that several members have. */
function findShared(
  members: readonly Member[],
  readValue: (member: Member) => string | null,
  placeOf: (member: Member) => JsonPointer,
): Finding[] {
  const bearers = groupBy(members, readValue);
  bearers.delete(null);
  return [...bearers]
    .filter(([, all]) => all.length > 1)
    .map(([value, all]) => finding(false, ofNames.shared(value ?? ''), [], all.map(placeOf)));
}

/** The names that the option `names` gives, unless they are none or somebody else's. */
function checkGivenNames(comparison: Comparison): Finding[] {
  const { squad, options } = comparison;
  if (options.names.size === 0) return [];
  const formless = (name: string | null) => (name ?? '').normalize('NFC').toLowerCase();
  const bearers = new Set(squad.members.map(({ name }) => formless(name)));
  return listTalking(comparison).flatMap(([first], index) => {
    const wanted = first === undefined ? undefined : options.names.get(first.id);
    const { name, nameAt, saved } = squad.members[index]!;
    if (first === undefined || wanted === undefined || saved || name === wanted) return [];
    if (!isPlain(wanted) || bearers.has(formless(wanted))) return [];
    return [finding(false, ofNames.otherName(name ?? '', first.id, wanted), [first.at], [nameAt])];
  });
}

/** Whether the name can stand as it is: short, on one line, without Liquid's braces. */
function isPlain(name: string): boolean {
  const words = /^[\p{L}\p{N}\p{P}\p{S}](?: ?[\p{L}\p{M}\p{N}\p{P}\p{S}])*$/u;
  return [...name].length <= longest && words.test(name) && !/[{}]/.test(name);
}

export function checkShape({ document, squad, stated, options }: Comparison): Finding[] {
  const found = Object.hasOwn(document, 'squad')
    ? 'squad'
    : Object.hasOwn(document, 'members')
      ? 'vapi'
      : null;
  const target = found ?? stated ?? options.target;
  const isOther = stated !== null && found !== null && found !== stated;
  const validate = target === 'squad' ? validateSquad : validateVapiSquad;
  const faults = validate(document) ? [] : (validate.errors ?? []);
  const names = new Set(squad.members.map(({ nameAt }) => nameAt));
  // Of names that are too long there is more to say.
  const told = faults.filter(({ keyword, instancePath }) => {
    return !silent.has(keyword) && (keyword !== 'maxLength' || !names.has(instancePath));
  });
  const long = squad.members.filter(({ name }) => [...(name ?? '')].length > longest);
  return [
    ...(isOther ? [finding(false, ofShape.otherTarget(stated, found), [], [''])] : []),
    ...told.map((fault) => {
      const text = ofShape.invalid(faultInWords([fault], undefined, 'the document'));
      return finding(false, text, [], [placeOfFault(fault)]);
    }),
    ...(told.length === 0 ? [finding(true, ofShape.valid(target), [], [''])] : []),
    ...squad.members.flatMap(checkFirstMessage),
    ...long.map(({ name, nameAt }) => finding(false, ofShape.longName(name ?? ''), [], [nameAt])),
    ...(long.length === 0 ? [finding(true, ofShape.shortNames(), [], [])] : []),
  ];
}

/** These only repeat that something below them failed. */
const silent: ReadonlySet<string> = new Set(['if', 'anyOf', 'oneOf', 'allOf']);

/** A key that does not belong there is itself the place. */
function placeOfFault({ instancePath, keyword, params }: SchemaFault): JsonPointer {
  if (keyword !== 'additionalProperties') return instancePath;
  return child(instancePath, String(params['additionalProperty']));
}

/** The schema knows each message by itself only. */
function checkFirstMessage({ layers, called }: Member): Finding[] {
  return layers.flatMap(({ value, at }) => {
    const [first] = elements(objectOf(value['model'])['messages']);
    if (!isJsonObject(first)) return [];
    const { role, content } = first;
    // What is no text is a fault of the shape.
    if (role === 'system' && (typeof content !== 'string' || /\S/.test(content))) return [];
    return [finding(false, ofShape.withoutPrompt(called), [], [`${at}/model/messages/0`])];
  });
}

export function checkCallers({ document, graph, options }: Comparison): Finding[] {
  const isForbidden = (key: string | number, value: Json) =>
    key === forbidden || value === forbidden;
  const places = findPlaces(document, '', isForbidden);
  const { model, memberOverrides } = options;
  const said = [graph.workflow as unknown as Json, { model, memberOverrides }];
  const isCarried =
    places.length > 0 && said.some((it) => findPlaces(it, '', isForbidden).length > 0);
  const findings = places.map(({ at }) => {
    const isSource = isCarried && carriedAt.test(at);
    return finding(isSource, isSource ? ofCallers.carried() : ofCallers.named(), [], [at]);
  });
  const isClean = findings.every(({ holds }) => holds);
  return isClean ? [finding(true, ofCallers.clean(), [], ['']), ...findings] : findings;
}

const forbidden = 'workflowId';

/** Where what the source says may stand: the other checks look at every word there. */
const carriedAt =
  /\/assistant\/(?:name|firstMessage)$|\/(?:model|voice|transcriber|members?Overrides)\//;
