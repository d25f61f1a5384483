/**
 * Which position of the squad is a node's: it begins with the node's texts, and no other node has
 * it. A position that does not fit is reported, and the node looked for elsewhere, so that the
 * search can go on from there.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type { WorkflowNode } from '../../compiler/ir/workflow.js';
import { idOf } from '../ready-assistants.js';
import type { Member } from '../squad-reading.js';
import { fitsHead, readBlock } from './block.js';
import type { Position } from './finder.js';
import type { Ground } from './ground.js';
import { holdsTexts } from './loose.js';
import type { Walk } from './walk.js';

const nobody = -1;

/** That nobody has any of so many positions. */
export function claimNothing(positionCount: number): number[] {
  return new Array<number>(positionCount).fill(nobody);
}

/** Takes the position for the node, if nobody has it. */
export function claim({ ground, claims }: Walk, { member, step }: Position, node: NodeIndex): void {
  const position = ground.numberOf(member, step);
  const isFree = step > 0 && claims[position] === nobody;
  if (isFree) claims[position] = ground.representative[node]!;
}

/** Whether the position is another node's. */
export function isTaken(
  { ground, claims }: Walk,
  { member, step }: Position,
  node: NodeIndex,
): boolean {
  if (step === 0) return false;
  const holder = claims[ground.numberOf(member, step)]!;
  return holder !== nobody && holder !== ground.representative[node];
}

/** The one of these positions that is the node's; null where none is. */
export function choose(
  walk: Walk,
  positions: readonly Position[],
  node: NodeIndex,
): Position | null {
  if (positions.length !== 1) return chooseAmong(walk, positions, node);
  const only = positions[0]!;
  return fits(walk.ground, only, node) ? only : null;
}

function chooseAmong(walk: Walk, positions: readonly Position[], node: NodeIndex): Position | null {
  const { ground, claims } = walk;
  const fitting = positions.filter((it) => fits(ground, it, node));
  if (fitting.length < 2) return fitting[0] ?? null;
  const whole = fitting.filter((it) => fitsWhole(ground, it, node));
  const best = whole.length > 0 ? whole : fitting;
  const own = best.find(
    ({ member, step }) => claims[ground.numberOf(member, step)] === ground.representative[node],
  );
  return own ?? best.find((it) => !isTaken(walk, it, node)) ?? best[0]!;
}

/** Where the node's texts stand, nobody else's position first; null where nowhere. */
export function search(walk: Walk, node: NodeIndex, member?: number): Position | null {
  const found = walk.finder(walk.ground.graph.nodeAt(node));
  const isOpen = (it: Position) =>
    (member === undefined || it.member === member) && !isTaken(walk, it, node);
  return choose(walk, found.filter(isOpen), node);
}

/** Whether the position begins as the node does. */
export function fits(ground: Ground, { member, step }: Position, node: NodeIndex): boolean {
  const { length } = ground.prompts[member]!.steps;
  const source = ground.graph.nodeAt(node);
  if (step === 0) return length === 0 && holds(ground.squad.members[member]!, source);
  return step <= length && fitsHead(ground, member, step, source);
}

/** A saved assistant is known by its id, and another one by the texts of the node. */
function holds(member: Member, node: WorkflowNode): boolean {
  const id = idOf(node);
  return id === null ? holdsTexts(member, node) : member.saved && member.assistantId === id;
}

/** Whether all that stands at the position is the node's, its ways on included. */
function fitsWhole(ground: Ground, { member, step }: Position, node: NodeIndex): boolean {
  if (step === 0) return true;
  const { lost, unaccounted, bullets } = readBlock(ground, member, step, ground.graph.nodeAt(node));
  const faults = [lost, unaccounted, bullets.missing, bullets.broken, bullets.unaccounted];
  return faults.every(({ length }) => length === 0);
}
