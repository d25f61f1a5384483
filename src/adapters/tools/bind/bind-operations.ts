/**
 * A workflow whose requests call operations of the bills or documents API → the workflow with the
 * tools of those operations, before it is compiled.
 *
 * In: the source document, in either dialect, and the bindings. Out: the document with each bound
 * request in its place: a function tool on the tool server, or with `tools: 'direct'` the request
 * that the platform makes itself. What is bound is static; what nobody bound the model fills, and
 * what it must not choose (an account, an entry point) is an error with its name. The input is not
 * changed; what is no workflow is handed back as it is, for the compiler to say so.
 *
 *     { id: 'find', type: 'apiRequest' } with bills.get
 *       →  { id: 'find', type: 'tool', tool: { type: 'function', function: { name: 'find', … } } }
 */
import { createToolNames, findNearest } from '../../../compiler/ir/names.js';
import { diagnose } from '../../../diagnostics/diagnose.js';
import type { Answers, Diagnostic, Json, JsonObject } from '../../../index.js';
import { isObject } from '../handler/schema-check.js';
import { parametersLeft } from '../table/parameters-schema.js';
import type { ToolParameter } from '../table/tool.js';
import {
  type Binding,
  type BindOptions,
  faultOfAddress,
  isTemplate,
  readBindings,
} from './bindings.js';
import { directAddress, faultInAddress } from './direct-address.js';

/** What a server of tools has to know of one: the operation, and what is fixed of it. */
export interface ToolBinding {
  readonly operation: string;
  /** Values by parameter; one that reads a variable is filled in by the platform. */
  readonly bind: JsonObject;
}

/** The workflow with its operations as tools, and what is left for `compile` and for the server. */
export interface BoundWorkflow {
  readonly workflow: unknown;
  /** The answers without those that name an operation: they are carried out. */
  readonly answers: Answers | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Which tool is which operation, by the tool's name; for the server of the tools. */
  readonly toolBindings: Readonly<Record<string, ToolBinding>>;
}

/**
 * Rewrites the requests of a workflow that are bound to operations of the bills and documents APIs,
 * by the option `bindings` or by an answer `operation`: each becomes a tool whose parameters the
 * model fills in, but for those that are bound. Give `workflow` and `answers` to `compile` after it.
 * What is wrong with a binding is in `diagnostics`; nothing is thrown.
 */
export function bindOperations(workflow: unknown, options: BindOptions): BoundWorkflow {
  const { byNode, answers, diagnostics } = readBindings(options);
  const toolBindings: Record<string, ToolBinding> = {};
  const inside =
    isObject(workflow) && workflow['nodes'] === undefined ? workflow['workflow'] : undefined;
  const source = isObject(inside) ? inside : workflow;
  const nodes = isObject(source) && Array.isArray(source['nodes']) ? source['nodes'] : [];
  const at = source === workflow ? '/nodes' : '/workflow/nodes';
  const unused = new Map(byNode);
  const requests = new Set<string>();
  const nameTool = createToolNames();
  const rewritten = nodes.map((node: Json, index): Json => {
    const request = requestOf(node, `${at}/${index}`);
    if (request === null) return node;
    requests.add(request.id);
    const binding = byNode.get(request.id);
    if (binding === undefined) return node;
    unused.delete(request.id);
    const call = settle(request, binding, diagnostics);
    if (options.tools === 'direct') return callDirectly(call, options, diagnostics);
    const { name } = nameTool(request.toolName);
    toolBindings[name] = { operation: binding.definition.operation, bind: forServer(call) };
    return {
      ...call.rest,
      type: 'tool',
      tool: callServer(call, name, options, diagnostics) as JsonObject,
    };
  });
  for (const [node, { at: place, in: document }] of unused) {
    const near = findNearest(node, requests);
    diagnostics.push(diagnose('tools/unknown-node', place, { node, near }, { in: document }));
  }
  if (unused.size === byNode.size) return { workflow, answers, diagnostics, toolBindings };
  const bound = { ...(source as JsonObject), nodes: rewritten };
  const whole = source === workflow ? bound : { ...(workflow as JsonObject), workflow: bound };
  return { workflow: whole, answers, diagnostics, toolBindings };
}

/** A node that sends a request. */
interface RequestNode {
  readonly id: string;
  readonly at: string;
  readonly node: JsonObject;
  /** The object that says what is sent: the node itself, or its tool. */
  readonly holder: JsonObject;
  readonly holderAt: string;
  readonly toolName: string;
  /** The node without what says what is sent. */
  readonly rest: JsonObject;
}

/** Fields of a node of its own that say what is sent, and how. */
const requestFields: ReadonlySet<string> = new Set([
  ...['url', 'method', 'headers', 'body', 'timeoutSeconds', 'responseVariables', 'credentialId'],
  ...['parameters', 'variableExtractionPlan', 'output', 'backoffPlan', 'encryptedPaths'],
  ...['messages', 'rejectionPlan', 'mode', 'description'],
]);

function requestOf(node: Json, at: string): RequestNode | null {
  if (!isObject(node)) return null;
  const { id = node['name'], type, tool, name = id } = node as JsonObject;
  const isTool = isObject(tool) && tool['type'] === 'apiRequest' && /^tool$/i.test(String(type));
  const holder = (isTool ? tool : node) as JsonObject;
  if (typeof id !== 'string' || !(isTool || /^api[-_\s]?request$/i.test(String(type)))) return null;
  const declared = isObject(holder['function']) ? holder['function']['name'] : holder['name'];
  const rest = Object.entries(node).filter(([key]) => isTool || !requestFields.has(key));
  return {
    id,
    at,
    node: node as JsonObject,
    holder,
    holderAt: isTool ? `${at}/tool` : at,
    toolName: String((isTool ? declared : undefined) ?? name),
    rest: Object.fromEntries(rest) as JsonObject,
  };
}

/** A request with what is fixed of its operation, and what is left for the model to fill. */
interface Call extends RequestNode, Pick<Binding, 'definition'> {
  readonly values: ReadonlyMap<string, Json>;
  readonly account: readonly [string, Json][];
  readonly left: readonly ToolParameter[];
}

function settle(request: RequestNode, binding: Binding, diagnostics: Diagnostic[]): Call {
  const { definition, bind } = binding;
  const { operation } = definition;
  const { id: node, at, holder, holderAt } = request;
  // Nothing of the request is sent that nobody binds; an address without a variable is the operation's.
  const sent = ['body', 'parameters'].filter((field) => holder[field] !== undefined);
  if (isTemplate(holder['url'] ?? null)) sent.unshift('url');
  for (const field of sent) {
    const args = { node, operation, field };
    diagnostics.push(diagnose('tools/no-such-value', `${holderAt}/${field}`, args));
  }
  const own = definition.parameters.filter(({ name }) => Object.hasOwn(bind, name));
  const values = new Map(own.map(({ name }) => [name, bind[name]!]));
  const all = parametersLeft(definition, [...values.keys()]);
  for (const { name: parameter, description } of all.filter(isForbidden)) {
    diagnostics.push(diagnose('tools/unbound', at, { node, operation, parameter, description }));
  }
  const account = Object.entries(bind).filter(([key]) => !values.has(key));
  return { ...request, definition, values, account, left: all.filter(isSaid) };
}

const isSaid = ({ from }: ToolParameter) => from === 'caller';
/** What the operation needs, and a model must not choose. */
const isForbidden = ({ from, required }: ToolParameter) => from === 'binding' && required;

/** What the platform sends: an address with all that is fixed in it. */
function callDirectly(call: Call, { serviceUrls = {} }: BindOptions, diagnostics: Diagnostic[]) {
  const { id: node, at, definition, holder, account } = call;
  const { operation, method, direct } = definition;
  const service = operation.slice(0, operation.indexOf('.')) as keyof typeof serviceUrls;
  // The request itself may call the operation already: what stands before its path.
  const pattern = definition.path.replaceAll(/\{\w+\}/g, '[^/?#]+');
  const own = new RegExp(`^(https?://.+?)${pattern}(?:[?#]|$)`, 'i').exec(String(holder['url']));
  const base = serviceUrls[service] ?? own?.[1] ?? null;
  const [name, value] = [...call.values].find(([, it]) => faultInAddress(it) !== null) ?? [];
  const why = !direct
    ? 'it does more than read an answer of JSON'
    : base === null
      ? 'the base address of its service is not known'
      : faultOfAddress(base) !== null
        ? `the address of its service ${faultOfAddress(base)}`
        : name !== undefined &&
          `the value of ${name} cannot stand in an address: ${faultInAddress(value!)}`;
  if (why) diagnostics.push(diagnose('tools/needs-server', at, { node, operation, why }));
  const names = account.map(([key]) => key);
  const chosen = definition.parameters.filter((it) => isChosen(it, call)).map((it) => it.name);
  if (!why && names.length + chosen.length > 0) {
    diagnostics.push(diagnose('tools/account-unchecked', at, { node, operation, names, chosen }));
  }
  // The url reads what the model gives: the arguments of a request are the properties of its body.
  const asked = call.left.filter(({ required }) => required);
  const given = asked.map(({ name: key }): [string, Json] => [key, `{{${key}}}`]);
  const url = directAddress(definition, new Map([...call.values, ...given]), base ?? '');
  const { body: _, parameters: __, ...kept } = holder;
  const body = asked.length === 0 ? {} : { body: argumentsOf(asked) };
  const request: JsonObject = { ...kept, url, method, ...body };
  return holder === call.node ? request : { ...call.node, tool: request };
}

/** Whether the caller says which record the address leads to. */
function isChosen({ name, in: place, from }: ToolParameter, { values }: Call): boolean {
  const value = values.get(name);
  return place === 'path' && from === 'caller' && (value === undefined || isTemplate(value));
}

/** What the platform sends to a server of tools: the fixed values, and what the model fills in. */
function callServer(
  call: Call,
  name: string,
  { toolServer }: BindOptions,
  diagnostics: Diagnostic[],
) {
  const { id: node, at, holder, holderAt, definition, values } = call;
  const { operation } = definition;
  const { headers, description, messages, rejectionPlan } = holder;
  const declared =
    isObject(headers) && isObject(headers['properties']) ? headers['properties'] : headers;
  const names = isObject(declared) ? Object.keys(declared).sort() : [];
  if (names.length > 0) {
    const args = { node, operation, names };
    diagnostics.push(diagnose('tools/headers-left-out', `${holderAt}/headers`, args));
  }
  if (toolServer === undefined) {
    diagnostics.push(diagnose('lower/tool-to-provide', at, { tool: name }));
  }
  const statics = [...values].filter(([, value]) => value !== null);
  const aliases = readResponses(call, diagnostics);
  return {
    type: 'function',
    function: {
      name,
      description: description ?? definition.description,
      parameters: argumentsOf(call.left),
    },
    ...(toolServer && { server: { ...toolServer } }),
    ...(statics.length > 0 && { parameters: statics.map(([key, value]) => ({ key, value })) }),
    ...(aliases.length > 0 && { variableExtractionPlan: { aliases } }),
    ...(messages !== undefined && { messages }),
    ...(rejectionPlan !== undefined && { rejectionPlan }),
  };
}

/** Keywords that the platform takes; what the others say is told in the description. */
const carried: ReadonlySet<string> = new Set(['type', 'enum', 'pattern', 'items']);

function argumentsOf(parameters: readonly ToolParameter[]): JsonObject {
  const properties = parameters.map(({ name, schema, description }) => {
    const unsaid = Object.entries(schema).filter(([key]) => !carried.has(key));
    const told = unsaid.map(([key, value]) => `${key}: ${JSON.stringify(value)}`).sort();
    const said = told.length === 0 ? description : `${description} (${told.join(', ')})`;
    const known = Object.entries(schema).filter(([key]) => carried.has(key));
    return [name, { ...Object.fromEntries(known), description: said }];
  });
  const required = parameters.filter((it) => it.required).map(({ name }) => name);
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

/**
 * The variables that the response sets. The server passes on what may be said and nothing else, by
 * the names of the table; what it never tells stays as the source reads it.
 */
function readResponses({ holder, holderAt, definition }: Call, diagnostics: Diagnostic[]) {
  const { operation, sayable } = definition;
  const plan = isObject(holder['variableExtractionPlan']) ? holder['variableExtractionPlan'] : {};
  const listed = (value: unknown) => (Array.isArray(value) ? value : []).filter(isObject);
  const schema = isObject(plan['schema']) ? plan['schema'] : holder['output'];
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
  const variables = [
    ...listed(holder['responseVariables']).map((it, index) => {
      const path = String(it['path']).replace(/^\$\.?/, '');
      return { key: String(it['name']), path, at: `/responseVariables/${index}` };
    }),
    ...Object.keys(properties).map((key) => ({ key, path: key, at: '' })),
    ...listed(plan['aliases']).map((it, index) => {
      const [, path] =
        /^\s*\{\{\s*(?:\$|tool\.response)\.([^{}|\s]+)\s*\}\}\s*$/.exec(String(it['value'])) ?? [];
      const at = `/variableExtractionPlan/aliases/${index}`;
      return { key: String(it['key']), path: path ?? '', template: String(it['value']), at };
    }),
  ];
  return variables.map(({ key, path, at, ...given }) => {
    const place = `/${path.replaceAll('.', '/')}`;
    const told = sayable.find((it) => it.name === path || it.at === place);
    if (told !== undefined) return { key, value: `{{ $.${told.name} }}` };
    const args = { variable: key, operation, sayable: sayable.map(({ name }) => name) };
    diagnostics.push(diagnose('tools/never-told', `${holderAt}${at}`, args));
    return { key, value: 'template' in given ? given.template : `{{ $.${path} }}` };
  });
}

/**
 * What the server has to know. A variable is filled in by the platform, so the server is told which
 * values of callers come so; of the account it believes nothing that comes with a call.
 */
function forServer({ values, account, definition }: Call): JsonObject {
  const said = new Set(definition.parameters.filter(isSaid).map(({ name }) => name));
  const known = [...values].filter(([key, value]) => said.has(key) || !isTemplate(value));
  return Object.fromEntries([...known, ...account].filter(([, value]) => value !== null));
}
