/** The two pictures of a workflow that was compiled, drawn for a page that shows them side by side. */
import type { Json, LedgerEntry } from '../../index.js';
import type { ResultFile } from '../model.js';
import { type Condensed, condense } from './condense.js';
import { layOut } from './layout.js';
import { type Links, linksBetween } from './links.js';
import type { Picture } from './picture.js';
import { memberIndex } from './places.js';
import { renderSvg } from './render-svg.js';
import { squadPicture } from './squad-picture.js';
import { workflowPicture } from './workflow-picture.js';

/** What a picture needs of a result. */
type Facts = Pick<ResultFile, 'workflow' | 'ledger' | 'answers'>;

/**
 * SVG elements for a page that has `pictureCss()`; empty where there is nothing to draw: the workflow
 * is invalid, or there is no squad.
 */
export function pictureOfResult(
  result: Facts,
  squad: Json,
): { readonly workflow: string; readonly squad: string } {
  const pictures = picturesOf(result, squad);
  const left = pictures.workflow === null ? null : condense(pictures.workflow);
  const right = pictures.squad === null ? null : condense(pictures.squad);
  const links = linksOf(pictures, left, right, result.ledger);
  return { workflow: draw(left, links), squad: draw(right, links) };
}

interface Pictures {
  readonly workflow: Picture | null;
  readonly squad: Picture | null;
}

/** The pictures with what each knows of the other: assistants of nodes, and where calls end. */
export function picturesOf({ workflow, ledger, answers }: Facts, squad: Json): Pictures {
  const assistants = squadPicture(squad)?.groups ?? [];
  const start = answers['ambiguous-start:workflow']?.value;
  const drawn = workflowPicture(workflow, {
    ledger,
    assistants,
    start: typeof start === 'string' ? start : null,
  });
  const endings = drawn === null || ledger.length === 0 ? null : endingsOf(drawn, ledger);
  return { workflow: drawn, squad: squadPicture(squad, { endings }) };
}

/** The members that have a node at which calls end. */
function endingsOf(workflow: Picture, ledger: readonly LedgerEntry[]): Set<number> {
  const ends = workflow.nodes.filter(
    ({ caption }) => caption === 'endCall' || caption === 'hangup',
  );
  const places = new Set(ends.map(({ id }) => id));
  const outputs = ledger.flatMap((it) =>
    it.kind === 'node' && places.has(it.at) ? it.outputs : [],
  );
  return new Set(outputs.map(memberIndex).filter((index) => index !== null));
}

function linksOf(
  { workflow, squad }: Pictures,
  left: Condensed | null,
  right: Condensed | null,
  ledger: readonly LedgerEntry[],
): Links {
  if (workflow === null || squad === null || left === null || right === null) return new Map();
  const shown = (id: string) => left.standsFor.get(id) ?? right.standsFor.get(id) ?? id;
  const links = new Map<string, Set<string>>();
  for (const [id, others] of linksBetween(workflow, squad, ledger)) {
    const known = links.get(shown(id)) ?? new Set();
    for (const other of others) known.add(shown(other));
    links.set(shown(id), known);
  }
  return links;
}

function draw(condensed: Condensed | null, links: Links): string {
  if (condensed === null) return '';
  const { picture } = condensed;
  return renderSvg(picture, layOut(picture), { theme: 'none', links });
}
