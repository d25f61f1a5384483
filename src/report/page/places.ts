/** JSON Pointers as a person reads them: the node, the edge, the assistant that a place lies in. */
import type { Json } from '../../index.js';
import { ownerOf } from '../graph/places.js';
import { valueAt } from '../graph/value-at.js';
import { html, type Markup } from '../html.js';
import type { SquadView } from './squad-view.js';

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

interface Drawn {
  readonly workflow: boolean;
  readonly squad: boolean;
}

const sourceOwner = /^(?:\/workflow)?\/(nodes|edges)\/(?:0|[1-9]\d*)(?=\/|$)/;

/** `isDrawn`: which of the two has a picture; what is in none has no shape to lead to. */
export function createPlaces(
  workflow: Json,
  squad: SquadView,
  isDrawn: Drawn = { workflow: true, squad: true },
): Places {
  const labels = labelsIn(squad);
  const names = namesIn(workflow);
  const shown = (place: Place, has: boolean) => (has ? place : { ...place, owner: null });
  return {
    source: (pointer) => shown(placeInSource(workflow, names, pointer), isDrawn.workflow),
    output: (pointer) => shown(placeInSquad(labels, pointer), isDrawn.squad),
  };
}

/** Names of nodes by id; the last of two with the same, which is an error anyway. */
function namesIn(workflow: Json): Map<string, string> {
  const lists = ['/nodes', '/workflow/nodes'].flatMap((at) => {
    const nodes = valueAt(workflow, at);
    return Array.isArray(nodes) ? nodes.map((_, index) => `${at}/${index}`) : [];
  });
  return new Map(
    lists.flatMap((at) => {
      const id = firstText(workflow, [`${at}/id`]);
      return id === null ? [] : [[id, nodeLabel(workflow, at)] as const];
    }),
  );
}

function placeInSource(workflow: Json, names: ReadonlyMap<string, string>, pointer: string): Place {
  const [owner = null, kind] = sourceOwner.exec(pointer) ?? [];
  if (owner === null) return { pointer, owner, label: pointer === '' ? 'the workflow' : '' };
  const label = kind === 'nodes' ? nodeLabel(workflow, owner) : edgeLabel(workflow, names, owner);
  return { pointer, owner, label };
}

function nodeLabel(workflow: Json, at: string): string {
  return firstText(workflow, [`${at}/name`, `${at}/id`]) ?? 'a node';
}

function edgeLabel(workflow: Json, names: ReadonlyMap<string, string>, at: string): string {
  const nameOf = (end: string) => {
    const id = firstText(workflow, [`${at}/${end}`]);
    return id === null ? '?' : (names.get(id) ?? id);
  };
  return `${nameOf('from')} → ${nameOf('to')}`;
}

function firstText(document: Json, pointers: readonly string[]): string | null {
  const texts = pointers.map((at) => valueAt(document, at));
  return texts.find((text): text is string => typeof text === 'string' && text !== '') ?? null;
}

/** What the squad has a name for, by place. */
function labelsIn({ members }: SquadView): Map<string, string> {
  return new Map(
    members.flatMap(({ at, name, destinations }) => [
      [at, name] as const,
      ...destinations.map((way) => [way.at, `${name} → ${way.to}`] as const),
    ]),
  );
}

function placeInSquad(labels: ReadonlyMap<string, string>, pointer: string): Place {
  const owner = ownerOf(pointer, labels);
  const label = owner === null ? undefined : labels.get(owner);
  return { pointer, owner, label: label ?? (pointer === '' ? 'the squad' : '') };
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
