/**
 * How much work a workflow leaves to people: a formula over its result.
 *
 * Level, the worst that applies:
 *   C  work is needed: it is invalid or failed, or a warning says that the squad will not do what
 *      the workflow did until somebody does something (`work` below);
 *   B  answers are needed: only questions are open;
 *   A  automatic: it is complete; only review and test remain.
 *
 * Size: 1 up to 15 nodes and edges, 2 up to 40, 3 up to 100, 4 up to 300, 5 above.
 *
 * Minutes, rounded up to five:
 *     the review of the result, by size (5, 10, 15, 30, 60)
 *   + each open question, by kind; less if there is a proposal
 *   + each error: 15, or 5 if its code has occurred before; 15 for a failure
 *   + each warning: the minutes of its work every time, or those of a look, and 1 minute if its code
 *     has occurred before
 * Adding a finding or a question never lowers the result.
 *
 * Nodes, edges and variables of the ledger are manual if an open question, an error or a warning that
 * needs work lies within them; the others are automatic. If nothing was converted, all are manual.
 */

import type { Diagnostic, LedgerEntry, Question, Stats } from '../index.js';
import { kinds } from '../schemas/questions.generated.js';
import { grouped } from '../text/counted.js';
import type { Assessment, WorkflowStatus } from './model.js';

/** What the formula reads; both the result of `compile` and `result.json` have it. */
export interface AssessedFacts {
  readonly status: WorkflowStatus;
  readonly stats: Pick<Stats, 'nodes' | 'edges'>;
  readonly questions: readonly Pick<Question, 'kind' | 'at' | 'proposal'>[];
  readonly diagnostics: readonly Pick<Diagnostic, 'code' | 'severity' | 'at' | 'in'>[];
  readonly ledger: readonly Pick<LedgerEntry, 'at' | 'kind' | 'status'>[];
}

export function assess(facts: AssessedFacts): Assessment {
  const { nodes, edges } = facts.stats;
  const { size, review } = sizes.find(({ upTo }) => nodes + edges <= upTo)!;
  const minutes = review + minutesOfQuestions(facts) + minutesOfFindings(facts);
  return {
    level: levelOf(facts),
    size,
    minutes: Math.ceil(minutes / 5) * 5,
    ...sharesOf(facts),
  };
}

function levelOf({ status, diagnostics, questions }: AssessedFacts): Assessment['level'] {
  if (status === 'invalid' || status === 'failed' || diagnostics.some(asksForWork)) return 'C';
  return questions.length > 0 || status === 'needs-answers' ? 'B' : 'A';
}

/** Whether it needs work. */
function asksForWork({ code, severity }: Pick<Diagnostic, 'code' | 'severity'>): boolean {
  return severity === 'error' || (severity === 'warning' && work.has(code));
}

function minutesOfQuestions({ questions }: AssessedFacts): number {
  return questions.reduce((sum, { kind, proposal }) => {
    const { alone, proposed } = kinds[kind].minutes;
    return sum + (proposal === null ? alone : proposed);
  }, 0);
}

function minutesOfFindings({ status, diagnostics }: AssessedFacts): number {
  let minutes = status === 'failed' ? errorMinutes.first : 0;
  const met = new Set<string>();
  for (const { code, severity } of diagnostics) {
    const isFirst = !met.has(`${severity} ${code}`);
    met.add(`${severity} ${code}`);
    if (severity === 'error') minutes += isFirst ? errorMinutes.first : errorMinutes.further;
    if (severity === 'warning') minutes += work.get(code) ?? (isFirst ? (look.get(code) ?? 5) : 1);
  }
  return minutes;
}

/** Texts within these count with them. */
const counted: ReadonlySet<string> = new Set(['node', 'edge', 'variable']);

function sharesOf(facts: AssessedFacts): Pick<Assessment, 'automatic' | 'manual'> {
  const { questions, diagnostics, ledger, stats } = facts;
  const things = ledger.filter(({ kind }) => counted.has(kind));
  if (things.length === 0) return { automatic: 0, manual: stats.nodes + stats.edges };
  const places = [
    ...questions.flatMap(({ at }) => at),
    ...diagnostics.filter((each) => each.in === undefined && asksForWork(each)).map(({ at }) => at),
    ...ledger.filter(({ status }) => status === 'needs-answer').map(({ at }) => at),
  ];
  // These places and everything around them.
  const waiting = new Set<string>();
  for (const place of places) {
    for (let at = place; at !== '' && !waiting.has(at); at = at.slice(0, at.lastIndexOf('/'))) {
      waiting.add(at);
    }
  }
  const manual = things.filter(({ at }) => waiting.has(at)).length;
  return { automatic: things.length - manual, manual };
}

/** By nodes and edges together; `review` is in minutes. */
const sizes = [
  { size: 1, upTo: 15, review: 5 },
  { size: 2, upTo: 40, review: 10 },
  { size: 3, upTo: 100, review: 15 },
  { size: 4, upTo: 300, review: 30 },
  { size: 5, upTo: Number.POSITIVE_INFINITY, review: 60 },
] as const;

/** Errors with the same code are alike: the first takes the longest. */
const errorMinutes = { first: 15, further: 5 };

/** Warnings that need work, in the workflow or around it, before the squad does what it should. */
const work: ReadonlyMap<string, number> = new Map([
  ['lower/tool-to-provide', 60],
  ['lower/guard-within', 20],
  ['lower/guard-shared', 20],
  ['data/guard-unseen', 20],
  ['data/never-set', 15],
  ['data/unfilled-placeholder', 10],
  ['data/template-key', 5],
  ['shape/unnamed-tool', 5],
  ['shape/unusable-model', 5],
  ['shape/unknown-condition-type', 15],
  ['tools/no-such-value', 15],
  ['tools/never-told', 20],
]);

/** Minutes to look at one of the other warnings, if not 5: the squad is right, but somebody should know. */
const look: ReadonlyMap<string, number> = new Map([
  ['data/type-conflict', 3],
  ['data/shadows-builtin', 2],
  ['data/unreadable-name', 2],
  ['data/set-twice', 2],
  ['flow/unreachable', 3],
  ['flow/edge-out-of-exit', 2],
  ['flow/condition-without-global', 2],
  ['flow/kept-apart', 2],
  ['shape/unreached-fault', 3],
  ['shape/read-as', 2],
  ['shape/unknown-field', 2],
  ['shape/misplaced-field', 2],
  ['shape/no-name', 1],
  ['shape/made-up-id', 1],
  ['api/unread-variable', 2],
  ['api/unknown-option', 2],
  ['api/unknown-node', 2],
  ['api/stale-answer', 2],
  ['batch/subject-changed', 2],
]);

/** Minutes as `45 min`, `3 h 20 min`. */
export function duration(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes - hours * 60;
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${grouped(hours)} h` : `${grouped(hours)} h ${rest} min`;
}
