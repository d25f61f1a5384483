/**
 * What a node finds out, in every form that exports have for it: the schema or the list of an
 * extraction plan, the list or the object of `extractVariables`, the output and the options of a
 * gather node.
 */
import { diagnose } from '../../../diagnostics/diagnose.js';
import { child, type JsonPointer } from '../../ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../../ir/json.js';
import { fromSource, type Traced, traced } from '../../ir/provenance.js';
import type { Capture, VariableType } from '../../ir/workflow.js';
import { nameType, readList } from '../fields.js';
import { sortKeys } from '../sort-keys.js';
import { checkChoices, checkSetOnce, checkVariableName } from '../variable-names.js';
import { takeAliases } from './aliases.js';
import {
  openReading,
  type Reading,
  take,
  takeInside,
  takeInsides,
  takeString,
  takeText,
} from './reading.js';

const variableTypes: readonly string[] = [
  'string',
  'number',
  'integer',
  'boolean',
  'array',
  'object',
] satisfies VariableType[];
/** What a schema says of a value beside its type, description and choices. */
const detailFields = ['items', 'properties', 'required', 'format', 'pattern'];
const listFields = ['extractVariables', 'extract_variables', 'extractedVariables'];

/** The variables that the node captures, in source order; those that it derives come last. */
export function takeCaptures(node: Reading): Capture[] {
  const plan = takeInside(node, 'variableExtractionPlan');
  const captures = [
    ...(plan === null ? [] : takePlan(plan)),
    ...listFields.flatMap((field) => takeDeclared(node, field)),
    ...takeDeclared(node, 'output'),
    ...takeOptions(node),
    ...(plan === null ? [] : takeAliases(plan)),
  ];
  checkSetOnce(captures.filter(isOfItsOwn), node.faults);
  return captures;
}

/** An alias may refine what the node finds out under the same name. */
function isOfItsOwn({ name, alias }: Capture): boolean {
  return alias?.uses.some((use) => use.name === name) !== true;
}

function takePlan(plan: Reading): Capture[] {
  return [...takeDeclared(plan, 'schema'), ...takeDeclared(plan, 'output')];
}

/** A list of variables, an object of them by name, or a schema whose properties they are. */
function takeDeclared(holder: Reading, field: string): Capture[] {
  if (take(holder, field) === null) return [];
  if (Array.isArray(holder.value[field])) return takeInsides(holder, field).flatMap(readListed);
  const inside = takeInside(holder, field);
  if (inside === null) return [];
  const isSchema = isJsonObject(inside.value['properties']) || inside.value['type'] === 'object';
  if (!isSchema) return readNamed(inside);
  take(inside, 'type');
  take(inside, 'required');
  take(inside, 'additionalProperties');
  take(inside, '$schema');
  const properties = takeInside(inside, 'properties');
  return properties === null ? [] : readNamed(properties);
}

/** Variables by name; the order of keys says nothing. */
function readNamed(holder: Reading): Capture[] {
  const names = Object.keys(holder.value).sort();
  return names.flatMap((name) => {
    const entry = takeInside(holder, name);
    return entry === null ? [] : (readVariable(entry, name, null) ?? []);
  });
}

/** An element of a list, which says its own name. */
function readListed(entry: Reading): Capture[] {
  const field = take(entry, 'name', 'title', 'key');
  const name = field === null ? null : takeString(entry, field);
  if (field === null || name === null) {
    const args = { field: 'name', of: 'an extracted variable' };
    entry.faults.push(diagnose('shape/missing-field', entry.at, args));
    return [];
  }
  return readVariable(entry, name, child(entry.at, field)) ?? [];
}

function readVariable(entry: Reading, name: string, nameAt: JsonPointer | null): Capture[] | null {
  const type = takeType(entry, name);
  const description = takeText(entry, 'description');
  const choices = takeChoices(entry);
  const details = takeDetails(entry);
  checkVariableName(name, nameAt ?? entry.at, entry.faults);
  if (type === null) return null;
  const places = { name: nameAt, type: child(entry.at, 'type'), enum: child(entry.at, 'enum') };
  const { at } = entry;
  return [{ name, type, description, enum: choices, details, at, origin: fromSource(at), places }];
}

/** One type; a list of them says that null may stand there too. Without any it is a text. */
function takeType(entry: Reading, name: string): VariableType | null {
  const raw = entry.value['type'];
  const listed = Array.isArray(raw) ? raw.find((it) => it !== 'null') : raw;
  take(entry, 'type');
  if (listed === undefined || listed === null) return 'string';
  const type = typeof listed === 'string' ? listed.toLowerCase() : nameType(listed);
  if (variableTypes.includes(type)) return type as VariableType;
  const args = { type, variable: name };
  entry.faults.push(diagnose('shape/unknown-variable-type', child(entry.at, 'type'), args));
  return null;
}

function takeChoices(entry: Reading): readonly string[] | null {
  if (take(entry, 'enum') === null) return null;
  const choices = (readList(entry, 'enum') ?? []).map((it) =>
    typeof it === 'object' ? JSON.stringify(it) : String(it),
  );
  checkChoices(choices, child(entry.at, 'enum'), entry.faults);
  return choices.length === 0 ? null : choices;
}

function takeDetails(entry: Reading): Traced<JsonObject> | null {
  const given = detailFields.filter((field) => take(entry, field) !== null);
  if (given.length === 0) return null;
  const details = Object.fromEntries(given.map((field) => [field, entry.value[field]!]));
  return traced(sortKeys(details as Json) as JsonObject, fromSource(entry.at));
}

/** What a caller may choose from; the platform keeps the choice as `input`. */
function takeOptions(node: Reading): Capture[] {
  if (take(node, 'options') === null) return [];
  const entry = openReading(
    { value: { enum: readList(node, 'options') ?? [] }, at: node.at, faults: node.faults },
    node.ledger,
  );
  const places = { name: null, type: node.at, enum: child(node.at, 'options') };
  const choices = takeChoices(entry);
  const origin = fromSource(child(node.at, 'options'));
  const at = child(node.at, 'options');
  return [
    {
      name: 'input',
      type: 'string',
      description: null,
      enum: choices,
      details: null,
      at,
      origin,
      places,
    },
  ];
}
