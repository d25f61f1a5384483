/**
 * A workflow as somebody pastes it → what the page shows of it.
 *
 * In: text of anybody, and the answers so far. Guarantee: what is shown has its secrets hidden, as
 * in the pages of a migration; they stand in `files` alone, which the reader takes.
 */
import {
  type BoundOptions,
  type BoundResult,
  compileBound,
} from '../../adapters/tools/compile-bound.js';
import { isJsonObject } from '../../compiler/ir/json.js';
import { emptyResult } from '../../compiler/ir/result.js';
import { redact } from '../../compiler/ir/secrets.js';
import { type Answer, compile, type Json, readWorkflow, type Target } from '../../index.js';
import type { Tracks } from '../../simulator/squad.js';
import { pictureOfResult } from '../graph/pictures.js';
import type { Markup } from '../html.js';
import { markdownText } from '../markdown-text.js';
import type { ResultFile } from '../model.js';
import { renderBody } from '../page/body.js';
import { planWalks } from '../page/walks.js';
import { resultFileOf } from '../result-file.js';
import { tracksOf } from './walk.js';

export type GivenAnswers = Readonly<Record<string, Answer>>;

export interface LiveInput {
  readonly text: string;
  /** Null where the workflow decides. */
  readonly target: Target | null;
  readonly answers: GivenAnswers;
  /** Version of squadc. */
  readonly squadc: string;
}

export interface Live {
  readonly result: ResultFile;
  readonly body: Markup;
  /** Texts by name of the file: the squad once it is complete, the answers where there are some. */
  readonly files: Readonly<Record<string, string>>;
  /** To walk a call; null while there is no squad. */
  readonly tracks: Tracks | null;
}

export function compileLive({ text, target, answers, squadc }: LiveInput): Live {
  const { workflow, dialect, diagnostics: read } = readWorkflow(text);
  const options: BoundOptions = { answers: { answers }, ...(target && { target }) };
  const isReadable = !read.some(({ severity }) => severity === 'error');
  const made: BoundResult = isReadable ? compileBound(compile, workflow, options) : emptyResult;
  const source = (isReadable ? workflow : null) as Json;
  const result = resultFileOf({
    squadc,
    key: 'playground',
    source: 'pasted',
    name: isJsonObject(source) && typeof source['name'] === 'string' ? source['name'] : null,
    text,
    workflow: source,
    dialect: isReadable ? dialect : null,
    options: target === null ? {} : { target },
    answers,
    policies: {},
    result: made,
    diagnostics: [...read, ...made.diagnostics],
    questions: made.questions.map((each) => ({ ...each, subject: '' })),
  });
  const squad = made.status === 'complete' ? redact(made.output as Json) : result.draft;
  const body = renderBody({
    result,
    squad,
    pictures: pictureOfResult(result, squad),
    walks: planWalks(result),
    home: null,
    files: [],
    isLive: true,
  });
  return { result, body, files: filesOf(made, answers), tracks: tracksOf(workflow, options, made) };
}

function filesOf({ output }: BoundResult, answers: GivenAnswers): Record<string, string> {
  const text = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  const hasAnswers = Object.keys(answers).length > 0;
  return {
    ...(output !== null && { 'squad.json': text(output) }),
    ...(hasAnswers && { 'answers.json': text({ answers }) }),
  };
}

/** What was found and what is open, to be pasted into a ticket. */
export function findingsMarkdown({ name, diagnostics, questions }: ResultFile): string {
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
