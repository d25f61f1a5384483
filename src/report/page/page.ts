/** `report.html`. It can be read as it is; `squadc.js` beside the pages makes it live. */
import { style } from '../assets.generated.js';
import { renderDocument, scriptName } from '../document.js';
import { pictureCss } from '../graph/style.js';
import { dataElement, html } from '../html.js';
import type { ResultFile } from '../model.js';
import { type PageInput, renderBody } from './body.js';

/** What the script compiles again, and what compiling does not give. */
export interface Session extends Pick<PageInput, 'home' | 'files'> {
  readonly result: Omit<
    ResultFile,
    'checklist' | 'ledger' | 'reads' | 'sourceMap' | 'stats' | 'draft' | 'assessment'
  >;
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
  const { checklist, ledger, reads, sourceMap, stats, draft, assessment, ...kept } = result;
  return { result: kept, home, files };
}
