/** Laws of the extraction plans: what is read is right, and nothing is carried in vain. */
import { choosingReads } from './answering.js';
import { demand } from './demand.js';
import { describeDifference, explore, interpret } from './interpreter.js';
import { type Ground, type LawOptions, stand } from './law-ground.js';
import { withoutVariable, witnessOf } from './plan-witness.js';
import { definedVariables } from './reads.js';
import type { SpecWorkflow } from './spec-workflow.js';
import { carriedAt, destinationsOf, layTracks, memberCount } from './squad-tracks.js';
import { describeWalk } from './walks.js';

/**
 * On every walk a read finds the same value in the squad as in the source, whatever is answered.
 * Variables that a plan cannot carry exactly (a capture and a response at one leaving point) are
 * warned about and exempt.
 */
export function plansSound(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const ground = stand(workflow, options, choosingReads);
  const { tracks } = ground;
  for (const variable of definedVariables(tracks.source)) {
    if (isMixed(ground, variable)) continue;
    const found = explore(tracks, variable);
    demand(found === null, () => (found ? describeDifference(found) : ''));
  }
}

/** Without any one variable that any handoff carries, some walk reads another value. */
export function plansMinimal(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { tracks, settlement, output } = stand(workflow, options, choosingReads);
  for (let member = 0; member < memberCount(tracks); member += 1) {
    for (const at of destinationsOf(tracks, member)) {
      for (const variable of carriedAt(output, at)) {
        const walk = witnessOf(tracks, at, variable);
        demand(walk !== null, () => `${at} carries ${variable}, and no walk reads it`);
        const poorer = layTracks(
          tracks.source,
          withoutVariable(output, at, variable),
          settlement.result.ledger,
        );
        const difference = interpret(poorer, walk, variable);
        demand(difference !== null, () => {
          return `${at} carries ${variable}; without it ${describeWalk(walk)} reads the same`;
        });
      }
    }
  }
}

function isMixed({ settlement }: Ground, variable: string): boolean {
  return settlement.result.diagnostics.some(
    ({ code, message }) => code === 'data/mixed-source' && message.includes(`“${variable}”`),
  );
}
