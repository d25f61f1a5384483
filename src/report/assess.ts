/**
 * How much work a workflow leaves to a person: a formula, and nothing that a run remembers.
 *
 * Level, the highest that holds:
 *   C  work is needed: it is invalid or failed, or a warning says that the squad does not do what
 *      the workflow did until somebody has done something (`work` below);
 *   B  answers are needed: questions are open, and nothing else is;
 *   A  automatic: it is complete, and nobody has to do anything.
 *
 * Size: 1 up to 15 nodes and edges, 2 up to 40, 3 up to 100, 4 up to 300, 5 above.
 *
 * Minutes, rounded up to five:
 *     the review of the result, by size (5, 10, 15, 30, 60)
 *   + each open question, by kind, less where the source suggests an answer
 *   + each error: 15 for the first with its code, 5 for a further one; 15 for a failure
 *   + each warning: its minutes, each time where it asks for work; where it is to be looked at,
 *     1 for a further one with its code
 * More of anything never gives less.
 *
 * Automatic and manual count the nodes, edges and variables of the ledger: manual are those that
 * hold the place of an open question, an error or a warning that asks for work. Where nothing was
 * converted, all nodes and edges are manual.
 */
import type { QuestionKind, Stats } from '../index.js';
import type { Assessment, WorkflowStatus } from './model.js';

/** What the formula reads; the result of `compile` and `result.json` have it all. */
export interface AssessedFacts {
  readonly status: WorkflowStatus;
  readonly stats: Pick<Stats, 'nodes' | 'edges'>;
  readonly questions: readonly {
    readonly kind: string;
    readonly at: readonly string[];
    readonly proposal: string | null;
  }[];
  readonly diagnostics: readonly AssessedDiagnostic[];
  readonly ledger: readonly {
    readonly at: string;
    readonly kind: string;
    readonly status: string;
  }[];
}

interface AssessedDiagnostic {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly at: string;
  readonly in?: string;
}

export function assess(facts: AssessedFacts): Assessment {
  const { nodes, edges } = facts.stats;
  const { size, review } = sizes.find(({ upTo }) => nodes + edges <= upTo) ?? sizes[4];
  const { automatic, manual } = sharesOf(facts);
  const minutes = review + minutesOfQuestions(facts) + minutesOfFindings(facts);
  return { level: levelOf(facts), size, minutes: Math.ceil(minutes / 5) * 5, automatic, manual };
}

function levelOf({ status, diagnostics, questions }: AssessedFacts): Assessment['level'] {
  if (status === 'invalid' || status === 'failed' || diagnostics.some(asksForWork)) return 'C';
  return questions.length > 0 || status === 'needs-answers' ? 'B' : 'A';
}

/** Whether somebody has to do something because of it. */
function asksForWork({ code, severity }: Pick<AssessedDiagnostic, 'code' | 'severity'>) {
  if (severity !== 'warning') return severity === 'error';
  return warningWeights.get(code)?.asks === 'work';
}

function minutesOfQuestions({ questions }: AssessedFacts): number {
  return sum(
    questions.map(({ kind, proposal }) => {
      const { alone, proposed } = questionWeights.get(kind) ?? unknownQuestion;
      return proposal === null ? alone : proposed;
    }),
  );
}

function minutesOfFindings({ status, diagnostics }: AssessedFacts): number {
  const met = new Set<string>();
  const minutes = diagnostics.map(({ code, severity }) => {
    const isFirst = !met.has(`${severity} ${code}`);
    met.add(`${severity} ${code}`);
    if (severity === 'error') return isFirst ? errorWeight.first : errorWeight.further;
    return severity === 'warning' ? minutesOfWarning(code, isFirst) : 0;
  });
  return sum(minutes) + (status === 'failed' ? errorWeight.first : 0);
}

function minutesOfWarning(code: string, isFirst: boolean): number {
  const { asks, minutes } = warningWeights.get(code) ?? unknownWarning;
  return isFirst || asks === 'work' ? minutes : furtherLook;
}

/** What can be converted, or not, by itself; a text inside of it counts with it. */
const counted: ReadonlySet<string> = new Set(['node', 'edge', 'variable']);

function sharesOf(facts: AssessedFacts): Pick<Assessment, 'automatic' | 'manual'> {
  const { nodes, edges } = facts.stats;
  const things = facts.ledger.filter(({ kind }) => counted.has(kind));
  if (things.length === 0) return { automatic: 0, manual: nodes + edges };
  const waiting = placesAround(waitingPlaces(facts));
  const manual = things.filter(
    ({ at, status }) => status === 'needs-answer' || waiting.has(at),
  ).length;
  return { automatic: things.length - manual, manual };
}

function waitingPlaces({ questions, diagnostics, ledger }: AssessedFacts): string[] {
  return [
    ...questions.flatMap(({ at }) => at),
    ...diagnostics.filter((each) => each.in === undefined && asksForWork(each)).map(({ at }) => at),
    ...ledger.filter(({ status }) => status === 'needs-answer').map(({ at }) => at),
  ];
}

/** The places and all that hold them. */
function placesAround(places: readonly string[]): Set<string> {
  const around = new Set<string>();
  for (const place of places) {
    for (let at = place; at !== '' && !around.has(at); at = at.slice(0, at.lastIndexOf('/'))) {
      around.add(at);
    }
  }
  return around;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

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
const unknownQuestion: QuestionWeight = { alone: 15, proposed: 10 };

/** An error, or a failure to read or write: the first with a code is understood, more are alike. */
const errorWeight = { first: 15, further: 5 };

/**
 * The work that a warning asks for.
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
const furtherLook = 1;

/** For a warning that the table does not know. */
const unknownWarning = look(5, 'unknown');

export const warningWeights: ReadonlyMap<string, WarningWeight> = new Map([
  ['lower/tool-to-provide', work(60, 'a tool must be implemented before the squad works')],
  ['lower/guard-within', work(20, 'the assistant judges a condition that should be exact')],
  ['lower/guard-shared', work(20, 'the assistant judges a condition that should be exact')],
  ['lower/not-an-argument', look(5, 'a variable is passed differently from the others')],
  ['data/guard-unseen', work(20, 'a handoff may be refused, or decided by an older value')],
  ['shape/unnamed-tool', work(5, 'a prompt cannot name a tool')],
  ['api/unread-variable', look(2, 'the variable has no effect')],
  ['data/never-set', work(15, 'a text has a gap in every call')],
  ['data/alias-of-itself', look(10, 'the value is made from an earlier one')],
  ['data/maybe-unset', look(5, 'the workflow has the same gap')],
  ['data/mixed-source', look(5, 'a tool’s value may be extracted again')],
  ['data/may-overwrite', look(5, 'an earlier value may be lost on some calls')],
  ['data/may-block', look(5, 'the assistant may ask for a value too early')],
  ['data/shadows-builtin', look(2, 'the workflow reads the captured value too')],
  ['data/path-into-scalar', look(5, 'the workflow has the same gap')],
  ['data/type-conflict', look(3, 'the value is passed as text')],
  ['data/unreadable-name', look(2, 'the workflow does not read it either')],
  ['data/set-twice', look(2, 'the workflow uses the later value too')],
  ['data/two-authorizations', look(5, 'the platform decides, as before')],
  ['data/template-key', work(5, 'a field needs a name')],
  ['data/unfilled-placeholder', work(10, 'a placeholder must be filled in')],
  ['data/assign-leaks', look(5, 'a later text may read what an earlier one assigns')],
  ['data/literal-secret', look(5, 'the secret is copied and should be stored elsewhere')],
  ['flow/several-starts', look(5, 'the start marks were ignored')],
  ['flow/unreachable', look(3, 'an unreachable node is left out')],
  ['flow/edge-out-of-exit', look(2, 'an unusable edge is left out')],
  ['flow/endless', look(5, 'the workflow cannot end there either')],
  ['flow/same-condition', look(5, 'the workflow is ambiguous as well')],
  ['flow/not-e164', look(5, 'the number is copied as written')],
  ['flow/condition-without-global', look(2, 'the condition has no effect in the workflow either')],
  ['flow/kept-apart', look(2, 'two answers contradict each other')],
  ['shape/no-name', look(1, 'reports and the platform show no name')],
  ['shape/read-as', look(2, 'the meaning was clear')],
  ['shape/made-up-id', look(1, 'the node has a name that squadc gave it')],
  ['shape/unreached-fault', look(3, 'no call can reach the fault')],
  ['shape/unusable-model', work(5, 'a model must be chosen')],
  ['shape/unknown-field', look(2, 'an unknown field is not carried over')],
  ['shape/misplaced-field', look(2, 'the field has no effect in the workflow either')],
  ['shape/unknown-condition-type', work(15, 'the edge may be taken in other cases than before')],
  ['tools/no-such-value', work(15, 'a value of the request is left out')],
  ['tools/never-told', work(20, 'a variable stays empty')],
  ['tools/account-unchecked', work(20, 'callers can ask about any bill')],
  ['check/setting-unknown', look(5, 'the platform may reject the setting')],
  ['check/not-seen', look(5, 'a saved assistant could not be checked')],
  ['api/unknown-option', look(2, 'an option has no effect')],
  ['api/unknown-node', look(2, 'an option has no effect')],
  ['api/stale-answer', look(2, 'an answer has no effect')],
  ['batch/subject-changed', look(2, 'the question is open again')],
]);
