/** Target `squad`: the shape of spec/3, "Squad (output)". */
import { child, type JsonPointer } from '../ir/ids.js';
import type { JsonObject } from '../ir/json.js';
import type { FunctionToolIr, RequestToolIr, ToolIr } from '../ir/squad-ir.js';
import { assembleHandoff } from './handoffs.js';
import { assembleMembers, assembleShared, type Shape, type Written } from './members.js';
import {
  type Assembly,
  assembleFunction,
  assembleGiven,
  assembleRequest,
  assembleStatic,
  assembleTransfer,
  listTools,
} from './tools.js';
import { note, type SourceMap } from './tracing.js';

export function assembleForSquad(assembly: Assembly): Written {
  const root = '/squad';
  const membersAt = child(root, 'members');
  return {
    membersAt,
    document: {
      squad: {
        members: assembleMembers(assembly, shape, membersAt),
        ...assembleShared(assembly, 'memberOverrides', root),
      },
    },
  };
}

const shape: Shape = {
  // What would have to be added is an error before it comes to this.
  additions: () => ({}),
  opening: ({ firstMessage }, at, map) =>
    firstMessage === null
      ? {}
      : { firstMessage: note(firstMessage, child(at, 'firstMessage'), map) },
  tools: (assembly, assistant, at) =>
    listTools(assembly, assistant).map((tool, index) =>
      assembleTool(assembly, tool, child(at, index)),
    ),
};

function assembleTool(assembly: Assembly, tool: ToolIr, at: JsonPointer): JsonObject {
  switch (tool.kind) {
    case 'handoff':
      return assembleHandoff(assembly, tool, at);
    case 'transfer':
      return assembleTransfer(assembly, tool, at, () => ({}));
    case 'given':
      return assembleGiven(assembly, tool, at);
    case 'request':
      return assembleRequest(assembly, tool, at, assemblePayload(tool, at, assembly.map));
    case 'function':
      return assembleFunction(assembly, tool, at, assembleParameters(tool, at, assembly.map));
  }
}

function assembleParameters({ parameters }: FunctionToolIr, at: JsonPointer, map: SourceMap) {
  return note(parameters, `${at}/function/parameters`, map);
}

/** Headers and body go through as they are. */
function assemblePayload(
  { headers, body, statics }: RequestToolIr,
  at: JsonPointer,
  map: SourceMap,
) {
  return {
    ...assembleStatic(statics, at, map),
    ...(headers === null ? {} : { headers: note(headers, child(at, 'headers'), map) }),
    ...(body === null ? {} : { body: note(body, child(at, 'body'), map) }),
  };
}
