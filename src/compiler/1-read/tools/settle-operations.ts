/**
 * Requests that call an operation → requests of which every parameter is settled.
 *
 * In: the workflow with the operations that a human named. Out: the same requests with what is
 * fixed of the operation, in the order of its table: by the human, else by the request itself, else
 * by a variable of the parameter's name; what is missing then is asked. An operation that the
 * platform calls directly is a plain request from here on (replace-requests.ts).
 */
import type { ToolDefinition } from '../../../adapters/tools/table/tool.js';
import type { NodeIndex } from '../../ir/ids.js';
import type { Decide } from '../../ir/inquiry.js';
import type { Settled } from '../../ir/options.js';
import { synthesized, traced } from '../../ir/provenance.js';
import type {
  NamedSetting,
  Operation,
  Request,
  Workflow,
  WorkflowNode,
} from '../../ir/workflow.js';
import { applyDecisions } from '../apply-answers.js';
import { withTexts } from '../request-texts.js';
import { askAboutParameters } from './ask-about-parameters.js';
import { findBase } from './direct-tools.js';
import { definitionOf } from './operations.js';
import { callDirectly, callServer } from './replace-requests.js';
import { readSourceValues } from './source-values.js';

export function settleOperations(
  workflow: Workflow,
  order: readonly NodeIndex[],
  options: Settled,
  decide: Decide,
): Workflow {
  const calling = order.filter((node) => workflow.nodes[node]!.request?.operation);
  if (calling.length === 0) return workflow;
  const isKnown = createIsKnown(workflow, order, options);
  const filled = change(workflow, calling, (node, request, operation, definition) => {
    const direct = options.tools === 'direct' && findBase(request, definition, options) !== null;
    const bound = fillIn(node, request, definition, isKnown);
    return { ...request, operation: { ...operation, direct, bound } };
  });
  const decisions = decide(askAboutParameters(filled, calling, options.target));
  return change(
    applyDecisions(filled, decisions),
    calling,
    (node, request, operation, definition) =>
      withTexts(
        operation.direct
          ? callDirectly(request, operation, definition, options)
          : callServer(request, operation, definition, options),
        node,
      ),
  );
}

type Change = (
  node: WorkflowNode,
  request: Request,
  operation: Operation,
  definition: ToolDefinition,
) => Request;

/** Changes the requests of these nodes; an operation that nobody knows was found fault with. */
function change(workflow: Workflow, calling: readonly NodeIndex[], how: Change): Workflow {
  const nodes = [...workflow.nodes];
  for (const index of calling) {
    const node = nodes[index]!;
    const { request } = node;
    const definition = definitionOf(request!.operation!.id.value);
    if (definition === null) continue;
    nodes[index] = { ...node, request: how(node, request!, request!.operation!, definition) };
  }
  return { ...workflow, nodes };
}

/** Whether a variable is set somewhere else: found out, given by a tool, or supplied. */
type IsKnown = (node: WorkflowNode, variable: string, from: 'caller' | 'binding') => boolean;

function createIsKnown(
  { nodes }: Workflow,
  order: readonly NodeIndex[],
  { dynamicVariables }: Settled,
): IsKnown {
  const captured = new Set<string>();
  const setters = new Map<string, Set<NodeIndex>>();
  for (const index of order) {
    const { captures, request } = nodes[index]!;
    for (const { name } of captures) captured.add(name);
    for (const { name } of request?.responses ?? []) {
      setters.set(name, (setters.get(name) ?? new Set()).add(index));
    }
  }
  return ({ index }, variable, from) => {
    if (dynamicVariables.has(variable)) return true;
    // What a caller or a document says must not decide whose account it is.
    if (from === 'binding') return false;
    const others = [...(setters.get(variable) ?? [])].some((it) => it !== index);
    return captured.has(variable) || others;
  };
}

function fillIn(
  node: WorkflowNode,
  request: Request,
  definition: ToolDefinition,
  isKnown: IsKnown,
): NamedSetting[] {
  const given = new Map(request.operation!.bound.map(({ key, value }) => [key, value]));
  const { fixed, offered } = readSourceValues(request, definition);
  return definition.parameters.flatMap(({ name, required, from }) => {
    const own = given.get(name) ?? fixed.get(name);
    if (own !== undefined) return own.value === null ? [] : [{ key: name, value: own }];
    if (!required || offered.has(name) || !isKnown(node, name, from)) return [];
    const origin = synthesized('parameter-of-variable', [node.at]);
    return [{ key: name, value: traced(`{{${name}}}`, origin) }];
  });
}
