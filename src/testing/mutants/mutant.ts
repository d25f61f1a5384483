/**
 * Damage on purpose: named operators that turn a good squad into one that is not a faithful
 * migration of its workflow any more. A checker that lets a damaged squad pass has a hole.
 *
 * No operator asks a checker. Each yields only squads that mean something else than the one that
 * they were made of; why that is so stands beside its conditions. The squad that is damaged is
 * taken to be right.
 */
import type { JsonPointer } from '../../compiler/ir/ids.js';
import type { JsonObject } from '../../compiler/ir/json.js';
import { type SquadView, viewSquad } from './squad-view.js';

/** A damaged squad. */
export interface Mutation {
  readonly squad: JsonObject;
  /** The place in the squad that was damaged, as it was before. */
  readonly at: JsonPointer;
  /** What was done, in a few words. */
  readonly text: string;
}

/** A way to damage a squad that a verifier has to notice. */
export interface SquadMutant {
  /** Unique, such as `handoff-tool-dropped`. */
  readonly name: string;
  /** One sentence: what it damages. */
  readonly what: string;
  /** The item of the checklist that is expected to catch it, or the walks. */
  readonly item: number | 'walk';
  /** All damaged squads of this kind; none where there is nothing to damage. Made one by one. */
  readonly mutate: (squad: JsonObject, workflow: unknown) => Iterable<Mutation>;
}

/** A mutant that looks at a squad which is read already. */
export interface Operator extends Pick<SquadMutant, 'name' | 'what' | 'item'> {
  readonly damage: (view: SquadView) => Iterable<Mutation>;
}

export function operator(
  name: string,
  item: SquadMutant['item'],
  what: string,
  damage: Operator['damage'],
): Operator {
  return { name, what, item, damage };
}

export function toMutant({ name, what, item, damage }: Operator): SquadMutant {
  return {
    name,
    what,
    item,
    *mutate(squad, workflow) {
      yield* damage(viewSquad(squad, workflow));
    },
  };
}
