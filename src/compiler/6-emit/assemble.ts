/**
 * SquadIr → the document of the target, with its source map.
 *
 * In: the squad and the target. Out: plain JSON in the target's shape, keys in a fixed order, and
 * the origin of every value. Guarantee: nothing is decided here.
 *
 * Target `squad` is the shape of spec/3. Target `vapi` is the body of the platform's create-squad
 * call. There every assistant needs an opening, since one without a first message would fall silent
 * after a handoff, and a saved assistant gets its name and its handoff tools by overrides.
 */
import { append } from '../../graph/lists.js';
import type { JsonObject } from '../../text/json.js';
import { child, type JsonPointer } from '../../text/pointer.js';
import type { EdgeIndex } from '../ir/ids.js';
import type { Target } from '../ir/options.js';
import { describeHandoff } from '../ir/prompt.js';
import { synthesized, traced } from '../ir/provenance.js';
import type { SourceMapEntry } from '../ir/result.js';
import type { AssistantIr, DestinationIr, HandoffIr, SquadIr } from '../ir/squad-ir.js';
import {
  type Field,
  type Fields,
  fieldsWith,
  fixed,
  type Template,
  withFields,
  writeTemplate,
} from '../ir/template.js';
import { propertyField, rejectionPlan } from '../ir/tool.js';
import { type TargetShape, targets } from '../targets.js';

export interface Assembled {
  readonly document: JsonObject;
  readonly sourceMap: readonly SourceMapEntry[];
  /** Pointer of the member at a position. */
  readonly memberAt: (index: number) => JsonPointer;
  /** Where the handoffs and transfers of each edge stand. */
  readonly edges: ReadonlyMap<EdgeIndex, readonly JsonPointer[]>;
}

export function assemble(squad: SquadIr, target: Target): Assembled {
  const shape = targets[target];
  const { name, assistants, shared } = squad;
  const members = { items: assistants.map((it) => memberOf(squad, it, shape)) };
  const settings = shared.length === 0 ? null : { fields: shared };
  const body = { members, [shape.sharedKey]: settings };
  const whole = shape.root === '' ? { name, ...body } : { squad: fieldsWith(body) };
  const sourceMap: SourceMapEntry[] = [];
  const document = writeTemplate(fieldsWith(whole), '', sourceMap) as JsonObject;
  const memberAt = (index: number) => child(`${shape.root}/members`, index);
  return { document, sourceMap, memberAt, edges: placeEdges(squad, memberAt) };
}

/** A list; null if empty, as the target omits empty lists. */
function list(items: readonly Template[]): Template | null {
  return items.length === 0 ? null : { items };
}

function memberOf(squad: SquadIr, assistant: AssistantIr, shape: TargetShape): Fields {
  const { savedAs, version, name, settings, tools } = assistant;
  const written = tools.map((it) => (it.kind === 'handoff' ? handoffOf(squad, it) : it.template));
  if (savedAs === null) return fieldsWith({ assistant: assistantOf(assistant, written, shape) });
  // Additions to a saved assistant that cannot be extended have been reported as errors before.
  if (!shape.extendsSaved) return fieldsWith({ assistantId: savedAs });
  // Tools in the overrides replace those of the assistant unless they are appended.
  const { fields: added } = fieldsWith({ 'tools:append': list(written) });
  const overrides = withFields(fieldsWith({ name }), [...settings, ...added]);
  return fieldsWith({
    assistantId: savedAs,
    assistantVersion: version,
    assistantOverrides: overrides,
  });
}

function assistantOf(assistant: AssistantIr, tools: readonly Template[], shape: TargetShape) {
  const { name, settings, firstMessage, model, prompt, savedTools } = assistant;
  // The source decides how its own assistants open.
  const opensByItself = settings.some(([key]) => key === 'firstMessageMode');
  const isSilent = firstMessage === null && !opensByItself && shape.needsOpening;
  const message = fieldsWith({ role: fixed('system'), content: { segments: prompt } });
  const plain = savedTools.filter(({ version }) => version === null);
  const versioned = savedTools.filter(({ version }) => version !== null);
  const { fields: written } = fieldsWith({
    messages: { items: [message] },
    tools: list(tools),
    toolIds: list(plain.map((it) => it.savedAs!)),
    toolRefs: list(versioned.map((it) => fieldsWith({ toolId: it.savedAs, version: it.version }))),
  });
  const opening = isSilent ? generatedOpening : { firstMessage };
  const own = fieldsWith({ name, ...opening, model: withFields(model, written) });
  return withFields(own, settings);
}

/** Without a first message the assistant makes one up: it takes over a call in progress. */
const generatedOpening = {
  firstMessage: fixed(''),
  firstMessageMode: fixed('assistant-speaks-first-with-model-generated-message'),
};

function handoffOf(squad: SquadIr, { name, destinations, refusals }: HandoffIr): Fields {
  const items = destinations.map((it) => destinationOf(squad, it));
  const base = fieldsWith({ type: fixed('handoff'), destinations: { items } });
  if (name === null) return base;
  const to = destinations.map(({ region }) => squad.assistants[region]!);
  const labels = new Set(to.map((it) => it.name.value));
  const { arguments: required, description } = destinations[0]!;
  // A function with its own arguments has to name the destinations.
  const names = new Set(to.map((it) => (it.savedAs ?? it.name).value));
  const destination = fieldsWith({ type: fixed('string'), enum: fixed([...names]) });
  const parameters = schemaOf(
    [['destination', destination], ...required.map(propertyField)],
    fixed(['destination', ...required.map((it) => it.name)]),
  );
  const called = fieldsWith({
    name,
    description: describeHandoff([...labels], description),
    parameters: required.length === 0 ? null : parameters,
  });
  // Without messages the platform speaks one of its own.
  const { fields } = fieldsWith({ function: called, messages: fixed([]) });
  return withFields(base, [...fields, ...rejectionPlan(refusals)]);
}

function destinationOf({ assistants, context }: SquadIr, destination: DestinationIr): Fields {
  const { region, description, plan, aliases } = destination;
  const { name, savedAs } = assistants[region]!;
  const required = plan.map((it) => traced(it.name, synthesized('plan-required', it.captures)));
  const extraction = fieldsWith({
    schema: plan.length === 0 ? null : schemaOf(plan.map(propertyField), { items: required }),
    aliases: list(aliases.map(fieldsWith)),
  });
  return fieldsWith({
    type: fixed('assistant'),
    assistantName: savedAs === null ? name : null,
    assistantId: savedAs,
    description,
    contextEngineeringPlan: context,
    variableExtractionPlan: extraction.fields.length === 0 ? null : extraction,
  });
}

function schemaOf(properties: readonly Field[], required: Template): Fields {
  return fieldsWith({ type: fixed('object'), properties: { fields: properties }, required });
}

function placeEdges({ assistants }: SquadIr, memberAt: Assembled['memberAt']) {
  const edges = new Map<EdgeIndex, JsonPointer[]>();
  for (const { index, savedAs, tools } of assistants) {
    const tail = savedAs === null ? 'assistant/model/tools' : 'assistantOverrides/tools:append';
    for (const [place, tool] of tools.entries()) {
      const at = `${memberAt(index)}/${tail}/${place}`;
      const carriers = tool.kind === 'handoff' ? tool.destinations : [tool];
      for (const [position, carrier] of carriers.entries()) {
        const pointer = tool.kind === 'handoff' ? `${at}/destinations/${position}` : at;
        for (const edge of carrier.edges) append(edges, edge, pointer);
      }
    }
  }
  return edges;
}
