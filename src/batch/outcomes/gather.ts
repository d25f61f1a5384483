/**
 * Takes from the lines of a run what its summaries need beside the rows: the findings for SARIF, and
 * why workflows failed. Lines come in the order of the input, while the threads are still at work.
 */

import type { RowFacts } from '../../report/row-text.js';
import { type SarifResult, sarifResult } from '../../report/sarif.js';
import { collectFindings, mostResults } from '../../report/sarif-findings.js';
import { countsOfLine, type LineContents, type SquadDiff } from '../journal/records.js';
import type { PlacedLine } from './outcomes.js';

/** A line, as far as it is looked at. */
interface Looked extends Pick<LineContents, 'findings' | 'diff'> {
  readonly row: RowFacts;
}

export class Gathering {
  /** How many workflows failed, by code. */
  readonly failures = new Map<string, number>();
  readonly diffs: SquadDiff[] = [];
  /** How many findings there are, those that are not held among them. */
  total = 0;
  private readonly findings = collectFindings();

  constructor(private readonly wantsDiffs: boolean) {}

  add({ index, line, bytes }: PlacedLine): void {
    const [errors, warnings, infos] = countsOfLine(bytes);
    const isFull = this.total >= mostResults;
    this.total += errors + warnings + infos;
    // A failure is an error too. Of a full list, what is no more than a note needs no look.
    if (errors + warnings === 0 && (isFull || infos === 0) && !this.wantsDiffs) return;
    const { row, findings, diff }: Looked = JSON.parse(bytes.toString());
    const { key, source, name, failure } = row;
    this.findings.add({ index, key, source, name, ...(line && { line }) }, findings);
    if (diff !== undefined) this.diffs.push(diff);
    if (failure === undefined) return;
    this.failures.set(failure.code, (this.failures.get(failure.code) ?? 0) + 1);
  }

  results(): SarifResult[] {
    return Array.from(this.findings.entries(), sarifResult);
  }
}
