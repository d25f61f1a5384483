/**
 * Target `vapi`: the body of the platform's create-squad call.
 *
 * Beyond the squad of spec/3, every assistant says how it opens (one without a line of its own
 * would fall silent after a handoff), every assistant with which a call can end has the means to
 * end it, handoff tools have names, and what the platform wants as JSON Schema is written so. A
 * saved assistant is told by overrides what it is called here, and is given the tools of its ways.
 */
import type { JsonObject } from '../ir/json.js';
import type { AssistantIr, RequestToolIr, ToolIr } from '../ir/squad-ir.js';
import { assembleHandoff } from './handoffs.js';
import { assembleMembers, putShared, type Shape } from './members.js';
import {
  type Assembly,
  assembleFunction,
  assembleGiven,
  assembleRequest,
  assembleTransfer,
  listTools,
  parametersAt,
} from './tools.js';
import { fixed, inside, note, type Place } from './tracing.js';
import {
  assembleHandoffFunction,
  nameHandoffs,
  putRejections,
  putTransferPlan,
} from './vapi-calls.js';
import { assembleHeaders, assembleParameters, putRequestBody } from './vapi-requests.js';
import { type Draft, putSettings } from './writing.js';

export function assembleForVapi(assembly: Assembly, root: Place): JsonObject {
  const { name } = assembly.squad;
  const draft: Draft = {};
  if (name !== null) draft['name'] = note(name, inside(root, 'name'));
  draft['members'] = assembleMembers(assembly, shape, inside(root, 'members'));
  putShared(draft, 'membersOverrides', assembly, root);
  return draft;
}

/** Without a line of its own the assistant finds one: it has taken over a call that goes on. */
function putOpening(draft: Draft, { firstMessage }: AssistantIr, at: Place): void {
  const place = inside(at, 'firstMessage');
  if (firstMessage !== null) {
    draft['firstMessage'] = note(firstMessage, place);
    return;
  }
  draft['firstMessage'] = fixed('', place);
  draft['firstMessageMode'] = fixed(
    'assistant-speaks-first-with-model-generated-message',
    inside(at, 'firstMessageMode'),
  );
}

const tools: Shape['tools'] = (assembly, assistant, at) => {
  const listed = listTools(assembly, assistant);
  if (listed.length === 0 && !assistant.endsCall) return [];
  const names = nameHandoffs(assembly.squad, listed);
  const written = listed.map((tool, index) => {
    const place = inside(at, index);
    const draft = assembleTool(assembly, tool, names, place);
    putRejections(draft, tool.rejections, place);
    return draft;
  });
  // The platform knows one tool that ends the call; the source may bring its own.
  const isGiven = written.some(({ type }) => type === 'endCall');
  if (!assistant.endsCall || isGiven) return written;
  const place = inside(at, written.length);
  const ending: Draft = { type: fixed('endCall', inside(place, 'type')) };
  putRejections(ending, assistant.endRejections, place);
  return [...written, ending];
};

/** What overrides say of tools replaces those of the assistant, unless they are appended. */
const putAdditions: Shape['putAdditions'] = (member, assembly, assistant, memberAt) => {
  const at = inside(memberAt, 'assistantOverrides');
  const key = 'tools:append';
  const added = tools(assembly, assistant, inside(at, key));
  const draft: Draft = { name: note(assistant.name, inside(at, 'name')) };
  putSettings(draft, assistant.settings, at);
  if (added.length > 0) draft[key] = added;
  member['assistantOverrides'] = draft;
};

const shape: Shape = { putOpening, tools, putAdditions };

function assembleTool(
  assembly: Assembly,
  tool: ToolIr,
  names: ReadonlyMap<ToolIr, string>,
  at: Place,
): Draft {
  switch (tool.kind) {
    case 'handoff': {
      const draft = assembleHandoff(assembly, tool, at);
      const place = inside(at, 'function');
      draft['function'] = assembleHandoffFunction(assembly, tool, names.get(tool)!, place);
      // Without messages the platform speaks one of its own.
      draft['messages'] = fixed([], inside(at, 'messages'));
      return draft;
    }
    case 'transfer':
      return assembleTransfer(tool, at, putTransferPlan);
    case 'given':
      return { ...assembleGiven(tool, at) };
    case 'request':
      return assembleRequest(tool, at, assemblePayload(tool, at));
    case 'function':
      return assembleFunction(tool, at, assembleParameters(tool.parameters, parametersAt(at)));
  }
}

function assemblePayload(tool: RequestToolIr, at: Place): JsonObject {
  const { headers } = tool;
  const draft: Draft = {};
  if (headers !== null) draft['headers'] = assembleHeaders(headers, inside(at, 'headers'));
  putRequestBody(draft, tool, at);
  return draft;
}
