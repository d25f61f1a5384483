/**
 * What a person needs for each thing that a conversion leaves open, in minutes, and why.
 *
 * The numbers are estimates for somebody who knows the workflow and has done a few of them. They
 * are made to compare workflows and to plan a migration, not to bill one.
 */
import type { QuestionKind } from '../index.js';

/** Sizes 1 to 5: up to how many nodes and edges, and how long it takes to review the result. */
export const sizes = [
  { size: 1, upTo: 15, review: 5 },
  { size: 2, upTo: 40, review: 10 },
  { size: 3, upTo: 100, review: 15 },
  { size: 4, upTo: 300, review: 30 },
  { size: 5, upTo: Number.POSITIVE_INFINITY, review: 60 },
] as const;

/** A question whose answer the source suggests needs a look; without that somebody finds it out. */
export interface QuestionWeight {
  readonly alone: number;
  readonly proposed: number;
}

const weightsByKind: Readonly<Record<QuestionKind, QuestionWeight>> = {
  'logical-condition': { alone: 10, proposed: 5 },
  'critical-variable': { alone: 15, proposed: 10 },
  'cyclic-stages': { alone: 15, proposed: 10 },
  'read-too-early': { alone: 15, proposed: 5 },
  'global-returns': { alone: 10, proposed: 5 },
  'missing-destination': { alone: 5, proposed: 2 },
  'missing-endpoint': { alone: 20, proposed: 10 },
  'missing-condition': { alone: 5, proposed: 2 },
  'missing-auth': { alone: 10, proposed: 5 },
  'missing-edges': { alone: 10, proposed: 3 },
  'ambiguous-start': { alone: 5, proposed: 2 },
  'undefined-variable': { alone: 10, proposed: 3 },
  'conflicting-settings': { alone: 5, proposed: 2 },
};

export const questionWeights: ReadonlyMap<string, QuestionWeight> = new Map(
  Object.entries(weightsByKind),
);

/** For a kind that the table does not know. */
export const unknownQuestion: QuestionWeight = { alone: 15, proposed: 10 };

/** An error, or a failure to read or write: the first with a code is understood, more are alike. */
export const errorWeight = { first: 15, further: 5 };

/**
 * What a warning asks of a person.
 *
 * - `work`: the squad does not do what the workflow did until somebody has done something, in the
 *   workflow or beside it. Such a workflow has level C.
 * - `look`: the conversion is faithful; somebody should know of it.
 */
export interface WarningWeight {
  readonly asks: 'work' | 'look';
  readonly minutes: number;
  readonly reason: string;
}

const work = (minutes: number, reason: string): WarningWeight => ({
  asks: 'work',
  minutes,
  reason,
});
const look = (minutes: number, reason: string): WarningWeight => ({
  asks: 'look',
  minutes,
  reason,
});

/** Minutes of a further warning to look at: what it means is understood by then. */
export const furtherLook = 1;

/** For a warning that the table does not know. */
export const unknownWarning = look(5, 'nothing is known of it');

export const warningWeights: ReadonlyMap<string, WarningWeight> = new Map([
  ['lower/tool-to-provide', work(60, 'a tool has to be written and served before the squad works')],
  ['lower/guard-within', work(20, 'a condition that was to be exact is left to the assistant')],
  ['lower/guard-shared', work(20, 'a condition that was to be exact is left to the assistant')],
  ['lower/not-an-argument', look(5, 'one variable crosses in another way than the others')],
  ['data/guard-unseen', work(20, 'a way may stay closed, or open by an older value')],
  ['shape/unnamed-tool', work(5, 'a prompt calls a tool without its name')],
  ['api/unread-variable', look(2, 'the variable has no effect')],
  ['data/never-set', work(15, 'a text is read with a gap in every call')],
  ['data/alias-of-itself', look(10, 'the value is made of what an earlier handoff carried')],
  ['data/maybe-unset', look(5, 'the workflow has the same gap')],
  ['data/mixed-source', look(5, 'a value of a tool may be extracted again')],
  ['data/may-overwrite', look(5, 'an earlier value may be lost on some calls')],
  ['data/may-block', look(5, 'the assistant may ask for a value out of turn')],
  ['data/shadows-builtin', look(2, 'the workflow reads the captured value too')],
  ['data/path-into-scalar', look(5, 'the workflow has the same gap')],
  ['data/type-conflict', look(3, 'the value is carried as a text')],
  ['data/unreadable-name', look(2, 'no text reads it in the workflow either')],
  ['data/set-twice', look(2, 'the later value counts in the workflow too')],
  ['data/two-authorizations', look(5, 'the platform chooses, as it did before')],
  ['data/template-key', work(5, 'a field has to get its own name')],
  ['data/unfilled-placeholder', work(10, 'a placeholder has to be filled in')],
  ['data/assign-leaks', look(5, 'a later text may read what an earlier one assigns')],
  ['data/literal-secret', look(5, 'the secret is carried as it stands and should move')],
  ['flow/several-starts', look(5, 'the start was found as if none was marked')],
  ['flow/unreachable', look(3, 'a node is left out that no call could reach')],
  ['flow/edge-out-of-exit', look(2, 'an edge is left out that no call could take')],
  ['flow/endless', look(5, 'the workflow cannot end there either')],
  ['flow/same-condition', look(5, 'the workflow had to choose as well')],
  ['flow/not-e164', look(5, 'the number is carried as it is written')],
  ['flow/condition-without-global', look(2, 'the condition has no effect in the workflow either')],
  ['flow/kept-apart', look(2, 'two answers disagree')],
  ['shape/no-name', look(1, 'reports and the platform show no name')],
  ['shape/read-as', look(2, 'what is meant was clear, and is said')],
  ['shape/made-up-id', look(1, 'the node has a name that squadc gave it')],
  ['shape/unreached-fault', look(3, 'the fault stands where no call comes')],
  ['shape/unusable-model', work(5, 'a model has to be chosen')],
  ['shape/unknown-field', look(2, 'a field that no rule reads is not carried over')],
  ['shape/misplaced-field', look(2, 'the field has no effect in the workflow either')],
  ['shape/unknown-condition-type', work(15, 'the way may be taken in other cases than before')],
  ['tools/no-such-value', work(15, 'a value that the request sent is left out')],
  ['tools/never-told', work(20, 'a variable stays empty that the request had filled')],
  ['tools/account-unchecked', work(20, 'callers hear of any bill that the credential reaches')],
  ['check/setting-unknown', look(5, 'the platform may refuse the setting')],
  ['check/not-seen', look(5, 'an assistant that the platform keeps was not seen')],
  ['api/unknown-option', look(2, 'an option has no effect')],
  ['api/unknown-node', look(2, 'an option has no effect')],
  ['api/stale-answer', look(2, 'an answer has no effect')],
  ['batch/subject-changed', look(2, 'the question of this answer is open again')],
]);
