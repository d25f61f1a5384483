/**
 * The workflow of a page, compiled again with the answers given there. As in the files of a migration,
 * secrets are masked in all that is shown; only `files` has them.
 */
import {
  type BoundOptions,
  type BoundResult,
  compileBound,
} from '../../adapters/tools/compile-bound.js';
import { isJsonObject } from '../../compiler/ir/json.js';
import { emptyResult } from '../../compiler/ir/result.js';
import { hidden, redact } from '../../compiler/ir/secrets.js';
import { type Answer, compile, type Diagnostic, type Json, readWorkflow } from '../../index.js';
import type { Tracks } from '../../simulator/squad.js';
import { drawPictures } from '../graph/pictures.js';
import type { Markup } from '../html.js';
import { markdownText } from '../markdown-text.js';
import type { ResultFile } from '../model.js';
import { renderBody } from '../page/body.js';
import type { Session } from '../page/page.js';
import { resultFileOf } from '../result-file.js';
import { tracksOf } from './walk.js';

export type GivenAnswers = Readonly<Record<string, Answer & { readonly text: string }>>;

/** Pasted text, or the workflow that a run has kept. */
export type LiveInput = Omit<Session, 'workflow'> &
  ({ readonly text: string } | Pick<Session, 'workflow'>);

export interface Live {
  readonly result: ResultFile;
  readonly body: Markup;
  /** Texts by file name: the squad if it is complete, the answers if there are any. */
  readonly files: Readonly<Record<string, string>>;
  /** For a walk through a call; null while there is no squad. */
  readonly tracks: () => Tracks | null;
  /** What is wrong with answers, by the id of the question. */
  readonly refused: ReadonlyMap<string, string>;
}

export function compileLive(input: LiveInput, given: GivenAnswers): Live {
  const isPasted = 'text' in input;
  const text = isPasted ? input.text : JSON.stringify(input.workflow);
  const { workflow, dialect, diagnostics: read } = readWorkflow(text);
  const isReadable = !read.some(({ severity }) => severity === 'error');
  const added = Object.entries(given).map(([id, { text: _, ...answer }]) => [id, answer] as const);
  const answers: Session['answers'] = { ...input.answers, ...Object.fromEntries(added) };
  // The compiler knows no subjects.
  const plain = Object.entries(answers).map(([id, { subject: _, ...rest }]) => [id, rest] as const);
  const options: BoundOptions = {
    ...input.options,
    answers: { answers: Object.fromEntries(plain), policies: input.policies },
  };
  const made: BoundResult = isReadable ? compileBound(compile, workflow, options) : emptyResult;
  const source = (isReadable ? workflow : null) as Json;
  const own = isJsonObject(source) ? source['name'] : null;
  const result = resultFileOf({
    squadc: input.squadc,
    key: input.key,
    source: input.source,
    name: input.name ?? (typeof own === 'string' ? own : null),
    // The lines of a kept workflow are not those of its source, which `places` has.
    text: isPasted ? text : '',
    workflow: source,
    dialect: isReadable ? dialect : null,
    options: input.options,
    answers,
    policies: input.policies,
    result: made,
    diagnostics: placed([...read, ...made.diagnostics], input.places),
    questions: made.questions.map((each) => ({
      ...each,
      subject: Object.hasOwn(input.subjects, each.id) ? input.subjects[each.id]! : '',
    })),
  });
  const squad = made.status === 'complete' ? redact(made.output as Json) : result.draft;
  const isMasked = !isPasted && text.includes(hidden);
  const files = filesOf(input, made, given, isMasked);
  const body = renderBody({
    result,
    squad,
    pictures: drawPictures(result, squad),
    home: input.home,
    files: input.files,
    given: Object.entries(given).map(([id, answer]) => ({ id, ...answer })),
    downloads: Object.keys(files),
  });
  return {
    result,
    body,
    files,
    tracks: () => tracksOf(workflow, options, made),
    refused: refusedIn(made.diagnostics),
  };
}

function placed(diagnostics: readonly Diagnostic[], places: Session['places']) {
  const known = new Map(places.map(([at, line, column]) => [at, { line, column }]));
  return diagnostics.map((each) => {
    const place = each.in === undefined ? known.get(each.at) : undefined;
    return place === undefined ? each : { ...each, ...place };
  });
}

/** No squad if the workflow's secrets are masked: it would not work. */
function filesOf(
  { home, key, subjects }: LiveInput,
  { output }: BoundResult,
  given: GivenAnswers,
  isMasked: boolean,
): Record<string, string> {
  const text = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  const answers = Object.entries(given).map(([id, { choice, value }]) => {
    const subject = Object.hasOwn(subjects, id) && { subject: subjects[id] };
    return [id, { choice, ...(value !== undefined && { value }), ...subject }];
  });
  const ofWorkflow = { answers: Object.fromEntries(answers) };
  const ofRun = { policies: {}, workflows: { [key]: ofWorkflow } };
  return {
    ...(output !== null && !isMasked && { 'squad.json': text(output) }),
    ...(answers.length > 0 &&
      (home === null
        ? { 'answers.json': text(ofWorkflow) }
        : { [`${key}.answers.json`]: text(ofRun) })),
  };
}

/** An answer is at `/answers/<id>`. */
function refusedIn(diagnostics: readonly Diagnostic[]): Map<string, string> {
  const wrong = diagnostics.filter((each) => each.severity === 'error' && each.in === 'answers');
  return new Map(
    wrong.map(({ at, message }) => {
      const [, , id = ''] = at.split('/');
      return [id.replaceAll('~1', '/').replaceAll('~0', '~'), message];
    }),
  );
}

/** Findings and open questions, for a ticket. */
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
