/** Laws of the extraction plans: what is read is right, and nothing is carried in vain. */
import { isJsonObject, type Json } from '../compiler/ir/json.js';
import { describeDifference, explore } from '../simulator/call.js';
import type { SpecWorkflow } from '../simulator/spec-workflow.js';
import { carriedAt, destinationsOf, schemasAt, valueAt } from '../simulator/squad.js';
import { definedVariables } from '../simulator/workflow.js';
import { readTracks } from './answered.js';
import { choosingReads, type Settlement } from './answering.js';
import { compileAnswered, demand, type LawOptions } from './law.js';

/**
 * On every walk a read finds the same value in the squad as in the source, whatever is answered.
 * Variables that a plan cannot carry exactly (a capture and a response at one leaving point) are
 * warned about and exempt.
 */
export function plansSound(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { settlement } = compileAnswered(workflow, options, choosingReads);
  const tracks = readTracks(workflow, settlement);
  for (const variable of definedVariables(tracks.source)) {
    if (isMixed(settlement, variable)) continue;
    const difference = explore(tracks, variable);
    demand(difference === null, () => (difference ? describeDifference(difference) : ''));
  }
}

/** Without any one variable that any handoff carries, some walk reads another value. */
export function plansMinimal(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { settlement, output } = compileAnswered(workflow, options, choosingReads);
  const tracks = readTracks(workflow, settlement);
  for (let member = 0; member < tracks.memberCount; member += 1) {
    for (const at of destinationsOf(tracks, member)) {
      for (const variable of carriedAt(output, at)) {
        const poorer = withoutVariable(output, at, variable);
        const difference = explore({ ...tracks, document: poorer }, variable);
        demand(difference !== null, () => `${at} carries ${variable}, and no walk reads it`);
      }
    }
  }
}

/** The document with one variable taken out of what one destination carries. */
function withoutVariable(document: Json, destination: string, variable: string): Json {
  const copy = structuredClone(document) as Json;
  for (const at of schemasAt(destination)) {
    const properties = valueAt(copy, `${at}/properties`);
    if (isJsonObject(properties)) delete (properties as Record<string, Json>)[variable];
  }
  return copy;
}

function isMixed({ result }: Settlement, variable: string): boolean {
  return result.diagnostics.some(
    ({ code, message }) => code === 'data/mixed-source' && message.includes(`“${variable}”`),
  );
}
