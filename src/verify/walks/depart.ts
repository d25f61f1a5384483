/**
 * From a visit along every way of its node: what the prompt says at this place, and where it leads.
 */
import type { WorkflowNode } from '../../compiler/ir/workflow.js';
import { ofDifferences } from '../../diagnostics/differences.js';
import { type Block, isGreeted, readBlock } from './block.js';
import { type Bullets, readBullets } from './bullets.js';
import type { Ground } from './ground.js';
import type { Reception } from './reception.js';
import type { Difference, Landing, Visit } from './visit.js';

/** Takes down what the squad does otherwise. */
export type Note = (difference: Difference) => void;

/** Reads the step that the visit is at, and lands its ways. */
export function departByStep(
  ground: Ground,
  reception: Reception,
  note: Note,
  visit: Visit,
): readonly Landing[] {
  const node = ground.graph.nodeAt(visit.node);
  const block = readBlock(ground, visit.member, visit.step, node);
  noteTexts(ground, note, visit, node, block);
  noteGreeting(ground, note, visit, node);
  return landAll(ground, reception, note, visit, block.bullets);
}

/** Reads what can happen at any time, as the assistant of the visit has it. */
export function departAtAnyTime(
  ground: Ground,
  reception: Reception,
  note: Note,
  visit: Visit,
): readonly Landing[] {
  const { text, anytime } = ground.prompts[visit.member]!;
  if (anytime === null && ground.globalWays.length === 0) return nowhere;
  const { start, end } = anytime ?? { start: 0, end: 0 };
  const cursor = { text, at: start, end };
  const bullets = readBullets(ground, visit.member, ground.globalWays, cursor);
  return landAll(ground, reception, note, visit, bullets);
}

/** Lands every way that leads on; a way without a line goes where its node is found. */
function landAll(
  ground: Ground,
  reception: Reception,
  note: Note,
  visit: Visit,
  { read, missing, broken, unaccounted }: Bullets,
): readonly Landing[] {
  if (read.length + missing.length + broken.length + unaccounted.length === 0) return nowhere;
  const { graph, squad } = ground;
  const member = squad.members[visit.member]!;
  const { name } = member;
  const from = graph.nodeAt(visit.node).id;
  const landings = reception.land(visit, read);
  for (const way of missing) {
    const { id } = graph.nodeAt(way.to);
    const condition = way.condition?.value ?? null;
    const text = () => ofDifferences.wayLost(name ?? '', from, id, condition);
    note({ visit, way, text, source: [way.at], output: [member.promptAt] });
    landings.push(...reception.landAstray(visit, way));
  }
  for (const way of broken) {
    const { id } = graph.nodeAt(way.to);
    const text = () => ofDifferences.endLost(name ?? '', id, way.condition?.value ?? null);
    const source = [way.at, graph.nodeAt(way.to).at];
    note({ visit, way, text, source, output: [member.promptAt] });
  }
  noteUnaccounted(ground, note, visit, unaccounted);
  return landings;
}

const nowhere: readonly Landing[] = [];

function noteTexts(
  ground: Ground,
  note: Note,
  visit: Visit,
  node: WorkflowNode,
  { lost, unaccounted }: Block,
): void {
  const member = ground.squad.members[visit.member]!;
  for (const { what, text: words, at } of lost) {
    const text = () => ofDifferences.textLost(member.name ?? '', node.id, what, words);
    note({ visit, way: null, text, source: [at], output: [member.promptAt] });
  }
  noteUnaccounted(ground, note, visit, unaccounted);
}

/** An assistant that greets by itself does so with the line of the node that it begins with. */
function noteGreeting(
  { squad }: Ground,
  note: Note,
  visit: Visit,
  { firstMessage: line, id, at }: WorkflowNode,
): void {
  const member = squad.members[visit.member]!;
  if (!isGreeted(member, visit.step) || member.firstMessage === line?.value) return;
  const name = member.name ?? '';
  const text = () =>
    line === null
      ? ofDifferences.greetsWith(name, id, member.firstMessage ?? '')
      : ofDifferences.lineElsewhere(name, id, line.value);
  const output = [`${member.at}/assistant/firstMessage`];
  note({ visit, way: null, text, source: [line?.at ?? at], output });
}

function noteUnaccounted(
  { squad }: Ground,
  note: Note,
  visit: Visit,
  texts: readonly string[],
): void {
  const member = squad.members[visit.member]!;
  for (const words of texts) {
    const text = () => ofDifferences.unaccounted(member.name ?? '', words);
    note({ visit, way: null, text, source: [], output: [member.promptAt] });
  }
}
