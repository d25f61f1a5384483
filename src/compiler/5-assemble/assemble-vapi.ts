/**
 * Target `vapi`: the body of the platform's create-squad call.
 *
 * Beyond the squad of spec/3, every assistant says how it opens (one without a line of its own
 * would fall silent after a handoff), every assistant with which a call can end has the means to
 * end it, handoff tools have names, and what the platform wants as JSON Schema is written so. A
 * saved assistant is told by overrides what it is called here, and is given the tools of its ways.
 */
import { child, type JsonPointer } from '../ir/ids.js';
import type { JsonObject } from '../ir/json.js';
import type { AssistantIr, ToolIr } from '../ir/squad-ir.js';
import { assembleHandoff } from './handoffs.js';
import {
  assembleMembers,
  assembleSettings,
  assembleShared,
  type Shape,
  type Written,
} from './members.js';
import {
  type Assembly,
  assembleFunction,
  assembleGiven,
  assembleRequest,
  assembleTransfer,
  listTools,
} from './tools.js';
import { fixed, note, type SourceMap } from './tracing.js';
import {
  assembleHandoffFunction,
  assembleRejections,
  assembleTransferPlan,
  nameHandoffs,
} from './vapi-calls.js';
import { assembleHeaders, assembleParameters, assembleRequestBody } from './vapi-requests.js';

export function assembleForVapi(assembly: Assembly): Written {
  const { squad, map } = assembly;
  const membersAt = '/members';
  return {
    membersAt,
    document: {
      ...(squad.name === null ? {} : { name: note(squad.name, '/name', map) }),
      members: assembleMembers(assembly, shape, membersAt),
      ...assembleShared(assembly, 'membersOverrides', ''),
    },
  };
}

/** Without a line of its own the assistant finds one: it has taken over a call that goes on. */
function assembleOpening(
  { firstMessage }: AssistantIr,
  at: JsonPointer,
  map: SourceMap,
): JsonObject {
  const place = child(at, 'firstMessage');
  if (firstMessage !== null) return { firstMessage: note(firstMessage, place, map) };
  return {
    firstMessage: fixed('', place, map),
    firstMessageMode: fixed(
      'assistant-speaks-first-with-model-generated-message',
      child(at, 'firstMessageMode'),
      map,
    ),
  };
}

const tools: Shape['tools'] = (assembly, assistant, at) => {
  const listed = listTools(assembly, assistant);
  const names = nameHandoffs(assembly.squad, listed);
  const written = listed.map((tool, index) => {
    const place = child(at, index);
    return {
      ...assembleTool(assembly, tool, names, place),
      ...assembleRejections(tool.rejections, place, assembly.map),
    };
  });
  // The platform knows one tool that ends the call; the source may bring its own.
  const isGiven = written.some(({ type }) => type === 'endCall');
  if (!assistant.endsCall || isGiven) return written;
  const place = child(at, written.length);
  const ending = {
    type: fixed('endCall', child(place, 'type'), assembly.map),
    ...assembleRejections(assistant.endRejections, place, assembly.map),
  };
  return [...written, ending];
};

/** What overrides say of tools replaces those of the assistant, unless they are appended. */
const additions: Shape['additions'] = (assembly, assistant, at) => {
  const { map } = assembly;
  const key = 'tools:append';
  const added = tools(assembly, assistant, child(at, key));
  return {
    assistantOverrides: {
      name: note(assistant.name, child(at, 'name'), map),
      ...assembleSettings(assistant.settings, at, map),
      ...(added.length === 0 ? {} : { [key]: added }),
    },
  };
};

const shape: Shape = { opening: assembleOpening, tools, additions };

function assembleTool(
  assembly: Assembly,
  tool: ToolIr,
  names: ReadonlyMap<ToolIr, string>,
  at: JsonPointer,
): JsonObject {
  const { map } = assembly;
  switch (tool.kind) {
    case 'handoff':
      return {
        ...assembleHandoff(assembly, tool, at),
        function: assembleHandoffFunction(assembly, tool, names.get(tool)!, child(at, 'function')),
        // Without messages the platform speaks one of its own.
        messages: fixed([], child(at, 'messages'), map),
      };
    case 'transfer':
      return assembleTransfer(assembly, tool, at, assembleTransferPlan);
    case 'given':
      return assembleGiven(assembly, tool, at);
    case 'request':
      return assembleRequest(assembly, tool, at, {
        ...(tool.headers === null
          ? {}
          : { headers: assembleHeaders(tool.headers, child(at, 'headers'), map) }),
        ...assembleRequestBody(tool, at, map),
      });
    case 'function':
      return assembleFunction(
        assembly,
        tool,
        at,
        assembleParameters(tool.parameters, `${at}/function/parameters`, map),
      );
  }
}
