/** Gives a member another name wherever the squad uses it. */
import type { Json, JsonObject } from '../../compiler/ir/json.js';
import { put } from './edit.js';
import { waysOf } from './prompt-view.js';
import { type Change, replace, rewrite } from './rewording.js';
import { listOf, type MemberView, objectOf, type SquadView, type ToolView } from './squad-view.js';

/** The name, handoffs that lead there, arguments that name it, and what the prompts call it. */
export function renameEverywhere(view: SquadView, { name }: MemberView, to: string): JsonObject {
  let { squad } = view;
  for (const member of view.members) {
    if (member.name === name) squad = put(squad, `${member.assistantAt}/name`, to);
    const prompt = callOtherwise(member, name, to);
    if (prompt !== member.prompt.text) squad = put(squad, member.promptAt, prompt);
    for (const { at, target } of member.destinations) {
      if (target === name) squad = put(squad, `${at}/assistantName`, to);
    }
    for (const tool of member.tools) squad = renameArgument(squad, tool, name, to);
  }
  return squad;
}

/** The prompt of the member, where it calls another one, or itself, by the new name. */
export function callOtherwise({ prompt }: MemberView, name: string, to: string): string {
  const changes: Change[] = waysOf(prompt)
    .filter((way) => way.kind === 'handoff' && way.to === name)
    .map(({ target }) => replace(target, to));
  const at = prompt.introduction?.start ?? 0;
  const own = `You are the assistant "${name}" of`;
  if (prompt.text.startsWith(own, at)) {
    const start = at + 'You are the assistant "'.length;
    changes.push(replace({ start, end: start + name.length }, to));
  }
  return rewrite(prompt.text, changes);
}

function renameArgument(squad: JsonObject, tool: ToolView, name: string, to: string): JsonObject {
  const { parameters } = objectOf(tool.value['function']);
  const { destination } = objectOf(objectOf(parameters)['properties']);
  const names = listOf(objectOf(destination)['enum']);
  if (tool.type !== 'handoff' || !names.includes(name)) return squad;
  const renamed = names.map((it): Json => (it === name ? to : it));
  return put(squad, `${tool.at}/function/parameters/properties/destination/enum`, renamed);
}
