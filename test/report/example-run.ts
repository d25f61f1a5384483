/** Results and summaries as `squadc migrate` writes them, and texts that try to be more than texts. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { workflowKey } from '../../src/batch/key.js';
import { subjectOf } from '../../src/batch/settle.js';
import {
  type CompileOptions,
  compile,
  type Json,
  type JsonObject,
  readWorkflow,
} from '../../src/index.js';
import type { ResultFile, WorkflowRow } from '../../src/report/model.js';
import { resultFileOf } from '../../src/report/result-file.js';
import { SarifResults } from '../../src/report/sarif.js';
import { writeSummaries } from '../../src/report/summaries.js';
import { compareFiles, wantsUpdate, writeFiles } from '../golden/compare.js';

export function goldenText(name: string): string {
  return readFileSync(`golden/${name}/input.json`, 'utf8');
}

/** Compares files with test/report/expected; UPDATE_GOLDENS=1 writes them: read the difference. */
export function expectFiles(name: string, given: Readonly<Record<string, string>>): void {
  const folder = join('test/report/expected', name);
  const files = new Map(Object.entries(given));
  if (wantsUpdate(process.env)) writeFiles(folder, files);
  compareFiles(folder, files);
}

export interface ExampleResult {
  readonly result: ResultFile;
  /** The squad, or the draft. */
  readonly squad: Json;
}

/** The result of a workflow, its secrets masked. */
export function exampleOf(
  text: string,
  source = 'workflows/example.json',
  options: CompileOptions = {},
): ExampleResult {
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
  return { result, squad: (compiled.output ?? result.draft) as Json };
}

/** A complete workflow that needs nobody, but for what is given. */
export function rowWith(given: Partial<WorkflowRow> = {}): WorkflowRow {
  const counts = { nodes: 6, edges: 5, assistants: 3, handoffs: 2, extractions: 1, tools: 0 };
  return {
    index: 0,
    key: 'clinic-00c0ffee',
    folder: 'clinic-00c0ffee',
    source: 'flows/clinic.json',
    name: 'Clinic',
    status: 'complete',
    stats: { ...counts, questions: 0 },
    errors: 0,
    warnings: 0,
    questions: {},
    assessment: { level: 'A', size: 1, minutes: 5, automatic: 11, manual: 0 },
    ...given,
  };
}

/** The row of a result in the summary. */
export function rowOf(result: ResultFile, index: number): WorkflowRow {
  const { key, source, name, status, stats, assessment } = result;
  const questions = Object.fromEntries(result.questions.map(({ kind }) => [kind, 1]));
  return rowWith({ index, key, folder: key, source, name, status, stats, questions, assessment });
}

export async function putSummary(out: string, rows: readonly WorkflowRow[]): Promise<void> {
  const indexed = rows.map((row, index) => ({ ...row, index }));
  mkdirSync(out, { recursive: true });
  await writeSummaries(
    { squadc: '0.1.0', options: {}, rows: indexed, results: new SarifResults() },
    (name, text) => writeFileSync(join(out, name), text),
  );
}

/** Texts that try to be something else: formulas, Markdown, markup, controls. */
export const hostileTexts = [
  ...['=HYPERLINK("https://example.test","x")', '+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1', '\n=1'],
  ...['\uff1dcmd', 'a,b;c "quoted"', 'two\r\nlines', '| a | b |', '\\| a', '`code` ``more``'],
  ...[
    '<script>alert(1)</script>',
    '[link](javascript:alert(1))',
    '![x](https://example.test/x.png)',
  ],
  ...['https://example.test www.example.test me@example.test', '&lt;b&gt; &#124;', '# heading'],
  ...['\u202eright to left\u202c', '\u001b[31mred\u001b[0m \u0000 \u0007', '- item', '1. item'],
  ...['__proto__', 'constructor', '{0} {{name}}', '診療所の受付 🏥', 'half \ud800', '', '   '],
];

export const hostileText = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.string({ unit: 'binary', maxLength: 30 }),
);

const script = '<script>window.ran = 1</script>';
const image = '"><img src=x onerror="window.ran = 2">';
const close = '</title></style></svg></script><script>window.ran = 3</script>';
const ending = '--></textarea></template><svg onload="window.ran = 4">';

/** A workflow every text of which tries to be markup, script, or a part of an object. */
export const hostileWorkflow: JsonObject = {
  name: `${script}${image}'"&lt;\u202e`,
  nodes: [
    {
      id: 'valueOf',
      name: image,
      type: 'conversation',
      firstMessage: close,
      systemPrompt: `${script}\n${ending}\njavascript:window.ran=5 {{hasOwnProperty}}`,
      extractVariables: [
        { name: 'hasOwnProperty', type: 'string', description: close, enum: [image, script] },
      ],
    },
    { id: script, type: 'conversation', systemPrompt: `{{toString}} ${image}` },
    { id: image, type: 'conversation', systemPrompt: `${close} {{hasOwnProperty}}` },
    { id: "' onmouseover='window.ran=6", type: 'transferCall', message: ending },
    { id: 'javascript:window.ran=7', type: 'endCall', firstMessage: image },
    { id: ending, type: 'apiRequest', name: close },
  ],
  edges: [
    { from: 'valueOf', to: script, condition: `${image} == "a"` },
    { from: 'valueOf', to: image, condition: close },
    { from: script, to: image, condition: script },
    { from: image, to: script, condition: ending },
    { from: script, to: "' onmouseover='window.ran=6", condition: image },
    { from: image, to: 'javascript:window.ran=7' },
    { from: image, to: ending, condition: '\u2028\u2029\0\u001b' },
  ],
  [`unknown ${script}`]: image,
};
