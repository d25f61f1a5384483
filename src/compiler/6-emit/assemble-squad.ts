/** Target `squad`: the shape of spec/3, "Squad (output)". */
import type { JsonObject } from '../ir/json.js';
import type { RequestToolIr, ToolIr } from '../ir/squad-ir.js';
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
  putStatic,
} from './tools.js';
import { inside, note, type Place } from './tracing.js';
import type { Draft } from './writing.js';

export function assembleForSquad(assembly: Assembly, root: Place): JsonObject {
  const at = inside(root, 'squad');
  const squad: Draft = { members: assembleMembers(assembly, shape, inside(at, 'members')) };
  putShared(squad, 'memberOverrides', assembly, at);
  return { squad };
}

const shape: Shape = {
  // What would have to be added is an error before it comes to this.
  putAdditions: () => {},
  putOpening: (draft, { firstMessage }, at) => {
    if (firstMessage !== null) {
      draft['firstMessage'] = note(firstMessage, inside(at, 'firstMessage'));
    }
  },
  tools: (assembly, assistant, at) =>
    listTools(assembly, assistant).map((tool, index) =>
      assembleTool(assembly, tool, inside(at, index)),
    ),
};

function assembleTool(assembly: Assembly, tool: ToolIr, at: Place): JsonObject {
  switch (tool.kind) {
    case 'handoff':
      return assembleHandoff(assembly, tool, at);
    case 'transfer':
      return assembleTransfer(tool, at, () => {});
    case 'given':
      return assembleGiven(tool, at);
    case 'request':
      return assembleRequest(tool, at, assemblePayload(tool, at));
    case 'function':
      return assembleFunction(tool, at, note(tool.parameters, parametersAt(at)));
  }
}

/** Headers and body go through as they are. */
function assemblePayload({ headers, body, statics }: RequestToolIr, at: Place): JsonObject {
  const draft: Draft = {};
  putStatic(draft, statics, at);
  if (headers !== null) draft['headers'] = note(headers, inside(at, 'headers'));
  if (body !== null) draft['body'] = note(body, inside(at, 'body'));
  return draft;
}
