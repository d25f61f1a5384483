/** Folders with the summaries of a run, and of its shards. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { SummaryHead, WorkflowRow } from '../../src/report/model.js';
import { wholeRowText } from '../../src/report/model.js';
import { sarifResult } from '../../src/report/sarif.js';
import { collectFindings, type SarifFinding } from '../../src/report/sarif-findings.js';
import { writeSummaries } from '../../src/report/write-summaries.js';

const head: SummaryHead = { squadc: '1.2.3', options: { target: 'vapi' } };

/** A workflow of a run, with what was found in it. */
export interface RunItem {
  readonly row: WorkflowRow;
  readonly findings: readonly SarifFinding[];
}

/** A new folder, removed after the last test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'squadc-shards-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes the summaries as a run does that did these workflows. */
export async function writeRun(
  folder: string,
  items: readonly RunItem[],
  given: Partial<SummaryHead> = {},
  limit?: number,
): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const found = collectFindings(limit);
  for (const { row, findings } of items) found.add(row, findings);
  await writeSummaries(
    {
      ...head,
      ...given,
      rows: () => items.map(({ row }) => wholeRowText(row)),
      results: Array.from(found.entries(), sarifResult),
      totalResults: found.total,
    },
    (name, pieces) => writeFileSync(join(folder, name), [...pieces].join('')),
  );
  return folder;
}

/** The run in shards, each workflow in the one that is named for it. */
export async function writeShards(
  folder: string,
  items: readonly RunItem[],
  shardOf: (item: RunItem, index: number) => number,
  count: number,
): Promise<string[]> {
  const names = Array.from({ length: count }, (_, at) => join(folder, `shard-${at + 1}`));
  for (const [at, name] of names.entries()) {
    const own = items.filter((item, index) => shardOf(item, index) === at);
    await writeRun(name, own, { shard: { index: at + 1, count } });
  }
  return names;
}
