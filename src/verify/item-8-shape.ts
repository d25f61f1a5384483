/**
 * Item 8. "The JSON is valid and matches the shapes above."
 *
 * The shape is the published schema of the target. Names of assistants have at most 40 characters
 * in both targets.
 */
import type { ChecklistItem } from '../compiler/ir/result.js';
import { ofShape } from '../diagnostics/checklist.js';
import { faultInWords } from '../diagnostics/schema-fault.js';
import { validateSquad, validateVapiSquad } from '../schemas/validators.generated.js';
import type { Comparison } from './comparison.js';
import { type Finding, finding, toItem } from './item.js';

const maxNameLength = 40;

/** Keywords that only repeat that something below them failed. */
const echoes: ReadonlySet<string> = new Set(['if', 'anyOf', 'oneOf', 'allOf']);

export function checkShape(comparison: Comparison): ChecklistItem {
  return toItem(8, [...checkSchema(comparison), ...checkLengths(comparison)], comparison);
}

function checkSchema({ document, squad }: Comparison): Finding[] {
  const target = squad.wrapped ? 'squad' : 'vapi';
  const validate = squad.wrapped ? validateSquad : validateVapiSquad;
  if (validate(document)) return [finding(true, ofShape.valid(target), [], [''])];
  const all = validate.errors ?? [];
  const own = all.filter(({ keyword }) => !echoes.has(keyword));
  const faults = own.length > 0 ? own : all;
  const text = ofShape.invalid(faultInWords(faults, undefined, 'the document'));
  return [finding(false, text, [], [...new Set(faults.map((it) => it.instancePath))])];
}

function checkLengths({ squad }: Comparison): Finding[] {
  const long = squad.members.flatMap(({ name, at }) =>
    name !== null && [...name].length > maxNameLength ? [{ name, at }] : [],
  );
  if (long.length === 0) return [finding(true, ofShape.shortNames(), [], [])];
  return long.map(({ name, at }) =>
    finding(false, ofShape.longName(name), [], [`${at}/assistant/name`]),
  );
}
