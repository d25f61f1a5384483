/**
 * What `squadc check` prints: the verdict, then each fault once, then what is not decided, then the
 * checklist in short.
 *
 *     fails: item 3, 1 call; 1 place is undecided
 *
 *     What fails:
 *
 *      1. item 3: “Desk” has no handoff for the condition “wants a table”.
 *         start → collect → [wants a table] → booking
 *         workflow.json:31:5  /edges/2
 *
 *      1  holds   The first members entry is the workflow’s start: 1 fact
 */
import { linesWithin, shorten, textWidth } from '../diagnostics/quote.js';
import type {
  ChecklistItem,
  Diagnostic,
  Evidence,
  JsonPointer,
  Verification,
  Walk,
  WalkStep,
} from '../index.js';
import { counted } from '../text/counted.js';
import { escapeControls } from '../text/escape.js';
import { isObject, type Json } from '../text/json.js';
import { valueAt } from '../text/pointer.js';

/** A document, and the text that places are found in. */
interface Side {
  readonly name: string;
  readonly text: string;
}

export interface CheckSheet {
  readonly workflow: unknown;
  readonly source: Side;
  readonly squad: Side;
  readonly verbose: boolean;
  readonly columns: number;
  readonly style: Style;
  readonly locateAll: typeof import('../index.js').locateAll;
  /** Renders what is found about the documents themselves. */
  render(diagnostics: readonly Diagnostic[]): string[];
}

/** Limits without `--verbose`. `places` counts per side, `steps` at each end of a call. */
const most = { faults: 30, undecided: 20, places: 4, steps: 12, diagnostics: 30 };

const colours = {
  holds: 'green',
  fails: 'red',
  undecided: 'yellow',
  waived: 'yellow',
  open: 'yellow',
} as const;

/** Shown as faults or as undecided, with the same words. */
const shownAbove: ReadonlySet<string> = new Set([
  ...['check/item-fails', 'check/walk', 'check/setting-differs', 'check/not-placed'],
  ...['check/open-question', 'check/not-decided', 'check/not-seen', 'check/undecided'],
  ...['check/setting-unknown', 'check/setting-open'],
]);

/** Something to show with its places. */
interface Entry {
  readonly text: string;
  readonly source: readonly JsonPointer[];
  readonly output: readonly JsonPointer[];
  readonly steps?: Walk['steps'];
}

type Style = Readonly<Record<'bold' | 'cyan' | 'green' | 'red' | 'yellow', Paint>>;
type Paint = (text: string) => string;

interface Sheet extends CheckSheet {
  /** Lines with the places of an entry. */
  readonly placesOf: (entry: Pick<Entry, 'source' | 'output'>, lead: string) => string[];
}

export function checkText(verification: Verification, given: CheckSheet): string {
  const { verbose, columns, style } = given;
  const { verdict, checklist, diagnostics } = verification;
  const [faults, open] = [listFaults(verification), listUndecided(verification)];
  const shown: readonly Pick<Entry, 'source' | 'output'>[] = [
    ...faults,
    ...open,
    ...(verbose ? checklist.flatMap(({ evidence }) => evidence) : []),
  ];
  const sides = (['source', 'output'] as const).map((side) => {
    const { name, text } = given[side === 'source' ? 'source' : 'squad'];
    return { side, name, found: given.locateAll(text, new Set(shown.flatMap((it) => it[side]))) };
  });
  const placesOf: Sheet['placesOf'] = (entry, lead) =>
    sides.flatMap(({ side, name, found }) =>
      listed(entry[side], verbose ? Infinity : most.places, lead, columns, (at) => {
        const place = found.get(at);
        const file = place ? `${name}:${place.line}:${place.column}` : name;
        return hanging(lead, `${file}  ${at}`, columns).map(style.cyan);
      }),
    );
  const sheet: Sheet = { ...given, placesOf };
  const wanted = diagnostics.filter(({ severity, code }) => {
    return !shownAbove.has(code) && (verbose || severity !== 'info');
  });
  const few = verbose ? wanted : wanted.slice(0, most.diagnostics);
  const section = (title: string, entries: readonly Entry[], limit: number): string[][] =>
    entries.length === 0
      ? []
      : [
          hanging('', title, columns).map(style.bold),
          listed(entries, verbose ? Infinity : limit, '    ', columns, (it, at) =>
            entryLines(sheet, it, at),
          ),
        ];
  const parts = [
    hanging('', summaryOf(verification, faults, open), columns).map(style[colours[verdict]]),
    ...section('What fails:', faults, most.faults),
    ...section('What is undecided:', open, most.undecided),
    checklist.flatMap((item) => itemLines(sheet, item)),
    ...given.render(few).map((text) => [text]),
    moreLines(wanted.length - few.length, '', columns),
  ];
  const texts = parts.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${texts.join('\n\n')}\n`;
}

/** Each fault once: with its item, and with a call that shows it if there is one. */
function listFaults({ checklist, counterexamples, diagnostics }: Verification): Entry[] {
  const faults = new Map<string, Entry>();
  const add = (entry: Entry, item?: number): void => {
    const key = `${entry.text} ${entry.output[0]} ${entry.source[0]}`;
    const known = faults.get(key);
    const walk = known?.steps ?? entry.steps;
    const text = known?.text ?? (item === undefined ? entry.text : `item ${item}: ${entry.text}`);
    faults.set(key, { ...entry, text, ...(walk && { steps: walk }) });
  };
  for (const { item, holds, evidence } of checklist) {
    const failing = holds ? [] : evidence.filter((it) => !it.holds && it.decided !== false);
    for (const it of failing) add(it, item);
  }
  for (const it of counterexamples) add(it);
  for (const { severity, code, message, at, related } of diagnostics) {
    if (severity !== 'error' || !/setting-differs|not-placed/.test(code)) continue;
    const isOfSquad = code === 'check/setting-differs';
    // It says more than the items that fail because a node is nowhere.
    for (const [key, { source, output }] of isOfSquad ? [] : faults) {
      if (source[0] === at && output.length === 0) faults.delete(key);
    }
    add({ text: message, source: isOfSquad ? related : [at], output: isOfSquad ? [at] : [] });
  }
  return [...faults.values()];
}

function listUndecided({ undecided }: Verification): Entry[] {
  return undecided.map(({ at, in: document, text }) =>
    document === 'squad' ? { text, source: [], output: at } : { text, source: at, output: [] },
  );
}

function entryLines({ workflow, verbose, columns, placesOf }: Sheet, entry: Entry, at: number) {
  const lead = `${String(at + 1).padStart(2)}. `;
  const { steps } = entry;
  const walk = steps === undefined ? '' : stepsInWords(steps, workflow as Json, verbose);
  return [
    ...hanging(lead, entry.text, columns),
    ...(walk === '' ? [] : hanging('    ', walk, columns)),
    ...placesOf(entry, '    '),
  ];
}

/** One line without `--verbose`. */
function itemLines(
  { verbose, columns, style, placesOf }: Sheet,
  { item, title, holds, decided, waivedBy, evidence }: ChecklistItem,
): string[] {
  const margin = ' '.repeat(12);
  const isWaived = waivedBy !== undefined;
  const state = isWaived ? 'waived' : holds ? 'holds' : decided ? 'fails' : 'open';
  const lead = `${String(item).padStart(2)}  ${state.padEnd(6)}  `;
  const [head = '', ...others] = hanging(lead, `${title}: ${factCount(evidence)}`, columns);
  return [
    head.replace(state, (word) => style.bold(style[colours[state]](word))),
    ...others,
    ...(waivedBy ? hanging(margin, `waived by the answer to ${waivedBy}`, columns) : []),
    ...(verbose ? evidence : []).flatMap((fact) => [
      ...hanging(`${margin}${signOf(fact)} `, fact.text, columns),
      ...placesOf(fact, `${margin}  `),
    ]),
  ];
}

const signOf = ({ holds, decided }: Evidence) => (holds ? '✓' : decided === false ? '?' : '✗');

/** `4 facts`, `1 of 4 fails`, or `1 of 4 is undecided`. */
function factCount(evidence: readonly Evidence[]): string {
  const against = evidence.filter(({ holds, decided }) => !holds && decided !== false).length;
  const open = evidence.filter(({ decided }) => decided === false).length;
  const all = evidence.length;
  if (against > 0) return `${against} of ${all} ${against === 1 ? 'fails' : 'fail'}`;
  if (open > 0) return `${open} of ${all} ${open === 1 ? 'is' : 'are'} undecided`;
  return counted(all, 'fact');
}

function listed<Item>(
  items: readonly Item[],
  limit: number,
  lead: string,
  columns: number,
  linesOf: (item: Item, index: number) => string[],
): string[] {
  const shown = items.slice(0, limit);
  return [...shown.flatMap(linesOf), ...moreLines(items.length - shown.length, lead, columns)];
}

function moreLines(left: number, lead: string, columns: number): string[] {
  return left <= 0 ? [] : hanging(lead, `… and ${left} more (--verbose shows all)`, columns);
}

/** The nodes of a call and, in brackets between them, the conditions. */
function stepsInWords(steps: readonly WalkStep[], workflow: Json, verbose: boolean): string {
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
  const words = isObject(condition) ? condition['prompt'] : condition;
  if (typeof words === 'string') return words;
  return via === null ? 'from anywhere' : null;
}

/** `holds: 9 items, 80 facts`; else how much fails and how much is undecided. */
function summaryOf(
  { verdict, checklist, diagnostics }: Verification,
  faults: readonly Entry[],
  open: readonly Entry[],
): string {
  const facts = checklist.reduce((sum, { evidence }) => sum + evidence.length, 0);
  if (verdict === 'holds')
    return `holds: ${counted(checklist.length, 'item')}, ${counted(facts, 'fact')}`;
  const isError = ({ severity, code }: Diagnostic) => severity === 'error' && !shownAbove.has(code);
  const errors = diagnostics.filter(isError).length;
  const places = open.length === 0 ? [] : [`${counted(open.length, 'place')} to look at`];
  if (verdict === 'undecided') return `undecided: ${places.join('')}`;
  const failing = checklist.filter((it) => !it.holds && it.decided).map(({ item }) => item);
  const against = [
    ...(faults.length > 0 ? [counted(faults.length, 'fault')] : []),
    ...(errors > 0 ? [counted(errors, 'error')] : []),
    ...(failing.length > 0
      ? [`item${failing.length > 1 ? 's' : ''} ${failing.join(', ')} of the checklist`]
      : []),
    ...places,
  ];
  return `fails: ${against.join('; ')}`;
}

/**
 * Puts any text after a lead and wraps it, with all lines aligned. Escapes control characters here,
 * so that no caller can forget to.
 */
export function hanging(lead: string, text: string, columns: number): string[] {
  const width = textWidth(lead);
  return linesWithin(escapeControls(text), Math.max(10, columns - width)).map((line, index) =>
    `${index === 0 ? lead : ' '.repeat(width)}${line}`.trimEnd(),
  );
}
