/** All operators, and what they make of one squad. */
import type { JsonObject } from '../../compiler/ir/json.js';
import { aliasMutants } from './alias-mutants.js';
import { argumentMutants } from './argument-mutants.js';
import { captureMutants } from './capture-mutants.js';
import { descriptionMutants } from './description-mutants.js';
import { endingMutants } from './ending-mutants.js';
import { globalMutants } from './global-mutants.js';
import { handoffMutants } from './handoff-mutants.js';
import { instructionMutants } from './instruction-mutants.js';
import { licenceMutants } from './licence-mutants.js';
import { memberMutants } from './member-mutants.js';
import { mergeMutants } from './merge-mutants.js';
import { type Mutation, type Operator, type SquadMutant, toMutant } from './mutant.js';
import { overrideMutants } from './override-mutants.js';
import { planMutants } from './plan-mutants.js';
import { planPropertyMutants } from './plan-property-mutants.js';
import { platformMutants } from './platform-mutants.js';
import { requestMutants } from './request-mutants.js';
import { settingMutants } from './setting-mutants.js';
import { shapeMutants } from './shape-mutants.js';
import { splitMutants } from './split-mutants.js';
import { spokenMutants } from './spoken-mutants.js';
import { viewSquad } from './squad-view.js';
import { stepMutants } from './step-mutants.js';
import { toolMutants } from './tool-mutants.js';
import { transferMutants } from './transfer-mutants.js';

const operators: readonly Operator[] = [
  ...memberMutants,
  ...mergeMutants,
  ...splitMutants,
  ...handoffMutants,
  ...descriptionMutants,
  ...licenceMutants,
  ...globalMutants,
  ...planMutants,
  ...planPropertyMutants,
  ...aliasMutants,
  ...argumentMutants,
  ...toolMutants,
  ...requestMutants,
  ...transferMutants,
  ...endingMutants,
  ...spokenMutants,
  ...instructionMutants,
  ...captureMutants,
  ...stepMutants,
  ...settingMutants,
  ...overrideMutants,
  ...shapeMutants,
  ...platformMutants,
];

/** Operators that damage a compiled squad, each in a way that a checker must find. */
export const squadMutants: readonly SquadMutant[] = operators.map(toMutant);

/** A damaged squad, and the operator that made it. */
export interface MutantOfSquad extends Mutation {
  readonly name: string;
}

/** How far ahead mutants are looked for, so that those which are taken lie apart. */
const reach = 16;

/**
 * What the operators make of the squad, at most so many of each. They are taken at even distances
 * from the first ones, so that damage is not always done to the first place of its kind; `turn`
 * says where to begin.
 */
export function* mutantsOf(
  squad: JsonObject,
  workflow: unknown,
  limitPerOperator: number,
  turn = 0,
): Iterable<MutantOfSquad> {
  const view = viewSquad(squad, workflow);
  for (const { name, damage } of operators) {
    const found = firstOf(damage(view), limitPerOperator * reach);
    const count = Math.min(limitPerOperator, found.length);
    for (let taken = 0; taken < count; taken += 1) {
      const at = turn + Math.floor((taken * found.length) / count);
      yield { name, ...found[at % found.length]! };
    }
  }
}

function firstOf<T>(values: Iterable<T>, count: number): T[] {
  const found: T[] = [];
  for (const value of values) {
    if (found.length >= count) break;
    found.push(value);
  }
  return found;
}
