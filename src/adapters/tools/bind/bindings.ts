/**
 * Which request calls which operation, as a human says it: by the option `bindings`, or by the
 * answer `operation` to `missing-endpoint`.
 *
 * In: options and answers of unknown shape. Out: a binding by node id with the place that it came
 * from, and what is wrong with them; a binding with a fault binds nothing.
 */
import { findNearest } from '../../../compiler/ir/names.js';
import { diagnose } from '../../../diagnostics/diagnose.js';
import type { Answers, Diagnostic, Json, JsonObject } from '../../../index.js';
import { type AddressFault, readAddress } from '../../http/base-address.js';
import { checkOf, isObject } from '../handler/schema-check.js';
import { toolDefinitions } from '../table/definitions.js';
import type { ToolDefinition, ToolParameter } from '../table/tool.js';

/** Options of `bindOperations`; `answers` are those of `compile`. */
export interface BindOptions {
  answers?: Answers;
  /** Node id → the operation that its request calls, and values of its parameters that are fixed. */
  bindings?: Readonly<Record<string, { operation: string; bind?: Readonly<Record<string, Json>> }>>;
  /**
   * How tools of operations reach the API: `server` (default), by a server of your own that holds
   * the secrets; `direct`, from the platform, for what only reads.
   */
  tools?: 'server' | 'direct';
  /** Who answers the calls of the tools; a credential that the platform keeps says who calls. */
  toolServer?: { url: string; credentialId?: string };
  /** Base addresses of the services, for tools that call them directly. */
  serviceUrls?: Readonly<Partial<Record<'bills' | 'documents', string>>>;
}

/** A binding that fits its operation. */
export interface Binding {
  readonly definition: ToolDefinition;
  /** Values of parameters, and of the account where no parameter says whose record it is. */
  readonly bind: JsonObject;
  readonly at: string;
  readonly in: 'options' | 'answers';
}

const address = { type: 'string' };
const formOfBinding = {
  type: 'object',
  properties: { operation: { type: 'string' }, bind: { type: 'object' } },
  required: ['operation'],
  additionalProperties: false,
};

/** The forms of the options that say which operations are called, and how. */
const forms = {
  bindings: { type: 'object' },
  tools: { enum: ['server', 'direct'] },
  toolServer: {
    type: 'object',
    properties: { url: address, credentialId: { type: 'string', pattern: '\\S' } },
    required: ['url'],
    additionalProperties: false,
  },
  serviceUrls: {
    type: 'object',
    properties: { bills: address, documents: address },
    additionalProperties: false,
  },
};

const addressFaults: Readonly<Record<AddressFault, string>> = {
  'no-url': 'is no URL',
  scheme: 'is neither https nor http',
  credentials: 'holds a user name or a password',
  query: 'holds a query or a fragment',
  plain: 'is plain http, which is for this machine alone',
};

/** Why nothing may be sent to an address, as the end of a sentence; null where it may. */
export function faultOfAddress(url: string): string | null {
  const read = readAddress(url);
  return 'fault' in read ? addressFaults[read.fault] : null;
}

export const toolOptionNames = Object.keys(forms) as (keyof typeof forms)[];

/** Reads the bindings; `answers` are left without those that are carried out here. */
export function readBindings(options: BindOptions) {
  const diagnostics: Diagnostic[] = [];
  const fail = (option: string, problem: string, at = `/${option}`) =>
    diagnostics.push(diagnose('api/option', at, { option, problem }, { in: 'options' }));
  for (const option of toolOptionNames) {
    const fault =
      options[option] === undefined ? undefined : checkOf(forms[option])(options[option]);
    if (fault !== undefined) fail(option, `it or a part of it ${fault}`);
  }
  const addresses = [
    ['toolServer', options.toolServer?.url],
    ['serviceUrls', options.serviceUrls?.bills],
    ['serviceUrls', options.serviceUrls?.documents],
  ] as const;
  for (const [option, url] of addresses) {
    const fault = typeof url === 'string' ? faultOfAddress(url) : null;
    if (fault !== null) fail(option, `its address ${fault}`);
  }
  if (options.tools === 'direct' && options.toolServer !== undefined) {
    fail('toolServer', 'tools that call the service directly have no server');
  }
  const byNode = new Map<string, Binding>();
  const add = (id: string, given: Json, at: string, document: Binding['in']) => {
    const { operation, bind = {} } = given as { operation: string; bind?: JsonObject };
    const faults = faultsOfBinding(operation, bind, at, { in: document });
    diagnostics.push(...faults);
    const definition = toolDefinitions[operation];
    if (faults.length > 0 || definition === undefined) return;
    byNode.set(id, { definition, bind, at, in: document });
  };
  const isBinding = checkOf(formOfBinding);
  for (const [id, binding] of sorted(isObject(options.bindings) ? options.bindings : {})) {
    const at = `/bindings/${escaped(id)}`;
    const fault = isBinding(binding);
    if (fault === undefined) add(id, binding as Json, at, 'options');
    else fail('bindings', `the binding ${fault}`, at);
  }
  const given: unknown = options.answers?.answers;
  const left: Record<string, unknown> = isObject(given) ? { ...given } : {};
  for (const [id, answer] of sorted(left)) {
    const { choice, value } = isObject(answer) ? answer : {};
    const [, node] = /^missing-endpoint:(.*)$/s.exec(id) ?? [];
    // An answer of another form is for the compiler to refuse.
    if (node === undefined || choice !== 'operation' || isBinding(value) !== undefined) continue;
    add(node, value as Json, `/answers/${escaped(id)}/value`, 'answers');
    delete left[id];
  }
  const answers = isObject(given) ? { ...options.answers, answers: left } : options.answers;
  return { byNode, answers: answers as Answers | undefined, diagnostics };
}

function faultsOfBinding(
  operation: string,
  bind: JsonObject,
  at: string,
  more: Pick<Binding, 'in'>,
): Diagnostic[] {
  const definition = toolDefinitions[operation];
  if (definition === undefined) {
    const near = findNearest(operation, Object.keys(toolDefinitions));
    return [diagnose('tools/unknown-operation', `${at}/operation`, { operation, near }, more)];
  }
  return sorted(bind).flatMap(([parameter, value]) => {
    const problem = objectTo(definition, parameter, value);
    if (problem === null) return [];
    const args = { operation, parameter, problem };
    return [diagnose('tools/bad-value', `${at}/bind/${escaped(parameter)}`, args, more)];
  });
}

/** What speaks against binding a parameter to the value; null where nothing does. */
function objectTo(definition: ToolDefinition, name: string, value: Json): string | null {
  const { operation, parameters } = definition;
  const own = parameters.find((it) => it.name === name);
  // What says whose bill it is, for an operation on one that does not say so itself.
  const account = { entry: 'bills.list', orgId: 'bills.listByOrg' }[name];
  const ofAccount = parameters.some((it) => it.name === 'idBill') ? (account ?? '') : '';
  const parameter = own ?? toolDefinitions[ofAccount]?.parameters.find((it) => it.name === name);
  if (parameter === undefined) return `${operation} has no parameter of this name`;
  if ('const' in parameter.schema) return 'it is the same with every call';
  if (own === undefined && isTemplate(value)) {
    return 'whose bill it may be is not for a variable to say';
  }
  // There is no way to send nothing under a key, so nothing is bound.
  return value === null && parameter.in !== 'header' ? null : objectToValue(parameter, value);
}

/** What speaks against a fixed value; what a template comes to is known during a call alone. */
function objectToValue({ in: place, schema }: ToolParameter, value: Json): string | null {
  if (place === 'header') return 'a new one is made for each call';
  if (isTemplate(value)) return null;
  const fault = checkOf(schema)(value);
  return fault === undefined ? null : `it ${fault}`;
}

export function isTemplate(value: Json): boolean {
  return /\{[{%]/.test(JSON.stringify(value));
}

function sorted<T>(object: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1));
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
