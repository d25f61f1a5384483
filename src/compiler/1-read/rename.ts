/** The answer `rename`: the one answer that changes a text of the source. */
import type { NodeIndex } from '../ir/ids.js';
import type { UnreachedReads } from '../ir/inquiry.js';
import type { Json } from '../ir/json.js';
import { fromAnswer, type Traced, traced, within, withPart } from '../ir/provenance.js';
import type {
  Condition,
  GivenTool,
  NamedSetting,
  Request,
  Text,
  Transfer,
  Workflow,
  WorkflowEdge,
  WorkflowNode,
} from '../ir/workflow.js';
import { readLogical, toLiquidExpression } from './logical.js';
import { readTemplate, renameUses } from './template.js';

/** A workflow whose parts are being changed. */
export type Renaming = Omit<Workflow, 'nodes' | 'edges' | 'globalPrompt'> & {
  readonly nodes: WorkflowNode[];
  readonly edges: WorkflowEdge[];
  globalPrompt: Workflow['globalPrompt'];
};

/** The edges that leave a node, by their places in the list. */
export type EdgesFrom = (node: NodeIndex) => readonly number[];

/**
 * Lets the workflow read `to` instead of `from` in the texts that `reads` names, and in no other.
 * Looks at nothing else, as there may be as many renames as nodes.
 */
export function applyRename(
  workflow: Renaming,
  { from, to, question }: { from: string; to: string; question: string },
  { texts, globals, conditions, globalPrompt }: UnreachedReads,
  edgesFrom: EdgesFrom,
): void {
  const { nodes, edges } = workflow;
  const apply = (text: string, marked = false) => renameIn(text, from, to, marked);
  const rename: Rename = { apply, question };
  if (globalPrompt) workflow.globalPrompt = renameText(workflow.globalPrompt, rename);
  for (const node of texts) nodes[node] = renameTexts(nodes[node]!, rename);
  for (const node of globals) nodes[node] = renameGlobal(nodes[node]!, rename);
  for (const at of [...conditions].flatMap(edgesFrom)) {
    const edge = edges[at]!;
    edges[at] = { ...edge, condition: renameCondition(edge.condition, rename) };
  }
}

interface Rename {
  /** `marked`: the text is an expression, whatever it looks like. */
  readonly apply: (text: string, marked?: boolean) => string;
  readonly question: string;
}

function renameIn(value: string, from: string, to: string, marked: boolean): string {
  const operands = readLogical(value, marked)?.operands ?? [];
  const uses = [...readTemplate(value).uses, ...operands].filter((use) => use.name === from);
  uses.sort((a, b) => a.start - b.start);
  return uses.length === 0 ? value : renameUses(value, uses, to);
}

function renameTexts(node: WorkflowNode, rename: Rename): WorkflowNode {
  const { transfer, request } = node;
  return {
    ...node,
    firstMessage: renameText(node.firstMessage, rename),
    systemPrompt: renameText(node.systemPrompt, rename),
    captures: node.captures.map((capture) => ({
      ...capture,
      description: renameText(capture.description, rename),
      ...(capture.alias === undefined ? {} : { alias: renameText(capture.alias, rename)! }),
    })),
    transfer: transfer && renameTransfer(transfer, rename),
    request: request && renameRequest(request, rename),
    tools: node.tools.map((tool) => renameTool(tool, rename)),
  };
}

function renameGlobal(node: WorkflowNode, rename: Rename): WorkflowNode {
  return {
    ...node,
    global: { condition: renameCondition(node.global?.condition ?? null, rename) },
  };
}

function renameText(text: Text | null, rename: Rename): Text | null {
  if (text === null) return null;
  const value = rename.apply(text.value);
  return value === text.value
    ? text
    : { value, at: text.at, uses: readTemplate(value).uses, changedBy: rename.question };
}

function renameCondition(condition: Condition | null, rename: Rename): Condition | null {
  if (condition === null) return null;
  const value = rename.apply(condition.value, condition.logical);
  if (value === condition.value) return condition;
  const operands = readLogical(value, condition.logical)?.operands ?? [];
  const uses = [...readTemplate(value).uses, ...operands].sort((a, b) => a.start - b.start);
  const guard = condition.guard === null ? null : toLiquidExpression(value);
  return { ...condition, value, uses, guard, changedBy: rename.question };
}

function renameTransfer(transfer: Transfer, rename: Rename): Transfer {
  const { destination } = transfer;
  return {
    ...transfer,
    message: renameText(transfer.message, rename),
    description: renameText(transfer.description, rename),
    address: renameText(transfer.address, rename),
    destination:
      destination && (renameWithin(destination as Traced<Json>, rename) as typeof destination),
    passed: renamePassed(transfer.passed, rename),
    passedTexts: transfer.passedTexts.map((text) => renameText(text, rename)!),
    others: transfer.others.map((other) => renameTransfer(other, rename)),
  };
}

function renamePassed(passed: readonly NamedSetting[], rename: Rename): NamedSetting[] {
  return passed.map(({ key, value }) => ({ key, value: renameWithin(value, rename) }));
}

function renameTool(tool: GivenTool, rename: Rename): GivenTool {
  return {
    ...tool,
    value: tool.value && (renameWithin(tool.value as Traced<Json>, rename) as typeof tool.value),
    texts: tool.texts.map((text) => renameText(text, rename)!),
  };
}

function renameRequest(request: Request, rename: Rename): Request {
  const inside = <T extends Json>(part: Traced<T> | null): Traced<T> | null =>
    part && (renameWithin(part, rename) as Traced<T>);
  return {
    ...request,
    url: inside(request.url),
    headers: inside(request.headers),
    body: inside(request.body),
    description: renameText(request.description, rename),
    operation: request.operation && {
      ...request.operation,
      bound: renamePassed(request.operation.bound, rename),
    },
    statics: renamePassed(request.statics, rename),
    passed: renamePassed(request.passed, rename),
    responses: request.responses.map((it) => ({ ...it, value: renameText(it.value, rename) })),
    texts: request.texts.map((text) => renameText(text, rename)!),
    furtherTexts: request.furtherTexts.map((text) => renameText(text, rename)!),
  };
}

/**
 * Only what reads the variable comes from the answer; the rest stays the source's. Values are at
 * most as deep as a document may be, so the recursion is bounded.
 */
function renameWithin({ value, origin }: Traced<Json>, rename: Rename): Traced<Json> {
  if (typeof value === 'string') {
    const renamed = rename.apply(value);
    return renamed === value ? { value, origin } : traced(renamed, fromAnswer(rename.question));
  }
  if (typeof value !== 'object' || value === null) return { value, origin };
  const members = Object.entries(value).map(([key, member]) => {
    const part = renameWithin({ value: member, origin: within(origin, key) }, rename);
    return [key, member, part] as const;
  });
  const changed = members.filter(([, member, part]) => part.value !== member);
  if (changed.length === 0) return { value, origin };
  const renamed = members.map(([key, , part]) => [key, part.value] as const);
  return traced(
    Array.isArray(value) ? renamed.map(([, part]) => part) : Object.fromEntries(renamed),
    changed.reduce((whole, [key, , part]) => withPart(whole, key, part.origin), origin),
  );
}
