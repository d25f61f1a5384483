/** `report.html`. It can be read as it is; `squadc.js` beside the pages makes it live. */

import type { Json } from '../../index.js';
import { style } from '../assets.generated.js';
import { renderDocument, scriptName } from '../document.js';
import { pictureCss } from '../graph/style.js';
import { dataElement, html } from '../html.js';
import type { PageInput, ResultFile } from '../model.js';
import { isTokenized } from '../result-file.js';
import { renderBody } from './body.js';

/** What the script compiles again, and what compiling does not give. */
export interface Session extends Pick<PageInput, 'home' | 'files'> {
  readonly result: Omit<
    ResultFile,
    'failure' | 'checklist' | 'ledger' | 'reads' | 'sourceMap' | 'stats' | 'draft' | 'assessment'
  >;
}

export const pageStyle = style + pictureCss;

/** The files that a page links to, in this order. */
export const fileNames = ['squad.json', 'result.json', 'questions.md'];

/** The page of a workflow. `present` are the names of the files beside it. */
export function renderPage(result: ResultFile, squad: Json, present: readonly string[]): string {
  const home = '../summary.html';
  const files = fileNames.filter((name) => present.includes(name));
  const { failure, checklist, ledger, reads, sourceMap, stats, draft, assessment, ...kept } =
    result;
  const session: Session = { result: kept, home, files };
  const hasTokens = isTokenized(kept);
  return renderDocument({
    title: `${result.name ?? result.key} – squadc`,
    style: pageStyle,
    script: { address: `../${scriptName}` },
    body: html`<div id="outcome">${renderBody({ result, squad, hasTokens, home, files })}</div>
      <p id="status" class="toast" role="status"></p>
      ${dataElement('session', session)}`,
  });
}
