/**
 * From a visit along every way of its node: what the prompt says at this place, and where it leads.
 */
import type { WorkflowNode } from '../../compiler/ir/workflow.js';
import { ofDifferences } from '../../diagnostics/differences.js';
import type { Member } from '../squad-reading.js';
import { isGreeted, type Lost, readBlock } from './block.js';
import { type Bullets, readBullets } from './bullets.js';
import { comeAstray, land } from './reception.js';
import type { Difference, Visit } from './visit.js';
import { note, type Walk } from './walk.js';
import type { Way } from './ways.js';

/** Reads the step that the visit is at, and goes its ways. */
export function departByStep(walk: Walk, visit: Visit): void {
  const node = walk.ground.graph.nodeAt(visit.node);
  const { lost, unaccounted, bullets } = readBlock(walk.ground, visit.member, visit.step, node);
  if (lost.length > 0) noteLost(walk, visit, node, lost);
  if (unaccounted.length > 0) noteUnaccounted(walk, visit, unaccounted);
  const member = walk.ground.squad.members[visit.member]!;
  if (isGreeted(member, visit.step) && member.firstMessage !== node.firstMessage?.value) {
    walk.differences.push(otherGreeting(visit, member, node));
  }
  goAll(walk, visit, bullets);
}

/** Reads what can happen at any time, as the assistant of the visit has it. */
export function departAtAnyTime(walk: Walk, visit: Visit): void {
  const { prompts, globalWays } = walk.ground;
  const { text, anytime } = prompts[visit.member]!;
  if (anytime === null && globalWays.length === 0) return;
  const { start, end } = anytime ?? { start: 0, end: 0 };
  const cursor = { text, at: start, end };
  goAll(walk, visit, readBullets(walk.ground, visit.member, globalWays, cursor));
}

/** Goes every way that leads on; one without a line leads to where its node is found. */
function goAll(walk: Walk, visit: Visit, bullets: Bullets): void {
  const { read, missing, broken, unaccounted } = bullets;
  land(walk, visit, read);
  for (const way of missing) {
    noteWayLost(walk, visit, way);
    comeAstray(walk, visit, way);
  }
  for (const way of broken) noteEndLost(walk, visit, way);
  if (unaccounted.length > 0) noteUnaccounted(walk, visit, unaccounted);
}

function noteWayLost(walk: Walk, visit: Visit, way: Way): void {
  const { graph } = walk.ground;
  const [from, to] = [graph.nodeAt(visit.node).id, graph.nodeAt(way.to).id];
  const condition = way.condition?.value ?? null;
  note(walk, visit, way, [way.at], (name) => ofDifferences.wayLost(name, from, to, condition));
}

function noteEndLost(walk: Walk, visit: Visit, way: Way): void {
  const { id, at } = walk.ground.graph.nodeAt(way.to);
  const condition = way.condition?.value ?? null;
  note(walk, visit, way, [way.at, at], (name) => ofDifferences.endLost(name, id, condition));
}

function noteLost(walk: Walk, visit: Visit, { id }: WorkflowNode, lost: readonly Lost[]): void {
  for (const { what, text, at } of lost) {
    note(walk, visit, null, [at], (name) => ofDifferences.textLost(name, id, what, text));
  }
}

function noteUnaccounted(walk: Walk, visit: Visit, texts: readonly string[]): void {
  for (const text of texts) {
    note(walk, visit, null, [], (name) => ofDifferences.unaccounted(name, text));
  }
}

/** An assistant that greets by itself does so with the line of the node that it begins with. */
function otherGreeting(visit: Visit, member: Member, node: WorkflowNode): Difference {
  const { name, firstMessage } = member;
  const { firstMessage: line, id, at } = node;
  const text = () =>
    line === null
      ? ofDifferences.greetsWith(name ?? '', id, firstMessage ?? '')
      : ofDifferences.lineElsewhere(name ?? '', id, line.value);
  const output = [`${member.at}/assistant/firstMessage`];
  return { visit, way: null, text, source: [line?.at ?? at], output };
}
