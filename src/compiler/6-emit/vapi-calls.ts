/** How the platform sees the tools that hand off or transfer a call: names, arguments, refusals. */
import { isJsonObject, type JsonObject } from '../ir/json.js';
import { isE164 } from '../ir/phone-numbers.js';
import { synthesized, traced } from '../ir/provenance.js';
import type {
  HandoffToolIr,
  PlanProperty,
  Rejections,
  SquadIr,
  ToolIr,
  TransferDestinationIr,
} from '../ir/squad-ir.js';
import { createToolNames } from '../names/legal-names.js';
import { putProperties } from './handoffs.js';
import type { Assembly } from './tools.js';
import { derived, fixed, inside, note, type Place } from './tracing.js';
import type { Draft } from './writing.js';

/** The longest name of a function that the platform takes. */
const maxFunctionName = 64;

/** The platform's own wording tells the model to wait for an instruction. */
const handoffDescription =
  'Hands the call over to another assistant. ' +
  'Call it as soon as one of the conditions described for its destinations holds.';

/** Names for the handoff tools of one assistant that no other tool of it has. */
export function nameHandoffs(squad: SquadIr, tools: readonly ToolIr[]): Map<ToolIr, string> {
  const give = createToolNames(maxFunctionName);
  for (const tool of tools) {
    if (tool.kind !== 'handoff' && tool.kind !== 'transfer') give(tool.name.value);
  }
  const handoffs = tools.filter((tool) => tool.kind === 'handoff');
  return new Map(
    handoffs.map((tool) => [tool, give(`handoff_to_${listNames(squad, tool).join('_or_')}`).name]),
  );
}

/** The function behind a handoff tool; with arguments of its own it has to name the destinations. */
export function assembleHandoffFunction(
  { squad }: Assembly,
  tool: HandoffToolIr,
  name: string,
  at: Place,
): JsonObject {
  const demanded = tool.destinations[0]?.arguments ?? [];
  const parameters =
    demanded.length === 0
      ? null
      : assembleArguments(squad, tool, demanded, inside(at, 'parameters'));
  const draft: Draft = {
    name: note(traced(name, synthesized('handoff-name')), inside(at, 'name')),
    description: fixed(handoffDescription, inside(at, 'description')),
  };
  if (parameters !== null) draft['parameters'] = parameters;
  return draft;
}

function assembleArguments(
  squad: SquadIr,
  tool: HandoffToolIr,
  demanded: readonly PlanProperty[],
  at: Place,
): JsonObject {
  const places = inside(at, 'properties');
  const destination = inside(places, 'destination');
  const type = fixed('object', inside(at, 'type'));
  const properties: Draft = {
    destination: {
      type: fixed('string', inside(destination, 'type')),
      enum: fixed(listTargets(squad, tool), inside(destination, 'enum')),
    },
  };
  putProperties(properties, demanded, places);
  const required = ['destination', ...demanded.map(({ name }) => name)];
  return { type, properties, required: fixed(required, inside(at, 'required')) };
}

function listNames({ assistants }: SquadIr, { destinations }: HandoffToolIr): string[] {
  return [...new Set(destinations.map(({ region }) => assistants[region]!.name.value))];
}

/** What the destinations themselves hold: the name, or the id of a saved assistant. */
function listTargets({ assistants }: SquadIr, { destinations }: HandoffToolIr): string[] {
  const targets = destinations.map(({ region }) => {
    const { name, savedAs } = assistants[region]!;
    return (savedAs ?? name).value;
  });
  return [...new Set(targets)];
}

/** Adds what the platform checks before it carries out a call of the tool. */
export function putRejections(draft: Draft, rejections: Rejections, at: Place): void {
  if (rejections.length === 0) return;
  const places = inside(inside(at, 'rejectionPlan'), 'conditions');
  draft['rejectionPlan'] = {
    conditions: rejections.map((rejection, index) => {
      const place = inside(places, index);
      return {
        type: fixed('liquid', inside(place, 'type')),
        liquid: note(rejection, inside(place, 'liquid')),
      };
    }),
  };
}

/**
 * The platform refuses a number that is not E.164 unless it is told to take it as it is. A plan
 * must say its mode; where the source gives none, nobody announces the call.
 */
export function putTransferPlan(
  draft: Draft,
  { address, passed }: TransferDestinationIr,
  at: Place,
): void {
  const { number } = address.value;
  if (typeof number === 'string' && !isE164(number)) {
    const unchecked = traced(false, derived('not-e164', address.origin));
    draft['numberE164CheckEnabled'] = note(unchecked, inside(at, 'numberE164CheckEnabled'));
  }
  const given = passed.find(({ key }) => key === 'transferPlan')?.value.value ?? null;
  const plan = isJsonObject(given) ? given : {};
  if (Object.hasOwn(plan, 'mode')) return;
  const place = inside(inside(at, 'transferPlan'), 'mode');
  draft['transferPlan'] = { ...plan, mode: fixed('blind-transfer', place) };
}
