/**
 * Which request calls which operation, as a human says it: by the option `bindings`, or by the answer
 * `operation` to `missing-endpoint`.
 *
 * In: options and answers of unknown shape. Out: the bindings by node id, and what is wrong with them. A
 * binding with a fault binds nothing.
 */
import { readAddress } from '../clients/http/request.js';
import { findNearest } from '../compiler/ir/names.js';
import { diagnose } from '../diagnostics/diagnose.js';
import type { Answers, Diagnostic, Json, JsonObject } from '../index.js';
import { isObject } from '../text/json.js';
import { child, pointer } from '../text/pointer.js';
import { faultOf, isTemplate, namesBill } from './arguments.js';
import { type ToolDefinition, toolDefinitions } from './table.js';

/** Options of `bindOperations`; `answers` are those of `compile`. */
export interface BindOptions {
  answers?: Answers;
  /** Node id → the operation that its request calls, and values of its parameters that are fixed. */
  bindings?: Readonly<Record<string, { operation: string; bind?: Readonly<Record<string, Json>> }>>;
  /** Your server of tools, which holds the secrets; a credential of the platform authenticates its calls. */
  toolServer?: { url: string; credentialId?: string };
}

/** A valid binding. */
export interface Binding {
  readonly definition: ToolDefinition;
  /** Values of parameters, and of the account if no parameter says whose record it is. */
  readonly bind: JsonObject;
  readonly at: string;
  readonly in: 'options' | 'answers';
}

export const toolOptionNames = ['bindings', 'toolServer'] as const;

/** Why nothing may be sent to an address, as the end of a sentence; null if it may. */
function faultOfAddress(url: string): string | null {
  if (readAddress(url)) return null;
  const { href, origin, pathname } = URL.canParse(url) ? new URL(url) : new URL('none:');
  if (!/^https?:/.test(href)) return 'is not an https URL';
  if (href === origin + pathname) return 'is plain http, which is only allowed for this machine';
  return 'contains a user name, a password, a query or a fragment';
}

/** Reads the bindings; `answers` are those that are left for the compiler. */
export function readBindings(options: BindOptions) {
  const { bindings = {}, answers } = options;
  const byNode = new Map<string, Binding>();
  const diagnostics = faultsOfOptions(options);
  const add = (id: string, given: GivenBinding, at: string, document: Binding['in']) => {
    const { operation, bind = {} } = given;
    const definition = toolDefinitions[operation];
    const more = { in: document };
    if (!definition) {
      const near = findNearest(operation, Object.keys(toolDefinitions));
      const args = { operation, near };
      diagnostics.push(diagnose('tools/unknown-operation', `${at}/operation`, args, more));
      return;
    }
    const values = sorted(bind);
    const faults = values.flatMap(([parameter, value]) => {
      const problem = problemOf(definition, parameter, value);
      if (problem === null) return [];
      const args = { operation, parameter, problem };
      return [diagnose('tools/bad-value', child(`${at}/bind`, parameter), args, more)];
    });
    diagnostics.push(...faults);
    if (faults.length > 0) return;
    byNode.set(id, { definition, bind: Object.fromEntries(values), at, in: document });
  };
  for (const [id, binding] of sorted<unknown>(bindings)) {
    const at = pointer('bindings', id);
    if (isBinding(binding)) add(id, binding, at, 'options');
    else diagnostics.push(wrongOption('bindings', 'expected { operation, bind? } by node', at));
  }
  const given: unknown = answers?.answers;
  if (!isObject(given)) return { byNode, answers, diagnostics };
  const left: Record<string, unknown> = { ...given };
  for (const [id, answer] of sorted(left)) {
    const { choice, value } = isObject(answer) ? answer : {};
    const [, node] = /^missing-endpoint:(.*)$/s.exec(id) ?? [];
    // The compiler refuses answers of another form.
    if (node === undefined || choice !== 'operation' || !isBinding(value)) continue;
    add(node, value, pointer('answers', id, 'value'), 'answers');
    delete left[id];
  }
  return { byNode, answers: { ...answers, answers: left } as Answers, diagnostics };
}

function faultsOfOptions(options: BindOptions): Diagnostic[] {
  const { bindings = {}, toolServer } = options;
  const faults: Diagnostic[] = [];
  const need = (holds: boolean, option: string, problem: string) => {
    if (!holds) faults.push(wrongOption(option, problem));
  };
  need(isObject(bindings), 'bindings', 'it must be an object');
  const fault = toolServer ? faultOfAddress(toolServer.url) : null;
  need(fault === null, 'toolServer', `its address ${fault}`);
  return faults;
}

function wrongOption(option: string, problem: string, at = `/${option}`): Diagnostic {
  return diagnose('api/option', at, { option, problem }, { in: 'options' });
}

interface GivenBinding {
  readonly operation: string;
  readonly bind?: JsonObject;
}

function isBinding(value: unknown): value is GivenBinding {
  if (!isObject(value) || typeof value['operation'] !== 'string') return false;
  const { operation: _, bind = {}, ...others } = value;
  return isObject(bind) && Object.keys(others).length === 0;
}

/** Why a parameter cannot be bound to a value; null if it can. */
function problemOf(definition: ToolDefinition, name: string, value: Json): string | null {
  const { operation, parameters } = definition;
  const own = parameters.find((it) => it.name === name);
  if (own === undefined) {
    // The account of the bill, for an operation that does not take it.
    const isAccount = namesBill(definition) && (name === 'entry' || name === 'orgId');
    if (!isAccount) return `${operation} has no parameter of this name`;
    if (isTemplate(value)) return 'a variable must not decide whose record it is';
  } else {
    if ('const' in own.schema) return 'it is the same for every call';
    if (own.in === 'header') return 'a new one is made for each call';
  }
  // Null binds nothing; the value of a template is only known during a call.
  if (value === null || isTemplate(value)) return null;
  const fault = faultOf(own ?? { name, in: 'path' }, value);
  return fault === undefined ? null : `it ${fault}`;
}

function sorted<T>(object: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1));
}
