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
import type { Note } from './depart.js';
import type { Finder } from './finder.js';
import type { Ground } from './ground.js';
import type { Likeness } from './likeness.js';
import { listMissing } from './loose.js';
import type { Reception } from './reception.js';
import type { Landing, Visit } from './visit.js';
import type { Way } from './ways.js';

export interface LooseDeparture {
  readonly own: Landing[];
  readonly globals: Landing[];
}

export function departLoosely(
  ground: Ground,
  finder: Finder,
  likeness: Likeness,
  reception: Reception,
  note: Note,
  visit: Visit,
): LooseDeparture {
  noteTexts(ground, note, visit, visit.node);
  const ways = ground.waysFrom(visit.node);
  const follow = (way: Way) => followLoosely(ground, finder, likeness, reception, note, visit, way);
  return { own: ways.flatMap(follow), globals: ground.globalWays.flatMap(follow) };
}

/** The line, the instruction and the captures of a node, where they do not stand anywhere. */
function noteTexts(ground: Ground, note: Note, visit: Visit, node: NodeIndex): void {
  const { graph, squad } = ground;
  const source = graph.nodeAt(node);
  const member = squad.members[visit.member]!;
  const name = member.name ?? '';
  const unknown = source.captures.filter((it) => isUnknown(member, it));
  const lost = [
    ...listMissing(member, source),
    ...unknown.map((it) => ({ what: 'variable' as const, text: it.name, at: it.at })),
    ...(isCalled(ground, member, source)
      ? []
      : [{ what: 'tool call' as const, text: source.id, at: source.at }]),
  ];
  for (const { what, text: words, at } of lost) {
    const text = () => ofDifferences.textLost(name, source.id, what, words);
    note({ visit, way: null, text, source: [at], output: [member.promptAt] });
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

function followLoosely(
  ground: Ground,
  finder: Finder,
  likeness: Likeness,
  reception: Reception,
  note: Note,
  visit: Visit,
  way: Way,
): Landing[] {
  if (way.isExit) {
    noteTexts(ground, note, { ...visit, way }, way.to);
    noteCondition(ground, note, visit, way);
    return [];
  }
  const member = findMember(ground, finder, likeness, visit, way);
  if (member === null) return reception.landAstray(visit, way);
  if (member === visit.member) {
    noteCondition(ground, note, visit, way);
    return [{ way, member, step: 0, isHandoff: false }];
  }
  const step = reception.enter(visit, way, member, { way, sentence: '' });
  return [{ way, member, step, isHandoff: true }];
}

/** The assistant that a way leads to. */
function findMember(
  { graph, squad, destinationsOf }: Ground,
  finder: Finder,
  likeness: Likeness,
  visit: Visit,
  { to, condition }: Way,
): number | null {
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
function noteCondition({ squad, graph }: Ground, note: Note, visit: Visit, way: Way): void {
  const member = squad.members[visit.member]!;
  const { condition } = way;
  if (condition === null || member.prompt.includes(condition.value)) return;
  const [from, to] = [graph.nodeAt(visit.node).id, graph.nodeAt(way.to).id];
  const text = () => ofDifferences.wayLost(member.name ?? '', from, to, condition.value);
  note({ visit, way, text, source: [condition.at], output: [member.promptAt] });
}
