/**
 * From a visit in a prompt that squadc did not write: there nothing says which line is whose, so a
 * way stays with the assistant where that holds the texts of its node, and otherwise follows the
 * handoff that bears its condition, or leads to who holds the texts, or speaks of the same things.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type { Capture, GivenTool, WorkflowNode } from '../../compiler/ir/workflow.js';
import { ofDifferences } from '../../diagnostics/differences.js';
import type { Destination, Member } from '../squad-reading.js';
import { isEqualJson } from '../tools/equal-json.js';
import { isToolOf } from './calls.js';
import type { Ground } from './ground.js';
import { listMissing } from './loose.js';
import { enter, landAstray } from './reception.js';
import type { Landing, Visit } from './visit.js';
import { note, type Walk } from './walk.js';
import type { Way } from './ways.js';

export interface LooseDeparture {
  readonly own: Landing[];
  readonly globals: Landing[];
}

export function departLoosely(walk: Walk, visit: Visit): LooseDeparture {
  const { waysFrom, globalWays } = walk.ground;
  noteTexts(walk, visit, visit.node);
  const follow = (way: Way) => followLoosely(walk, visit, way);
  return { own: waysFrom(visit.node).flatMap(follow), globals: globalWays.flatMap(follow) };
}

/** The line, the instruction and the captures of a node, where they do not stand anywhere. */
function noteTexts(walk: Walk, visit: Visit, node: NodeIndex): void {
  const { ground } = walk;
  const source = ground.graph.nodeAt(node);
  const member = ground.squad.members[visit.member]!;
  const unknown = source.captures.filter((it) => isUnknown(member, it));
  const lost = [
    ...listMissing(member, source),
    ...unknown.map((it) => ({ what: 'variable' as const, text: it.name, at: it.at })),
    ...(isCalled(ground, member, source)
      ? []
      : [{ what: 'tool call' as const, text: source.id, at: source.at }]),
  ];
  for (const { what, text, at } of lost) {
    note(walk, visit, null, [at], (name) => ofDifferences.textLost(name, source.id, what, text));
  }
}

/** What is derived is made at the handoffs, so a prompt need not speak of it. */
function isUnknown(member: Member, { name, description, alias }: Capture): boolean {
  if (alias !== undefined) return false;
  return !member.prompt.includes(name) && !speaksOf(member, description?.value);
}

/** A tool is called where the prompt names its tool, or the tool itself says when. */
function isCalled(ground: Ground, member: Member, node: WorkflowNode): boolean {
  if (node.type === 'tool') return node.tools.every((it) => isGivenCalled(ground, member, it));
  if (node.request === null) return true;
  return [...ground.toolsOf(member.index)].some(
    ([name, { described }]) =>
      isToolOf(ground, member.index, node, name) && (described || member.prompt.includes(name)),
  );
}

/** What the platform calls a tool that it keeps is not to be seen. */
function isGivenCalled(ground: Ground, { index, prompt }: Member, tool: GivenTool): boolean {
  if (tool.value === null || prompt.includes(tool.name)) return true;
  return ground.toolsOf(index).get(tool.name)?.described === true;
}

function speaksOf({ prompt }: Member, text: string | undefined): boolean {
  return text !== undefined && prompt.includes(text);
}

function followLoosely(walk: Walk, visit: Visit, way: Way): Landing[] {
  if (way.isExit) {
    noteTexts(walk, { ...visit, way }, way.to);
    noteCondition(walk, visit, way);
    return [];
  }
  const member = findMember(walk, visit, way);
  if (member === null) return listOf(landAstray(walk, way));
  if (member === visit.member) {
    noteCondition(walk, visit, way);
    return [{ way, member, step: 0 }];
  }
  const { step } = enter(walk, visit, way, member, { way, sentence: '' });
  return [{ way, member, step }];
}

export function listOf(landing: Landing | null): Landing[] {
  return landing === null ? [] : [landing];
}

/** The assistant that a way leads to. */
function findMember(
  { ground, finder, likeness }: Walk,
  visit: Visit,
  { to, condition }: Way,
): number | null {
  const { graph, squad, destinationsOf } = ground;
  const node = graph.nodeAt(to);
  const holders = new Set(finder(node).map(({ member }) => member));
  const holds = (member: number) =>
    holders.has(member) || isToolNodeOf(squad.members[member], node);
  const handoffs = destinationsOf(visit.member).filter(({ leadsTo }) => leadsTo !== null);
  const bears = ({ description }: Destination) =>
    condition !== null && description.includes(condition.value);
  const best =
    handoffs.find((it) => bears(it) && holds(it.leadsTo!)) ??
    (holds(visit.member) ? { leadsTo: visit.member } : undefined) ??
    handoffs.find((it) => holds(it.leadsTo!)) ??
    handoffs.find(bears);
  if (best !== undefined) return best.leadsTo;
  const near = [visit.member, ...handoffs.map(({ leadsTo }) => leadsTo!)];
  return likeness.closest(node, near) ?? likeness.closest(node, 'all');
}

/** Whether the node is a tool that the member has: it may say nothing by which to find it. */
function isToolNodeOf(member: Member | undefined, { type, tools }: WorkflowNode): boolean {
  if (member === undefined || type !== 'tool') return false;
  return tools.every(({ value, savedAs }) =>
    value === null
      ? member.toolIds.some(({ id }) => id === savedAs?.value)
      : member.tools.some((it) => isEqualJson(it.value, value.value)),
  );
}

/** A condition inside an assistant stands in its prompt. */
function noteCondition(walk: Walk, visit: Visit, way: Way): void {
  const { squad, graph } = walk.ground;
  const { prompt } = squad.members[visit.member]!;
  const { condition } = way;
  if (condition === null || prompt.includes(condition.value)) return;
  const [from, to] = [graph.nodeAt(visit.node).id, graph.nodeAt(way.to).id];
  const { at, value } = condition;
  note(walk, visit, way, [at], (name) => ofDifferences.wayLost(name, from, to, value));
}
