/** The section on texts: what each assistant says and follows, with the source of every line. */
import type { Origin, SourceMapEntry } from '../../index.js';
import { append } from '../graph/lists.js';
import { html, type Markup } from '../html.js';
import { type Places, placeLink } from './places.js';
import { type Line, originsOf, type Piece, promptLines } from './prompt-lines.js';
import type { MemberView, SquadView, TextView } from './squad-view.js';

export function renderPrompts(
  { members }: SquadView,
  sourceMap: readonly SourceMapEntry[],
  places: Places,
): Markup {
  if (members.length === 0) return html`<p class="quiet">There is no squad yet.</p>`;
  const byPlace = new Map<string, SourceMapEntry[]>();
  for (const entry of sourceMap) append(byPlace, entry.output, entry);
  return html`${members.map((member) => renderMember(member, byPlace, places))}`;
}

function renderMember(
  member: MemberView,
  byPlace: ReadonlyMap<string, readonly SourceMapEntry[]>,
  places: Places,
): Markup {
  const { index, at, name, savedAs, texts, destinations } = member;
  return html`<article class="member">
    <h3>
      <a href="#pictures" data-links="${at}"
        ><span class="number">${index + 1}</span> <bdi>${name}</bdi></a
      >
    </h3>
    ${savedAs !== null && html`<p class="quiet">A saved assistant, <code>${savedAs}</code>: its own texts are on the platform.</p>`}
    ${texts.map((text) => renderText(text, name, byPlace.get(text.at) ?? [], places))}
    ${destinations.length > 0 && renderWays(member)}
  </article>`;
}

function renderText(
  { kind, text }: TextView,
  member: string,
  entries: readonly SourceMapEntry[],
  places: Places,
): Markup {
  const title = kind === 'prompt' ? 'Instructions' : 'First message';
  if (text === '') return html`<h4>${title}</h4><p class="quiet">None: the model speaks first.</p>`;
  return html`<h4>${title}</h4>
    <ol class="lines" aria-label="${title} of ${member}">
      ${promptLines(text, entries).map((line) => renderLine(line, places))}
    </ol>`;
}

function renderLine(line: Line, places: Places): Markup {
  const origins = originsOf(line);
  const owners = ownersOf(origins, places);
  const links = owners.length > 0 && html` data-links="${owners.join(' ')}"`;
  return html`<li${links}><span class="said">${line.map(renderPiece)}</span
    ><span class="from">${renderOrigins(origins, places)}</span></li>`;
}

function renderPiece({ text, origin }: Piece): Markup {
  return html`<span class="${classOf(origin)}">${text}</span>`;
}

function classOf(origin: Origin | null): string {
  if (origin === null) return 'unknown';
  return origin.kind;
}

function ownersOf(origins: readonly Origin[], places: Places): string[] {
  const owners = origins
    .flatMap(pointersOf)
    .map((pointer) => places.source(pointer).owner)
    .filter((owner) => owner !== null);
  return [...new Set(owners)];
}

function pointersOf(origin: Origin): readonly string[] {
  if (origin.kind === 'source') return [origin.at];
  return origin.kind === 'synthesized' ? origin.from : [];
}

/** Places of the source by node and edge; after them what has none. */
function renderOrigins(origins: readonly Origin[], places: Places): Markup {
  const pointers = [...new Set(origins.flatMap(pointersOf))];
  const owned = new Map<string, string[]>();
  for (const pointer of pointers) append(owned, places.source(pointer).owner ?? pointer, pointer);
  const others = origins.filter((origin) => pointersOf(origin).length === 0);
  return html`${[...owned.values()].map((all) => placeLink(places.source(commonPlace(all))))}
    ${others.map(renderOther)}`;
}

/** The innermost place that holds all of them. */
function commonPlace(pointers: readonly string[]): string {
  const parts = pointers.map((pointer) => pointer.split('/'));
  const [first = []] = parts;
  const differs = first.findIndex((part, at) => parts.some((other) => other[at] !== part));
  return (differs === -1 ? first : first.slice(0, differs)).join('/');
}

function renderOther(origin: Origin): Markup | null {
  if (origin.kind === 'source') return null;
  if (origin.kind === 'synthesized') {
    return html`<span class="place quiet">squadc (${origin.rule})</span>`;
  }
  return 'question' in origin
    ? html`<span class="place">answer to <code>${origin.question}</code></span>`
    : html`<span class="place">option <code>${origin.option}</code></span>`;
}

function renderWays({ destinations }: MemberView): Markup {
  return html`<h4>Leads to</h4>
    <ul class="ways">
      ${destinations.map(
        ({ kind, at, to, description, carries }) => html`<li data-links="${at}">
          <a href="#pictures" data-links="${at}"><bdi>${to}</bdi></a>
          ${kind === 'transfer' && html`<span class="quiet">(transfer)</span>`}
          <span class="said">${description}</span>
          ${
            carries.size > 0 &&
            html`<span class="quiet">carries</span>
          ${[...carries.keys()].map((name) => html`<code>${name}</code> `)}`
          }
        </li>`,
      )}
    </ul>`;
}
