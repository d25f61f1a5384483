/**
 * What the target does not allow in the source.
 *
 * In: the workflow with its answers, and its reachable nodes. Out: a fault for each text over a
 * limit, and for each place of a given tool that the published schema of the target rejects, since
 * such tools are carried over unchanged.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { faultInWords } from '../../diagnostics/schema-fault.js';
import { groupBy } from '../../graph/lists.js';
import {
  type SchemaFault,
  validateSquad,
  validateVapiSquad,
} from '../../schemas/validators.generated.js';
import { child, type JsonPointer, type NodeIndex } from '../ir/ids.js';
import { asObject, type JsonObject } from '../ir/json.js';
import type { Target } from '../ir/options.js';
import type { Diagnostic } from '../ir/result.js';
import { itemsOf, partOf } from '../ir/template.js';
import type { Workflow } from '../ir/workflow.js';

/** Limits of an alias's value in both targets, and of a tool's message in target `vapi`. */
const [maxAliasValue, maxMessage] = [10_000, 1000];

export function checkLimits(
  workflow: Workflow,
  reachable: readonly NodeIndex[],
  target: Target,
): Diagnostic[] {
  const faults: Diagnostic[] = [];
  const check = (field: string, text: string, most: number, at: JsonPointer, least = 0) => {
    const { length } = [...text];
    if (length >= least && length <= most) return;
    const what = least === 0 ? 'a text of at most' : `a number of ${least} to`;
    const expected = `${what} ${most} characters`;
    const found = `${length} characters long`;
    faults.push(diagnose('shape/wrong-type', at, { field, expected, found }));
  };
  for (const { transfer, request, tools, captures } of reachable.map((it) => workflow.nodes[it]!)) {
    const { value, origin } = transfer?.destination ?? {};
    if (target === 'vapi' && value?.type === 'number' && origin?.kind === 'source') {
      check('destination', value.number, 40, origin.at, 3);
    }
    const messages = [
      transfer?.messages,
      request?.passed.find(({ key }) => key === 'messages')?.value,
      ...tools.map((tool) => tool.value && partOf(tool.value, 'messages')),
    ];
    const spoken = target === 'vapi' ? messages.flatMap((it) => (it ? itemsOf(it) : [])) : [];
    for (const { value: message, origin } of spoken) {
      const { content } = asObject(message);
      if (typeof content !== 'string' || origin.kind !== 'source') continue;
      check('content', content, maxMessage, child(origin.at, 'content'));
    }
    for (const { path, value: template, sourceAt } of request?.responses ?? []) {
      // A path is written inside an output.
      const marks = path.startsWith('[') ? '{{ $ }}' : '{{ $. }}';
      if (template !== null) check('value', template.value, maxAliasValue, sourceAt);
      else check('path', path, maxAliasValue - marks.length, sourceAt);
    }
    for (const { alias } of captures) {
      if (alias !== undefined) check('value', alias.value, maxAliasValue, alias.at);
    }
  }
  return faults;
}

export function checkGivenTools(
  workflow: Workflow,
  reachable: readonly NodeIndex[],
  target: Target,
): Diagnostic[] {
  const tools = reachable.flatMap((node) => workflow.nodes[node]!.tools);
  return tools.flatMap(({ name, value, at }) => {
    const faults = value === null ? [] : listFaults(value.value, target);
    const byPlace = groupBy(faults, ({ instancePath }) => instancePath);
    return Array.from(byPlace, ([place, [first]]) => {
      const args = { tool: name, problem: faultInWords([first!], undefined, 'it') };
      return diagnose('lower/refused-tool', `${at}${place}`, args);
    });
  });
}

/** The schemas describe whole squads, so the tool is put into a minimal one. */
function listFaults(tool: JsonObject, target: Target): SchemaFault[] {
  const messages = [{ role: 'system', content: 'A.' }];
  const model = { provider: 'openai', model: 'gpt-4o', messages, tools: [tool] };
  const squad = { members: [{ assistant: { name: 'A', model } }] };
  const validate = target === 'squad' ? validateSquad : validateVapiSquad;
  if (validate(target === 'squad' ? { squad } : squad)) return [];
  const place = `${target === 'squad' ? '/squad' : ''}/members/0/assistant/model/tools/0`;
  // Keywords that only repeat what others report are left out.
  const own = (validate.errors ?? []).filter(
    ({ keyword, instancePath }) =>
      keyword !== 'if' && keyword !== 'allOf' && instancePath.startsWith(place),
  );
  return own.map((fault) => ({ ...fault, instancePath: fault.instancePath.slice(place.length) }));
}
