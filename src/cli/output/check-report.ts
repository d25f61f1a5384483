/**
 * What `squadc check` prints: the items as a table with the facts that speak against them, the calls
 * that differ, the findings, how it ended.
 *
 *      2  fails   The assistant count is minimized, linear chains are      1 of 4 fails
 *                 merged, no cyclical handoff pair is left split
 *                 ✗ “Desk” hands off to “Table” and nothing keeps them apart; …
 *                   workflow.json:12:7  /edges/1
 *                   squad.json:40:13  /squad/members/0/…
 *
 *     Calls that the squad answers otherwise:
 *
 *      1. start → collect → [wants a table] → booking
 *         “Booking” does not say “A table it is.” where the call comes to “booking”.
 *         workflow.json:31:5  /nodes/2
 */
import { escapeControls, shorten, textWidth } from '../../diagnostics/quote.js';
import type {
  ChecklistItem,
  Diagnostic,
  Evidence,
  JsonPointer,
  Verification,
  Walk,
  WalkStep,
} from '../../index.js';
import type { Api } from '../command.js';
import type { CheckInput } from '../commands/check.js';
import { renderAll, type Text } from '../input/places.js';
import { count, hanging, type Layout, leftOut, padTo } from './terminal.js';

/** Shown without `--verbose`: facts of an item, places of a side, calls, steps at either end of one. */
const most = { facts: 10, places: 4, walks: 5, steps: 12, diagnostics: 30 };

/** Below this width a title stands on lines of its own. */
const narrow = 60;

/** Diagnostics that only repeat an item or a call, which stand above them. */
const shownAbove: ReadonlySet<string> = new Set(['check/item-fails', 'check/walk']);

const colours = { holds: 'green', fails: 'red', waived: 'yellow' } as const;

/** The lines of where something stands, on both sides. */
type PlaceLines = (pointing: Pick<Evidence, 'source' | 'output'>, indent: number) => string[];

export function reportCheck(
  verification: Verification,
  input: CheckInput,
  layout: Layout,
  api: Api,
): string {
  const { checklist, counterexamples, diagnostics } = verification;
  const { columns, style, verbose } = layout;
  const places = placeLinesOf(verification, input, layout, api);
  const parts: string[][] = [];
  if (checklist.length > 0) parts.push(itemLines(checklist, places, layout));
  if (counterexamples.length > 0) {
    parts.push(hanging('', 'Calls that the squad answers otherwise:', columns).map(style.bold));
    parts.push(walkLines(counterexamples, input.workflow, places, layout));
  }
  const wanted = diagnostics.filter(
    ({ severity, code }) => verbose || (severity !== 'info' && !shownAbove.has(code)),
  );
  const shown = first(most.diagnostics, wanted, layout);
  for (const text of renderAll(shown, input, api, style, columns)) parts.push([text]);
  parts.push(leftOut(wanted.length - shown.length, '', layout));
  const paint = verification.holds ? style.green : style.red;
  parts.push(hanging('', summaryOf(verification), columns).map(paint));
  const texts = parts.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${texts.join('\n\n')}\n`;
}

function first<Item>(amount: number, all: readonly Item[], { verbose }: Layout): readonly Item[] {
  return verbose ? all : all.slice(0, amount);
}

/** The facts of an item that are shown: those that speak against it, or all of them. */
function factsOf({ evidence }: ChecklistItem, { verbose }: Layout): readonly Evidence[] {
  return verbose ? evidence : evidence.filter(({ holds }) => !holds);
}

function itemLines(items: readonly ChecklistItem[], places: PlaceLines, layout: Layout): string[] {
  const { columns } = layout;
  const margin = ' '.repeat(columns < narrow ? 4 : 12);
  const widest = Math.max(...items.map((item) => textWidth(factCount(item))));
  const longest = Math.max(...items.map(({ title }) => textWidth(title)));
  const room = Math.min(longest, columns - margin.length - 2 - widest);
  return items.flatMap((item) => {
    const { waivedBy } = item;
    const waiver = waivedBy === undefined ? '' : `waived by the answer to ${waivedBy}`;
    const facts = factsOf(item, layout);
    const shown = first(most.facts, facts, layout);
    return [
      ...headLines(item, margin, room, layout),
      ...(waiver === '' ? [] : hanging(margin, waiver, columns)),
      ...shown.flatMap((fact) => factLines(fact, margin, places, layout)),
      ...leftOut(facts.length - shown.length, margin, layout),
    ];
  });
}

/** `4 facts`, or `1 of 4 fails`. */
function factCount({ evidence }: ChecklistItem): string {
  const against = evidence.filter(({ holds }) => !holds).length;
  if (against === 0) return count(evidence.length, 'fact');
  return `${against} of ${evidence.length} ${against === 1 ? 'fails' : 'fail'}`;
}

/** Number, state, title and count: on a line, or the title below where there is little room. */
function headLines(item: ChecklistItem, margin: string, room: number, layout: Layout): string[] {
  const { columns, style } = layout;
  const { holds, waivedBy, title } = item;
  const state = !holds ? 'fails' : waivedBy === undefined ? 'holds' : 'waived';
  const lead = `${String(item.item).padStart(2)}  ${style.bold(style[colours[state]](state))}`;
  const counted = style.dim(factCount(item));
  if (columns < narrow) return [`${lead}  ${counted}`, ...hanging(margin, title, columns)];
  const [line = '', ...others] = hanging('', title, room);
  const gap = ' '.repeat(8 - state.length);
  return [`${lead}${gap}${padTo(line, room)}  ${counted}`, ...others.map((each) => margin + each)];
}

function factLines(fact: Evidence, margin: string, places: PlaceLines, layout: Layout): string[] {
  const { columns, style } = layout;
  const [line = '', ...others] = hanging(`${margin}  `, fact.text, columns);
  const mark = fact.holds ? style.green('✓') : style.red('✗');
  return [
    `${margin}${mark} ${line.slice(margin.length + 2)}`,
    ...others,
    ...places(fact, margin.length + 2),
  ];
}

function walkLines(
  walks: readonly Walk[],
  workflow: unknown,
  places: PlaceLines,
  layout: Layout,
): string[] {
  const { columns, style } = layout;
  const shown = first(most.walks, walks, layout);
  const lines = shown.flatMap((walk, index) => [
    ...hanging(
      `${String(index + 1).padStart(2)}. `,
      stepsInWords(walk, workflow, layout),
      columns,
    ).map(style.bold),
    ...hanging('    ', walk.text, columns),
    ...places(walk, 4),
  ]);
  return [...lines, ...leftOut(walks.length - shown.length, '    ', layout)];
}

/** The nodes of a call, and between them what the caller wants, in brackets. */
function stepsInWords({ steps }: Walk, workflow: unknown, { verbose }: Layout): string {
  const parts = steps.map((step, index) => {
    const condition = index === 0 ? null : conditionOf(step, workflow);
    return condition === null ? step.node : `[${shorten(condition, 60)}] → ${step.node}`;
  });
  const left = parts.length - 2 * most.steps;
  if (!verbose && left > 0) parts.splice(most.steps, left, `… ${left} more …`);
  return parts.join(' → ');
}

/** The condition of the edge that is taken, or of the global node that is entered. */
function conditionOf({ at, via }: WalkStep, workflow: unknown): string | null {
  const condition = member(valueAt(workflow, via ?? at), 'condition');
  if (typeof condition === 'string') return condition;
  const prompt = member(condition, 'prompt');
  if (typeof prompt === 'string') return prompt;
  return via === null ? 'from anywhere' : null;
}

function valueAt(document: unknown, at: JsonPointer): unknown {
  const keys = at.split('/').slice(1);
  return keys
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(member, document);
}

/** Own members only: `constructor` is no field. */
function member(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

/** Walks each text once for all the places that will be asked for. */
function placeLinesOf(
  { checklist, counterexamples }: Verification,
  { source, squad }: CheckInput,
  layout: Layout,
  api: Api,
): PlaceLines {
  const facts = checklist.flatMap((item) => first(most.facts, factsOf(item, layout), layout));
  const pointing = [...facts, ...first(most.walks, counterexamples, layout)];
  const located = (side: 'source' | 'output', { text }: Text) =>
    api.locateAll(text, new Set(pointing.flatMap((each) => each[side])));
  const inSource = located('source', source);
  const inSquad = located('output', squad);
  const linesOf = (
    all: readonly JsonPointer[],
    text: Text,
    found: typeof inSquad,
    indent: number,
  ) => {
    const shown = first(most.places, all, layout);
    const lines = shown.flatMap((at) => {
      const place = found.get(at);
      const where = place ? `${text.name}:${place.line}:${place.column}` : text.name;
      return placeLine(where, at, indent, layout);
    });
    const left = all.length - shown.length;
    return left === 0 ? lines : [...lines, `${' '.repeat(indent)}… and ${left} more`];
  };
  return ({ source: inWorkflow, output }, indent) => [
    ...linesOf(inWorkflow, source, inSource, indent),
    ...linesOf(output, squad, inSquad, indent),
  ];
}

/** `workflow.json:12:7  /edges/1`; a pointer that does not fit beside its line goes below it. */
function placeLine(where: string, at: JsonPointer, indent: number, layout: Layout): string[] {
  const { columns, style } = layout;
  const margin = ' '.repeat(indent);
  const [file, pointer] = [escapeControls(where), escapeControls(at)];
  const line = `${margin}${style.cyan(file)}`;
  if (pointer === '') return [line];
  const fits = indent + textWidth(file) + 2 + textWidth(pointer) <= columns;
  if (fits) return [`${line}  ${style.dim(pointer)}`];
  return [line, `${margin}  ${style.dim(pointer)}`];
}

function summaryOf({ holds, checklist, counterexamples, diagnostics }: Verification): string {
  const facts = checklist.reduce((sum, { evidence }) => sum + evidence.length, 0);
  if (holds) return `holds: ${count(checklist.length, 'item')}, ${count(facts, 'fact')}`;
  const failed = checklist.filter((item) => !item.holds).length;
  const errors = diagnostics.filter(isErrorByItself).length;
  const against = [
    ...(failed > 0 ? [`${count(failed, 'item')} of ${checklist.length}`] : []),
    ...(counterexamples.length > 0 ? [count(counterexamples.length, 'call')] : []),
    ...(errors > 0 ? [count(errors, 'error')] : []),
  ];
  return `does not hold: ${against.join(', ')}`;
}

function isErrorByItself({ severity, code }: Diagnostic): boolean {
  return severity === 'error' && !shownAbove.has(code);
}
