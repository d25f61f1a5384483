/** How the platform sees the tools that hand off or transfer a call: names, arguments, refusals. */
import { child, type JsonPointer } from '../ir/ids.js';
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
import { assembleProperty } from './handoffs.js';
import type { Assembly } from './tools.js';
import { derived, fixed, note, type SourceMap } from './tracing.js';

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
  { squad, map }: Assembly,
  tool: HandoffToolIr,
  name: string,
  at: JsonPointer,
): JsonObject {
  const [{ arguments: demanded = [] } = {}] = tool.destinations;
  const parameters =
    demanded.length === 0
      ? {}
      : { parameters: assembleArguments(squad, tool, demanded, child(at, 'parameters'), map) };
  return {
    name: note(traced(name, synthesized('handoff-name')), child(at, 'name'), map),
    description: fixed(handoffDescription, child(at, 'description'), map),
    ...parameters,
  };
}

function assembleArguments(
  squad: SquadIr,
  tool: HandoffToolIr,
  demanded: readonly PlanProperty[],
  at: JsonPointer,
  map: SourceMap,
): JsonObject {
  const properties = child(at, 'properties');
  const destination = child(properties, 'destination');
  return {
    type: fixed('object', child(at, 'type'), map),
    properties: {
      destination: {
        type: fixed('string', child(destination, 'type'), map),
        enum: fixed(listTargets(squad, tool), child(destination, 'enum'), map),
      },
      ...Object.fromEntries(
        demanded.map((it) => [it.name, assembleProperty(it, child(properties, it.name), map)]),
      ),
    },
    required: fixed(
      ['destination', ...demanded.map(({ name }) => name)],
      child(at, 'required'),
      map,
    ),
  };
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

/** What the platform checks before it carries out a call of the tool. */
export function assembleRejections(
  rejections: Rejections,
  at: JsonPointer,
  map: SourceMap,
): JsonObject {
  if (rejections.length === 0) return {};
  const conditions = `${at}/rejectionPlan/conditions`;
  return {
    rejectionPlan: {
      conditions: rejections.map((rejection, index) => {
        const place = child(conditions, index);
        return {
          type: fixed('liquid', child(place, 'type'), map),
          liquid: note(rejection, child(place, 'liquid'), map),
        };
      }),
    },
  };
}

/**
 * The platform refuses a number that is not E.164 unless it is told to take it as it is. A plan
 * must say its mode; where the source gives none, nobody announces the call.
 */
export function assembleTransferPlan(
  { address, passed }: TransferDestinationIr,
  at: JsonPointer,
  map: SourceMap,
): JsonObject {
  const { number } = address.value;
  const isOdd = typeof number === 'string' && !isE164(number);
  const unchecked = traced(false, derived('not-e164', address.origin));
  const given = passed.find(({ key }) => key === 'transferPlan')?.value;
  const plan = child(at, 'transferPlan');
  return {
    ...(isOdd
      ? { numberE164CheckEnabled: note(unchecked, child(at, 'numberE164CheckEnabled'), map) }
      : {}),
    ...(isJsonObject(given?.value ?? null) && Object.hasOwn(given!.value as JsonObject, 'mode')
      ? {}
      : {
          transferPlan: {
            ...(given?.value as JsonObject | undefined),
            mode: fixed('blind-transfer', child(plan, 'mode'), map),
          },
        }),
  };
}
