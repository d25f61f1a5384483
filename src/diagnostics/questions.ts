/**
 * Questions, and checks of the values that answers give.
 *
 * A question is a row of `questions/texts.ts` applied to a subject: its sentences and the choices of
 * the target. A choice that needs a value has its JSON Schema from `$defs["<kind>.<choice>"]` of
 * `schemas/answer-value.schema.json`.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { Inquiry } from '../compiler/ir/inquiry.js';
import { digest } from '../compiler/ir/names.js';
import type { Answer, QuestionKind, Target } from '../compiler/ir/options.js';
import { readGroups } from '../compiler/ir/region-map.js';
import type { Choice } from '../compiler/ir/result.js';
import {
  effectiveSetting,
  type SettingName,
  type Workflow,
  type WorkflowNode,
} from '../compiler/ir/workflow.js';
import { groupBy } from '../graph/lists.js';
import { answerValueSchema } from '../schemas/answer-value-document.generated.js';
import { validateAnswerValue } from '../schemas/answer-value-validator.generated.js';
import { isObject, type Json, type JsonObject } from '../text/json.js';
import { child, type JsonPointer } from '../text/pointer.js';
import { type QuestionArgs, type QuestionEntry, questions } from './questions/texts.js';
import { faultInWords, soleFaults } from './schema-fault.js';

/** What a question is about, and what the source suggests. */
export interface Asking<K extends QuestionKind> extends Pick<Inquiry, 'subject' | 'objection'> {
  readonly at: readonly JsonPointer[];
  readonly args: QuestionArgs[K];
  /** The answer that the source suggests, if any. */
  readonly proposal?: Answer | null;
  /** What a draft assumes if there is no proposal. */
  readonly assumed?: Answer;
  /** By choice, the only valid values; the schema lists them if there are few. */
  readonly allowed?: Readonly<Record<string, readonly string[]>>;
  /** A choice that is not offered for this subject. */
  readonly without?: string | null;
}

/** The most values that a schema lists; a longer list does not help anyone to choose. */
export const mostListed = 200;

/** Asks a question of this kind; kind and name form its id. */
export function ask<K extends QuestionKind>(kind: K, name: string, asking: Asking<K>): Inquiry {
  const { at, args, proposal = null, allowed = {}, without, subject, objection } = asking;
  const { text, choices }: QuestionEntry<QuestionArgs[K]> = questions[kind];
  const offered = Object.entries(choices).filter(([key]) => key !== without);
  return {
    question: {
      id: `${kind}:${name}`,
      kind,
      at,
      text: text(args),
      choices: offered.map(([key, [label, effect]]): Choice => {
        const form = formOf(kind, key);
        if (form === null) return { key, label, effect };
        return { key, label, effect, value: withValues(form, [...new Set(allowed[key])]) };
      }),
      proposal: proposal?.choice ?? null,
      ...(proposal?.value !== undefined && { proposalValue: proposal.value }),
    },
    subject,
    allowed,
    objection,
    assumed: proposal ?? asking.assumed!,
  };
}

/** All kinds of question, in the order of the table. */
export function questionKinds(): readonly QuestionKind[] {
  return Object.keys(questions) as QuestionKind[];
}

/** The keys of a kind's choices for a target, in the order of the table. */
export function choicesOf(kind: QuestionKind, target: Target): readonly string[] {
  const choices = Object.entries(questions[kind].choices);
  const offered = choices.filter(([, [, , only]]) => only === undefined || only === target);
  return offered.map(([key]) => key);
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
    return faultInWords(validateAnswerValue.errors ?? [], answerValueSchema, 'the answer');
  }
  if (kind !== 'cyclic-stages' || choice !== 'group') return null;
  // A schema cannot express that no stage is in two groups.
  const stages = (value as string[][]).flat();
  return new Set(stages).size === stages.length ? null : 'value names a stage in two groups';
}

/** What is wrong with one member of such a value, or with a value without members; null if it is valid. */
export function checkAnswerMember(
  kind: QuestionKind,
  choice: string,
  member: string | null,
  given: Json,
): string | null {
  const [at, value] =
    member === null ? ['/value', given] : [child('/value', member), { [member]: given }];
  if (validateAnswerValue({ kind, choice, value })) return null;
  const faults = soleFaults(validateAnswerValue.errors ?? []);
  const fault = faults.find(({ instancePath: it }) => it === at || it.startsWith(`${at}/`));
  if (fault === undefined) return null;
  return faultInWords([{ ...fault, instancePath: '' }], answerValueSchema, 'it');
}

/** The subject of a question about several nodes: the first for people, and a digest of all. */
function nameOfStages(nodes: readonly WorkflowNode[]): string {
  const ids = nodes.map(({ id }) => id);
  return `${ids[0]}~${digest(JSON.stringify([...ids].sort()))}`;
}

/**
 * The question of whether the stages of a cycle are one; about its nodes, in walk order.
 * `representative` gives for each node the equal node that represents it.
 */
export function inquireAboutCycle(
  cycle: readonly WorkflowNode[],
  representative: readonly NodeIndex[],
): Inquiry {
  const standing = cycle.filter(({ index }) => representative[index] === index);
  const stages = standing.filter(({ role }) => role === 'talk');
  return ask('cyclic-stages', nameOfStages(stages), {
    at: standing.map(({ at }) => at),
    args: { stages },
    subject: { of: 'nodes', nodes: standing.map(({ index }) => index) },
    proposal: { choice: 'consolidate' },
    allowed: { group: cycle.map(({ id }) => id) },
    objection: (choice, value) => {
      if (choice !== 'group') return null;
      // Equal nodes are one node, so two groups cannot have one each.
      const all = readGroups(cycle, representative, value).flatMap((group) => [...group]);
      if (new Set(all).size === all.length) return null;
      return 'two groups contain nodes that behave the same and become one';
    },
  });
}

/**
 * The question of whose settings count if the talk nodes of one stage have different ones; a node
 * without its own has the workflow's. The first is proposed.
 */
export function inquireAboutSettings(
  talk: readonly WorkflowNode[],
  names: readonly SettingName[],
  workflow: Pick<Workflow, 'settings'>,
): Inquiry {
  const differences = names.map((setting) => {
    const wantedBy = (node: WorkflowNode) => effectiveSetting(node, workflow, setting);
    const byValue = groupBy(talk, (node) => JSON.stringify(wantedBy(node)));
    const wanted = Array.from(byValue.values(), (nodes) => {
      return { value: wantedBy(nodes[0]!), nodes: nodes.map(({ id }) => id) };
    });
    return { setting, wanted };
  });
  return ask('conflicting-settings', nameOfStages(talk), {
    at: talk.map(({ at }) => at),
    args: { differences, nodes: talk },
    subject: { of: 'nodes', nodes: talk.map(({ index }) => index) },
    proposal: { choice: 'first' },
    allowed: { use: talk.map(({ id }) => id) },
  });
}

function formOf(kind: QuestionKind, choice: string): JsonObject | null {
  const forms = answerValueSchema['$defs'] as JsonObject;
  const key = `${kind}.${choice}`;
  return Object.hasOwn(forms, key) ? (forms[key] as JsonObject) : null;
}

/** The schema with the valid values; for lists of lists they are two levels down. */
function withValues(form: JsonObject, values: readonly string[]): JsonObject {
  if (values.length === 0 || values.length > mostListed) return form;
  const { items } = form;
  return isObject(items)
    ? { ...form, items: withValues(items, values) }
    : { ...form, enum: values };
}
