/** Tools put into the list of a member. */
import type { Json, JsonObject } from '../../compiler/ir/json.js';
import { put } from './edit.js';
import type { MemberView } from './squad-view.js';

/** The squad with one more tool of the member, the last. */
export function withTool(
  squad: JsonObject,
  { tools, toolsAt }: MemberView,
  tool: JsonObject,
): JsonObject {
  return put(squad, toolsAt, [...tools.map(({ value }): Json => value), tool]);
}

/** A handoff tool with one destination, in the manner of the tool that is given. */
export function handoffTool(like: JsonObject, destination: JsonObject): JsonObject {
  const { messages } = like;
  const silent = messages === undefined ? {} : { messages };
  return { type: 'handoff', destinations: [destination], ...silent };
}
