/**
 * Puts the summaries of the shards of a run together: what a run of one machine would have written.
 *
 * In: the output folders of the shards. The rows of each are in the order of the input, so the next
 * row of the run is always the lowest of the next ones of the shards; nothing is sorted or held.
 *
 * Refused, all of it with the reason: files of different versions or options, a workflow that is in
 * two of them, and a shard or a workflow that is in none, because a summary that lacks some would
 * look like one that is whole.
 */
import { join } from 'node:path';
import { validateRunSummary } from '../schemas/validators.generated.js';
import { inTurn, type Turn } from './in-turn.js';
import { CannotMerge, checkHeads, type Head, type Part } from './merge-parts.js';
import type { Totals, WorkflowRow } from './model.js';
import { type ListedFile, readSarif, readSummary } from './read-summary.js';
import type { SarifResult } from './sarif.js';
import { mostResults } from './sarif-findings.js';
import { type SummaryInput, type WritePieces, writeSummaries } from './write-summaries.js';

/** Where a part of the run is, and under which name messages show it. */
export interface ShardFolder {
  readonly path: string;
  readonly name: string;
}

/** Checks all parts before the first file is written. */
export async function mergeSummaries(
  folders: readonly ShardFolder[],
  write: WritePieces,
): Promise<Totals> {
  const parts = folders.map(readPart);
  checkHeads(parts);
  checkRows(parts);
  return writeSummaries(inputOf(parts), write);
}

function readPart({ path, name }: ShardFolder): Part {
  const summary = readSummary(join(path, 'summary.json'));
  const head = summary.head as unknown as Head;
  if (!validateRunSummary({ ...head, workflows: [] })) throw notValid(name);
  return { name, head, summary, sarif: readSarif(join(path, 'summary.sarif')) };
}

function notValid(name: string): CannotMerge {
  const [fault] = validateRunSummary.errors ?? [];
  const where = fault === undefined ? '' : ` (${fault.instancePath || '/'}: ${fault.message})`;
  return new CannotMerge(`the summary in ${name} has another form than squadc writes${where}`);
}

/** Every workflow once, from the first on. */
function checkRows(parts: readonly Part[]): void {
  const keys = new Map<string, string>();
  let next = 0;
  for (const { text, name } of merged(parts)) {
    const row = validRow(text, name);
    if (row.index > next) {
      throw new CannotMerge(`the workflow with index ${next} is in none of the summaries`);
    }
    if (row.index < next) {
      throw new CannotMerge(
        `the workflow with index ${row.index} is there twice, again in ${name}`,
      );
    }
    next += 1;
    // One that failed because of its key shares it with the one that was done.
    if (row.failure?.code === 'batch/same-key') continue;
    const twin = keys.get(row.key);
    if (twin !== undefined) {
      throw new CannotMerge(`the workflow ${row.key} is both in ${twin} and in ${name}`);
    }
    keys.set(row.key, name);
  }
}

const emptyHead: Omit<Head, 'shard'> = {
  squadc: '',
  options: {},
  totals: {
    workflows: 0,
    byStatus: { complete: 0, 'needs-answers': 0, invalid: 0, failed: 0 },
    byLevel: { A: 0, B: 0, C: 0 },
    questions: {},
    nodes: 0,
    assistants: 0,
    minutes: 0,
    errors: 0,
    warnings: 0,
  },
};

function validRow(text: string, name: string): WorkflowRow {
  const row = parsed(text, name);
  if (!validateRunSummary({ ...emptyHead, workflows: [row] })) throw notValid(name);
  return row as WorkflowRow;
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CannotMerge(`a summary in ${name} has a line that is not JSON`);
  }
}

function inputOf(parts: readonly Part[]): SummaryInput {
  const { squadc, options } = parts[0]!.head;
  return {
    squadc,
    options,
    *rows() {
      for (const { text } of merged(parts)) yield text;
    },
    results: resultsOf(parts),
    totalResults: parts.reduce((sum, { sarif, name }) => sum + totalOf(sarif, name), 0),
  };
}

function totalOf({ head }: ListedFile, name: string): number {
  const { results } = (head.properties ?? {}) as { readonly results?: unknown };
  if (typeof results === 'number' && Number.isInteger(results) && results >= 0) return results;
  throw new CannotMerge(`summary.sarif in ${name} does not say how many results there were`);
}

function merged(parts: readonly Part[]): Generator<Turn> {
  return inTurn(
    parts.map(function* ({ summary, name }): Generator<Turn> {
      for (const text of summary.items) yield { text, name, rank: 0, index: indexIn(text, name) };
    }),
  );
}

/** The place stands in front of a row, so that it need not be parsed to be put in order. */
function indexIn(text: string, name: string): number {
  const index = /^\{"index":(\d{1,15})[,}]/.exec(text)?.[1];
  if (index !== undefined) return Number(index);
  throw new CannotMerge(`summary.json in ${name} has a row without its index in front`);
}

const ranks = new Map([
  ['error', 0],
  ['warning', 1],
  ['note', 2],
]);

/** By the same order and limit as in one run: what a shard left out, the run would have, too. */
function* resultsOf(parts: readonly Part[]): Generator<SarifResult> {
  const turns = parts.map(function* ({ sarif, name }): Generator<Turn & SarifResult> {
    for (const text of sarif.items) yield { ...resultTurn(text, name), text, name };
  });
  let left = mostResults;
  for (const { ruleId, text } of inTurn(turns)) {
    if (left === 0) return;
    left -= 1;
    yield { ruleId, text };
  }
}

function resultTurn(text: string, name: string) {
  const result = parsed(text, name) as {
    readonly ruleId?: unknown;
    readonly level?: unknown;
    readonly properties?: { readonly index?: unknown };
  } | null;
  const rank = ranks.get(String(result?.level));
  const { ruleId, properties } = result ?? {};
  if (rank !== undefined && typeof ruleId === 'string' && typeof properties?.index === 'number') {
    return { rank, ruleId, index: properties.index };
  }
  throw new CannotMerge(`summary.sarif in ${name} has a result of another form`);
}
