/**
 * Item 8. "The JSON is valid and matches the shapes above."
 *
 * The shape is the published schema of the target: squad, members, tools, destinations and plans
 * are closed, assistants and overrides are open in their settings. Every fault is told by itself.
 * Names of assistants have at most 40 characters in both targets, wherever they stand, and the first
 * message of a model is the system message.
 */
import { child, type JsonPointer } from '../compiler/ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../compiler/ir/json.js';
import type { Target } from '../compiler/ir/options.js';
import { ofShape } from '../diagnostics/checklist.js';
import { faultInWords } from '../diagnostics/schema-fault.js';
import { keepsSquad, keepsVapiSquad } from '../schemas/keepers.generated.js';
import type { SchemaFault } from '../schemas/validators.generated.js';
import type { Comparison } from './comparison.js';
import { type Finding, finding, type Judgement, judge } from './item.js';
import { findFaults } from './shape/find-faults.js';
import { type Rule, readRule } from './shape/rules.js';
import { elements, type Layer, objectOf } from './squad-reading.js';

const maxNameLength = 40;

export function checkShape(comparison: Comparison): Judgement {
  const found = shapeOf(comparison.document);
  const { stated } = comparison;
  const target = stated ?? found ?? comparison.options.target;
  return judge(
    8,
    [
      ...checkTarget(found, stated),
      ...checkSchema(comparison, found ?? target),
      ...checkFirstMessages(comparison),
      ...checkLengths(comparison),
    ],
    comparison,
  );
}

/** The target whose shape the document has from afar; null where it has none. */
function shapeOf(document: Json): Target | null {
  if (!isJsonObject(document)) return null;
  if (Object.hasOwn(document, 'squad')) return 'squad';
  return Object.hasOwn(document, 'members') ? 'vapi' : null;
}

function checkTarget(found: Target | null, stated: Target | null): Finding[] {
  if (stated === null || found === null || found === stated) return [];
  return [finding(false, () => ofShape.otherTarget(stated, found), [], [''])];
}

/** Read when they are first needed. */
const rules = new Map<Target, Rule>();

function ruleOf(target: Target): Rule {
  const rule = rules.get(target) ?? readRule(target === 'squad' ? 'squad' : 'vapi-squad');
  rules.set(target, rule);
  return rule;
}

/** Whether a document has the shape of the target, in the form that is quickest to say yes. */
const keepsShape = { squad: keepsSquad, vapi: keepsVapiSquad };

function checkSchema({ document, squad }: Comparison, target: Target): Finding[] {
  const valid = finding(true, ofShape.valid(target), [], ['']);
  if (keepsShape[target](document)) return [valid];
  const found = findFaults(document, ruleOf(target));
  // Of names that are too long there is more to say.
  const names = new Set(squad.members.map(({ nameAt }) => nameAt));
  const faults = found.filter(
    ({ keyword, instancePath }) => keyword !== 'maxLength' || !names.has(instancePath),
  );
  if (faults.length === 0) return [valid];
  return faults.map((fault) => {
    const text = () => ofShape.invalid(faultInWords([fault], undefined, 'the document'));
    return finding(false, text, [], [placeOf(fault)]);
  });
}

/** A key that does not belong there is itself the place. */
function placeOf({ instancePath, keyword, params }: SchemaFault): JsonPointer {
  return keyword === 'additionalProperties'
    ? child(instancePath, String(params.additionalProperty))
    : instancePath;
}

/** The first message is the system message; the schema knows each by itself only. */
function checkFirstMessages({ squad, nameOf }: Comparison): Finding[] {
  const findings: Finding[] = [];
  for (const { index, layers } of squad.members) {
    for (const layer of layers) {
      const first = elements(objectOf(layer.value['model'])['messages'])[0];
      if (!isJsonObject(first) || isPrompt(first)) continue;
      findings.push(lacksPrompt(nameOf, index, layer));
    }
  }
  return findings;
}

function lacksPrompt(nameOf: Comparison['nameOf'], member: number, { at }: Layer): Finding {
  const text = () => ofShape.withoutPrompt(nameOf(member));
  return finding(false, text, [], [`${at}/model/messages/0`]);
}

/** What is no text is a fault of the shape. */
function isPrompt({ role, content }: JsonObject): boolean {
  return role === 'system' && (typeof content !== 'string' || visible.test(content));
}

const visible = /\S/;

function checkLengths({ squad }: Comparison): Finding[] {
  const long = squad.members.filter(({ name }) => name !== null && isLong(name));
  if (long.length === 0) return [finding(true, ofShape.shortNames(), [], [])];
  return long.map(({ name, nameAt }) =>
    finding(false, () => ofShape.longName(name ?? ''), [], [nameAt]),
  );
}

function isLong(name: string): boolean {
  return name.length > maxNameLength && [...name].length > maxNameLength;
}
