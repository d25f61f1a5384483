/**
 * A workflow whose requests call operations → the workflow with tools of those operations, before it is
 * compiled.
 *
 * In: the source document, in either dialect, and the bindings. Out: the document with each bound
 * request rewritten as a function tool on the tool server. Bound values are static, the model fills in
 * the rest; a value that it must not choose (an account, an entry point) and that nothing binds is an
 * error with its name. The input is not changed; what is no workflow is returned as it is, for the
 * compiler to report.
 *
 *     { id: 'find', type: 'apiRequest' } with bills.get
 *       →  { id: 'find', type: 'tool', tool: { type: 'function', function: { name: 'find', … } } }
 */
import { createToolNames, findNearest } from '../compiler/ir/names.js';
import { type ArgsOf, type Code, diagnose } from '../diagnostics/diagnose.js';
import type { Answers, Diagnostic, Json, JsonObject } from '../index.js';
import { isObject } from '../text/json.js';
import { isTemplate, memberOf, parametersLeft } from './arguments.js';
import { type Binding, type BindOptions, readBindings } from './bindings.js';
import type { ToolParameter } from './table.js';

/** What the server has to know of a tool. */
export interface ToolBinding {
  readonly operation: string;
  /** Values by parameter; the platform fills in those that read a variable. */
  readonly bind: JsonObject;
}

/** The workflow with its operations as tools, and what `compile` and the server need. */
export interface BoundWorkflow {
  readonly workflow: unknown;
  /** The answers without those that name an operation. */
  readonly answers: Answers | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** By the name of the tool; for the server. */
  readonly toolBindings: Readonly<Record<string, ToolBinding>>;
}

/**
 * Rewrites the requests of a workflow that are bound to operations of the bills and documents APIs, by
 * the option `bindings` or by an answer `operation`: each becomes a tool whose parameters the model
 * fills in, except those that are bound. Pass `workflow` and `answers` on to `compile`. Faults of a
 * binding are in `diagnostics`; nothing is thrown.
 */
export function bindOperations(workflow: unknown, options: BindOptions): BoundWorkflow {
  const { byNode, answers, diagnostics } = readBindings(options);
  const toolBindings: Record<string, ToolBinding> = {};
  const inside = memberOf(workflow, 'workflow');
  const isWrapped = isObject(inside) && memberOf(workflow, 'nodes') === undefined;
  const source = isWrapped ? inside : workflow;
  const nodes = memberOf(source, 'nodes');
  const requests = new Set<string>();
  const nameTool = createToolNames();
  const rewritten = (Array.isArray(nodes) ? nodes : []).map((node: Json, index): Json => {
    const request = requestOf(node, `${isWrapped ? '/workflow' : ''}/nodes/${index}`);
    const binding = request && byNode.get(request.id);
    if (request) requests.add(request.id);
    if (!binding) return node;
    const call = callOf(request, binding, diagnostics);
    const { name } = nameTool(request.toolName);
    toolBindings[name] = { operation: binding.definition.operation, bind: forServer(call) };
    return callServer(call, name, options);
  });
  const unused = [...byNode].filter(([id]) => !requests.has(id));
  for (const [node, { at, in: document }] of unused) {
    const near = findNearest(node, requests);
    diagnostics.push(diagnose('tools/unknown-node', at, { node, near }, { in: document }));
  }
  if (unused.length === byNode.size) return { workflow, answers, diagnostics, toolBindings };
  const bound = { ...(source as JsonObject), nodes: rewritten };
  const whole = isWrapped ? { ...(workflow as JsonObject), workflow: bound } : bound;
  return { workflow: whole, answers, diagnostics, toolBindings };
}

/** A node that sends a request. */
interface RequestNode {
  readonly id: string;
  readonly at: string;
  readonly node: JsonObject;
  /** The object that describes the request: the node itself, or its tool. */
  readonly holder: JsonObject;
  readonly holderAt: string;
  readonly toolName: string;
}

function requestOf(given: Json, at: string): RequestNode | null {
  if (!isObject(given)) return null;
  const node = given as JsonObject;
  const { id = node['name'], type, tool, name = id } = node;
  const isTool = memberOf(tool, 'type') === 'apiRequest' && /^tool$/i.test(String(type));
  if (typeof id !== 'string' || !(isTool || /^api[-_\s]?request$/i.test(String(type)))) return null;
  if (!isTool) return { id, at, node, holder: node, holderAt: at, toolName: String(name) };
  const holder = tool as JsonObject;
  const toolName = String(memberOf(holder['function'], 'name') ?? holder['name'] ?? name);
  return { id, at, node, holder, holderAt: `${at}/tool`, toolName };
}

/** A request with what is bound, and what is left for the model. */
interface Call extends RequestNode, Pick<Binding, 'definition' | 'bind'> {
  /** The parameters that are bound; what else is bound is the account. */
  readonly own: readonly ToolParameter[];
  readonly left: readonly ToolParameter[];
  readonly tell: <C extends Code>(code: C, at: string, args: Told<C>) => void;
}

type Told<C extends Code> = Omit<ArgsOf<C>, 'node' | 'operation'>;

function callOf(request: RequestNode, binding: Binding, diagnostics: Diagnostic[]): Call {
  const { definition, bind } = binding;
  const { operation, parameters } = definition;
  const { id: node, at, holder, holderAt } = request;
  const tell: Call['tell'] = (code, place, args) => {
    diagnostics.push(diagnose(code, place, { node, operation, ...args } as never));
  };
  // None of these is sent any more; an address without a variable is only the operation's.
  const sent = ['body', 'parameters'].filter((field) => holder[field] !== undefined);
  if (isTemplate(holder['url'] ?? null)) sent.unshift('url');
  for (const field of sent) tell('tools/no-such-value', `${holderAt}/${field}`, { field });
  const own = parameters.filter(({ name }) => Object.hasOwn(bind, name));
  const open = parametersLeft(definition, Object.keys(bind));
  for (const { name: parameter, from, required, description } of open) {
    if (from === 'binding' && required) tell('tools/unbound', at, { parameter, description });
  }
  const left = open.filter(({ from }) => from === 'caller');
  return { ...request, definition, bind, own, left, tell };
}

/** Fields of a node that describe its request. */
const requestFields: ReadonlySet<string> = new Set([
  ...['url', 'method', 'headers', 'body', 'timeoutSeconds', 'responseVariables', 'credentialId'],
  ...['parameters', 'variableExtractionPlan', 'output', 'backoffPlan', 'encryptedPaths'],
  ...['messages', 'rejectionPlan', 'mode', 'description'],
]);

/** What the platform sends to the tool server: the bound values, and what the model fills in. */
function callServer(call: Call, name: string, { toolServer }: BindOptions): JsonObject {
  const { at, node, holder, holderAt, definition, bind, own, left, tell } = call;
  const { headers, description, messages, rejectionPlan } = holder;
  const declared = memberOf(headers, 'properties') ?? headers;
  const names = isObject(declared) ? Object.keys(declared).sort() : [];
  if (names.length > 0) tell('tools/headers-left-out', `${holderAt}/headers`, { names });
  if (toolServer === undefined) tell('lower/tool-to-provide', at, { tool: name });
  const statics = own
    .map((each) => ({ key: each.name, value: bind[each.name]! }))
    .filter(({ value }) => value !== null);
  const aliases = readResponses(call);
  const tool = {
    type: 'function',
    function: {
      name,
      description: description ?? definition.description,
      parameters: schemaOf(left),
    },
    ...(toolServer && { server: { ...toolServer } }),
    ...(statics.length > 0 && { parameters: statics }),
    ...(aliases.length > 0 && { variableExtractionPlan: { aliases } }),
    ...(messages !== undefined && { messages }),
    ...(rejectionPlan !== undefined && { rejectionPlan }),
  };
  const rest = Object.entries(node).filter(([key]) => holder !== node || !requestFields.has(key));
  return { ...Object.fromEntries(rest), type: 'tool', tool } as JsonObject;
}

/** Keywords that the platform accepts; the others are written into the description. */
const carried: ReadonlySet<string> = new Set(['type', 'enum', 'pattern', 'items']);

function schemaOf(parameters: readonly ToolParameter[]): JsonObject {
  const properties = parameters.map(({ name, schema, description }) => {
    const entries = Object.entries(schema);
    const unsaid = entries.filter(([key]) => !carried.has(key));
    const told = unsaid.map(([key, value]) => `${key}: ${JSON.stringify(value)}`).sort();
    const said = told.length === 0 ? description : `${description} (${told.join(', ')})`;
    const known = Object.fromEntries(entries.filter(([key]) => carried.has(key)));
    return [name, { ...known, description: said }];
  });
  const required = parameters.filter((it) => it.required).map(({ name }) => name);
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

/**
 * The variables that the response sets. The server only passes on what may be told, by the names of the
 * table; a variable that it never tells is reported.
 */
function readResponses({ holder, holderAt, definition, tell }: Call) {
  const { sayable } = definition;
  const plan = holder['variableExtractionPlan'];
  const listed = (value: unknown) => (Array.isArray(value) ? value : []).filter(isObject);
  const planned = memberOf(memberOf(plan, 'schema') ?? holder['output'], 'properties');
  const read = /^\s*\{\{\s*(?:\$|tool\.response)\.([^{}|\s]+)\s*\}\}\s*$/;
  const variables: { key: string; path: string; value?: string; at: string }[] = [
    ...listed(holder['responseVariables']).map(({ name, path }, index) => ({
      ...{ key: String(name), path: String(path).replace(/^\$\.?/, '') },
      at: `/responseVariables/${index}`,
    })),
    ...Object.keys(isObject(planned) ? planned : {}).map((key) => ({ key, path: key, at: '' })),
    ...listed(memberOf(plan, 'aliases')).map(({ key, value }, index) => ({
      ...{ key: String(key), path: read.exec(String(value))?.[1] ?? '', value: String(value) },
      at: `/variableExtractionPlan/aliases/${index}`,
    })),
  ];
  return variables.map(({ key, path, value = `{{ $.${path} }}`, at }) => {
    const place = `/${path.replaceAll('.', '/')}`;
    const told = sayable.find((it) => it.name === path || it.at === place);
    if (told !== undefined) return { key, value: `{{ $.${told.name} }}` };
    const args = { variable: key, sayable: sayable.map(({ name }) => name) };
    tell('tools/never-told', `${holderAt}${at}`, args);
    return { key, value };
  });
}

/**
 * What the server has to know, including which values of callers the platform fills in. The account
 * never comes with a call.
 */
function forServer({ bind, own }: Call): JsonObject {
  const said = new Set(own.filter(({ from }) => from === 'caller').map(({ name }) => name));
  const known = Object.entries(bind).filter(
    ([name, value]) => said.has(name) || !isTemplate(value),
  );
  return Object.fromEntries(known.filter(([, value]) => value !== null));
}
