/**
 * Tools in the platform's own words are carried as they are, so one that the target would refuse is
 * a fault of the source.
 *
 * In: the reachable nodes. Out: for each such tool what of it the published schema of the target
 * does not allow, one fault per place.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { faultInWords } from '../../diagnostics/schema-fault.js';
import {
  type SchemaFault,
  type Validator,
  validateSquad,
  validateVapiSquad,
} from '../../schemas/validators.generated.js';
import type { NodeIndex } from '../ir/ids.js';
import type { JsonObject } from '../ir/json.js';
import type { Target } from '../ir/options.js';
import type { Diagnostic } from '../ir/result.js';
import type { Workflow } from '../ir/workflow.js';

export function checkGivenTools(
  workflow: Workflow,
  reachable: readonly NodeIndex[],
  target: Target,
): Diagnostic[] {
  const refused: Diagnostic[] = [];
  for (const node of reachable) {
    for (const { name, value, at } of workflow.nodes[node]!.tools) {
      if (value === null) continue;
      for (const [place, fault] of findFaults(value.value, target)) {
        const problem = faultInWords([fault], undefined, 'it');
        refused.push(diagnose('lower/refused-tool', `${at}${place}`, { tool: name, problem }));
      }
    }
  }
  return refused;
}

/** Keywords that only repeat what others say. */
const echoes: ReadonlySet<string> = new Set(['if', 'allOf']);

/** By the place in the tool, the first fault of each. */
function findFaults(tool: JsonObject, target: Target): ReadonlyMap<string, SchemaFault> {
  const found = new Map<string, SchemaFault>();
  for (const fault of errorsOf(tool, target)) {
    if (echoes.has(fault.keyword) || !fault.instancePath.startsWith(prefixes[target])) continue;
    const instancePath = fault.instancePath.slice(prefixes[target].length);
    if (!found.has(instancePath)) found.set(instancePath, { ...fault, instancePath });
  }
  return found;
}

/** Named where they are used: naming them loads them, and most workflows have no such tool. */
function validatorOf(target: Target): Validator {
  return target === 'squad' ? validateSquad : validateVapiSquad;
}

const prefixes: Readonly<Record<Target, string>> = {
  squad: '/squad/members/0/assistant/model/tools/0',
  vapi: '/members/0/assistant/model/tools/0',
};

/** The schemas know whole squads, so the tool is put into the smallest one. */
function errorsOf(tool: JsonObject, target: Target): readonly SchemaFault[] {
  const messages = [{ role: 'system', content: 'A.' }];
  const model = { provider: 'openai', model: 'gpt-4o', messages, tools: [tool] };
  const squad = { members: [{ assistant: { name: 'A', model } }] };
  const validate = validatorOf(target);
  return validate(target === 'squad' ? { squad } : squad) ? [] : (validate.errors ?? []);
}
