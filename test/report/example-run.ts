/** A small run as `squadc migrate` leaves it, for tests of what is made of it afterwards. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workflowKey } from '../../src/batch/key.js';
import { subjectOf } from '../../src/batch/settle.js';
import { hideTexts, maskSecrets } from '../../src/compiler/ir/secrets.js';
import { type Answers, compile, type Json, readWorkflow } from '../../src/index.js';
import { assess } from '../../src/report/assess.js';
import type { ResultFile, WorkflowRow } from '../../src/report/model.js';
import { wholeRowText } from '../../src/report/model.js';
import { writeSummaries } from '../../src/report/write-summaries.js';

export interface ExampleWorkflow {
  readonly source: string;
  readonly text: string;
  readonly answers?: Answers;
}

export interface ExampleResult {
  readonly result: ResultFile;
  /** The squad, or the draft. */
  readonly squad: Json;
}

/** The result of one workflow, its secrets masked. */
export function exampleOf({ source, text, answers = {} }: ExampleWorkflow): ExampleResult {
  const { workflow, dialect, diagnostics } = readWorkflow(text);
  const compiled = compile(workflow, { answers });
  const { status, questions, checklist, ledger, reads, sourceMap, stats } = compiled;
  const all = [...diagnostics, ...compiled.diagnostics];
  const found = (workflow as { name?: unknown } | null)?.name;
  const { masked, texts } = maskSecrets(
    { draft: compiled.draft as Json, workflow: workflow as Json },
    new Set(),
  );
  const result: ResultFile = {
    squadc: '0.1.0',
    key: workflowKey(source, workflow, null),
    source,
    name: typeof found === 'string' ? found : null,
    status,
    dialect,
    options: {},
    answers: answers.answers ?? {},
    policies: answers.policies ?? {},
    questions: questions.map((each) => ({ ...each, subject: subjectOf(each, workflow) })),
    diagnostics: all,
    checklist,
    ledger,
    reads,
    sourceMap,
    stats,
    assessment: assess({ status, stats, questions, diagnostics: all, ledger }),
    ...masked,
  };
  return {
    result: hideTexts(result, texts),
    squad: (compiled.output ?? masked.draft) as Json,
  };
}

function rowOf({ result }: ExampleResult, index: number): WorkflowRow {
  const { key, source, name, status, stats, questions, diagnostics, assessment } = result;
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
    questions: kindsOf(questions),
    assessment,
  };
}

function kindsOf(questions: ResultFile['questions']): Record<string, number> {
  const kinds = questions.map(({ kind }) => kind).sort();
  return Object.fromEntries(kinds.map((kind) => [kind, kinds.filter((it) => it === kind).length]));
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
  const texts = rows.map((row, index) => wholeRowText({ ...row, index }));
  const head = { squadc: '0.1.0', options: {} };
  await writeSummaries(
    { ...head, rows: () => texts, results: [], totalResults: 0 },
    (name, pieces) => writeFileSync(join(out, name), [...pieces].join('')),
  );
}
