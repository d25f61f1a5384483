/** The two pictures of a workflow that was compiled, drawn for a page that shows them side by side. */
import type { Json, LedgerEntry } from '../../index.js';
import type { ResultFile } from '../model.js';
import { memberIndex } from '../places.js';
import { viewSquad } from '../squad-view.js';
import { type Condensed, condense } from './condense.js';
import { layOut } from './layout.js';
import { endsCall, type Links, linksBetween } from './links.js';
import type { Picture } from './picture.js';
import { renderSvg } from './render-svg.js';
import { squadPicture } from './squad-picture.js';
import { workflowPicture } from './workflow-picture.js';

/** What a picture needs of a result. */
type Facts = Pick<ResultFile, 'workflow' | 'ledger' | 'answers'>;

/** A picture of each; null or empty where there is nothing to draw. */
export interface Both<Drawn> {
  readonly workflow: Drawn;
  readonly squad: Drawn;
}

/**
 * SVG elements for a page that has `pictureCss()`; empty where there is nothing to draw: the workflow
 * is invalid, or there is no squad.
 */
export function pictureOfResult(result: Facts, squad: Json): Both<string> {
  const pictures = picturesOf(result, squad);
  const left = pictures.workflow && condense(pictures.workflow);
  const right = pictures.squad && condense(pictures.squad);
  const links = linksOf(pictures, left, right, result.ledger);
  const draw = (condensed: Condensed | null) => {
    if (condensed === null) return '';
    const { picture } = condensed;
    return renderSvg(picture, layOut(picture), { theme: 'none', links });
  };
  return { workflow: draw(left), squad: draw(right) };
}

/** The pictures with what each knows of the other: assistants of nodes, and where calls end. */
export function picturesOf(
  { workflow, ledger, answers }: Facts,
  squad: Json,
): Both<Picture | null> {
  const assistants = viewSquad(squad)?.members.map(({ name }) => name) ?? [];
  const start = answers['ambiguous-start:workflow']?.value;
  const drawn = workflowPicture(workflow, {
    ledger,
    assistants,
    start: typeof start === 'string' ? start : null,
  });
  const endings = drawn === null || ledger.length === 0 ? null : endingsOf(drawn, ledger);
  return { workflow: drawn, squad: squadPicture(squad, endings) };
}

/** The members that have a node at which calls end. */
function endingsOf(workflow: Picture, ledger: readonly LedgerEntry[]): Set<number> {
  const places = new Set(workflow.nodes.filter(endsCall).map(({ id }) => id));
  const entries = ledger.filter(({ kind, at }) => kind === 'node' && places.has(at));
  const members = entries.flatMap(({ outputs }) => outputs.map(memberIndex));
  return new Set(members.filter((index) => index !== null));
}

/** Between what is drawn; a box has the links of all that it stands for. */
function linksOf(
  { workflow, squad }: Both<Picture | null>,
  left: Condensed | null,
  right: Condensed | null,
  ledger: readonly LedgerEntry[],
): Links {
  const links = new Map<string, Set<string>>();
  if (workflow === null || squad === null) return links;
  const shown = (id: string) => left?.standsFor.get(id) ?? right?.standsFor.get(id) ?? id;
  for (const [id, others] of linksBetween(workflow, squad, ledger)) {
    const known = links.get(shown(id)) ?? new Set();
    for (const other of others) known.add(shown(other));
    links.set(shown(id), known);
  }
  return links;
}
