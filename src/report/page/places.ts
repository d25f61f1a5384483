/** JSON Pointers as a person reads them: the node, the edge, the assistant that a place lies in. */
import type { Json } from '../../index.js';
import { html, type Markup } from '../html.js';
import { ownerOf, textAt, valueAt } from '../places.js';
import type { SquadView } from '../squad-view.js';

/** A place with what stands there; `owner` is the place of what has a shape in the pictures. */
export interface Place {
  readonly pointer: string;
  readonly owner: string | null;
  readonly label: string;
}

export interface Places {
  source(pointer: string): Place;
  output(pointer: string): Place;
}

const sourceOwner = /^(?:\/workflow)?\/(nodes|edges)\/(?:0|[1-9]\d*)(?=\/|$)/;

/** `isDrawn`: which of the two has a picture; what is in none has no shape to lead to. */
export function createPlaces(
  workflow: Json,
  { members }: SquadView,
  isDrawn: { readonly workflow: boolean; readonly squad: boolean },
): Places {
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
    source: (pointer) => {
      const [owner = null, kind] = sourceOwner.exec(pointer) ?? [];
      if (owner === null) return { pointer, owner, label: pointer === '' ? 'the workflow' : '' };
      const label = known.get(owner) ?? (kind === 'nodes' ? nodeLabel : edgeLabel)(owner);
      known.set(owner, label);
      return { pointer, owner: isDrawn.workflow ? owner : null, label };
    },
    output: (pointer) => {
      const owner = ownerOf(pointer, labels);
      const label = owner === null ? undefined : labels.get(owner);
      const shown = label ?? (pointer === '' ? 'the squad' : '');
      return { pointer, owner: isDrawn.squad ? owner : null, label: shown };
    },
  };
}

/** The place as a link to the pictures, which light up what it is; without a shape, as a text. */
export function placeLink({ pointer, owner, label }: Place): Markup {
  const code = pointer === '' ? null : html`<code>${pointer}</code>`;
  const name = label === '' ? null : html`<bdi>${label}</bdi>`;
  if (owner === null) return html`<span class="place">${name} ${code}</span>`;
  return html`<span class="place"
    ><a href="#pictures" data-links="${owner}">${name}</a> ${code}</span
  >`;
}

/** Several places, one after another; no more than so many, as a tool can belong to a thousand. */
export function placeList(places: readonly Place[], most = 20): Markup {
  const shown = places.slice(0, most);
  const rest = places.length - shown.length;
  return html`<ul class="places">
    ${shown.map((place) => html`<li>${placeLink(place)}</li>`)}
    ${rest > 0 && html`<li class="quiet">and ${rest} more</li>`}
  </ul>`;
}
