/**
 * The variables that a tool takes from its response: aliases, and the properties of a schema.
 *
 * An alias is a template; one that is nothing but a path into the response counts as that path. In
 * the others `$` and `tool` stand for the response, and what else they read are variables.
 */
import { diagnose } from '../../../diagnostics/diagnose.js';
import { child, type JsonPointer } from '../../ir/ids.js';
import type { JsonObject } from '../../ir/json.js';
import { fromSource, type Traced, traced } from '../../ir/provenance.js';
import type { Diagnostic } from '../../ir/result.js';
import type { ResponseVariable, Text } from '../../ir/workflow.js';
import { readObject, requireString } from '../fields.js';
import { aliasKey, responsePath } from '../read-request.js';
import { sortKeys } from '../sort-keys.js';
import { textAt } from '../texts.js';
import { checkSetOnce, checkVariableName } from '../variable-names.js';
import { type Reading, take, takeInside, takeInsides, takeWhole } from './reading.js';

export interface Responses {
  readonly variables: readonly ResponseVariable[];
  readonly schema: Traced<JsonObject> | null;
}

const none: Responses = { variables: [], schema: null };

/** What the tool's extraction plan takes from the response. */
export function takeResponses(tool: Reading): Responses {
  const plan = takeInside(tool, 'variableExtractionPlan');
  if (plan === null) return none;
  const schema = takeSchema(plan, 'schema');
  const aliases = takeInsides(plan, 'aliases').flatMap(readAlias);
  const variables = [...schema.variables, ...aliases];
  checkSetOnce(variables, tool.faults);
  return { variables, schema: schema.schema };
}

/** A schema whose properties are variables; older request nodes call it their output. */
export function takeSchema(holder: Reading, field: string): Responses {
  const inside = takeInside(holder, field);
  if (inside === null) return none;
  takeWhole(inside);
  const properties = readObject(inside, 'properties') ?? {};
  const at = child(inside.at, 'properties');
  const names = Object.keys(properties).sort();
  if (names.length === 0) return none;
  for (const name of names) checkVariableName(name, child(at, name), inside.faults);
  return {
    variables: names.map((name) => {
      const place = child(at, name);
      return { name, path: '', value: null, at: place, sourceAt: place };
    }),
    schema: traced(sortKeys(inside.value) as JsonObject, fromSource(inside.at)),
  };
}

function readAlias(alias: Reading): ResponseVariable[] {
  const name = requireString(alias, 'key', 'an alias');
  const template = requireString(alias, 'value', 'an alias');
  take(alias, 'key');
  take(alias, 'value');
  if (name === null || template === null) return [];
  const at = child(alias.at, 'key');
  checkVariableName(name, at, alias.faults);
  if (!aliasKey.test(name)) alias.faults.push(diagnose('data/alias-key', at, { variable: name }));
  const path = pathIn(template);
  const sourceAt = child(alias.at, 'value');
  const value = path === null ? aliasText(template, sourceAt, alias.faults) : null;
  return [{ name, path: path ?? '', value, at: alias.at, sourceAt }];
}

/** The path that the template reads, where it does nothing else. */
function pathIn(template: string): string | null {
  const [, inside = ''] = /^\s*\{\{-?\s*(\$[^\s|}]*?)\s*-?\}\}\s*$/.exec(template) ?? [];
  return responsePath.test(inside) ? inside.replace(/^\$\.?/, '') : null;
}

const ofResponse: ReadonlySet<string> = new Set(['_', 'tool']);

/** Liquid knows no `$`; as long a name stands in its place while the template is read. */
function aliasText(template: string, at: JsonPointer, faults: Diagnostic[]): Text {
  const { uses } = textAt(template.replaceAll('$', '_'), at, faults);
  return { value: template, at, uses: uses.filter(({ name }) => !ofResponse.has(name)) };
}
