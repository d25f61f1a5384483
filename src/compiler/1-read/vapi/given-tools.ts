/**
 * Tools in the platform's own words. They are carried as they are: squadc reads what they are
 * called by, the variables that their texts read, and those that their response sets.
 */
import { diagnose } from '../../../diagnostics/diagnose.js';
import { child } from '../../ir/ids.js';
import { isJsonObject, type JsonObject } from '../../ir/json.js';
import { fromSource, traced } from '../../ir/provenance.js';
import type { GivenTool } from '../../ir/workflow.js';
import {
  nameType,
  readList,
  readObject,
  readObjects,
  readString,
  requireString,
  type Source,
} from '../fields.js';
import { checkSecrets } from '../read-request.js';
import { sortKeys } from '../sort-keys.js';
import { textsWithin } from '../texts.js';
import { openReading, type Reading, take } from './reading.js';
import { takeResponses } from './responses.js';

/** A call goes on elsewhere behind this one, where squadc sees nothing of it. */
const unreadable = 'handoff';

/** The tools that a talk node offers, and those that it names. */
export function takeTools(node: Reading): GivenTool[] {
  const tools = take(node, 'tools') === null ? [] : readObjects(node, 'tools');
  return [...tools.flatMap((tool) => readTool(tool, node) ?? []), ...takeIds(node)];
}

/** A tool that is given in full; null where it has no type, or one that cannot be carried. */
export function readTool(tool: Source, { ledger }: Pick<Reading, 'ledger'>): GivenTool | null {
  const type = requireString(tool, 'type', 'a tool');
  if (type === null) return null;
  if (type === unreadable) {
    tool.faults.push(diagnose('shape/unsupported-tool', child(tool.at, 'type'), { type }));
    return null;
  }
  for (const holder of listHolders(tool)) {
    checkSecrets(holder, readObject({ ...holder, faults: [] }, 'headers'));
  }
  const responses = takeResponses(openReading(tool, { ...ledger, readings: [] }));
  return {
    name: nameOf(tool, type),
    value: traced(sortKeys(tool.value) as JsonObject, fromSource(tool.at)),
    savedAs: null,
    // A response is no variable, so what an alias reads of it is not asked about.
    texts: [
      ...textsWithin(withoutPlan(tool.value), tool.at, tool.faults),
      ...responses.variables.flatMap((it) => it.value ?? []),
    ],
    variables: responses.variables.map(({ name }) => name),
    at: tool.at,
  };
}

/** What can have headers: the tool itself, and the server that answers it. */
function listHolders(tool: Source): Source[] {
  const server = readObject({ ...tool, faults: [] }, 'server');
  const { faults } = tool;
  const at = child(tool.at, 'server');
  return server === null ? [tool] : [tool, { value: server, at, faults }];
}

/** A tool that the platform keeps; nothing of it is to be seen but its id. */
export function savedTool(id: string, name: string, at: string): GivenTool {
  return { name, value: null, savedAs: traced(id, fromSource(at)), texts: [], variables: [], at };
}

function takeIds(node: Reading): GivenTool[] {
  if (take(node, 'toolIds') === null) return [];
  const at = child(node.at, 'toolIds');
  return (readList(node, 'toolIds') ?? []).flatMap((id, index) => {
    const place = child(at, index);
    if (typeof id === 'string' && id !== '') {
      node.faults.push(diagnose('shape/tool-by-id', place, { id }));
      return [savedTool(id, id, place)];
    }
    const args = { field: `toolIds[${index}]`, expected: 'a text', found: nameType(id) };
    node.faults.push(diagnose('shape/wrong-type', place, args));
    return [];
  });
}

/** A function has a name; other tools are called by it, by their own name, or by their type. */
function nameOf(tool: Source, type: string): string {
  const declared = tool.value['function'];
  if (isJsonObject(declared) && typeof declared['name'] === 'string') return declared['name'];
  return readString({ ...tool, faults: [] }, 'name') ?? type;
}

function withoutPlan({ variableExtractionPlan: _, ...others }: JsonObject): JsonObject {
  return others;
}
