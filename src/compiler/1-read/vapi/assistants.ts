/**
 * A node that is an assistant already: what it says and does is read like a talk node's, and it
 * stays a member of its own. Of one that the platform keeps there is only the id.
 */
import { diagnose } from '../../../diagnostics/diagnose.js';
import { child } from '../../ir/ids.js';
import { fromSource, traced } from '../../ir/provenance.js';
import type { GivenTool, NamedSetting, ReadyAssistant, Settings, Text } from '../../ir/workflow.js';
import { readString } from '../fields.js';
import { takeModelParts, takeSettings } from './models.js';
import { absorb, type Reading, take, takeInside, takeText, takeValue } from './reading.js';
import { platformRecord, recordFields } from './records.js';

export interface AssistantParts {
  readonly firstMessage: Text | null;
  readonly systemPrompt: Text | null;
  readonly tools: readonly GivenTool[];
  readonly settings: Settings;
  readonly assistant: ReadyAssistant;
}

/** Null where the node has neither an assistant nor the id of one; that is told. */
export function takeAssistant(node: Reading): AssistantParts | null {
  const field = take(node, 'assistantId');
  const id = field === null ? null : readString(node, field);
  if (id !== null) {
    const at = child(node.at, 'assistantId');
    const code = idPattern.test(id) ? 'shape/saved-assistant' : 'shape/assistant-id';
    node.faults.push(diagnose(code, at, { id }));
    return { ...empty, assistant: { savedAs: traced(id, fromSource(at)), settings: [] } };
  }
  const inside = takeInside(node, 'assistant');
  if (inside !== null) return readAssistant(inside);
  const args = { field: 'assistant', of: 'an assistant node' };
  node.faults.push(diagnose('shape/missing-field', node.at, args));
  return null;
}

/** The id stands in members, in destinations and in prompts, as it is. */
const idPattern = /^[\w.-]{1,100}$/;

const empty = { firstMessage: null, systemPrompt: null, tools: [], settings: {} };

function readAssistant(assistant: Reading): AssistantParts {
  const firstMessage = takeText(assistant, 'firstMessage');
  absorb(assistant, recordFields, platformRecord);
  const settings = takeSettings(assistant);
  take(assistant, 'name');
  const { systemPrompt, tools } = takeModelParts(assistant);
  // The prompt says how the assistant opens; what is left are settings of its own.
  const others = Object.keys(assistant.value).filter((key) => !assistant.taken.has(key));
  const own = others.sort().flatMap((key): NamedSetting[] => {
    const value = takeValue(assistant, key);
    return value === null ? [] : [{ key, value }];
  });
  return {
    firstMessage,
    systemPrompt,
    tools,
    settings,
    assistant: { savedAs: null, settings: own },
  };
}
