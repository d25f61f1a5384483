/**
 * The work of a thread: reads workflows, skips those that are up to date, compiles the others and
 * writes their files. The main thread puts them in place, because it knows which keys are taken.
 */
import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { emptyResult } from '../compiler/ir/result.js';
import { digestOf } from '../io/digest.js';
import { reasonOf } from '../io/files.js';
import { assess } from '../report/assess.js';
import type { RowFacts } from '../report/model.js';
import { findingsOf } from '../report/sarif.js';
import { canonicalJson } from '../text/json.js';
import {
  areAsWritten,
  type Output,
  type ReadRecord,
  type Recorded,
  readRecord,
  stage,
  stageChange,
  writeFault,
} from './folder.js';
import { decoded, type Failure, type Item, parsed, readItem } from './items.js';
import { isOfShard, type Shard, workflowKey, workflowName } from './key.js';
import type { CompileRequest, ReadItem } from './make.js';

/** The options of a run, apart from its sources. */
export interface RunRequest extends CompileRequest {
  /** Writes nothing to the output folder. */
  readonly dry: boolean;
  /** Shows how squads differ from the existing ones. */
  readonly diff: boolean;
  readonly shard: Shard | null;
  /** Whether each workflow gets a page. */
  readonly pages: boolean;
}

export interface WorkSetup extends Output {
  readonly request: RunRequest;
}

/** The outcome for a workflow. */
export interface Outcome extends Pick<Recorded, 'row' | 'findings'> {
  /** Folder with the files to put in place, if there are any. */
  readonly staged?: string;
  readonly diff?: SquadDiff | null;
}

/** How the squad would change. */
export interface SquadDiff {
  readonly what: 'changed' | 'new' | 'outdated';
  /** In the format of `patch` and `git apply`; '' if there is nothing to show. */
  readonly patch: string;
}

export class Work {
  private readonly ofRun: string;
  private staged = 0;

  constructor(private readonly setup: WorkSetup) {
    const { squadc, options, acceptProposals, answers } = setup.request;
    const ofRun = { squadc, options, policies: answers.policies, acceptProposals };
    this.ofRun = digestOf(canonicalJson(ofRun));
  }

  /** The outcomes; null for a workflow of another shard. */
  async do(items: readonly Item[]): Promise<(Outcome | null)[]> {
    const outcomes: (Outcome | null)[] = [];
    for (const item of items) outcomes.push(await this.doOne(item));
    return outcomes;
  }

  private async doOne(item: Item): Promise<Outcome | null> {
    const { request, out } = this.setup;
    const bytes = readItem(item);
    if (!(bytes instanceof Uint8Array)) return unread(item, bytes, request.shard);
    const read = this.read(item, bytes);
    const { key, line } = read;
    if (request.shard !== null && !isOfShard(key, request.shard)) return null;
    const folder = join(out, key);
    try {
      const record = readRecord(folder);
      if (record === null || !this.isCurrent(record, read)) return await this.make(read);
      const { findings } = record;
      const { line: before, ...facts } = record.row;
      const row = { ...(line !== undefined && { line }), ...facts };
      if (before === line || request.dry) return { row, findings };
      // The same result on another line of its file.
      const staged = this.newFolder();
      stageChange(staged, folder, record, { row });
      return { row, findings, staged };
    } catch (error) {
      const isDisk = error instanceof Error && 'syscall' in error;
      const { code, message } = isDisk
        ? writeFault(key, error)
        : { code: 'batch/internal-error', message: reasonOf(error) };
      return failedRow(read, { code, message });
    }
  }

  /** Reads id and name with `JSON.parse`, which judges nothing else. */
  private read({ source, range, line }: Item, bytes: Uint8Array): ReadItem {
    const document = parsed(decoded(bytes) ?? '');
    const key = workflowKey(source, document, range === null ? null : bytes);
    const answers = this.setup.request.answers.workflows.get(key);
    const given = answers === undefined ? '' : canonicalJson(Object.fromEntries(answers));
    const made = digestOf(`${this.ofRun}\0${given}\0${source}\0${hash('sha256', bytes)}`);
    const name = workflowName(document) || null;
    return { key, source, line, name, bytes, run: this.ofRun, made };
  }

  private isCurrent(record: ReadRecord, { key, made }: ReadItem): boolean {
    const { out, request } = this.setup;
    if (record.made !== made || record.row.failure !== undefined) return false;
    if (request.pages && record.files['report.html'] === undefined && !request.dry) return false;
    return areAsWritten(join(out, key), record);
  }

  private async make(read: ReadItem): Promise<Outcome> {
    const { request, out } = this.setup;
    const { makeWorkflow } = await import('./make.js');
    const isShown = request.pages && !request.dry;
    const page = isShown ? (await import('../report/page/page.js')).renderPage : null;
    const { row, findings, files, rest } = makeWorkflow(read, request, page);
    if (request.dry) {
      const diff = request.diff ? await squadDiff(out, read.key, files.get('squad.json')) : null;
      return { row, findings, diff };
    }
    const { run, made } = read;
    const staged = this.newFolder();
    stage(staged, files, { run, made, row, findings }, rest);
    return { row, findings, staged };
  }

  /** The path of a folder that no other has. */
  private newFolder(): string {
    this.staged += 1;
    return join(this.setup.tmp, `${threadId}.${this.staged}`);
  }
}

/** The outcome of an item without text, or of one that kills its thread. */
export function unread(
  { source, line }: Item,
  failure: Failure,
  shard: Shard | null,
): Outcome | null {
  const key = workflowKey(source, undefined, line === undefined ? null : `${line}`);
  if (shard !== null && !isOfShard(key, shard)) return null;
  return failedRow({ key, source, line, name: null }, failure);
}

/** The row of a workflow of which only the place is known, and why. */
export function failedRow(
  { key, source, line, name }: Pick<RowFacts, 'key' | 'source' | 'line' | 'name'>,
  failure: Failure,
): Pick<Outcome, 'row' | 'findings'> {
  const { stats } = emptyResult;
  const facts = { status: 'failed', stats, questions: [], diagnostics: [], ledger: [] } as const;
  const row: RowFacts = {
    ...(line !== undefined && { line }),
    key,
    folder: key,
    source,
    name,
    status: 'failed',
    failure,
    stats,
    errors: 0,
    warnings: 0,
    questions: {},
    assessment: assess(facts),
  };
  return { row, findings: findingsOf({ failure, diagnostics: [], questions: [] }) };
}

async function squadDiff(
  out: string,
  key: string,
  after: string | undefined,
): Promise<SquadDiff | null> {
  const path = join(out, key, 'squad.json');
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  if (before === after) return null;
  if (before === undefined) return { what: 'new', patch: '' };
  if (after === undefined) return { what: 'outdated', patch: '' };
  const { patchOf } = await import('../platform/patch.js');
  return { what: 'changed', patch: patchOf(`${key}/squad.json`, before, after) };
}
