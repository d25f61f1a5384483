/** Tools of nodes and answers: gone, in another assistant, there twice, not called or called wrongly. */
import type { Json, JsonObject } from '../../compiler/ir/json.js';
import { drop, put } from './edit.js';
import { memberOf } from './licences.js';
import { type Operator, operator } from './mutant.js';
import { waysOf, wordsOf } from './prompt-view.js';
import { brief, cut, quote, replace, withPrompt } from './rewording.js';
import { isSame, listOf, objectOf, type SquadView, type ToolView } from './squad-view.js';
import { withTool } from './tool-list.js';

export const toolMutants: readonly Operator[] = [
  operator('tool-dropped', 5, 'A tool is gone.', function* (view) {
    for (const tool of workingTools(view)) {
      if (isThereAgain(view, tool)) continue;
      yield { squad: drop(view.squad, tool.at), at: tool.at, text: nameOf(tool) };
    }
  }),

  operator('tool-moved', 5, 'Another assistant has the tool.', function* (view) {
    for (const tool of workingTools(view)) {
      if (isThereAgain(view, tool)) continue;
      for (const other of view.members) {
        if (other.index === tool.member || other.tools.some((it) => doesTheSame(it, tool)))
          continue;
        const squad = drop(withTool(view.squad, other, tool.value), tool.at);
        yield { squad, at: tool.at, text: `${nameOf(tool)} to ${quote(other.name)}` };
      }
    }
  }),

  operator('tool-copied', 5, 'Another assistant has the tool too.', function* (view) {
    for (const tool of workingTools(view)) {
      for (const other of view.members) {
        // One that has the tool already is where it belongs.
        if (other.tools.some((it) => doesTheSame(it, tool))) continue;
        const squad = withTool(view.squad, other, tool.value);
        yield { squad, at: other.at, text: `${nameOf(tool)} in ${quote(other.name)}` };
      }
    }
  }),

  operator('tool-doubled', 5, 'An assistant has a tool twice.', function* (view) {
    for (const tool of workingTools(view)) {
      const squad = withTool(view.squad, memberOf(view, tool), tool.value);
      yield { squad, at: tool.at, text: nameOf(tool) };
    }
  }),

  operator('tools-swapped', 5, 'Two assistants have each other’s tool.', function* (view) {
    const tools = workingTools(view);
    for (const [index, one] of tools.entries()) {
      for (const other of tools.slice(index + 1)) {
        if (one.member === other.member || doesTheSame(one, other)) continue;
        // Neither may have the other's tool already, or else one of them lacks nothing.
        const known = (tool: ToolView, by: ToolView) =>
          memberOf(view, by).tools.some((it) => doesTheSame(it, tool));
        if (known(one, other) || known(other, one)) continue;
        const squad = put(put(view.squad, one.at, other.value), other.at, one.value);
        yield { squad, at: one.at, text: `${nameOf(one)} and ${nameOf(other)}` };
      }
    }
  }),

  operator('tool-invented', 5, 'An assistant has a tool that no node needs.', function* (view) {
    const { word } = view.source;
    const url = `https://${word}.example.com/`;
    for (const member of view.members) {
      const tool = { type: 'apiRequest', name: word, url, method: 'DELETE' };
      yield { squad: withTool(view.squad, member, tool), at: member.at, text: quote(member.name) };
    }
  }),

  operator(
    'tool-renamed',
    5,
    'A tool has another name than the prompt calls it by.',
    function* (view) {
      for (const tool of workingTools(view)) {
        const { prompt } = memberOf(view, tool);
        const called = [
          ...prompt.steps.flatMap(({ calls }) => calls.map(({ name }) => wordsOf(prompt, name))),
          ...waysOf(prompt).map(
            ({ demand }) => demand && /tool (\S+);/.exec(wordsOf(prompt, demand))?.[1],
          ),
        ];
        // A name that the prompt does not use is free.
        if (!called.includes(tool.name)) continue;
        const at = `${tool.at}/${tool.type === 'function' ? 'function/name' : 'name'}`;
        yield { squad: put(view.squad, at, view.source.word), at, text: nameOf(tool) };
      }
    },
  ),

  operator('call-lost', 'walk', 'A step does not call its tool.', function* (view) {
    for (const member of view.members) {
      for (const { calls } of member.prompt.steps) {
        for (const { line, name } of calls) {
          const squad = withPrompt(view, member, cut(line));
          yield { squad, at: member.promptAt, text: brief(member.prompt, name) };
        }
      }
    }
  }),

  operator('call-of-another-tool', 'walk', 'A step calls another tool.', function* (view) {
    for (const member of view.members) {
      for (const { calls } of member.prompt.steps) {
        const called = new Set(calls.map(({ name }) => wordsOf(member.prompt, name)));
        for (const { name } of calls) {
          const own = member.tools.find((it) => it.name === wordsOf(member.prompt, name));
          for (const tool of member.tools) {
            // One that the step calls anyway is no other one, nor is one that does the same.
            if (tool.type === 'handoff' || tool.name === '' || called.has(tool.name)) continue;
            if (own === undefined || doesTheSame(own, tool)) continue;
            const squad = withPrompt(view, member, replace(name, tool.name));
            yield { squad, at: member.promptAt, text: brief(member.prompt, name) };
          }
        }
      }
    }
  }),
];

/** Tools of squadc's own: they lead on, or end the call wherever it can end. */
const leading: ReadonlySet<string> = new Set(['handoff', 'endCall']);

export function workingTools({ tools }: SquadView): readonly ToolView[] {
  return tools.filter(({ type }) => !leading.has(type));
}

function isThereAgain(view: SquadView, tool: ToolView): boolean {
  return memberOf(view, tool).tools.some((it) => it.at !== tool.at && doesTheSame(it, tool));
}

/** Whether both would do the same when they are called: names and descriptions aside. */
function doesTheSame(one: ToolView, other: ToolView): boolean {
  return isSame(deedOf(one), deedOf(other));
}

function deedOf({ type, value }: ToolView): Json {
  if (type === 'function') return objectOf(value['function'])['name'] ?? null;
  const { name: _, description, rejectionPlan, destinations, ...rest } = value;
  const addresses = listOf(destinations).map((destination): JsonObject => {
    const { description: words, ...address } = objectOf(destination);
    return address;
  });
  return { ...rest, addresses };
}

export function nameOf({ type, name }: ToolView): string {
  return name === '' ? type : `${type} ${quote(name)}`;
}
