/** Tools put into the list of a member. */
import type { JsonObject } from '../../compiler/ir/json.js';
import { insert, put } from './edit.js';
import type { MemberView } from './squad-view.js';

/** The squad with one more tool of the member, the last. */
export function withTool(
  squad: JsonObject,
  { tools, toolsAt }: MemberView,
  tool: JsonObject,
): JsonObject {
  if (tools.length === 0) return put(squad, toolsAt, [tool]);
  return insert(squad, `${toolsAt}/${tools.length}`, tool);
}

/** A handoff tool with one destination, in the manner of the tool that is given. */
export function handoffTool(like: JsonObject, destination: JsonObject): JsonObject {
  const { messages } = like;
  const silent = messages === undefined ? {} : { messages };
  return { type: 'handoff', destinations: [destination], ...silent };
}
