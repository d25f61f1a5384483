/**
 * What of a run becomes a result of `summary.sarif`, and which results stay where there are more
 * than the services that read such files take.
 */
import type { Finding, WorkflowRow } from './model.js';

/** GitHub takes no more in one run of a tool. */
export const mostResults = 25_000;

/** A finding or an open question of a workflow. */
export interface SarifFinding extends Finding {
  /** What tells it from others with its code; the pointer where it is absent. */
  readonly subject?: string;
}

/** The workflow that a finding belongs to. */
export type FindingOwner = Pick<WorkflowRow, 'index' | 'key' | 'source' | 'line' | 'name'>;

/** What is known of a workflow when its results are made. */
export interface FoundFacts {
  readonly failure?: { readonly code: string; readonly message: string };
  readonly diagnostics: readonly {
    readonly code: string;
    readonly severity: Finding['severity'];
    readonly message: string;
    readonly at: string;
    /** Of the options or the answers: it has no place in the workflow. */
    readonly in?: string;
    readonly line?: number;
    readonly column?: number;
  }[];
  readonly questions: readonly {
    readonly id: string;
    readonly kind: string;
    readonly text: string;
    readonly at: readonly string[];
  }[];
}

/** The findings of a workflow, errors first. An open question is one: somebody has to act. */
export function findingsOf({ failure, diagnostics, questions }: FoundFacts): SarifFinding[] {
  const found: SarifFinding[] = [
    ...(failure ? [{ ...failure, severity: 'error' as const, at: '' }] : []),
    ...diagnostics.map(findingOf),
    ...questions.map(({ id, kind, text, at }) => {
      return {
        code: kind,
        severity: 'warning' as const,
        message: text,
        at: at[0] ?? '',
        subject: id,
      };
    }),
  ];
  return numbered(found).sort((a, b) => rankOf(a) - rankOf(b));
}

function findingOf(diagnostic: FoundFacts['diagnostics'][number]): SarifFinding {
  const { code, severity, message, at, in: part, line, column } = diagnostic;
  if (part !== undefined) return { code, severity, message, at: '', subject: `${part}:${at}` };
  const place = { ...(line && { line }), ...(column && { column }) };
  return { code, severity, message, at, ...place };
}

/** Two findings with one code at one place are told apart by their order. */
function numbered(findings: readonly SarifFinding[]): SarifFinding[] {
  const met = new Map<string, number>();
  return findings.map((finding) => {
    const subject = finding.subject ?? finding.at;
    const name = `${finding.code}\n${subject}`;
    const times = (met.get(name) ?? 0) + 1;
    met.set(name, times);
    return times === 1 ? finding : { ...finding, subject: `${subject}#${times}` };
  });
}

const ranks = { error: 0, warning: 1, info: 2 } as const;

/** 0 for errors, 1 for warnings, 2 for notes. */
function rankOf({ severity }: Pick<Finding, 'severity'>): 0 | 1 | 2 {
  return ranks[severity];
}

/** Findings of many workflows, which come in the order of the input. */
export interface CollectedFindings {
  add(owner: FindingOwner, findings: readonly SarifFinding[]): void;
  /** Errors first, then warnings, then notes, each in the order of the input. */
  entries(): Iterable<CollectedFinding>;
  /** How many came, those that are not held among them. */
  readonly total: number;
}

export interface CollectedFinding {
  readonly owner: FindingOwner;
  readonly finding: SarifFinding;
}

/**
 * Never holds more than `limit`. What gives way is the last of the least grave: with all that came
 * before it there are enough, whatever is still to come.
 */
export function collectFindings(limit = mostResults): CollectedFindings {
  const held: readonly CollectedFinding[][] = [[], [], []];
  let total = 0;
  let amount = 0;
  return {
    add(owner, findings) {
      for (const finding of findings) {
        total += 1;
        const rank = rankOf(finding);
        if (amount < limit) amount += 1;
        else if (!dropAfter(held, rank)) continue;
        held[rank]?.push({ owner, finding });
      }
    },
    entries: () => held.flat(),
    get total() {
      return total;
    },
  };
}

/** Drops one that is less grave; false where there is none. */
function dropAfter(held: readonly unknown[][], rank: number): boolean {
  for (let least = held.length - 1; least > rank; least -= 1) {
    if (held[least]?.pop() !== undefined) return true;
  }
  return false;
}
