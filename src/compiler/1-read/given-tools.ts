/**
 * Tools that are carried as they are: squadc reads what they are called by, the variables that their
 * texts read, and those that their response sets.
 */
import { child } from '../ir/ids.js';
import { isJsonObject } from '../ir/json.js';
import type { GivenTool } from '../ir/workflow.js';
import { presentForm } from './older-forms.js';
import { type Found, Reading, tracedOf } from './reading.js';
import { takeResponses } from './requests.js';
import { textsWithin, withoutArguments } from './template.js';

/** The tools that a talk node offers, and those that it names. */
export function takeTools(node: Reading): GivenTool[] {
  const tools = node.takeInsides('tools').flatMap((tool) => readTool(tool) ?? []);
  const saved = node.takeEach('a text', 'toolIds', (id) =>
    id.value === '' ? [] : [savedTool(node, id, id.value)],
  );
  const versions = node.takeInsides('toolRefs').flatMap((ref) => {
    const id = ref.requireString('a reference to a tool', 'toolId');
    return id === null ? [] : [savedTool(ref, id, id.value)];
  });
  return [...tools, ...saved, ...versions];
}

/** A tool that is given in full; null where it has no type, or one that cannot be carried. */
export function readTool(tool: Reading): GivenTool | null {
  const { at, value, faults, ledger } = tool;
  for (const key of Object.keys(value)) tool.take(key);
  const present = presentForm(tracedOf(tool)!);
  const { type = null, function: declared = null, body = null, name } = present.value;
  if (typeof type !== 'string' || type === '') {
    tool.report('shape/missing-field', at, { field: 'type', of: 'a tool' });
    return null;
  }
  if (type === 'handoff') {
    // A call goes on elsewhere behind this one, where squadc sees nothing of it.
    tool.report('shape/unsupported-tool', child(at, 'type'), { type });
    return null;
  }
  const { variableExtractionPlan: _, ...others } = value;
  // All of the tool is carried, so what nobody understands in it is not told.
  const { variables } = takeResponses(new Reading(value, at, { ...ledger, readings: [] }, 'tool'));
  const { name: own, parameters = null } = isJsonObject(declared) ? declared : {};
  const form = type === 'function' ? parameters : body;
  const texts = withoutArguments(textsWithin(others, at, faults), form);
  for (const text of texts) {
    if (/\/(?:url|serverUrl|number|headers\/.*)$/.test(text.at)) tool.checkPlaceholder(text);
  }
  return {
    // A function has a name; other tools are called by it, by their own name, or by their type.
    name: [own, name || null].find((it) => typeof it === 'string') ?? type,
    value: present,
    savedAs: null,
    version: null,
    // A response is no variable, so what an alias reads of it is not asked about.
    texts: [...texts, ...variables.flatMap((variable) => variable.value ?? [])],
    variables: variables.map((variable) => variable.name),
    at,
  };
}

/** A tool that the platform keeps; nothing of it is to be seen but its id. */
export function savedTool(node: Reading, id: Found<string>, name: string): GivenTool {
  node.report('shape/tool-by-id', id.at, { id: id.value });
  const version = node.takeTracedString('version', 'toolVersion');
  return { name, value: null, savedAs: tracedOf(id), version, texts: [], variables: [], at: id.at };
}
