/**
 * What the laws of changes that add one step share.
 *
 * The order of steps and members is the order in which walks come to the nodes. A node more can
 * put others off, so the laws look for a place where it does not, and hold where there is none.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import { compileAgain, demandSquad } from './answers-again.js';
import { stepsOfMember, walkOrder } from './assistant-steps.js';
import { demand } from './demand.js';
import type { Ground, LawOptions } from './law-ground.js';
import {
  joinSections,
  readPieces,
  readSections,
  type Sections,
  withTexts,
} from './prompt-sections.js';
import { readSource } from './source.js';
import type { SpecNode, SpecWorkflow } from './spec-workflow.js';
import { ownersOf, promptAt } from './squad-tracks.js';

/** A changed workflow, and the node that it has at its end. */
export interface Change {
  readonly changed: SpecWorkflow;
  readonly node: SpecNode;
}

/** Tries the candidates in an order that the numbers choose. */
export function firstFitting<T, U>(
  candidates: readonly T[],
  numbers: readonly number[],
  attempt: (candidate: T) => U | null,
): U | null {
  const from = candidates.length > 0 ? (numbers[0] ?? 0) % candidates.length : 0;
  for (const each of [...candidates.slice(from), ...candidates.slice(0, from)]) {
    const found = attempt(each);
    if (found !== null) return found;
  }
  return null;
}

/** What shapes an assistant, so that the node more wants the same. */
export function settingsOf({ model, voice, transcriber }: SpecNode): Partial<SpecNode> {
  const settings = { model, voice, transcriber };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

/** Whether walks come to the nodes in the order in which they came before. */
export function keepsOrder({ tracks, settlement }: Ground, { changed }: Change): boolean {
  const after = walkOrder(readSource(changed, settlement));
  const old = after.filter((node) => node < tracks.source.workflow.nodes.length);
  return old.join() === walkOrder(tracks.source).join();
}

/** The member of a node, its steps, and which step the new node becomes. */
export function placeOf(ground: Ground, { changed }: Change, like: number) {
  const [member = 0] = ownersOf(ground.tracks, like);
  const steps = stepsOfMember(ground, member);
  const order = walkOrder(readSource(changed, ground.settlement));
  const before = order.slice(0, order.indexOf(changed.nodes.length - 1));
  const [, ...later] = steps;
  return { member, steps, position: 2 + later.filter((node) => before.includes(node)).length };
}

/** The prompt of a member, which is known to have so many steps. */
export function sectionsOf(
  { tracks, settlement, output }: Ground,
  member: number,
  steps: number,
): Sections {
  const pieces =
    readPieces(output, settlement.result.sourceMap).get(promptAt(tracks, member)) ?? [];
  const sections = readSections(pieces);
  demand(sections.steps.length === steps, () => {
    return `member ${member} has ${sections.steps.length} steps in place of ${steps}`;
  });
  return sections;
}

/** Throws unless the changed workflow gives the same squad but for one prompt. */
export function conclude(
  ground: Ground,
  options: LawOptions,
  changed: SpecWorkflow,
  at: JsonPointer,
  predicted: Sections,
): void {
  const result = compileAgain(changed, ground, options);
  const squad = withTexts(ground.output, new Map([[at, joinSections(predicted)]]));
  demandSquad(squad, result);
}
