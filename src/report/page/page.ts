/** `report.html`. It can be read as it is; `squadc.js` beside the pages makes it live. */
import { style } from '../assets.generated.js';
import { renderDocument, scriptName } from '../document.js';
import { pictureCss } from '../graph/style.js';
import { dataElement, html } from '../html.js';
import type { ResultFile } from '../model.js';
import { type PageInput, renderBody } from './body.js';

/** What the script needs to compile the workflow again. */
export interface Session
  extends Pick<ResultFile, 'squadc' | 'key' | 'source' | 'name' | 'options' | 'policies'>,
    Pick<ResultFile, 'answers' | 'workflow'>,
    Pick<PageInput, 'home' | 'files'> {
  /** The subjects of the open questions, by id. */
  readonly subjects: Readonly<Record<string, string>>;
  /** Lines of the findings in the source. */
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
