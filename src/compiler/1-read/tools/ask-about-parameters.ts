/**
 * Parameters that an operation needs and that nobody gives: no binding, no capture, no part of the
 * request (`missing-parameter`). What belongs to the account is nothing for a caller to say.
 */

import { parametersLeft } from '../../../adapters/tools/table/parameters-schema.js';
import type { ToolParameter } from '../../../adapters/tools/table/tool.js';
import { ask } from '../../../diagnostics/questions.js';
import type { NodeIndex } from '../../ir/ids.js';
import type { Decision, Inquiry } from '../../ir/inquiry.js';
import type { Json, JsonObject } from '../../ir/json.js';
import type { Target } from '../../ir/options.js';
import { fromAnswer, traced } from '../../ir/provenance.js';
import type { Request, Workflow, WorkflowNode } from '../../ir/workflow.js';
import { draftMarker } from '../draft-marker.js';
import { objectToParameter } from './bind-operations.js';
import { definitionOf } from './operations.js';
import { readSourceValues } from './source-values.js';
import { isTemplate } from './values.js';

const none: Inquiry['allowed'] = new Map();

export function askAboutParameters(
  workflow: Workflow,
  order: readonly NodeIndex[],
  target: Target,
): Inquiry[] {
  return order.flatMap((index) => {
    const node = workflow.nodes[index]!;
    return listMissing(node).map((parameter) => askAbout(node, parameter, target));
  });
}

function listMissing({ request }: WorkflowNode): ToolParameter[] {
  const operation = request?.operation ?? null;
  const definition = operation === null ? null : definitionOf(operation.id.value);
  if (operation === null || definition === null) return [];
  const { offered } = readSourceValues(request!, definition);
  const isOffered = ({ from, name }: ToolParameter) =>
    from === 'caller' && !operation.direct && offered.has(name);
  const bound = operation.bound.map(({ key }) => key);
  return parametersLeft(definition, bound).filter((it) => it.required && !isOffered(it));
}

function askAbout(node: WorkflowNode, parameter: ToolParameter, target: Target): Inquiry {
  const { id, at, index, request } = node;
  const operation = request!.operation!;
  const { name, description, schema, from } = parameter;
  // The platform itself fills in what is known before the call alone.
  const isSaid = from === 'caller' && !operation.direct;
  return {
    question: ask('missing-parameter', `${id}.${name}`, {
      at: [at],
      args: { node: id, operation: operation.id.value, parameter: name, description },
      target,
      without: isSaid ? null : 'caller',
      proposal: isSaid ? 'caller' : null,
      forms: { fixed: schema as JsonObject },
    }),
    subject: { of: 'parameter', node: index, name },
    allowed: none,
    objection: (choice, value) =>
      choice === 'fixed' ? objectToFixed(operation.id.value, name, value) : null,
    assumed: { choice: 'fixed', value: draftMarker },
  };
}

/** A template would be a variable. */
function objectToFixed(operation: string, name: string, value: Json): string | null {
  if (isTemplate(value)) return 'a value that is fixed reads no variable';
  return objectToParameter(operation, name, value);
}

/** The request with the parameter as it was decided on; what callers say is left open. */
export function setParameter(request: Request, { inquiry, choice, value }: Decision): Request {
  const { subject, question } = inquiry;
  if (request.operation === null || subject.of !== 'parameter' || choice === 'caller')
    return request;
  const fixed = choice === 'variable' ? `{{${String(value)}}}` : value;
  const setting = { key: subject.name, value: traced(fixed, fromAnswer(question.id)) };
  const { operation } = request;
  return { ...request, operation: { ...operation, bound: [...operation.bound, setting] } };
}
