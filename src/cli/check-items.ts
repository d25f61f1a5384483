/**
 * The items of the checklist as a table, with the facts that speak against them:
 *
 *      2  fails   The assistant count is minimized, linear chains are      1 of 4 fails
 *                 merged, no cyclical handoff pair is left split
 *                 ✗ “Desk” hands off to “Table” and nothing keeps them apart; …
 *                   workflow.json:12:7  /edges/1
 *                   squad.json:40:13  /squad/members/0/…
 */
import { textWidth } from '../diagnostics/quote.js';
import type { ChecklistItem, Evidence } from '../index.js';
import { type PlacesOf, placeLines } from './evidence-places.js';
import { hanging, type Layout, leftOut, padTo } from './layout.js';
import { count } from './summary.js';

/** Facts of one item that are shown without `--verbose`. */
const mostFacts = 10;

/** Below this width a title stands on lines of its own. */
const narrow = 60;

const states = { holds: 'green', fails: 'red', waived: 'yellow' } as const;

/** The facts of an item that are shown: the first that speak against it, or all of them. */
export function shownFacts({ evidence }: ChecklistItem, verbose: boolean): readonly Evidence[] {
  return verbose ? evidence : evidence.filter(({ holds }) => !holds).slice(0, mostFacts);
}

export function itemLines(
  items: readonly ChecklistItem[],
  placesOf: PlacesOf,
  layout: Layout,
): string[] {
  const counts = items.map(countOf);
  const widest = Math.max(0, ...counts.map(textWidth));
  const longest = Math.max(0, ...items.map(({ title }) => textWidth(title)));
  const room = Math.min(longest, layout.columns - indentOf(layout) - 2 - widest);
  return items.flatMap((item, index) => [
    ...headLines(item, counts[index] ?? '', room, layout),
    ...waiverLines(item, layout),
    ...factLines(item, placesOf, layout),
  ]);
}

/** The column that titles and facts start at. */
function indentOf({ columns }: Layout): number {
  return columns < narrow ? 4 : 12;
}

/** `4 facts`, or `1 of 4 fails`. */
function countOf({ evidence }: ChecklistItem): string {
  const against = evidence.filter(({ holds }) => !holds).length;
  if (against === 0) return count(evidence.length, 'fact');
  return `${against} of ${evidence.length} ${against === 1 ? 'fails' : 'fail'}`;
}

/** Number, state, title and count: on a line, or the title below where there is little room. */
function headLines(item: ChecklistItem, counted: string, room: number, layout: Layout): string[] {
  const { columns, style } = layout;
  const state = stateOf(item);
  const lead = `${String(item.item).padStart(2)}  ${style.bold(style[states[state]](state))}`;
  if (columns < narrow) {
    return [`${lead}  ${style.dim(counted)}`, ...hanging('    ', item.title, columns)];
  }
  const [first = '', ...others] = hanging('', item.title, room);
  const gap = ' '.repeat(8 - state.length);
  return [
    `${lead}${gap}${padTo(first, room)}  ${style.dim(counted)}`,
    ...others.map((line) => ' '.repeat(indentOf(layout)) + line),
  ];
}

function stateOf({ holds, waivedBy }: ChecklistItem): keyof typeof states {
  if (!holds) return 'fails';
  return waivedBy === undefined ? 'holds' : 'waived';
}

function waiverLines({ waivedBy }: ChecklistItem, layout: Layout): string[] {
  if (waivedBy === undefined) return [];
  const margin = ' '.repeat(indentOf(layout));
  return hanging(margin, `waived by the answer to ${waivedBy}`, layout.columns);
}

function factLines(item: ChecklistItem, placesOf: PlacesOf, layout: Layout): string[] {
  const { columns, style, verbose } = layout;
  const margin = ' '.repeat(indentOf(layout));
  const shown = shownFacts(item, verbose);
  const lines = shown.flatMap((fact) => {
    const [first = '', ...others] = hanging(`${margin}  `, fact.text, columns);
    const mark = fact.holds ? style.green('✓') : style.red('✗');
    return [
      `${margin}${mark} ${first.slice(margin.length + 2)}`,
      ...others,
      ...placeLines(placesOf(fact), margin.length + 2, layout),
    ];
  });
  const all = verbose ? item.evidence.length : item.evidence.filter(({ holds }) => !holds).length;
  const left = all - shown.length;
  return [...lines, ...leftOut(left, margin, layout)];
}
