/** `result.json` of a workflow, made with the real compiler. */
import { subjectOf } from '../../src/batch/settle.js';
import { type CompileOptions, compile, type Json } from '../../src/index.js';
import type { ResultFile } from '../../src/report/model.js';

export function exampleResultFile(
  workflow: object,
  parts: Partial<ResultFile> = {},
  options: CompileOptions = {},
): ResultFile {
  const result = compile(workflow, options);
  const { name } = workflow as { name?: unknown };
  return {
    squadc: '0.0.0',
    key: 'example-00000000',
    source: 'workflows/example.json',
    name: typeof name === 'string' ? name : null,
    status: result.status,
    dialect: 'spec',
    options: {},
    answers: {},
    policies: {},
    questions: result.questions.map((question) => ({
      ...question,
      subject: subjectOf(question, workflow),
    })),
    diagnostics: result.diagnostics,
    checklist: result.checklist,
    ledger: result.ledger,
    reads: result.reads,
    sourceMap: result.sourceMap,
    stats: result.stats,
    draft: result.draft,
    assessment: { level: 'B', size: 1, minutes: 5, automatic: 0, manual: 0 },
    workflow: workflow as Json,
    ...parts,
  };
}
