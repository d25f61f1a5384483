/**
 * Requests of which every parameter of their operation is settled → requests that call it.
 *
 * In: the request as the source has it. Out: what the platform sends to the service itself, or what
 * it sends to a server of tools. Guarantees: nothing of the request is left that is not sent; what
 * the operation takes the place of is kept for the ledger.
 */
import type { ToolDefinition } from '../../../adapters/tools/table/tool.js';
import type { Json } from '../../ir/json.js';
import type { Settled } from '../../ir/options.js';
import { fromOption, type Origin, synthesized, type Traced, traced } from '../../ir/provenance.js';
import type { NamedSetting, Operation, Request, ResponseVariable } from '../../ir/workflow.js';
import { directAddress } from './direct-address.js';
import { findBase } from './direct-tools.js';
import { matchOperation } from './match-operation.js';
import { sayableName } from './sayable-responses.js';

/** What the platform sends: an address with all that is fixed in it, and no body. */
export function callDirectly(
  request: Request,
  operation: Operation,
  definition: ToolDefinition,
  options: Settled,
): Request {
  const { url, method, body, statics } = request;
  const values = new Map<string, Json>(operation.bound.map(({ key, value }) => [key, value.value]));
  const base = findBase(request, definition, options)!;
  const isSame = method?.value === definition.method;
  const replaced = [url, isSame ? null : method, body, ...valuesOf(statics)];
  return {
    ...withoutTextsOf(request, statics),
    url: traced(directAddress(definition, values, base), originOfAddress(request, operation)),
    method: isSame ? method : traced(definition.method, operation.id.origin),
    body: null,
    statics: [],
    operation: {
      ...operation,
      bound: inOrder(operation, definition),
      replaced: replaced.filter((it) => it !== null),
    },
  };
}

/** Places of the source that stand in the address: its own, where it calls this, and of values. */
function originOfAddress(request: Request, { id, bound }: Operation): Origin {
  const isOwn = matchOperation(request)?.definition.operation === id.value;
  const parts = [...(isOwn ? [request.url!] : []), ...bound.map(({ value }) => value)];
  const places = parts.flatMap(({ origin }) => {
    if (origin.kind === 'source') return [origin.at];
    return origin.kind === 'synthesized' ? origin.from : [];
  });
  return places.length === 0 ? id.origin : synthesized('operation-address', [...new Set(places)]);
}

/** Fields of a request's tool that a custom tool has too; the others say how a request is sent. */
const saidMeanwhile: ReadonlySet<string> = new Set(['messages', 'rejectionPlan']);

/** What a server of tools is sent: the fixed values, and what the model fills in. */
export function callServer(
  request: Request,
  operation: Operation,
  definition: ToolDefinition,
  { toolServer }: Settled,
): Request {
  const { url, method, headers, body, timeoutSeconds, credentialId, statics } = request;
  const passed = request.passed.filter(({ key }) => saidMeanwhile.has(key));
  const unsaid = request.passed.filter(({ key }) => !saidMeanwhile.has(key));
  const sent = [url, method, headers, body, timeoutSeconds, credentialId];
  const replaced = [...sent, ...valuesOf([...statics, ...unsaid])];
  return {
    ...withoutTextsOf(request, [...statics, ...unsaid]),
    url: null,
    // Whether it changes something is still to be asked about.
    method: traced(definition.method, operation.id.origin),
    headers: null,
    body: null,
    timeoutSeconds: null,
    credentialId: null,
    statics: [],
    passed,
    responseSchema: null,
    responses: request.responses.map((it) => readFromServer(it, definition)),
    operation: {
      ...operation,
      bound: inOrder(operation, definition),
      server: toolServer && traced(toolServer, fromOption('toolServer')),
      replaced: replaced.filter((it) => it !== null),
    },
  };
}

/** What the server never tells stays as the source reads it; a warning says so. */
function readFromServer(variable: ResponseVariable, definition: ToolDefinition): ResponseVariable {
  const name = sayableName(definition, variable);
  if (name !== null) return { ...variable, path: name, value: null };
  const isOfSchema = variable.path === '' && variable.value === null;
  return isOfSchema ? { ...variable, path: variable.name } : variable;
}

/** The request without the texts of fields that are not sent any more. */
function withoutTextsOf(request: Request, gone: readonly NamedSetting[]): Request {
  const places = valuesOf(gone).flatMap(({ origin }) =>
    origin.kind === 'source' ? [origin.at] : [],
  );
  const isGone = (at: string) => places.some((it) => at === it || at.startsWith(`${it}/`));
  return { ...request, furtherTexts: request.furtherTexts.filter(({ at }) => !isGone(at)) };
}

function valuesOf(settings: readonly NamedSetting[]): Traced<Json>[] {
  return settings.map(({ value }) => value);
}

function inOrder({ bound }: Operation, { parameters }: ToolDefinition): NamedSetting[] {
  const rankOf = ({ key }: NamedSetting) => parameters.findIndex(({ name }) => name === key);
  return [...bound].sort((one, other) => rankOf(one) - rankOf(other));
}
