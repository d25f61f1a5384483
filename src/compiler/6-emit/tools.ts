/** Tools of the IR → tools of the document, as both targets write them; handoffs are in handoffs.ts. */
import type { Json, JsonObject } from '../ir/json.js';
import { traced } from '../ir/provenance.js';
import type {
  AliasIr,
  AssistantIr,
  FunctionToolIr,
  GivenToolIr,
  RequestToolIr,
  ResponsesIr,
  SettingIr,
  SquadIr,
  ToolIr,
  TransferDestinationIr,
  TransferToolIr,
} from '../ir/squad-ir.js';
import { compose, derived, fixed, inside, note, type Place, placeWays } from './tracing.js';
import { type Draft, putSettings } from './writing.js';

export interface Assembly {
  readonly squad: SquadIr;
  /** Whether each destination is a tool of its own. */
  readonly isSeparate: (assistant: AssistantIr) => boolean;
}

/** The assistant's tools as they are to be written, one after the other. */
export function listTools(assembly: Assembly, assistant: AssistantIr): readonly ToolIr[] {
  const { tools } = assistant;
  if (!assembly.isSeparate(assistant)) return tools;
  return tools.length === 1 ? separate(tools[0]!) : tools.flatMap(separate);
}

function separate(tool: ToolIr): readonly ToolIr[] {
  if (tool.kind !== 'handoff') return [tool];
  const { kind, node, destinations, rejections } = tool;
  return destinations.map((it) => ({ kind, node, destinations: [it], rejections }));
}

/** Adds the fields of a destination that only one target has. */
export type PutMore = (draft: Draft, destination: TransferDestinationIr, at: Place) => void;

export function assembleTransfer(tool: TransferToolIr, at: Place, putMore: PutMore): JsonObject {
  placeWays(tool.edges, [tool.node], at);
  const places = inside(at, 'destinations');
  return {
    type: fixed('transferCall', inside(at, 'type')),
    destinations: tool.destinations.map((destination, index) =>
      assembleTransferDestination(destination, inside(places, index), putMore),
    ),
  };
}

function assembleTransferDestination(
  destination: TransferDestinationIr,
  at: Place,
  putMore: PutMore,
): JsonObject {
  const { type, ...address } = destination.address.value;
  const { origin } = destination.address;
  const { message, description } = destination;
  const [field] = Object.keys(address);
  const draft: Draft = {
    type: fixed(type!, inside(at, 'type')),
    [field!]: note(traced(address[field!]!, origin), inside(at, field!)),
  };
  if (message !== null) draft['message'] = note(message, inside(at, 'message'));
  draft['description'] = compose(description, inside(at, 'description'));
  putSettings(draft, destination.passed, at);
  putMore(draft, destination, at);
  return draft;
}

/** `payload` are headers and body, as the target writes them. */
export function assembleRequest(tool: RequestToolIr, at: Place, payload: JsonObject): JsonObject {
  const { description, timeoutSeconds, credentialId } = tool;
  const options: Draft = {};
  if (timeoutSeconds !== null) {
    options['timeoutSeconds'] = note(timeoutSeconds, inside(at, 'timeoutSeconds'));
  }
  if (credentialId !== null) {
    options['credentialId'] = note(credentialId, inside(at, 'credentialId'));
  }
  const draft: Draft = {
    type: fixed('apiRequest', inside(at, 'type')),
    name: note(tool.name, inside(at, 'name')),
  };
  if (description !== null) draft['description'] = compose(description, inside(at, 'description'));
  draft['url'] = note(tool.url, inside(at, 'url'));
  draft['method'] = note(tool.method, inside(at, 'method'));
  Object.assign(draft, payload, options);
  putResponses(draft, tool.responses, at);
  putSettings(draft, tool.passed, at);
  return draft;
}

/** A tool that is carried as it is. */
export function assembleGiven({ value }: GivenToolIr, at: Place): JsonObject {
  return note(value, at);
}

/** `parameters` are the arguments that the model fills, as the target writes them. */
export function assembleFunction(
  tool: FunctionToolIr,
  at: Place,
  parameters: JsonObject,
): JsonObject {
  const place = inside(at, 'function');
  const draft: Draft = {
    type: fixed('function', inside(at, 'type')),
    function: {
      name: note(tool.name, inside(place, 'name')),
      description: compose(tool.description, inside(place, 'description')),
      parameters,
    },
  };
  if (tool.server !== null) draft['server'] = note(tool.server, inside(at, 'server'));
  putStatic(draft, tool.bound, at);
  putResponses(draft, tool.responses, at);
  putSettings(draft, tool.passed, at);
  return draft;
}

/** Where the parameters of the function at a place stand. */
export function parametersAt(at: Place): Place {
  return inside(inside(at, 'function'), 'parameters');
}

/** Adds fields that are sent as they are; the model neither sees nor fills them. */
export function putStatic(draft: Draft, bound: readonly SettingIr[], at: Place): void {
  // There is no way to send nothing under a key.
  const fields = bound.filter(({ value }) => value.value !== null);
  if (fields.length === 0) return;
  const places = inside(at, 'parameters');
  draft['parameters'] = fields.map((field, index) =>
    assemblePair(field, 'static-field', inside(places, index)),
  );
}

function putResponses(draft: Draft, { schema, aliases }: ResponsesIr, tool: Place): void {
  if (aliases.length === 0 && schema === null) return;
  const at = inside(tool, 'variableExtractionPlan');
  const places = inside(at, 'aliases');
  const mappings = aliases.map((alias, index) =>
    assemblePair(alias, 'alias-key', inside(places, index)),
  );
  const plan: Draft = {};
  if (schema !== null) plan['schema'] = note(schema, inside(at, 'schema'));
  if (aliases.length > 0) plan['aliases'] = mappings;
  draft['variableExtractionPlan'] = plan;
}

/** A key, which a rule made of where the value stands, and the value. */
function assemblePair({ key, value }: SettingIr | AliasIr, rule: string, at: Place): JsonObject {
  return {
    key: note(traced(key, derived(rule, value.origin)), inside(at, 'key')),
    value: note<Json>(value, inside(at, 'value')),
  };
}
