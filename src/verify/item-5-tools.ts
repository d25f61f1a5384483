/**
 * Item 5. "apiRequest, transferCall and tool nodes are attached to the correct assistant."
 *
 * Every assistant has the tools of its nodes, with the urls, methods, bodies, numbers and messages
 * of the source or of an answer, and no others. The transfers' descriptions hold the conditions
 * word for word. Two tools of one assistant under one name could not be told apart.
 */
import type { ChecklistItem } from '../compiler/ir/result.js';
import { ofTools } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import { type Finding, finding, toItem } from './item.js';
import { elements, type Member, objectOf, type Tool, textOf } from './squad-reading.js';
import { aliasesOf, keysOfTool, nameOfTool, textsWithin } from './tool-keys.js';
import { listWantedTools, type WantedTool } from './wanted-tools.js';

export function checkTools(comparison: Comparison): ChecklistItem {
  const wanted = new Map<number, WantedTool[]>();
  for (const tool of listWantedTools(comparison)) {
    const list = wanted.get(tool.member);
    if (list === undefined) wanted.set(tool.member, [tool]);
    else list.push(tool);
  }
  const findings = comparison.squad.members.flatMap((member) => [
    ...checkMember(comparison, member, wanted.get(member.index) ?? []),
    ...findSharedNames(comparison, member),
  ]);
  return toItem(
    5,
    findings.length > 0 ? findings : [finding(true, ofTools.none(), [], [])],
    comparison,
  );
}

function checkMember(
  { squad, nameOf }: Comparison,
  member: Member,
  wanted: readonly WantedTool[],
): Finding[] {
  const isLoose = !squad.wrapped;
  const given = member.tools.filter(({ type }) => placed.has(type));
  const byKey = groupByKey(given, !isLoose);
  const used = new Set<Tool>();
  const name = nameOf(member.index);
  const findings = wanted.map((tool) => {
    const candidates = (byKey.get(tool.key) ?? []).filter((it) => !used.has(it) && gives(tool, it));
    const said = isLoose ? candidates.filter((it) => says(tool, it)) : candidates;
    const found = said.find((it) => describes(tool, it)) ?? said[0];
    if (found === undefined) {
      return finding(false, ofTools.lacks(name, tool.name), [tool.at], [member.at]);
    }
    used.add(found);
    return describes(tool, found)
      ? finding(true, ofTools.has(name, tool.name), [tool.at], [found.at])
      : finding(false, ofTools.undescribed(name, tool.name), [tool.at], [found.at]);
  });
  const leftOver = given.filter((tool) => !used.has(tool));
  return [
    ...findings,
    ...leftOver.map((tool) =>
      finding(false, ofTools.leftOver(name, nameOfTool(tool.value) || tool.type), [], [tool.at]),
    ),
  ];
}

/** Types of tools that nodes and answers give rise to; handoffs are an item of their own. */
const placed: ReadonlySet<string> = new Set(['apiRequest', 'transferCall', 'function']);

function groupByKey(tools: readonly Tool[], wrapped: boolean): Map<string, Tool[]> {
  const groups = new Map<string, Tool[]>();
  for (const tool of tools) {
    for (const key of keysOfTool(tool, wrapped)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [tool]);
      else group.push(tool);
    }
  }
  return groups;
}

/** Whether the tool gives the variables that it is there for. */
function gives({ variables }: WantedTool, { value }: Tool): boolean {
  if (variables.size === 0) return true;
  const keys = new Set(aliasesOf(value).map(([key]) => key));
  return [...variables].every((name) => keys.has(name));
}

/** Whether headers and body say what the source's say, in whatever shape. */
function says({ texts }: WantedTool, { value }: Tool): boolean {
  const own = textsWithin([value['headers'] ?? null, value['body'] ?? null]);
  return [...texts].every((text) => own.has(text));
}

function describes({ conditions }: WantedTool, { value }: Tool): boolean {
  if (conditions.size === 0) return true;
  const destination = objectOf(elements(value['destinations'])[0]);
  const description = textOf(destination['description']) ?? '';
  return [...conditions].every((condition) => description.includes(condition));
}

function findSharedNames({ nameOf }: Comparison, { index, tools }: Member): Finding[] {
  const seen = new Map<string, Tool>();
  return tools.flatMap((tool) => {
    const name = tool.type === 'handoff' ? '' : nameOfTool(tool.value);
    if (name === '') return [];
    const earlier = seen.get(name);
    seen.set(name, tool);
    if (earlier === undefined) return [];
    return [finding(false, ofTools.sharedName(nameOf(index), name), [], [earlier.at, tool.at])];
  });
}
