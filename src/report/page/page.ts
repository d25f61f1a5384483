/**
 * The page of one workflow: `report.html`. It reads without any other file; `squadc.js` beside the
 * pages makes it live.
 */
import { style } from '../assets.generated.js';
import { renderDocument, scriptName } from '../document.js';
import { pictureCss } from '../graph/style.js';
import { dataElement, html } from '../html.js';
import type { ResultFile } from '../model.js';
import { type PageInput, renderBody } from './body.js';

/** What a page has to know to compile its workflow again. */
export interface Session
  extends Pick<ResultFile, 'squadc' | 'key' | 'source' | 'name' | 'options' | 'policies'>,
    Pick<ResultFile, 'answers' | 'workflow'>,
    Pick<PageInput, 'home' | 'files'> {
  /** Of the questions that were open, by id: how a change of what they ask about is noticed. */
  readonly subjects: Readonly<Record<string, string>>;
  /** Where findings stand in the source. */
  readonly places: readonly (readonly [at: string, line: number, column: number])[];
}

export const pageStyle = style + pictureCss;

export function renderPage(input: PageInput): string {
  const { name, key } = input.result;
  return renderDocument({
    title: `${name ?? key} – squadc`,
    style: pageStyle,
    script: { address: `../${scriptName}` },
    body: html`<div id="outcome">${renderBody(input)}</div>
      <p id="status" class="toast" role="status"></p>
      ${dataElement('session', sessionOf(input))}`,
  });
}

function sessionOf({ result, home, files }: PageInput): Session {
  const { squadc, key, source, name, options, policies, answers, workflow } = result;
  const { questions, diagnostics } = result;
  return {
    squadc,
    key,
    source,
    name,
    options,
    policies,
    answers,
    workflow,
    home,
    files,
    subjects: Object.fromEntries(questions.map(({ id, subject }) => [id, subject])),
    places: diagnostics.flatMap((each) =>
      'line' in each ? [[each.at, each.line, each.column] as const] : [],
    ),
  };
}
