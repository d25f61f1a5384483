/** The section of assistants: what each says and follows, with the source of every line. */
import { groupBy } from '../../graph/lists.js';
import type { Origin, SourceMapEntry } from '../../index.js';
import { toneClass } from '../graph/style.js';
import { html, type Markup } from '../html.js';
import type { MemberView, SquadView, TextView } from '../squad-view.js';
import { type Places, placeLink } from './places.js';

export function renderPrompts(
  { members }: SquadView,
  sourceMap: readonly SourceMapEntry[],
  places: Places,
): Markup {
  if (members.length === 0) return html`<p class="quiet">There is no squad yet.</p>`;
  const byPlace = groupBy(sourceMap, ({ output }) => output);
  const repeated = repeatedIn(members);
  return html`${members.map((member) => {
    const { index, at, name, savedAs, texts } = member;
    return html`<article class="member">
    <h3>
      <a href="#pictures" data-links="${at}"
        ><span class="number ${toneClass(index)}">${index + 1}</span> <bdi>${name}</bdi></a
      >
    </h3>
    ${savedAs !== null && html`<p class="quiet">A saved assistant, <code>${savedAs}</code>: its own texts are on the platform.</p>`}
    ${texts.map((text) => renderText(text, name, byPlace.get(text.at) ?? [], repeated, places))}
    ${renderDestinations(member)}
  </article>`;
  })}`;
}

interface Piece {
  readonly text: string;
  /** Null if the source map does not say. */
  readonly origin: Origin | null;
}

/**
 * The lines of a text, each in pieces of one origin. Entries with ranges make up the whole text; if
 * they do not, they are of another one: a secret was masked, or somebody has changed the squad.
 */
function promptLines(text: string, entries: readonly SourceMapEntry[]): Piece[][] {
  const ranged = entries.flatMap(({ range, origin }) => (range ? [{ range, origin }] : []));
  const fits = ranged.every(({ range }, at) => range[0] === (ranged[at - 1]?.range[1] ?? 0));
  const whole = entries.find(({ range }) => range === undefined)?.origin ?? null;
  const pieces: Piece[] =
    fits && ranged.at(-1)?.range[1] === text.length
      ? ranged.map(({ range, origin }) => ({ text: text.slice(...range), origin }))
      : [{ text, origin: whole }];
  const lines: Piece[][] = [[]];
  for (const { text: part, origin } of pieces) {
    const [first = '', ...others] = part.split('\n');
    if (first !== '') lines.at(-1)!.push({ text: first, origin });
    for (const other of others) lines.push(other === '' ? [] : [{ text: other, origin }]);
  }
  // No empty line after a final line break.
  if (lines.length > 1 && lines.at(-1)!.length === 0) lines.pop();
  return lines;
}

/** Lines that fewer assistants share are not folded. */
const fewest = 3;
/** The most lines of a text that are shown. */
const mostLines = 2000;

/** Lines that several assistants have. */
function repeatedIn(members: readonly MemberView[]): ReadonlySet<string> {
  const prompts = members.flatMap(({ texts }) => texts.filter(({ kind }) => kind === 'prompt'));
  const counts = new Map<string, number>();
  for (const { text } of prompts) {
    for (const line of new Set(text.split('\n'))) counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return new Set([...counts].flatMap(([line, count]) => (count >= fewest ? line : [])));
}

function renderText(
  { kind, text }: TextView,
  member: string,
  entries: readonly SourceMapEntry[],
  repeated: ReadonlySet<string>,
  places: Places,
): Markup {
  const title = kind === 'prompt' ? 'Instructions' : 'First message';
  if (text === '') return html`<h4>${title}</h4><p class="quiet">None: the model speaks first.</p>`;
  const lines = promptLines(text, entries);
  const isOwn = (line: readonly Piece[]) =>
    line.every(({ origin }) => origin?.kind === 'synthesized' && origin.from.length === 0) &&
    repeated.has(line.map((piece) => piece.text).join(''));
  const end = lines.findIndex((line) => !isOwn(line));
  const folded = kind === 'prompt' && end > 1 ? lines.slice(0, end) : [];
  const list = (part: typeof lines) => html`<ol class="lines" aria-label="${title} of ${member}">
      ${part.slice(0, mostLines).map((line) => renderLine(line, places))}
      ${part.length > mostLines && html`<li class="quiet">and ${part.length - mostLines} more lines</li>`}
    </ol>`;
  return html`<h4>${title}</h4>
    ${folded.length > 0 && html`<details class="own"><summary>${folded.length} opening lines that several assistants share</summary>${list(folded)}</details>`}
    ${list(lines.slice(folded.length))}`;
}

function renderLine(line: readonly Piece[], places: Places): Markup {
  const origins = originsOf(line);
  const owners = origins.flatMap(pointersOf).map((pointer) => places.source(pointer).owner);
  const known = [...new Set(owners.filter((owner) => owner !== null))];
  const links = known.length > 0 && html` data-links="${known.join(' ')}"`;
  return html`<li${links}><span class="said">${line.map(
    ({ text, origin }) => html`<span class="${origin?.kind ?? 'unknown'}">${text}</span>`,
  )}</span><span class="from">${renderOrigins(origins, places)}</span></li>`;
}

/** The sources and answers of a line; squadc's own wording only if there is nothing else. */
function originsOf(line: readonly Piece[]): Origin[] {
  const all = line.flatMap(({ origin }) => (origin === null ? [] : [origin]));
  const telling = all.filter((origin) => origin.kind !== 'synthesized' || origin.from.length > 0);
  const kept = telling.length > 0 ? telling : all;
  return [...new Map(kept.map((origin) => [JSON.stringify(origin), origin])).values()];
}

function pointersOf(origin: Origin): readonly string[] {
  if (origin.kind === 'source') return [origin.at];
  return origin.kind === 'synthesized' ? origin.from : [];
}

/** One link for each node or edge, then the origins that have no place. */
function renderOrigins(origins: readonly Origin[], places: Places): Markup {
  const pointers = new Set(origins.flatMap(pointersOf));
  const owned = groupBy(pointers, (pointer) => places.source(pointer).owner ?? pointer);
  const others = origins.filter((origin) => pointersOf(origin).length === 0);
  return html`${[...owned.values()].map(([first = '']) => placeLink(places.source(first)))}
    ${others.map(renderOther)}`;
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

function renderDestinations({ destinations }: MemberView): Markup | null {
  if (destinations.length === 0) return null;
  return html`<h4>Leads to</h4>
    <ul class="destinations">
      ${destinations.map(
        ({ kind, at, to, description, carries }) => html`<li data-links="${at}">
          <a href="#pictures" data-links="${at}"><bdi>${to ?? '?'}</bdi></a>
          ${kind === 'transfer' && html`<span class="quiet">(transfer)</span>`}
          <span class="said">${description}</span>
          ${
            carries.length > 0 &&
            html`<span class="quiet">carries</span>
          ${carries.map((name) => html`<code>${name}</code> `)}`
          }
        </li>`,
      )}
    </ul>`;
}
