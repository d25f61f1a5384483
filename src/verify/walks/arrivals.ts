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
import type { Finder, Position } from './finder.js';
import type { Ground } from './ground.js';
import { holdsTexts } from './loose.js';

export interface Arrivals {
  /** Takes the position for the node, if nobody has it. */
  readonly claim: (position: Position, node: NodeIndex) => void;
  /** The one of these positions that is the node's; null where none is. */
  readonly choose: (positions: readonly Position[], node: NodeIndex) => Position | null;
  /** Where the node's texts stand, nobody else's position first; null where nowhere. */
  readonly search: (node: NodeIndex, member?: number) => Position | null;
  /** Whether the position is another node's. */
  readonly isTaken: (position: Position, node: NodeIndex) => boolean;
}

const nobody = -1;

/** A saved assistant is known by its id, and another one by the texts of the node. */
function holds(member: Member, node: WorkflowNode): boolean {
  const id = idOf(node);
  return id === null ? holdsTexts(member, node) : member.saved && member.assistantId === id;
}

export function createArrivals(ground: Ground, finder: Finder): Arrivals {
  const { graph, representative, prompts } = ground;
  const claims = new Int32Array(ground.positionCount).fill(nobody);
  const holderOf = ({ member, step }: Position) => claims[ground.numberOf(member, step)]!;
  const isTaken = (position: Position, node: NodeIndex): boolean => {
    if (position.step === 0) return false;
    const holder = holderOf(position);
    return holder !== nobody && holder !== representative[node];
  };
  const fits = ({ member, step }: Position, node: NodeIndex): boolean => {
    const { length } = prompts[member]!.steps;
    if (step === 0) return length === 0 && holds(ground.squad.members[member]!, graph.nodeAt(node));
    return step <= length && fitsHead(ground, member, step, graph.nodeAt(node));
  };
  /** Whether all that stands at the position is the node's, its ways on included. */
  const fitsWhole = ({ member, step }: Position, node: NodeIndex): boolean => {
    if (step === 0) return true;
    const { lost, unaccounted, bullets } = readBlock(ground, member, step, graph.nodeAt(node));
    const faults = [lost, unaccounted, bullets.missing, bullets.broken, bullets.unaccounted];
    return faults.every(({ length }) => length === 0);
  };
  const choose = (positions: readonly Position[], node: NodeIndex): Position | null => {
    const [only] = positions;
    if (positions.length === 1) return fits(only!, node) ? only! : null;
    const fitting = positions.filter((it) => fits(it, node));
    if (fitting.length < 2) return fitting[0] ?? null;
    const whole = fitting.filter((it) => fitsWhole(it, node));
    const best = whole.length > 0 ? whole : fitting;
    const own = best.find((it) => holderOf(it) === representative[node]);
    return own ?? best.find((it) => !isTaken(it, node)) ?? best[0]!;
  };
  return {
    isTaken,
    choose,
    claim: (position, node) => {
      const isFree = position.step > 0 && holderOf(position) === nobody;
      if (isFree) claims[ground.numberOf(position.member, position.step)] = representative[node]!;
    },
    search: (node, member) => {
      const found = finder(graph.nodeAt(node));
      return choose(
        found.filter((it) => (member === undefined || it.member === member) && !isTaken(it, node)),
        node,
      );
    },
  };
}
