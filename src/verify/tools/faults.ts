/** What of a tool is not as the source and the answers have it. */
import type { JsonPointer } from '../../compiler/ir/ids.js';
import { isJsonObject, type Json } from '../../compiler/ir/json.js';
import type { Traced } from '../../compiler/ir/provenance.js';
import type { Capture, Transfer } from '../../compiler/ir/workflow.js';
import { ofTools } from '../../diagnostics/checklist.js';
import { type Finding, finding } from '../item.js';
import { type Member, objectOf, type Tool } from '../squad-reading.js';
import { nameOfTool } from '../tool-keys.js';
import { contentOf, type Kind, refusalsOf, type WantedTool } from '../wanted-tools.js';
import { destinationField, isSameField, parametersField } from './content.js';
import { contentOfTool, harmless } from './given-content.js';
import { givenRefusals } from './guards.js';
import type { Pair } from './pairing.js';
import { haveSameElements, isTold } from './told.js';

/** What the tools of one assistant are held against. */
export interface Scene {
  readonly member: Member;
  readonly assistant: string;
  /** Whether the document has the shape of target `squad`. */
  readonly wrapped: boolean;
  /** Whether the tool is called as it is to be. */
  readonly isNamed: (wanted: WantedTool, name: string) => boolean;
  /** The captures of a variable. */
  readonly capturesOf: (variable: string) => readonly Capture[];
}

/** The faults of a tool; that it is there as wanted, where it has none. */
export function checkPair(scene: Scene, pair: Pair): Finding[] {
  const { wanted, tool } = pair;
  const { label, at } = wanted.kind;
  const { assistant } = scene;
  const faults = findDifferences(scene, pair);
  const fault = (text: () => string, field: string): void => {
    faults.push(finding(false, text, [at], [placeIn(tool, field)]));
  };
  const name = nameOfTool(tool.value);
  if (!scene.isNamed(wanted, name)) {
    fault(() => ofTools.misnamed(assistant, label, name), fieldOfName(tool));
  }
  if (!isTold(scene, wanted, tool)) {
    fault(() => ofTools.undescribed(assistant, label), fieldOfDescription(tool));
  }
  if (givenRefusals(tool.value) !== refusalsOf(wanted)) {
    fault(() => ofTools.guardedOtherwise(assistant, label), 'rejectionPlan');
  }
  if (!isServed(scene, pair)) {
    fault(() => ofTools.differs(assistant, label, 'server', 'other'), 'server');
  }
  if (faults.length > 0) return faults;
  return [finding(true, () => ofTools.has(assistant, label), [at], [tool.at])];
}

/** Whether the server that the options name answers the calls; without one anybody may. */
function isServed({ member }: Scene, { wanted: { kind }, tool }: Pair): boolean {
  const server = kind.node?.request?.operation?.server?.value;
  if (server === undefined) return true;
  const { credentialId = null, url = null, ...more } = objectOf(tool.value['server']);
  const others = member.compiled ? Object.keys(more).length : 0;
  return url === server['url'] && credentialId === (server['credentialId'] ?? null) && others === 0;
}

function findDifferences(
  { assistant, member, capturesOf, wrapped }: Scene,
  { wanted, tool }: Pair,
): Finding[] {
  const { kind } = wanted;
  const want = contentOf(wanted).fields;
  const have = withCarried(contentOfTool(tool, wrapped, member.compiled).fields, want, tool);
  const faults: Finding[] = [];
  const differs = (field: string, how: 'other' | 'missing' | 'extra'): void => {
    const text = () => ofTools.differs(assistant, kind.label, nameOfField(field), how);
    faults.push(finding(false, text, [sourceOf(kind, field)], [placeIn(tool, field)]));
  };
  const missing: string[] = [];
  for (const [field, value] of want) {
    const other = have.get(field);
    if (other === undefined) missing.push(field);
    else if (!isSameField(field, value, other, wrapped)) differs(field, 'other');
  }
  for (const field of uniteDestinations(missing, have)) differs(field, 'missing');
  // Somebody else provides a custom tool, and knows what it needs.
  const isCustom = kind.content === null;
  const extra = [...have.keys()].filter(
    (field) => !want.has(field) && !(isCustom && field === parametersField),
  );
  for (const field of uniteDestinations(extra, want)) differs(field, 'extra');
  const isFree = !isCustom || !member.compiled;
  if (!isFree && !asksForCaptures(wanted, tool, capturesOf)) differs(parametersField, 'other');
  return faults;
}

/** A destination that the other side has not at all is one difference. */
function uniteDestinations(
  fields: readonly string[],
  others: ReadonlyMap<string, Json>,
): ReadonlySet<string> {
  return new Set(
    fields.map((field) => {
      const place = /^destinations\/\d+/.exec(field)?.[0];
      return place === undefined || others.has(`${place}/type`) ? field : 'destinations';
    }),
  );
}

/** What a squad may have from elsewhere counts where the source has it. */
function withCarried(
  have: ReadonlyMap<string, Json>,
  want: ReadonlyMap<string, Json>,
  { value }: Tool,
): ReadonlyMap<string, Json> {
  const carried = [...harmless].filter(
    (name) => want.has(name) && !have.has(name) && Object.hasOwn(value, name),
  );
  return carried.length === 0
    ? have
    : new Map([...have, ...carried.map((name) => [name, value[name]!] as const)]);
}

/** A custom tool is given what the caller said, so that it can confirm it: all of it is free. */
function asksForCaptures(
  { variables }: WantedTool,
  { value }: Tool,
  capturesOf: Scene['capturesOf'],
): boolean {
  const { type, properties, required, ...others } = objectOf(
    objectOf(value['function'])['parameters'],
  );
  if (type !== 'object' || Object.keys(others).length > 0) return false;
  if (!Array.isArray(required) || required.length > 0 || !isJsonObject(properties)) return false;
  const names = Object.keys(properties);
  return (
    haveSameElements(names, variables) &&
    names.every((name) => isCapture(properties[name]!, name, capturesOf))
  );
}

function isCapture(property: Json, name: string, capturesOf: Scene['capturesOf']): boolean {
  const { type, description, ...others } = objectOf(property);
  if (Object.keys(others).length > 0) return false;
  const captures = capturesOf(name);
  if (captures.length === 0) return type === 'string' && description === name;
  return captures.some((it) => type === it.type && description === (it.description?.value ?? name));
}

/** Where the source says what this field is to be. */
function sourceOf({ at, node }: Kind, field: string): JsonPointer {
  const { request = null, transfer = null } = node ?? {};
  const passedAs = (key: string) => request?.passed.find((it) => it.key === key)?.value;
  const placeOf = (traced: Traced<unknown> | null | undefined): JsonPointer =>
    traced?.origin.kind === 'source' ? traced.origin.at : at;
  switch (field) {
    case 'url':
    case 'method':
    case 'headers':
    case 'timeoutSeconds':
    case 'credentialId':
      return placeOf(request?.[field]);
    case 'body':
    case 'parameters':
    case parametersField:
      return placeOf(request?.body);
    case 'variableExtractionPlan':
      return request?.responses[0]?.at ?? at;
    case 'variableExtractionPlan/schema':
      return placeOf(request?.responseSchema);
    default:
      return request === null ? sourceOfDestination(transfer, field, at) : placeOf(passedAs(field));
  }
}

function sourceOfDestination(
  transfer: Transfer | null,
  field: string,
  at: JsonPointer,
): JsonPointer {
  const [, index = '0', name = ''] = field.split('/');
  const destination = transfer === null ? undefined : [transfer, ...transfer.others][Number(index)];
  if (name === 'message') return destination?.message?.at ?? at;
  const origin = destination?.destination?.origin;
  return origin?.kind === 'source' ? origin.at : at;
}

/** Where the field stands in the tool; what encloses it, where it is missing. */
function placeIn({ at, value }: Tool, field: string): JsonPointer {
  let place = at;
  let inside: Json = value;
  for (const key of field.split('/')) {
    const holder: Json = inside;
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key)) break;
    inside = (holder as { readonly [key: string]: Json })[key]!;
    place = `${place}/${key}`;
  }
  return place;
}

function nameOfField(field: string): string {
  return field.slice(field.lastIndexOf('/') + 1);
}

function fieldOfName({ type }: Tool): string {
  return type === 'function' ? 'function/name' : 'name';
}

function fieldOfDescription({ type }: Tool): string {
  if (type === 'transferCall') return `${destinationField(0)}/description`;
  return type === 'function' ? 'function/description' : 'description';
}
