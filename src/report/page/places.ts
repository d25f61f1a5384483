/** JSON Pointers with the names of the nodes, edges and assistants that they lie in. */
import { shorten } from '../../diagnostics/quote.js';
import type { Json } from '../../index.js';
import { valueAt } from '../../text/pointer.js';
import type { Both } from '../graph/pictures.js';
import { html, type Markup } from '../html.js';
import { ownerOf, textAt } from '../places.js';
import type { SquadView } from '../squad-view.js';

/** `owner` is the id of a shape in the pictures. */
export interface Place {
  readonly pointer: string;
  readonly owner: string | null;
  readonly label: string;
}

export type Places = ReturnType<typeof createPlaces>;

const sourceOwner = /^(?:\/workflow)?\/(nodes|edges)\/(?:0|[1-9]\d*)(?=\/|$)/;

/** What is not drawn, because its picture is empty, has no shape. */
export function createPlaces(workflow: Json, { members }: SquadView, drawn: Both<string>) {
  const nodeLabel = (at: string) => textAt(workflow, `${at}/name`, `${at}/id`) ?? 'a node';
  const nodes = ['/nodes', '/workflow/nodes'].flatMap((at) => {
    const list = valueAt(workflow, at);
    return Array.isArray(list) ? list.map((_, index) => `${at}/${index}`) : [];
  });
  const names = new Map(nodes.map((at) => [textAt(workflow, `${at}/id`), nodeLabel(at)]));
  const edgeLabel = (at: string) => {
    const ends = ['from', 'to'].map((end) => textAt(workflow, `${at}/${end}`));
    return ends.map((id) => (id === null ? '?' : (names.get(id) ?? id))).join(' → ');
  };
  const labels = new Map(
    members.flatMap(({ at, name, destinations }) => [
      [at, name] as const,
      ...destinations.map((each) => [each.at, `${name} → ${each.to ?? '?'}`] as const),
    ]),
  );
  const known = new Map<string, string>();
  return {
    source: (pointer: string): Place => {
      const [owner = null, kind] = sourceOwner.exec(pointer) ?? [];
      if (owner === null) return { pointer, owner, label: pointer === '' ? 'the workflow' : '' };
      const label = known.get(owner) ?? (kind === 'nodes' ? nodeLabel : edgeLabel)(owner);
      known.set(owner, label);
      return { pointer, owner: drawn.workflow === '' ? null : owner, label };
    },
    output: (pointer: string): Place => {
      const owner = ownerOf(pointer, labels);
      const label = owner === null ? undefined : labels.get(owner);
      const shown = label ?? (pointer === '' ? 'the squad' : '');
      return { pointer, owner: drawn.squad === '' ? null : owner, label: shown };
    },
  };
}

/** A link to the shape in the pictures, or text if there is none. */
export function placeLink({ pointer, owner, label }: Place): Markup {
  const code = pointer === '' ? null : html`<code>${pointer}</code>`;
  // Every line of a text can have a link, so a long name would be repeated without end.
  const name = label === '' ? null : html`<bdi>${shorten(label, 100)}</bdi>`;
  if (owner === null) return html`<span class="place">${name} ${code}</span>`;
  return html`<span class="place"
    ><a href="#pictures" data-links="${owner}">${name}</a> ${code}</span
  >`;
}

/** A global tool can belong to a thousand places: only the first are listed. */
export function placeList(places: readonly Place[], most = 20): Markup {
  const shown = places.slice(0, most);
  const rest = places.length - shown.length;
  return html`<ul class="places">
    ${shown.map((place) => html`<li>${placeLink(place)}</li>`)}
    ${rest > 0 && html`<li class="quiet">and ${rest} more</li>`}
  </ul>`;
}
