/**
 * How much work a workflow leaves to a person: a formula, and nothing that a run remembers.
 *
 * Level, the highest that holds:
 *   C  work is needed: it is invalid or failed, or a warning says that the squad does not do what
 *      the workflow did until somebody has done something (`work` in `assess-weights.ts`);
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
import type { Stats } from '../index.js';
import {
  errorWeight,
  furtherLook,
  questionWeights,
  sizes,
  unknownQuestion,
  unknownWarning,
  warningWeights,
} from './assess-weights.js';
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
