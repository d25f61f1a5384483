/**
 * Questions, and checks of the values that answers give.
 *
 * A question is a row of `questions/texts.ts` applied to a subject: its sentences and the choices of
 * the target. A choice that needs a value has its JSON Schema from `$defs["<kind>.<choice>"]` of
 * `schemas/answer-value.schema.json`.
 */

import type { JsonPointer, NodeIndex } from '../compiler/ir/ids.js';
import type { Inquiry } from '../compiler/ir/inquiry.js';
import { isJsonObject, type Json, type JsonObject } from '../compiler/ir/json.js';
import { digest } from '../compiler/ir/names.js';
import type { QuestionKind, Target } from '../compiler/ir/options.js';
import type { Choice, Question } from '../compiler/ir/result.js';
import {
  effectiveSetting,
  type SettingName,
  type Workflow,
  type WorkflowNode,
} from '../compiler/ir/workflow.js';
import { groupBy } from '../graph/lists.js';
import { schemaDocuments } from '../schemas/documents.generated.js';
import { validateAnswerValue } from '../schemas/validators.generated.js';
import { type QuestionArgs, type QuestionEntry, questions } from './questions/texts.js';
import { faultInWords } from './schema-fault.js';

/** What a question is about, and what the source suggests. */
export interface Asking<K extends QuestionKind> {
  readonly at: readonly JsonPointer[];
  readonly args: QuestionArgs[K];
  readonly target: Target;
  /** The choice that the source suggests, if any, and the value that it needs. */
  readonly proposal?: string | null;
  readonly proposalValue?: Json;
  /** By choice, the only valid values; the schema lists them if there are few. */
  readonly allowed?: Readonly<Record<string, readonly string[]>>;
  /** A choice that is not offered for this subject. */
  readonly without?: string | null;
}

/** The most values that a schema lists; a longer list does not help anyone to choose. */
export const mostListed = 200;

/** The question of this kind about a subject; the two form its id. */
export function ask<K extends QuestionKind>(kind: K, subject: string, asking: Asking<K>): Question {
  const { at, args, target, proposal = null, proposalValue, allowed = {}, without } = asking;
  const { text }: QuestionEntry<QuestionArgs[K]> = questions[kind];
  const offered = offeredFor(kind, target).filter(([key]) => key !== without);
  return {
    id: `${kind}:${subject}`,
    kind,
    at,
    text: text(args),
    choices: offered.map(([key, [label, effect]]): Choice => {
      const form = formOf(kind, key);
      if (form === null) return { key, label, effect };
      return { key, label, effect, value: withValues(form, [...new Set(allowed[key])]) };
    }),
    proposal,
    ...(proposalValue !== undefined && { proposalValue }),
  };
}

/** All kinds of question, in the order of the table. */
export function questionKinds(): readonly QuestionKind[] {
  return Object.keys(questions) as QuestionKind[];
}

/** The keys of a kind's choices for a target, in the order of the table. */
export function choicesOf(kind: QuestionKind, target: Target): readonly string[] {
  return offeredFor(kind, target).map(([key]) => key);
}

/** Returns true if a choice needs a value besides its key. */
export function needsValue(kind: QuestionKind, choice: string): boolean {
  return formOf(kind, choice) !== null;
}

/** What is wrong with the value of an answer, in words; null if it is valid. */
export function checkAnswerValue(
  kind: QuestionKind,
  choice: string,
  value: unknown,
): string | null {
  const given = value === undefined ? { kind, choice } : { kind, choice, value };
  if (!validateAnswerValue(given)) {
    const document = schemaDocuments['answer-value'];
    return faultInWords(validateAnswerValue.errors ?? [], document, 'the answer');
  }
  if (kind !== 'cyclic-stages' || choice !== 'group') return null;
  // A schema cannot express that no stage is in two groups.
  const stages = (value as string[][]).flat();
  return new Set(stages).size === stages.length ? null : 'value names a stage in two groups';
}

/** The subject of a question about several nodes: the first for people, and a digest of all. */
function subjectOfStages(ids: readonly string[]): string {
  return `${ids[0]}~${digest(JSON.stringify([...ids].sort()))}`;
}

/**
 * The question of whether the stages of a cycle are one; about its nodes, in walk order.
 * `representative` gives for each node the equal node that represents it.
 */
export function inquireAboutCycle(
  cycle: readonly WorkflowNode[],
  representative: readonly NodeIndex[],
  target: Target,
): Inquiry {
  const standing = cycle.filter(({ index }) => representative[index] === index);
  const ids = cycle.map(({ id }) => id);
  const stages = standing.filter(({ role }) => role === 'talk');
  const subject = subjectOfStages(stages.map(({ id }) => id));
  const question = ask('cyclic-stages', subject, {
    at: standing.map(({ at }) => at),
    args: { stages },
    target,
    proposal: 'consolidate',
    allowed: { group: ids },
  });
  return {
    question,
    subject: { of: 'nodes', nodes: standing.map(({ index }) => index) },
    allowed: new Map([['group', new Set(ids)]]),
    objection: (choice, value) => {
      if (choice !== 'group') return null;
      // Equal nodes are one node, so two groups cannot have one each.
      const all = readGroups(cycle, representative, value).flatMap((group) => [...group]);
      if (new Set(all).size === all.length) return null;
      return 'two groups name nodes that behave the same and are one node';
    },
    assumed: { choice: 'consolidate' },
  };
}

/** The nodes of each group of an answer, replaced by their representatives. */
export function readGroups(
  cycle: readonly WorkflowNode[],
  representative: readonly NodeIndex[],
  value: Json,
): ReadonlySet<NodeIndex>[] {
  const known = new Map(cycle.map(({ id, index }) => [id, representative[index]!]));
  const groups = value as readonly (readonly string[])[];
  return groups.map((ids) => new Set(ids.flatMap((id) => known.get(id) ?? [])));
}

/**
 * The question of whose settings count if the talk nodes of one stage have different ones; a node
 * without its own has the workflow's. The first is proposed.
 */
export function inquireAboutSettings(
  talk: readonly WorkflowNode[],
  names: readonly SettingName[],
  workflow: Pick<Workflow, 'settings'>,
  target: Target,
): Inquiry {
  const ids = talk.map(({ id }) => id);
  const differences = names.map((setting) => {
    const wantedBy = (node: WorkflowNode) => effectiveSetting(node, workflow, setting);
    const byValue = groupBy(talk, (node) => JSON.stringify(wantedBy(node)));
    const wanted = Array.from(byValue.values(), (nodes) => {
      return { value: wantedBy(nodes[0]!), nodes: nodes.map(({ id }) => id) };
    });
    return { setting, wanted };
  });
  const question = ask('conflicting-settings', subjectOfStages(ids), {
    at: talk.map(({ at }) => at),
    args: { differences, nodes: talk },
    target,
    proposal: 'first',
    allowed: { use: ids },
  });
  return {
    question,
    subject: { of: 'nodes', nodes: talk.map(({ index }) => index) },
    allowed: new Map([['use', new Set(ids)]]),
    assumed: { choice: 'first' },
  };
}

function offeredFor(kind: QuestionKind, target: Target) {
  const choices = Object.entries(questions[kind].choices);
  return choices.filter(([, [, , only]]) => only === undefined || only === target);
}

function formOf(kind: QuestionKind, choice: string): JsonObject | null {
  const forms = schemaDocuments['answer-value']?.['$defs'] as JsonObject;
  const key = `${kind}.${choice}`;
  return Object.hasOwn(forms, key) ? (forms[key] as JsonObject) : null;
}

/** The schema with the valid values; for lists of lists they are two levels down. */
function withValues(form: JsonObject, values: readonly string[]): JsonObject {
  if (values.length === 0 || values.length > mostListed) return form;
  const { items } = form;
  return isJsonObject(items)
    ? { ...form, items: withValues(items, values) }
    : { ...form, enum: values };
}
