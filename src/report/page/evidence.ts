/** The sections that can be looked up: findings, variables, the checklist and the ledger. */
import { groupBy } from '../../graph/lists.js';
import type { ChecklistItem, Json, LedgerEntry } from '../../index.js';
import { keysOf } from '../../text/pointer.js';
import { html, type Markup, type Part } from '../html.js';
import type { ResultFile } from '../model.js';
import { textAt } from '../places.js';
import type { SquadView } from '../squad-view.js';
import { type Places, placeLink, placeList } from './places.js';

function quiet(text: string): Markup {
  return html`<p class="quiet">${text}</p>`;
}

/** A table in a box of its own, which scrolls if it is wider than the page. */
function table(label: string, titles: readonly string[], rows: readonly Markup[]): Markup {
  return html`<div class="wide" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead><tr>${titles.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
      <tbody>${rows}</tbody>
    </table>
  </div>`;
}

type Diagnostic = ResultFile['diagnostics'][number];

const severityWords = { error: 'Error', warning: 'Warning', info: 'Note' } as const;
const severities = Object.keys(severityWords);
/** More findings with one code are folded. */
const mostOpen = 3;

/** The most serious first; those with the same code together, with the help that they share. */
export function renderFindings(diagnostics: readonly Diagnostic[], places: Places): Markup {
  if (diagnostics.length === 0) return quiet('Nothing was found.');
  const rank = ({ severity }: Diagnostic) => severities.indexOf(severity);
  const sorted = diagnostics.toSorted((a, b) => rank(a) - rank(b));
  const groups = groupBy(sorted, ({ severity, code }) => `${severity} ${code}`);
  return html`<ul class="findings">${[...groups.values()].map((group) => {
    const { severity, code, help } = group[0]!;
    const isShared = group.every((each) => each.help === help);
    const all = group.map((each) => renderFinding(each, !isShared, places));
    const head = html`<span class="badge ${severity}">${severityWords[severity]}</span> <code class="quiet">${code}</code>`;
    const shown =
      group.length <= mostOpen
        ? html`${head} ${all}`
        : html`<details><summary>${head} <span class="count">${group.length}</span></summary>${all}</details>`;
    return html`<li>${shown} ${isShared && renderHelp(help)}</li>`;
  })}</ul>`;
}

function renderHelp(help: string): Markup | false {
  return help !== '' && html`<p class="help"><bdi>${help}</bdi></p>`;
}

function renderFinding(finding: Diagnostic, hasHelp: boolean, places: Places): Markup {
  const { message, help, at, in: document = 'workflow', related } = finding;
  const where =
    document === 'workflow' || document === 'squad'
      ? placeLink(document === 'squad' ? places.output(at) : places.source(at))
      : html`In the ${document}: <code>${at}</code>`;
  return html`<div class="finding">
    <p><bdi>${message}</bdi></p>
    <p class="quiet">${where}${'line' in finding && `, line ${finding.line}, column ${finding.column}`}</p>
    ${hasHelp && renderHelp(help)}
    ${related.length > 0 && html`<p class="quiet">See also: ${related.map((each) => html`${placeLink(places.source(each))} `)}</p>`}
  </div>`;
}

type Use = readonly [variable: string, how: 'captured' | 'read' | 'carried', at: string];

/** By variable: where it is captured in the workflow, read in the squad, and carried by handoffs. */
export function variablesOf(
  { workflow, ledger, reads }: Pick<ResultFile, 'workflow' | 'ledger' | 'reads'>,
  { members }: SquadView,
): ReadonlyMap<string, readonly Use[]> {
  const variables = ledger.filter(({ kind }) => kind === 'variable');
  const destinations = members.flatMap((member) => member.destinations);
  const uses: Use[] = [
    ...variables.map(({ at }): Use => [variableName(workflow, at), 'captured', at]),
    ...reads.flatMap(({ variable, outputs }) => outputs.map((at): Use => [variable, 'read', at])),
    ...destinations.flatMap(({ at, carries }) => carries.map((name): Use => [name, 'carried', at])),
  ];
  return groupBy(uses, ([variable]) => variable);
}

/** A capture is an object with a name, or a property whose key is the name. */
function variableName(workflow: Json, at: string): string {
  const last = at.slice(at.lastIndexOf('/') + 1);
  const isKey = !/^\d+$/.test(last) || /\/properties\/[^/]+$/.test(at);
  const named = isKey ? null : textAt(workflow, `${at}/name`, `${at}/title`, `${at}/key`);
  return named ?? keysOf(at).at(-1) ?? '';
}

export function renderVariables(
  variables: ReturnType<typeof variablesOf>,
  { source, output }: Places,
): Markup {
  if (variables.size === 0) return quiet('No variable is captured, read or carried.');
  const rows = Array.from(variables, ([name, uses]) => {
    const cell = (how: Use[1], placeOf: Places['source'], none: string) => {
      const places = new Set(uses.flatMap(([, each, at]) => (each === how ? at : [])));
      if (places.size === 0) return html`<td><span class="quiet">${none}</span></td>`;
      return html`<td>${placeList(Array.from(places, placeOf))}</td>`;
    };
    return html`<tr>
      <th scope="row"><code>${name}</code></th>
      ${cell('captured', source, 'supplied when the call starts')}
      ${cell('read', output, 'in no text')}
      ${cell('carried', output, 'by no handoff')}
    </tr>`;
  });
  const titles = ['Captured in the workflow', 'Read in the squad', 'Carried by handoffs'];
  return table('Variables', ['Variable', ...titles], rows);
}

/** Items that do not hold are open from the start. */
export function renderChecklist(items: readonly ChecklistItem[], places: Places): Markup {
  if (items.length === 0) return quiet('Nothing was compiled, so nothing was checked.');
  return html`<div class="checklist">${items.map((check) => {
    const { item, title, holds, waivedBy, evidence } = check;
    return html`<details${!holds && html` open`}>
    <summary>${verdict(check)} <span class="item">${item}.</span> ${title}</summary>
    ${waivedBy !== undefined && html`<p class="quiet">Waived by the answer to <code>${waivedBy}</code>.</p>`}
    <ul class="evidence">
      ${evidence.map(({ holds, decided, text, source, output }) => {
        const linked = [...source.map(places.source), ...output.map(places.output)];
        return html`<li>
          ${!holds && (decided === false ? undecidedBadge : failsBadge)}<bdi>${text}</bdi>
          <span class="quiet">${linked.map((place) => html`${placeLink(place)} `)}</span>
        </li>`;
      })}
    </ul>
  </details>`;
  })}</div>`;
}

const undecidedBadge = html`<span class="badge warning">not decided</span> `;
const failsBadge = html`<span class="badge error">does not hold</span> `;

function verdict({ holds, decided, waivedBy }: ChecklistItem): Part {
  if (waivedBy !== undefined) return html`<span class="badge warning">waived</span>`;
  if (holds) return html`<span class="badge good">holds</span>`;
  return decided
    ? html`<span class="badge error">fails</span>`
    : html`<span class="badge warning">not decided</span>`;
}

/** In the order of the rows: what is open or lost comes first. */
const statuses: Readonly<Record<LedgerEntry['status'], readonly [label: string, badge: string]>> = {
  'needs-answer': ['needs an answer', 'error'],
  dropped: ['dropped', 'warning'],
  folded: ['folded', 'info'],
  converted: ['converted', 'good'],
};
const statusOrder = Object.keys(statuses);

export function renderLedger(entries: readonly LedgerEntry[], places: Places): Markup {
  if (entries.length === 0) return quiet('Nothing was compiled, so nothing is listed.');
  const rank = ({ status }: LedgerEntry) => statusOrder.indexOf(status);
  const rows = entries
    .toSorted((a, b) => rank(a) - rank(b))
    .map(({ at, kind, status, reason, outputs }) => {
      const [label, badge] = statuses[status];
      return html`<tr>
        <td>${placeLink(places.source(at))}</td>
        <td>${kind}</td>
        <td>
          <span class="badge ${badge}">${label}</span>
          ${reason !== undefined && html`<span class="quiet"><bdi>${reason}</bdi></span>`}
        </td>
        <td>${outputs.length > 0 && placeList(outputs.map(places.output), 5)}</td>
      </tr>`;
    });
  const titles = ['In the workflow', 'Kind', 'What became of it', 'In the squad'];
  return table('Ledger', titles, rows);
}
