/** One node of the spec's shape (spec/3, "Workflow (input)"). */

import { diagnose } from '../../diagnostics/diagnose.js';
import { withItem } from '../../graph/lists.js';
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
  noteUnknownFields,
  readBoolean,
  readList,
  readObjects,
  readString,
  requireString,
  type Source,
  type UnknownField,
} from './fields.js';
import { isReservedKey } from './json-plain.js';
import { hasUsualFields, nodeTypes, noteOddFields } from './node-fields.js';
import { readRequest } from './read-request.js';
import { noSettings, readSettings } from './read-settings.js';
import { readTransfer } from './read-transfer.js';
import { readCondition, readText } from './texts.js';
import { checkChoices, checkSetOnce, checkVariableName, isPlainName } from './variable-names.js';

const variableTypes: readonly VariableType[] = ['string', 'number', 'boolean'];
const captureFields = new Set(['name', 'type', 'description', 'enum']);
/** What most nodes have of most things. */
const nothing: readonly never[] = [];

/** Reads a node; null when it has no usable id or type. All its other faults are told as well. */
export function readNode(
  source: Source,
  index: number,
  unknown: UnknownField[],
): WorkflowNode | null {
  const id = readId(source);
  const type = readType(source);
  const isUsual = type !== null && hasUsualFields(source, type);
  const misplaced = isUsual ? nothing : noteOddFields(source, type, unknown);
  const hasTransfer = type === 'transferCall' || (type === null && has(source, 'transferPlan'));
  const hasRequest = type === 'apiRequest' || (type === null && has(source, 'url'));
  const name = readString(source, 'name');
  const node = {
    index: index as NodeIndex,
    id,
    at: source.at,
    type,
    role: type === null ? null : roleOf[type],
    name,
    nameAt: child(source.at, name !== null || has(source, 'name') ? 'name' : 'id'),
    firstMessage: readText(source, 'firstMessage'),
    systemPrompt: readText(source, 'systemPrompt'),
    // What stands where it has no use is left out; a node without a type may use anything.
    captures: misplaced.includes('extractVariables') ? nothing : readCaptures(source, unknown),
    global: isUsual ? null : readGlobal(source, id ?? ''),
    transfer: hasTransfer ? readTransfer(source, unknown) : null,
    request: hasRequest ? readRequest(source, unknown) : null,
    calls: nothing,
    tools: nothing,
    settings: isUsual ? noSettings : readSettings(source, unknown),
    assistant: null,
  };
  return id === null || type === null ? null : (node as WorkflowNode);
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
  if (isNodeType(type)) return type;
  const args = { type, near: findNearest(type, nodeTypes) };
  source.faults.push(diagnose('shape/unknown-node-type', child(source.at, 'type'), args));
  return null;
}

function isNodeType(type: string): type is NodeType {
  return (nodeTypes as readonly string[]).includes(type);
}

function isVariableType(type: string): type is VariableType {
  return (variableTypes as readonly string[]).includes(type);
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

function readCaptures(source: Source, unknown: UnknownField[]): readonly Capture[] {
  let captures: readonly Capture[] = nothing;
  for (const entry of readObjects(source, 'extractVariables')) {
    const capture = readCapture(entry, unknown);
    if (capture !== null) captures = withItem(captures, capture);
  }
  checkSetOnce(captures, source.faults);
  return captures;
}

function readCapture(entry: Source, unknown: UnknownField[]): Capture | null {
  const { at, faults } = entry;
  const of = 'an extracted variable';
  const name = requireString(entry, 'name', of);
  const type = requireString(entry, 'type', of);
  noteUnknownFields(entry, captureFields, unknown);
  const description = readText(entry, 'description');
  const choices = readEnum(entry);
  if (name === null || type === null) return null;
  if (!isPlainName(name)) checkVariableName(name, child(at, 'name'), faults);
  if (isVariableType(type)) {
    const origin = fromSource(at);
    return { name, type, description, enum: choices, details: null, at, origin };
  }
  const args = { type, variable: name };
  faults.push(diagnose('shape/unknown-variable-type', child(at, 'type'), args));
  return null;
}

function readEnum(entry: Source): readonly string[] | null {
  const choices = readList(entry, 'enum');
  if (choices === null) return null;
  const texts = choices.filter((it): it is string => typeof it === 'string');
  if (texts.length < choices.length) {
    const args = { field: 'enum', expected: 'a list of texts', found: 'another type in the list' };
    entry.faults.push(diagnose('shape/wrong-type', child(entry.at, 'enum'), args));
  }
  checkChoices(texts, child(entry.at, 'enum'), entry.faults);
  return texts.length === 0 ? null : texts;
}
