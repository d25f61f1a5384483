/** Laws of the extraction plans: what is read is right, and nothing is carried in vain. */
import { isJsonObject, type Json } from '../compiler/ir/json.js';
import { describeDifference, explore, interpret } from './interpreter.js';
import { demand, type Ground, type LawOptions, stand } from './law-ground.js';
import { withoutProperty, witnessOf } from './plan-witness.js';
import { definedVariables } from './reads.js';
import type { SpecWorkflow } from './spec-workflow.js';
import { destinationsOf, memberCount, readTracks, valueAt } from './squad-tracks.js';
import { describeWalk } from './walks.js';

/**
 * On every walk a read finds the same value in the squad as in the source. Variables that a plan
 * cannot carry exactly (a capture and a response at one leaving point) are warned about and exempt.
 */
export function plansSound(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const ground = stand(workflow, options);
  const { tracks } = ground;
  for (const variable of definedVariables(tracks.source)) {
    if (isMixed(ground, variable)) continue;
    const found = explore(tracks, variable);
    demand(found === null, () => (found ? describeDifference(tracks.source, found) : ''));
  }
}

/** Without any one property of any plan, some walk reads another value. */
export function plansMinimal(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const ground = stand(workflow, options);
  const { tracks, settlement, output } = ground;
  for (let member = 0; member < memberCount(tracks); member += 1) {
    for (const at of destinationsOf(tracks, member)) {
      for (const variable of planned(output, at)) {
        const walk = witnessOf(tracks, at, variable);
        demand(walk !== null, () => `${at} carries ${variable}, and no walk reads it`);
        const poorer = readTracks(
          tracks.source,
          withoutProperty(output, at, variable),
          settlement.result.ledger,
        );
        const difference = interpret(poorer, walk, variable);
        demand(difference !== null, () => {
          const way = describeWalk(tracks.source, walk);
          return `${at} carries ${variable}; without it ${way} reads the same`;
        });
      }
    }
  }
}

function planned(document: Json, at: string): string[] {
  const properties = valueAt(document, `${at}/variableExtractionPlan/schema/properties`);
  return isJsonObject(properties) ? Object.keys(properties) : [];
}

function isMixed({ settlement }: Ground, variable: string): boolean {
  return settlement.result.diagnostics.some(
    ({ code, message }) => code === 'data/mixed-source' && message.includes(variable),
  );
}
