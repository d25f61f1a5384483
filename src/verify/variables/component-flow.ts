/**
 * The strongly connected components as vertices of a flow: what holds somewhere in a component in
 * which a walk can turn holds everywhere in it, as long as nothing ends it.
 */
import { toRows } from '../rows.js';
import type { CallOrder } from './call-order.js';
import { type Flow, makeFlow } from './flow.js';

export interface ComponentFlow {
  readonly flow: Flow;
  /** Marks the components in which an edge leads on. */
  readonly turns: Uint8Array;
}

export function joinComponents({ components, before }: CallOrder): ComponentFlow {
  const count = components.at(-1)! + 1;
  const turns = new Uint8Array(count);
  const sources: number[] = [];
  const targets: number[] = [];
  components.forEach((target, at) => {
    for (let slot = before.offsets[at]!; slot < before.offsets[at + 1]!; slot += 1) {
      const source = components[before.targets[slot]!]!;
      if (source === target) turns[target] = 1;
      else {
        sources.push(source);
        targets.push(target);
      }
    }
  });
  return { flow: makeFlow(toRows(count, targets, sources)), turns };
}

/** The facts that hold on entry; those that begin in the component do only where a walk turns. */
export function enteringWord(
  { flow, turns }: ComponentFlow,
  holds: Int32Array,
  component: number,
): number {
  const { offsets, targets } = flow.into;
  let word = turns[component] === 1 ? holds[component]! : 0;
  for (let slot = offsets[component]!; slot < offsets[component + 1]!; slot += 1) {
    word |= holds[targets[slot]!]!;
  }
  return word;
}
