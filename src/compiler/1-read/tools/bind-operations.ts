/**
 * Operations that a human names for requests: by the option `bindings`, or by an answer.
 *
 * In: what the human says. Out: requests that call the operation with what is fixed of it, and what
 * is wrong with what was said. Parameters that nobody fixed are filled in later.
 */
import { diagnose } from '../../../diagnostics/diagnose.js';
import { quote } from '../../../diagnostics/quote.js';
import { child, pointer } from '../../ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../../ir/json.js';
import type { Binding, Settled } from '../../ir/options.js';
import { fromOption, type Origin, traced } from '../../ir/provenance.js';
import type { Diagnostic } from '../../ir/result.js';
import type { Operation, Workflow } from '../../ir/workflow.js';
import { findNearest } from '../../names/nearest.js';
import { textsWithin } from '../texts.js';
import { accountParameter, definitionOf, nearestOperation, parameterOf } from './operations.js';
import { isTemplate, objectToValue } from './values.js';

export function operationOf(operation: string, bind: JsonObject, origin: Origin): Operation {
  const all = Object.keys(bind)
    .sort()
    .map((key) => ({ key, value: traced(bind[key]!, origin) }));
  const definition = definitionOf(operation);
  const isParameter = (key: string) => definition !== null && parameterOf(definition, key) !== null;
  return {
    id: traced(operation, origin),
    bound: all.filter(({ key }) => isParameter(key)),
    account: all.filter(({ key }) => !isParameter(key)),
    direct: false,
    server: null,
    replaced: [],
  };
}

/** The workflow with the operations of the option; nodes that have no request stay as they are. */
export function bindOperations(workflow: Workflow, { bindings }: Settled): Workflow {
  if (bindings.size === 0) return workflow;
  const nodes = workflow.nodes.map((node) => {
    const binding = bindings.get(node.id);
    if (binding === undefined || node.request === null) return node;
    const bind = (binding.bind ?? {}) as JsonObject;
    const operation = operationOf(binding.operation, bind, fromOption('bindings'));
    return { ...node, request: { ...node.request, operation } };
  });
  return { ...workflow, nodes };
}

/** Bindings of nodes that send no request. */
export function checkBindings({ nodes }: Workflow, { bindings }: Settled): Diagnostic[] {
  if (bindings.size === 0) return [];
  const requests = new Set(nodes.flatMap(({ request, id }) => (request === null ? [] : [id])));
  return [...bindings.keys()].flatMap((id) => {
    if (requests.has(id)) return [];
    const args = { node: id, near: findNearest(id, requests) };
    return [diagnose('tools/unknown-node', pointer('bindings', id), args, { in: 'options' })];
  });
}

/** What is wrong with an operation and its fixed values, wherever a human says them. */
export function faultsOfBinding({ operation, bind = {} }: Binding, at: string): Diagnostic[] {
  const more = { in: 'options' } as const;
  const definition = definitionOf(operation);
  if (definition === null) {
    const args = { operation, near: nearestOperation(operation) };
    return [diagnose('tools/unknown-operation', child(at, 'operation'), args, more)];
  }
  return Object.keys(bind)
    .sort()
    .flatMap((parameter) => {
      const problem = objectToParameter(operation, parameter, bind[parameter]!);
      if (problem === null) return [];
      const args = { operation, parameter, problem };
      return [diagnose('tools/bad-value', `${child(child(at, 'bind'), parameter)}`, args, more)];
    });
}

/** What speaks against the value of an answer that names an operation; null where nothing does. */
export function objectToOperation(value: Json): string | null {
  if (!isJsonObject(value)) return null;
  const { operation, bind } = value as unknown as Binding;
  if (definitionOf(operation) === null) {
    const near = nearestOperation(operation);
    const hint = near === null ? '' : `; ${quote(near)} was probably meant`;
    return `there is no operation ${quote(operation)}${hint}; \`squadc tools list\` shows all`;
  }
  for (const [parameter, fixed] of Object.entries(bind ?? {})) {
    const problem = objectToParameter(operation, parameter, fixed);
    if (problem !== null) return `${quote(parameter)} cannot be bound: ${problem}`;
  }
  return null;
}

/** What speaks against a fixed value of a parameter; null where nothing does. */
export function objectToParameter(operation: string, name: string, value: Json): string | null {
  const definition = definitionOf(operation)!;
  const own = parameterOf(definition, name);
  const parameter = own ?? accountParameter(definition, name);
  if (parameter === null) return `${operation} has no parameter of this name`;
  if ('const' in parameter.schema) return 'it is the same with every call';
  if (own === null && isTemplate(value)) {
    return 'whose bill it may be is not for a variable to say';
  }
  const faults: Diagnostic[] = [];
  textsWithin(value, '', faults);
  if (faults.length > 0) return 'a template in it cannot be read';
  // There is no way to send nothing under a key, so nothing is bound.
  return value === null && parameter.in !== 'header' ? null : objectToValue(parameter, value);
}
