/**
 * The rules that a schema for extraction has to keep.
 *
 * In: any value. Out: one finding for each rule that is broken somewhere, all at once: a schema's
 * before those of what it holds, at one place in the order of the rules below. None: the schema is
 * right. Hostile values (deep, wide, holding themselves) have findings like others.
 *
 * Example: { type: 'object', properties: { age: { type: 'integer' } }, … } →
 * extraction/not-nullable at /properties/age/type.
 */
import { type ExtractionFinding, findingsInto } from './finding.js';
import { places } from './place.js';
import { isObject } from './reading.js';
import { choicesAreDescribed } from './rules/keyword-descriptions.js';
import { displayNamesAreTexts } from './rules/keyword-name.js';
import { specialTypesFit } from './rules/keyword-type.js';
import type { Rule } from './rules/rule.js';
import { rootIsObject } from './rules/rule-1-root.js';
import { scalarsAreNullable } from './rules/rule-2-scalars.js';
import { containersAreThere } from './rules/rule-3-containers.js';
import { depthIsBounded } from './rules/rule-4-depth.js';
import { namesArePlain } from './rules/rule-5-names.js';
import { objectsAreClosed } from './rules/rule-6-closed.js';
import { choicesAreTexts } from './rules/rule-7-choices.js';
import { constructsAreKnown, keywordsFitTheType } from './rules/rule-8-constructs.js';
import { fieldsAreDescribed } from './rules/rule-9-description.js';

export interface ExtractionSchemaOptions {
  /** What the service's own keywords begin with. Default: `service`, as in `service:type`. */
  readonly prefix?: string;
}

const rules: readonly Rule[] = [
  rootIsObject,
  scalarsAreNullable,
  containersAreThere,
  depthIsBounded,
  namesArePlain,
  objectsAreClosed,
  choicesAreTexts,
  constructsAreKnown,
  keywordsFitTheType,
  fieldsAreDescribed,
  specialTypesFit,
  choicesAreDescribed,
  displayNamesAreTexts,
];

export function lintExtractionSchema(
  schema: unknown,
  { prefix = 'service' }: ExtractionSchemaOptions = {},
): ExtractionFinding[] {
  const findings: ExtractionFinding[] = [];
  const find = findingsInto(findings);
  if (!isObject(schema)) find('extraction/root', '');
  else
    for (const place of places(schema, prefix, find))
      for (const rule of rules) rule(place, find, prefix);
  return findings;
}
