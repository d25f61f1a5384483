/**
 * The work of a thread: reads workflows, skips those that are up to date, compiles the others and
 * writes their files. The main thread puts them in place, because it knows which keys are taken.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { emptyResult } from '../compiler/ir/result.js';
import { assess } from '../report/assess.js';
import type { RowFacts, Shard } from '../report/model.js';
import { findingsOf } from '../report/sarif.js';
import {
  areAsWritten,
  type Files,
  type Output,
  type ReadRecord,
  type Recorded,
  readRecord,
  readRest,
  stage,
  writeFault,
} from './folder.js';
import { type Failure, type Item, readItem } from './items.js';
import { isOfShard, workflowKey, workflowName } from './key.js';
import type { CompileRequest, ReadItem } from './make.js';
import { canonicalJson, digestOf, reasonOf } from './values.js';

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
export interface Outcome extends Pick<Recorded, 'row' | 'findings' | 'line'> {
  /** Folder with the files to put in place, if there are any. */
  readonly staged?: string;
  /** Whether only its place is known. */
  readonly isUnread?: true;
  readonly diff?: SquadDiff;
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
    const place = line === undefined ? {} : { line };
    try {
      const record = readRecord(join(out, key));
      if (record === null || !this.isCurrent(record, read)) {
        return { ...(await this.make(read)), ...place };
      }
      const { row, findings } = record;
      if (record.line === line || request.dry) return { row, findings, ...place };
      // The same result on another line of its file.
      const { line: _, ...before } = record;
      const rest = readRest(join(out, key), record);
      const staged = this.stage(new Map(), { ...before, ...place }, rest, record.files);
      return { row, findings, ...place, staged };
    } catch (error) {
      const isDisk = error instanceof Error && 'syscall' in error;
      const { code, message } = isDisk
        ? writeFault(key, error)
        : { code: 'batch/internal-error', message: reasonOf(error) };
      return { ...failedRow(read, { code, message }), ...place };
    }
  }

  /** Reads id and name with `JSON.parse`, which judges nothing else. */
  private read({ source, range, line }: Item, bytes: Uint8Array): ReadItem {
    const document = parsed(bytes);
    const key = workflowKey(source, document, range === null ? null : bytes);
    const answers = this.setup.request.answers.workflows.get(key);
    const given = answers === undefined ? '' : canonicalJson(Object.fromEntries(answers));
    const made = digestOf(`${this.ofRun}\0${given}\0${source}\0${hash('sha256', bytes)}`);
    const name = workflowName(document) || null;
    const place = line === undefined ? {} : { line };
    return { key, source, name, bytes, run: this.ofRun, made, ...place };
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
    const page = isShown ? (await import('../report/write-report.js')).renderResult : null;
    const { row, findings, files, rest } = makeWorkflow(read, request, page);
    if (!request.dry) {
      const { run, made, line } = read;
      const place = line === undefined ? {} : { line };
      const staged = this.stage(files, { run, made, ...place, row, findings }, rest);
      return { row, findings, staged };
    }
    const diff = request.diff ? await squadDiff(out, read.key, files.get('squad.json')) : null;
    return { row, findings, ...(diff && { diff }) };
  }

  /** Writes the files into a new folder and returns its path. */
  private stage(files: Files, recorded: Recorded, rest: string, others?: ReadRecord['files']) {
    this.staged += 1;
    const folder = join(this.setup.tmp, `${threadId}.${this.staged}`);
    stage(folder, files, recorded, rest, others);
    return folder;
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
  const row = failedRow({ key, source, name: null }, failure);
  return { ...row, isUnread: true, ...(line !== undefined && { line }) };
}

/** The row of a workflow of which only the place is known, and why. */
export function failedRow(
  { key, source, name }: Pick<RowFacts, 'key' | 'source' | 'name'>,
  failure: Failure,
): Pick<Outcome, 'row' | 'findings'> {
  const { stats } = emptyResult;
  const facts = { status: 'failed', stats, questions: [], diagnostics: [], ledger: [] } as const;
  const row: RowFacts = {
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

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

async function squadDiff(
  out: string,
  key: string,
  after: string | undefined,
): Promise<SquadDiff | null> {
  let before: string | undefined;
  try {
    before = readFileSync(join(out, key, 'squad.json'), 'utf8');
  } catch {
    // There is no readable record.
  }
  if (before === after) return null;
  if (before === undefined) return { what: 'new', patch: '' };
  if (after === undefined) return { what: 'outdated', patch: '' };
  const { patchOf } = await import('../platform/patch.js');
  return { what: 'changed', patch: patchOf(`${key}/squad.json`, before, after) };
}
