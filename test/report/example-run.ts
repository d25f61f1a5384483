/** A small run as `squadc migrate` leaves it, for tests of what is made of it afterwards. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { workflowKey } from '../../src/batch/key.js';
import { subjectOf } from '../../src/batch/settle.js';
import { type CompileOptions, compile, type Json, readWorkflow } from '../../src/index.js';
import { type ResultFile, rowText, type WorkflowRow } from '../../src/report/model.js';
import { resultFileOf } from '../../src/report/result-file.js';
import { SarifResults } from '../../src/report/sarif.js';
import { writeReport } from '../../src/report/write-report.js';
import { writeSummaries } from '../../src/report/write-summaries.js';

export interface ExampleWorkflow {
  readonly source: string;
  readonly text: string;
  readonly options?: CompileOptions;
  /** What the file says instead. */
  readonly parts?: Partial<ResultFile>;
}

export interface ExampleResult {
  readonly result: ResultFile;
  /** The squad, or the draft. */
  readonly squad: Json;
}

/** The result of one workflow, its secrets masked. */
export function exampleOf({ source, text, options = {}, parts }: ExampleWorkflow): ExampleResult {
  const { workflow, dialect, diagnostics } = readWorkflow(text);
  const compiled = compile(workflow, options);
  const name = (workflow as { name?: unknown } | null)?.name;
  const result = resultFileOf({
    squadc: '0.1.0',
    key: workflowKey(source, workflow, null),
    source,
    name: typeof name === 'string' ? name : null,
    text,
    workflow: workflow as Json,
    dialect,
    options: {},
    answers: options.answers?.answers ?? {},
    policies: options.answers?.policies ?? {},
    result: compiled,
    diagnostics: [...diagnostics, ...compiled.diagnostics],
    questions: compiled.questions.map((each) => ({ ...each, subject: subjectOf(each, workflow) })),
  });
  return { result: { ...result, ...parts }, squad: (compiled.output ?? result.draft) as Json };
}

function rowOf({ result }: ExampleResult, index: number): WorkflowRow {
  const { key, source, name, status, stats, questions, diagnostics, assessment } = result;
  const kinds = questions.map(({ kind }) => kind).sort();
  const count = (wanted: string) =>
    diagnostics.filter(({ severity }) => severity === wanted).length;
  return {
    index,
    key,
    folder: key,
    source,
    name,
    status,
    stats,
    errors: count('error'),
    warnings: count('warning'),
    questions: Object.fromEntries(
      kinds.map((kind) => [kind, kinds.filter((it) => it === kind).length]),
    ),
    assessment,
  };
}

/** Writes the run into the folder; rows that have no result come after those that have one. */
export async function putRun(
  out: string,
  workflows: readonly ExampleWorkflow[],
  others: readonly WorkflowRow[] = [],
): Promise<ExampleResult[]> {
  const examples = workflows.map(exampleOf);
  for (const { result, squad } of examples) {
    mkdirSync(join(out, result.key), { recursive: true });
    writeFileSync(join(out, result.key, 'result.json'), JSON.stringify(result));
    if (result.status !== 'complete') continue;
    writeFileSync(join(out, result.key, 'squad.json'), JSON.stringify(squad));
  }
  await putSummary(out, [...examples.map(rowOf), ...others]);
  return examples;
}

export async function putSummary(out: string, rows: readonly WorkflowRow[]): Promise<void> {
  const texts = rows.map(({ index: _, line, ...row }, index) => rowText(row, index, line));
  mkdirSync(out, { recursive: true });
  await writeSummaries(
    { squadc: '0.1.0', options: {}, rows: texts, results: new SarifResults() },
    (name, text) => writeFileSync(join(out, name), text),
  );
}

/** Writes the pages of a run into its folder; the result is their texts by path. */
export async function putPages(out: string): Promise<Map<string, string>> {
  const written = new Map<string, string>();
  await writeReport(out, {
    pages: 'all',
    writeFile(path, text) {
      written.set(path, text);
      mkdirSync(dirname(join(out, path)), { recursive: true });
      writeFileSync(join(out, path), text);
      return 'written';
    },
  });
  return written;
}
