/**
 * A row says where a question of one kind is asked, in which words, and what its answers do. Its
 * choices and everything else that is the same for all questions of the kind are in the row of the
 * same kind in `schemas/questions.json`.
 */
import { type Asked, findRequest, textIn } from '../../../diagnostics/answers.js';
import type { Json } from '../../../text/json.js';
import { textsWithin } from '../../1-read/template.js';
import type { NodeIndex } from '../../ir/ids.js';
import type { Decision, Inquiry, VariableSubject } from '../../ir/inquiry.js';
import type { Answer, Settled } from '../../ir/options.js';
import { fromAnswer } from '../../ir/provenance.js';
import type { QuestionKind } from '../../ir/question-kind.generated.js';
import type { Regrouping } from '../../ir/region-map.js';
import type { Diagnostic } from '../../ir/result.js';
import { maskSecrets } from '../../ir/secrets.js';
import type { Text, ToolCall, Workflow, WorkflowEdge, WorkflowNode } from '../../ir/workflow.js';

export interface Row<Facts> {
  readonly kind: QuestionKind;
  readonly ask: (facts: Facts, options: Settled) => Asked | readonly Asked[];
  /** Why a value that fits the schema is wrong, in words; null if it is not. */
  readonly check?: (given: Required<Answer>, facts: Facts, inquiry: Inquiry) => string | null;
  /** By choice, how it changes the source; the others leave it as it is. */
  readonly changes?: Readonly<Record<string, Change>>;
  /** By choice, how it changes the grouping. */
  readonly regroups?: Readonly<
    Record<
      string,
      (inquiry: Inquiry, facts: Facts, options: Settled, value: Json) => Regrouping | null
    >
  >;
}

/** A copy of a workflow, changed in place. */
export interface Draft extends Omit<Workflow, 'nodes' | 'edges' | 'globalPrompt' | 'absorbed'> {
  readonly nodes: WorkflowNode[];
  readonly edges: WorkflowEdge[];
  globalPrompt: Text | null;
  absorbed: Workflow['absorbed'];
}

export type Change = (draft: Draft, decision: Decision) => void;

export function originOf({ inquiry }: Decision) {
  return fromAnswer(inquiry.question.id);
}

export function variableOf({ subject }: Inquiry): VariableSubject {
  return subject as VariableSubject;
}

export function changeNode(change: (node: WorkflowNode, decision: Decision) => WorkflowNode) {
  return ({ nodes }: Draft, decision: Decision): void => {
    const { subject } = decision.inquiry;
    if (subject.of === 'node') nodes[subject.node] = change(nodes[subject.node]!, decision);
  };
}

/**
 * Marks a text in a draft that only a human knows, so that nobody mistakes the draft for the squad.
 * A complete squad never contains it.
 */
export const draftMarker = 'TODO';

/** What is wrong with the texts of an answer's value, which are read like those of the source. */
export function problemOfTexts(value: Json, faults: Diagnostic[] = []): string | null {
  textsWithin(value, '', faults);
  const [fault] = faults;
  if (fault !== undefined) return `it contains an invalid template (at ${fault.at || 'the value'})`;
  const [secret] = maskSecrets(value).secrets;
  if (secret === undefined) return null;
  return `${JSON.stringify(secret.name)} contains a secret; an answer only names where it is stored`;
}

/** The tool that an answer names: a request of the workflow, or a tool to be provided. */
export function toolCall(
  draft: Draft,
  { inquiry, value }: Decision,
  variables: readonly string[],
  moment: ToolCall['moment'],
): ToolCall {
  const { id: question, at } = inquiry.question;
  const tool = textIn(value, 'tool');
  const node = findRequest(draft, tool)?.index ?? null;
  return { tool, node, variables, moment, question, at: at[0] ?? '' };
}

export function addCall({ nodes }: Draft, index: NodeIndex, call: ToolCall): void {
  const keyOf = ({ tool, moment, variables }: ToolCall) =>
    JSON.stringify([tool, moment, variables]);
  const node = nodes[index]!;
  const isThere = node.calls.some((it) => keyOf(it) === keyOf(call));
  if (!isThere) nodes[index] = { ...node, calls: [...node.calls, call] };
}
