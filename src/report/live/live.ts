/**
 * The workflow of a page, compiled again with the answers given there: the text as it was pasted, or
 * what a run has kept. Secrets are masked in all that is shown; only `files` has them.
 */
import { emptyResult } from '../../compiler/ir/result.js';
import { redact } from '../../compiler/ir/secrets.js';
import { type Answer, compile, type Diagnostic, type Json, readWorkflow } from '../../index.js';
import { type BoundOptions, type BoundResult, compileBound } from '../../serve/compile-bound.js';
import { markdownText } from '../../text/escape.js';
import { isObject } from '../../text/json.js';
import { keysOf } from '../../text/pointer.js';
import type { ResultFile } from '../model.js';
import { renderBody } from '../page/body.js';
import type { Session } from '../page/page.js';
import { isTokenized, resultFileOf } from '../result-file.js';
import { tracksOf } from './walk.js';

/** Answers given on the page, with the texts of their questions, by id. */
export type GivenAnswers = Readonly<Record<string, Answer & { readonly text: string }>>;

/** The workflow that a run has kept, or a text that somebody pasted. */
export type LiveInput = Session & { readonly text?: string };

/** What the playground compiles. */
export function pastedInput(text: string, squadc: string, target: string): LiveInput {
  const options: BoundOptions = target === 'squad' || target === 'vapi' ? { target } : {};
  const nothing = { policies: {}, answers: {}, questions: [], diagnostics: [], workflow: null };
  const about = { key: 'playground', source: 'pasted', name: null, dialect: null } as const;
  const result = { ...about, ...nothing, squadc, status: 'invalid' as const, options };
  return { text, result, home: null, files: [] };
}

export type Live = ReturnType<typeof compileLive>;

export function compileLive(input: LiveInput, given: GivenAnswers) {
  const { result: known, text: pasted } = input;
  const text = pasted ?? JSON.stringify(known.workflow);
  const { workflow, dialect, diagnostics: read } = readWorkflow(text);
  const isReadable = !read.some(({ severity }) => severity === 'error');
  const subjects = new Map(known.questions.map(({ id, subject }) => [id, subject]));
  const added = Object.fromEntries(
    Object.entries(given).map(([id, { text: _, ...answer }]) => {
      const subject = subjects.get(id);
      return [id, { ...answer, ...(subject !== undefined && { subject }) }] as const;
    }),
  );
  const answers: ResultFile['answers'] = { ...known.answers, ...added };
  // The compiler knows no subjects.
  const plain = Object.entries(answers).map(([id, { subject: _, ...rest }]) => [id, rest] as const);
  const options: BoundOptions = {
    ...known.options,
    answers: { answers: Object.fromEntries(plain), policies: known.policies },
  };
  const made: BoundResult = isReadable ? compileBound(compile, workflow, options) : emptyResult;
  const source = workflow as Json;
  const own = isObject(source) ? source['name'] : null;
  // The lines of a kept workflow are those of its source, which is not here.
  const places = new Map(
    known.diagnostics.flatMap((each) => ('line' in each ? [[each.at, each] as const] : [])),
  );
  const diagnostics = [...read, ...made.diagnostics].map((each) => {
    const place = each.in === undefined ? places.get(each.at) : undefined;
    return place === undefined ? each : { ...each, line: place.line, column: place.column };
  });
  const result = resultFileOf({
    ...known,
    name: known.name ?? (typeof own === 'string' ? own : null),
    text: pasted ?? '',
    workflow: source,
    dialect,
    answers,
    result: made,
    diagnostics,
    questions: made.questions.map((each) => ({ ...each, subject: subjects.get(each.id) ?? '' })),
  });
  const { squad } = redact({ workflow: source, squad: (made.output as Json) ?? result.draft });
  // A squad with tokens would not work.
  const isWhole = made.output !== null && !isTokenized(made.output);
  // By name: the squad if it is complete, the answers if there are any.
  const files: Readonly<Record<string, string>> = {
    ...(isWhole && { 'squad.json': textOf(made.output) }),
    ...answersFile(input, added),
    'findings.md': findingsMarkdown(result),
  };
  const body = renderBody({
    result,
    squad,
    hasTokens: isTokenized([text, known.options]),
    home: input.home,
    files: input.files,
    given: Object.values(given),
    downloads: Object.keys(files),
  });
  return {
    result,
    body,
    files,
    // For a walk through a call; null while there is no squad.
    tracks: () => tracksOf(workflow, options, made),
    // What is wrong with answers, by the id of the question.
    refused: refusedIn(made.diagnostics),
  };
}

function textOf(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** For `squadc compile`, or with the key for a run; none without answers. */
function answersFile({ home, result: { key } }: LiveInput, answers: ResultFile['answers']) {
  if (Object.keys(answers).length === 0) return {};
  if (home === null) return { 'answers.json': textOf({ answers }) };
  return { [`${key}.answers.json`]: textOf({ policies: {}, workflows: { [key]: { answers } } }) };
}

/** An answer is at `/answers/<id>`. */
function refusedIn(diagnostics: readonly Diagnostic[]): Map<string, string> {
  const wrong = diagnostics.filter((each) => each.severity === 'error' && each.in === 'answers');
  return new Map(
    wrong.map(({ at, message }) => {
      const [, id = ''] = keysOf(at);
      return [id, message];
    }),
  );
}

/** Findings and open questions, for a ticket. */
function findingsMarkdown({ name, diagnostics, questions }: ResultFile): string {
  const found = diagnostics.map(
    ({ severity, code, message }) => `- **${severity}** \`${code}\`: ${markdownText(message)}\n`,
  );
  const open = questions.map(({ kind, text }) => `- \`${kind}\`: ${markdownText(text)}\n`);
  return [
    `# ${markdownText(name ?? 'Workflow')}\n`,
    ...(open.length > 0 ? ['\n## Open questions\n\n', ...open] : []),
    '\n## Findings\n\n',
    ...(found.length > 0 ? found : ['None.\n']),
  ].join('');
}
