/** The callers in a JSON text: members `workflowId`, and strings that speak of it. */
import {
  type FoundCallers,
  type HandPlace,
  namesWorkflow,
  newName,
  oldName,
  type Rewrite,
  type SquadIds,
} from './caller-place.js';
import { type JsonMember, type JsonReading, type JsonString, readJson } from './json-tokens.js';
import { settleProperty } from './object-property.js';

/** Null where the text is not JSON. */
export function findInJson(text: string, squadIds: SquadIds): FoundCallers | null {
  const reading = readJson(text);
  if (reading === null) return null;
  const clashes = objectsThatClash(reading);
  const rewrites: Rewrite[] = [];
  const byHand: HandPlace[] = [];
  const note = (part: JsonString | null) => {
    if (part !== null && namesWorkflow(part.value))
      byHand.push({ offset: part.start, why: 'text' });
  };
  for (const member of reading.members) {
    if (member.key.value !== oldName) {
      note(member.key);
      note(member.value);
      continue;
    }
    const found = settleMember(member, clashes.has(member.object), squadIds);
    rewrites.push(...found.rewrites);
    byHand.push(...found.byHand);
  }
  for (const each of reading.strings) note(each);
  return { rewrites, byHand: byHand.sort((a, b) => a.offset - b.offset) };
}

function settleMember(
  { key, value }: JsonMember,
  clashes: boolean,
  squadIds: SquadIds,
): FoundCallers {
  if (value === null) return { rewrites: [], byHand: [{ offset: key.start, why: 'expression' }] };
  const property = { key: { ...key, quote: '"' }, value: { ...value, quote: '"' } } as const;
  return settleProperty(property, clashes, squadIds);
}

/** Objects that name a squad already, or a workflow twice. */
function objectsThatClash({ members }: JsonReading): ReadonlySet<number> {
  const clashing = new Set<number>();
  const named = new Set<number>();
  for (const { object, key } of members) {
    if (key.value === newName || (key.value === oldName && named.has(object))) clashing.add(object);
    if (key.value === oldName) named.add(object);
  }
  return clashing;
}
