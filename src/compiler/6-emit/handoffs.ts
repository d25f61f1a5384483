/** Handoffs with their destinations, functions and extraction plans, as the targets have them. */
import type { JsonObject } from '../ir/json.js';
import { synthesized, type Traced, traced } from '../ir/provenance.js';
import type { DestinationIr, HandoffIr, PlanAlias, PlanProperty, SquadIr } from '../ir/squad-ir.js';
import { type Field, type Fields, fixed, schemaTemplate } from '../ir/template.js';
import { rejectionPlan } from '../ir/tool.js';
import { handoffDescription } from '../ir/wording.js';

export function handoffTemplate(squad: SquadIr, handoff: HandoffIr): Fields {
  const { name, destinations, refusals } = handoff;
  const base: Field[] = [
    ['type', fixed('handoff')],
    ['destinations', { items: destinations.map((it) => destinationTemplate(squad, it)) }],
  ];
  if (name === null) return { fields: base };
  return {
    fields: [
      ...base,
      ['function', functionTemplate(squad, name, destinations)],
      // Without messages the platform speaks one of its own.
      ['messages', fixed([])],
      ...rejectionPlan(refusals),
    ],
  };
}

/** With arguments of its own the function has to name the destinations. */
function functionTemplate(
  { assistants }: SquadIr,
  name: Traced<string>,
  destinations: readonly DestinationIr[],
): Fields {
  const declared: Field[] = [
    ['name', name],
    ['description', fixed(handoffDescription)],
  ];
  const demanded = destinations[0]!.arguments;
  if (demanded.length === 0) return { fields: declared };
  const targets = destinations.map(({ region }) => {
    const { name: own, savedAs } = assistants[region]!;
    return (savedAs ?? own).value;
  });
  const destination: Fields = {
    fields: [
      ['type', fixed('string')],
      ['enum', fixed([...new Set(targets)])],
    ],
  };
  const properties: Field[] = [['destination', destination], ...demanded.map(propertyField)];
  const parameters: Field[] = [
    ['type', fixed('object')],
    ['properties', { fields: properties }],
    ['required', fixed(['destination', ...demanded.map((it) => it.name)])],
  ];
  return { fields: [...declared, ['parameters', { fields: parameters }]] };
}

function destinationTemplate(
  { assistants, context }: SquadIr,
  { region, description, plan, aliases }: DestinationIr,
): Fields {
  const { name, savedAs } = assistants[region]!;
  const extraction: Field[] = [
    ...(plan.length === 0 ? [] : [['schema', planSchema(plan)] as const]),
    ...(aliases.length === 0 ? [] : [['aliases', { items: aliases.map(aliasTemplate) }] as const]),
  ];
  return {
    fields: [
      ['type', fixed('assistant')],
      savedAs === null ? ['assistantName', name] : ['assistantId', savedAs],
      ['description', description],
      ['contextEngineeringPlan', context],
      ...(extraction.length === 0
        ? []
        : [['variableExtractionPlan', { fields: extraction }] as const]),
    ],
  };
}

function aliasTemplate({ key, value }: PlanAlias): Fields {
  return {
    fields: [
      ['key', key],
      ['value', value],
    ],
  };
}

function planSchema(plan: readonly PlanProperty[]): Fields {
  const required = plan.map(({ name, captures }) => {
    return traced(name, synthesized('plan-required', captures));
  });
  return {
    fields: [
      ['type', fixed('object')],
      ['properties', { fields: plan.map(propertyField) }],
      ['required', { items: required }],
    ],
  };
}

function propertyField(property: PlanProperty): Field {
  const { name, type, description, enum: choices, details, captures } = property;
  const origin = synthesized('plan-property', captures);
  return [
    name,
    {
      fields: [
        ['type', traced(type, origin)],
        ['description', description],
        ...(choices === null ? [] : [['enum', traced([...choices], origin)] as const]),
        ...(details === null ? [] : detailsOf(type, details)),
      ],
    },
  ];
}

/** What a schema of the source says, in the few words that a plan may have. */
function detailsOf(type: string, { value, origin }: Traced<JsonObject>): Field[] {
  const { fields } = schemaTemplate(traced<JsonObject>({ ...value, type }, origin));
  return fields.filter(([key]) => key !== 'type' && key !== 'description');
}
