/** A workflow on its way to its files: its row, its findings, and the texts. */

import { emptyResult } from '../../compiler/ir/result.js';
import { assess } from '../../report/assess.js';
import { type RowFacts, rowText } from '../../report/row-text.js';
import { findingsOf, type SarifFinding } from '../../report/sarif-findings.js';
import type { Verdict } from '../setup.js';
import { folderOf } from './workflow-key.js';

export interface MadeWorkflow {
  readonly key: string;
  readonly folder: string;
  readonly source: string;
  readonly name: string | null;
  readonly status: RowFacts['status'];
  /** Why it is `failed`. */
  readonly failure?: Verdict;
  /** The text of the row. */
  readonly row: string;
  readonly findings: readonly SarifFinding[];
  /** The pieces of their texts, by name. */
  readonly files: ReadonlyMap<string, readonly string[]>;
}

/** All names that a workflow's files can have. */
export const fileNames = ['squad.json', 'result.json', 'questions.md'] as const;

/** The row of a workflow that nothing is known of but where it stands, and why. */
export function failedWorkflow(
  { key, source, name }: Pick<MadeWorkflow, 'key' | 'source' | 'name'>,
  failure: Verdict,
  spread: boolean,
): MadeWorkflow {
  const { stats } = emptyResult;
  const folder = folderOf(key, spread);
  const facts = { status: 'failed', stats, questions: [], diagnostics: [], ledger: [] } as const;
  const row = rowText({
    ...{ key, folder, source, name, status: 'failed', failure, stats },
    ...{ errors: 0, warnings: 0, questions: {}, assessment: assess(facts) },
  });
  const findings = findingsOf({ failure, diagnostics: [], questions: [] });
  const described = { key, folder, source, name, status: 'failed', failure } as const;
  return { ...described, row, findings, files: new Map() };
}
