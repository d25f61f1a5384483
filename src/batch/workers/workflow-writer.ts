/**
 * Writes the files of workflows, and says in the journal what was written.
 *
 *     temporary files ─▶ plan lines ─▶ renames ─▶ done lines
 *
 * Killed after the plan lines, the next run knows that files that it finds may be ours. What cannot
 * be written fails its workflow; the others have their files.
 */
import { join } from 'node:path';
import { verdictOf, type WriteFault, writeFault } from '../faults.js';
import type { Known } from '../journal/known.js';
import {
  type DoneRecord,
  doneLine,
  type JournalRecord,
  keyOf,
  noContent,
  planLine,
} from '../journal/records.js';
import { JournalWriter, type LinePlace } from '../journal/writer.js';
import type { OutcomeBuilder } from '../outcomes/outcome-builder.js';
import { OutputWriter, type PlannedFiles } from '../output/output-writer.js';
import { madeBy, type RunSetup } from '../setup.js';
import { failedWorkflow, fileNames, type MadeWorkflow } from '../workflow/made-workflow.js';
import { squadDiff } from '../workflow/squad-diff.js';

/** A workflow whose temporary files are written, where it has any. */
export interface PlannedWorkflow {
  /** Number of the item in its block. */
  readonly index: number;
  readonly content: string;
  readonly workflow: MadeWorkflow;
  readonly plan: PlannedFiles | null;
}

export class WorkflowWriter {
  readonly journal: JournalWriter;
  private readonly output: OutputWriter;

  constructor(
    private readonly setup: RunSetup,
    private readonly known: Known,
    thread: number,
  ) {
    const { state, out, durable, force, firstJournal } = setup;
    const number = `${firstJournal + thread}`;
    this.journal = new JournalWriter(join(state, 'journal', `${number}.jsonl`), durable);
    const temporary = join(state, 'tmp');
    this.output = new OutputWriter({ out, temporary, prefix: number, durable, force });
  }

  /** Writes the temporary files. */
  plan(
    index: number,
    content: string,
    workflow: MadeWorkflow,
    { notes }: OutcomeBuilder,
  ): PlannedWorkflow {
    const { folder, key, files: texts } = workflow;
    if (this.setup.dry || texts.size === 0) return { index, content, workflow, plan: null };
    const gone = fileNames.filter((name) => !texts.has(name));
    try {
      const records = [...this.known.byKey(key), ...this.pagesOf(key, folder)];
      const plan = this.output.plan({ folder, texts, gone, stale: ['report.html'] }, records);
      notes.push(...plan.kept.map((path) => `kept, though outdated, as it was changed: ${path}`));
      return { index, content, workflow, plan };
    } catch (error) {
      return { index, content: noContent, workflow: this.failed(workflow, error), plan: null };
    }
  }

  /** Puts the files of a block in place. */
  commit(planned: readonly PlannedWorkflow[], outcome: OutcomeBuilder): void {
    const lines = this.announce(planned).map((each) => this.commitOne(each, outcome));
    const places = this.append(lines);
    for (const [at, { index }] of planned.entries()) {
      const place = places instanceof Error ? undefined : places[at];
      if (place === undefined) outcome.putUnwritten(index, lines[at] as string);
      else outcome.putOwn(index, place);
    }
  }

  close(): void {
    this.journal.close();
  }

  /** What is known of files that were made of the workflow's, where it is and where it was. */
  private pagesOf(key: string, folder: string): JournalRecord[] {
    const before = this.known.lastDone(key)?.record.folder ?? folder;
    return [...new Set([folder, before])].flatMap((each) => this.known.byKey(keyOf(each)));
  }

  /**
   * Says in the journal what is about to be put in place. On a full disk, workflows give way until
   * there is room for the lines of the others.
   */
  private announce(planned: readonly PlannedWorkflow[]): PlannedWorkflow[] {
    const all = [...planned];
    for (let count = all.length; count > 0; count = Math.floor(count / 2)) {
      const written = this.append(all.slice(0, count).flatMap(planLineOf));
      if (!(written instanceof Error)) break;
      for (let at = Math.floor(count / 2); at < count; at += 1) {
        all[at] = this.givenUp(all[at] as PlannedWorkflow, written);
      }
    }
    return all;
  }

  private givenUp(planned: PlannedWorkflow, fault: WriteFault): PlannedWorkflow {
    const { plan, workflow } = planned;
    if (plan === null) return planned;
    this.output.discard(plan);
    return { ...planned, content: noContent, workflow: this.failed(workflow, fault), plan: null };
  }

  /** Puts the files of one in place; the result is its line. */
  private commitOne(planned: PlannedWorkflow, outcome: OutcomeBuilder): string {
    const { workflow, content, plan } = planned;
    if (plan === null) return this.line(content, workflow, {}, outcome);
    const { files, removed, fault } = this.output.commit(plan);
    outcome.removed(removed, this.setup.pages);
    if (fault === null) return this.line(content, workflow, files, outcome);
    return this.line(noContent, this.failed(workflow, fault), files, outcome);
  }

  private line(
    content: string,
    workflow: MadeWorkflow,
    written: DoneRecord['files'],
    outcome: OutcomeBuilder,
  ): string {
    const { key, folder, source, status, failure, row, findings } = workflow;
    const { setup } = this;
    outcome.count({ status, failure: failure?.code, folder, source }, setup.failFast);
    const isTrusted = failure === undefined || failure.code === 'batch/same-key';
    const diff = setup.diff ? squadDiff(setup.out, workflow) : null;
    return doneLine(
      {
        content: isTrusted ? content : noContent,
        key,
        folder,
        made: madeBy(setup.made, key),
        status,
        ...(failure && { failure: failure.code }),
        source,
        files: { ...(failure && this.filesBefore(workflow)), ...written },
      },
      { row, findings, ...(diff && { diff }) },
    );
  }

  /** Files of ours stay ours where their workflow has failed. */
  private filesBefore({ key, folder }: MadeWorkflow): DoneRecord['files'] {
    const before = this.known.lastDone(key)?.record;
    return before?.folder === folder ? before.files : {};
  }

  private failed(workflow: MadeWorkflow, error: unknown): MadeWorkflow {
    return failedWorkflow(workflow, verdictOf(error), this.setup.spread);
  }

  /** Where the lines are; why not, where the journal cannot be written. */
  private append(lines: readonly string[]): readonly LinePlace[] | WriteFault {
    try {
      return this.journal.append(lines);
    } catch (error) {
      return writeFault('.squadc/journal', error);
    }
  }
}

function planLineOf({ workflow: { key }, plan }: PlannedWorkflow): string[] {
  return plan === null ? [] : [planLine({ key, folder: plan.folder, files: plan.files })];
}
