/** The fields that a node of the spec's shape may have, by its type. */
import { diagnose } from '../../diagnostics/diagnose.js';
import { child } from '../ir/ids.js';
import { type NodeType, roleOf } from '../ir/workflow.js';
import {
  has,
  hasOnly,
  noteUnknownFields,
  type Source,
  type UnknownField,
  unknownField,
} from './fields.js';
import { requestFields } from './read-request.js';
import { settingFields } from './read-settings.js';
import { transferFields } from './read-transfer.js';

/** A tool of the platform's own is no type of the specification. */
export const nodeTypes = (Object.keys(roleOf) as NodeType[]).filter((type) => type !== 'tool');

/** Fields that only some types have a use for, and the words for those types. */
interface FieldGroup {
  readonly fields: readonly string[];
  readonly types: readonly NodeType[];
  readonly where: string;
}

const groups: readonly FieldGroup[] = [
  { fields: transferFields, types: ['transferCall'], where: 'transferCall' },
  { fields: requestFields, types: ['apiRequest'], where: 'apiRequest' },
  {
    fields: ['extractVariables'],
    types: nodeTypes.filter((type) => roleOf[type] !== 'exit'),
    where: 'conversation, gather or apiRequest',
  },
];

/** What nearly every node has, and seldom more. */
const usualFields: readonly string[] = ['id', 'type', 'name', 'firstMessage', 'systemPrompt'];
const commonFields: readonly string[] = [...usualFields, 'isGlobal', 'condition', ...settingFields];
const allFields = new Set([...commonFields, ...groups.flatMap(({ fields }) => fields)]);
const fieldsOfType = extendByType(commonFields);
const usualOfType = extendByType(usualFields);

/** The fields and those of their own that each type has. */
function extendByType(fields: readonly string[]): ReadonlyMap<NodeType, ReadonlySet<string>> {
  return new Map(
    nodeTypes.map((type) => {
      const own = groups.filter(({ types }) => types.includes(type));
      return [type, new Set([...fields, ...own.flatMap((group) => group.fields)])];
    }),
  );
}

/**
 * Whether a node has nothing that is odd, no settings and no way in from everywhere, as most have:
 * one look at its fields then saves one for each that is not there.
 */
export function hasUsualFields(source: Source, type: NodeType): boolean {
  return hasOnly(source, usualOfType.get(type)!);
}

const none: readonly string[] = [];

/**
 * Notes the fields that nothing reads, and gives back those among them that only another type of
 * node has a use for; a node without a type may use anything.
 */
export function noteOddFields(
  source: Source,
  type: NodeType | null,
  unknown: UnknownField[],
): readonly string[] {
  const fitting = type === null ? allFields : fieldsOfType.get(type)!;
  if (hasOnly(source, fitting)) return none;
  noteUnknownFields(source, allFields, unknown, fitting);
  const misplaced = type === null ? none : reportMisplaced(source, type);
  for (const field of misplaced) unknown.push(unknownField(source, field));
  return misplaced;
}

function reportMisplaced(source: Source, type: NodeType): readonly string[] {
  return groups.flatMap(({ fields, types, where }) => {
    const misplaced = types.includes(type) ? none : fields.filter((field) => has(source, field));
    for (const field of misplaced) {
      const args = { field, type, belongs: where };
      const at = child(source.at, field);
      source.faults.push(diagnose('shape/misplaced-field', at, args));
    }
    return misplaced;
  });
}
