/** One node of the spec's shape (spec/3, "Workflow (input)"). */

import { diagnose } from '../../diagnostics/diagnose.js';
import { extend } from '../graph/lists.js';
import { child, type NodeIndex } from '../ir/ids.js';
import { fromSource } from '../ir/provenance.js';
import {
  type Capture,
  type NodeType,
  roleOf,
  type VariableType,
  type WorkflowNode,
} from '../ir/workflow.js';
import { findNearest } from '../names/nearest.js';
import {
  has,
  listUnknownFields,
  readBoolean,
  readList,
  readObjects,
  readString,
  requireString,
  type Source,
} from './fields.js';
import { isReservedKey } from './json-plain.js';
import { readRequest, requestFields } from './read-request.js';
import { readSettings, settingFields } from './read-settings.js';
import { readTransfer, transferFields } from './read-transfer.js';
import { readCondition, readText } from './texts.js';
import { checkChoices, checkSetOnce, checkVariableName } from './variable-names.js';

/** A tool of the platform's own is no type of the specification. */
const nodeTypes = (Object.keys(roleOf) as NodeType[]).filter((type) => type !== 'tool');
const variableTypes: readonly string[] = ['string', 'number', 'boolean'];
const nodeFields: ReadonlySet<string> = new Set([
  'id',
  'type',
  'name',
  'firstMessage',
  'systemPrompt',
  'extractVariables',
  'isGlobal',
  'condition',
  ...transferFields,
  ...requestFields,
  ...settingFields,
]);
const captureFields = new Set(['name', 'type', 'description', 'enum']);

/** Reads a node; null when it has no usable id or type. All its other faults are told as well. */
export function readNode(source: Source, index: number, unknown: string[]): WorkflowNode | null {
  const id = readId(source);
  const type = readType(source);
  extend(
    unknown,
    listUnknownFields(source, nodeFields).map((it) => child(source.at, it)),
  );
  const misplaced = type === null ? [] : listMisplaced(source, type);
  extend(unknown, misplaced);
  // What stands where it has no use is left out; a node without a type may use anything.
  const uses = (field: string) => !misplaced.includes(child(source.at, field));
  const hasTransfer = type === 'transferCall' || (type === null && has(source, 'transferPlan'));
  const hasRequest = type === 'apiRequest' || (type === null && has(source, 'url'));
  const node = {
    index: index as NodeIndex,
    at: source.at,
    name: readString(source, 'name'),
    nameAt: child(source.at, has(source, 'name') ? 'name' : 'id'),
    firstMessage: readText(source, 'firstMessage'),
    systemPrompt: readText(source, 'systemPrompt'),
    captures: uses('extractVariables') ? readCaptures(source, unknown) : [],
    global: readGlobal(source, id ?? ''),
    transfer: hasTransfer ? readTransfer(source, unknown) : null,
    request: hasRequest ? readRequest(source, unknown) : null,
    calls: [],
    tools: [],
    settings: readSettings(source, unknown),
    assistant: null,
  };
  return id === null || type === null ? null : { ...node, id, type, role: roleOf[type] };
}

function readId(source: Source): string | null {
  if (source.value['id'] === '') {
    source.faults.push(diagnose('shape/empty-id', child(source.at, 'id'), {}));
    return null;
  }
  const id = requireString(source, 'id', 'a node');
  if (id === null || !isReservedKey(id)) return id;
  source.faults.push(diagnose('shape/reserved-name', child(source.at, 'id'), { name: id }));
  return null;
}

function readType(source: Source): NodeType | null {
  const type = requireString(source, 'type', 'a node');
  if (type === null) return null;
  const known = nodeTypes.find((it) => it === type);
  if (known !== undefined) return known;
  const args = { type, near: findNearest(type, nodeTypes) };
  source.faults.push(diagnose('shape/unknown-node-type', child(source.at, 'type'), args));
  return null;
}

function readGlobal(source: Source, id: string): WorkflowNode['global'] {
  const isGlobal = readBoolean(source, 'isGlobal') === true;
  const condition = readCondition(source, 'condition');
  if (isGlobal) return { condition };
  if (condition !== null) {
    const at = child(source.at, 'condition');
    source.faults.push(diagnose('flow/condition-without-global', at, { id }));
  }
  return null;
}

function readCaptures(source: Source, unknown: string[]): Capture[] {
  const captures = readObjects(source, 'extractVariables').flatMap((entry): Capture[] => {
    const of = 'an extracted variable';
    const name = requireString(entry, 'name', of);
    const type = requireString(entry, 'type', of);
    extend(
      unknown,
      listUnknownFields(entry, captureFields).map((it) => child(entry.at, it)),
    );
    const description = readText(entry, 'description');
    const choices = readEnum(entry);
    if (name === null || type === null) return [];
    checkVariableName(name, child(entry.at, 'name'), entry.faults);
    if (!variableTypes.includes(type)) {
      const args = { type, variable: name };
      entry.faults.push(diagnose('shape/unknown-variable-type', child(entry.at, 'type'), args));
      return [];
    }
    return [
      {
        name,
        type: type as VariableType,
        description,
        enum: choices,
        details: null,
        at: entry.at,
        origin: fromSource(entry.at),
      },
    ];
  });
  checkSetOnce(captures, source.faults);
  return captures;
}

function readEnum(entry: Source): readonly string[] | null {
  const choices = readList(entry, 'enum') ?? [];
  const texts = choices.filter((it): it is string => typeof it === 'string');
  if (texts.length < choices.length) {
    const args = { field: 'enum', expected: 'a list of texts', found: 'another type in the list' };
    entry.faults.push(diagnose('shape/wrong-type', child(entry.at, 'enum'), args));
  }
  checkChoices(texts, child(entry.at, 'enum'), entry.faults);
  return texts.length === 0 ? null : texts;
}

/** Known fields on a type of node that has no use for them. */
function listMisplaced(source: Source, type: NodeType): string[] {
  const groups: [readonly string[], boolean, string][] = [
    [transferFields, type === 'transferCall', 'transferCall'],
    [requestFields, type === 'apiRequest', 'apiRequest'],
    [['extractVariables'], roleOf[type] !== 'exit', 'conversation, gather or apiRequest'],
  ];
  return groups.flatMap(([fields, belongs, where]) => {
    const misplaced = belongs ? [] : fields.filter((field) => has(source, field));
    return misplaced.map((field) => {
      const at = child(source.at, field);
      const args = { field, type, belongs: where };
      source.faults.push(diagnose('shape/misplaced-field', at, args));
      return at;
    });
  });
}
