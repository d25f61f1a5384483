/**
 * The output of `squadc check`: a table of the checklist with the facts that fail, the calls that
 * differ, the diagnostics, and the result.
 *
 *      2  fails   The assistant count is minimized, linear chains are merged, no
 *                 cyclical handoff pair is left split: 1 of 4 fails
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
import { isJsonObject, type Json } from '../../compiler/ir/json.js';
import { shorten } from '../../diagnostics/quote.js';
import type { ChecklistItem, Evidence, Verification, Walk, WalkStep } from '../../index.js';
import { valueAt } from '../../report/places.js';
import type { Api } from '../command.js';
import type { CheckInput } from '../commands/check.js';
import { renderAll } from '../input/places.js';
import { count, hanging, type Style } from './terminal.js';

/** The layout of a report. */
export interface Layout {
  readonly columns: number;
  readonly style: Style;
  /** Show everything, without limits. */
  readonly verbose: boolean;
}

/** Limits without `--verbose`. `places` counts per side, `steps` at each end of a call. */
const most = { facts: 10, places: 4, walks: 5, steps: 12, diagnostics: 30 };

/** Diagnostics that only repeat a checklist item or a call shown above. */
const shownAbove: ReadonlySet<string> = new Set(['check/item-fails', 'check/walk']);

const colours = { holds: 'green', fails: 'red', waived: 'yellow' } as const;

type Pointing = Pick<Evidence, 'source' | 'output'>;

export function reportCheck(
  verification: Verification,
  input: CheckInput,
  { columns, style, verbose }: Layout,
  api: Api,
): string {
  const { holds, checklist, counterexamples, diagnostics } = verification;
  const first = <Item>(amount: number, all: readonly Item[]) =>
    verbose ? all : all.slice(0, amount);
  const more = (left: number, lead: string) =>
    left <= 0 ? [] : hanging(lead, `… and ${left} more (--verbose shows all)`, columns);

  // First collects all that is shown, so that each text is walked only once.
  const factsOf = ({ evidence }: ChecklistItem) =>
    verbose ? evidence : evidence.filter(({ holds: does }) => !does);
  const pointing = [
    ...checklist.flatMap((item) => first(most.facts, factsOf(item))),
    ...first(most.walks, counterexamples),
  ];
  const sides = (['source', 'output'] as const).map((side) => {
    const { name, text } = side === 'source' ? input.source : input.squad;
    const found = api.locateAll(text, new Set(pointing.flatMap((each) => each[side])));
    return { side, name, found };
  });

  /** `workflow.json:12:7  /edges/1` */
  const placeLines = (of: Pointing, lead: string): string[] =>
    sides.flatMap(({ side, name, found }) => {
      const shown = first(most.places, of[side]);
      const lines = shown.flatMap((at) => {
        const place = found.get(at);
        const file = place ? `${name}:${place.line}:${place.column}` : name;
        return hanging(lead, `${file}  ${at}`, columns).map(style.cyan);
      });
      return [...lines, ...more(of[side].length - shown.length, lead)];
    });

  const margin = ' '.repeat(12);
  const itemLines = checklist.flatMap((item) => {
    const { title, waivedBy, evidence } = item;
    const state = item.holds ? (waivedBy === undefined ? 'holds' : 'waived') : 'fails';
    const lead = `${String(item.item).padStart(2)}  ${state.padEnd(6)}  `;
    const [head = '', ...others] = hanging(lead, `${title}: ${factCount(evidence)}`, columns);
    const facts = factsOf(item);
    const shown = first(most.facts, facts);
    return [
      head.replace(state, (word) => style.bold(style[colours[state]](word))),
      ...others,
      ...(waivedBy ? hanging(margin, `waived by the answer to ${waivedBy}`, columns) : []),
      ...shown.flatMap((fact) => [
        ...hanging(`${margin}${fact.holds ? '✓' : '✗'} `, fact.text, columns),
        ...placeLines(fact, `${margin}  `),
      ]),
      ...more(facts.length - shown.length, margin),
    ];
  });
  const parts = [itemLines];
  if (counterexamples.length > 0) {
    parts.push(hanging('', 'Calls that the squad answers otherwise:', columns).map(style.bold));
    const shown = first(most.walks, counterexamples);
    const lines = shown.flatMap((walk, index) => {
      const steps = stepsInWords(walk, input.workflow as Json, verbose);
      const head = hanging(`${String(index + 1).padStart(2)}. `, steps, columns);
      const rest = [...hanging('    ', walk.text, columns), ...placeLines(walk, '    ')];
      return [...head.map(style.bold), ...rest];
    });
    parts.push([...lines, ...more(counterexamples.length - shown.length, '    ')]);
  }
  const wanted = diagnostics.filter(
    ({ severity, code }) => verbose || (severity !== 'info' && !shownAbove.has(code)),
  );
  const shown = first(most.diagnostics, wanted);
  for (const text of renderAll(shown, input, api, style, columns)) parts.push([text]);
  parts.push(more(wanted.length - shown.length, ''));
  parts.push(hanging('', summaryOf(verification), columns).map(holds ? style.green : style.red));
  const texts = parts.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${texts.join('\n\n')}\n`;
}

/** `4 facts`, or `1 of 4 fails`. */
function factCount(evidence: readonly Evidence[]): string {
  const against = evidence.filter(({ holds }) => !holds).length;
  if (against === 0) return count(evidence.length, 'fact');
  return `${against} of ${evidence.length} ${against === 1 ? 'fails' : 'fail'}`;
}

/** The nodes of a call and, in brackets between them, the conditions. */
function stepsInWords({ steps }: Walk, workflow: Json, verbose: boolean): string {
  const parts = steps.map((step, index) => {
    const condition = index === 0 ? null : conditionOf(step, workflow);
    return condition === null ? step.node : `[${shorten(condition, 60)}] → ${step.node}`;
  });
  const left = parts.length - 2 * most.steps;
  if (!verbose && left > 0) parts.splice(most.steps, left, `… ${left} more …`);
  return parts.join(' → ');
}

/** The condition of the edge taken, or of the global node entered. */
function conditionOf({ at, via }: WalkStep, workflow: Json): string | null {
  const condition = valueAt(workflow, `${via ?? at}/condition`);
  const words = isJsonObject(condition) ? condition['prompt'] : condition;
  if (typeof words === 'string') return words;
  return via === null ? 'from anywhere' : null;
}

/** `holds: 9 items, 80 facts`, or the number of failures. */
function summaryOf({ holds, checklist, counterexamples, diagnostics }: Verification): string {
  const facts = checklist.reduce((sum, { evidence }) => sum + evidence.length, 0);
  if (holds) return `holds: ${count(checklist.length, 'item')}, ${count(facts, 'fact')}`;
  const failed = checklist.filter((item) => !item.holds).length;
  const errors = diagnostics.filter(
    ({ severity, code }) => severity === 'error' && !shownAbove.has(code),
  );
  const against: string[] = [];
  if (failed > 0) against.push(`${count(failed, 'item')} of ${checklist.length}`);
  if (counterexamples.length > 0) against.push(count(counterexamples.length, 'call'));
  if (errors.length > 0) against.push(count(errors.length, 'error'));
  return `does not hold: ${against.join(', ')}`;
}
