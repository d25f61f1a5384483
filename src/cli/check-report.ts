/** What `squadc check` prints: the items, the calls that differ, the findings, how it ended. */
import type { Diagnostic, Verification } from '../index.js';
import type { CheckFlags } from './check.js';
import type { CheckInput } from './check-input.js';
import { itemLines, shownFacts } from './check-items.js';
import { shownWalks, walkLines } from './check-walks.js';
import { findPlaces } from './evidence-places.js';
import type { Api } from './invocation.js';
import type { Io } from './io.js';
import { columnsOf, hanging, type Layout, leftOut } from './layout.js';
import { placesOf, whereOf } from './place.js';
import { count } from './summary.js';
import { styleFor } from './terminal.js';

/** Diagnostics that only repeat an item or a call, which stand above them. */
const shownAbove: ReadonlySet<string> = new Set(['check/item-fails', 'check/walk']);

/** Diagnostics that are shown without `--verbose`. */
const mostDiagnostics = 30;

export function reportCheck(
  verification: Verification,
  input: CheckInput,
  flags: CheckFlags,
  api: Api,
  { stdout, env }: Io,
): void {
  const layout: Layout = {
    columns: columnsOf(stdout),
    style: styleFor(stdout, env),
    verbose: flags.verbose === true,
  };
  const parts = [
    ...findings(verification, input, layout, api),
    ...diagnosticTexts(verification, input, layout, api),
    summaryLine(verification, layout),
  ];
  stdout.write(`${parts.join('\n\n')}\n`);
}

/** The items, then the calls. */
function findings(
  { checklist, counterexamples }: Verification,
  input: CheckInput,
  layout: Layout,
  api: Api,
): string[] {
  const { columns, style, verbose } = layout;
  const facts = checklist.flatMap((item) => shownFacts(item, verbose));
  const places = findPlaces([...facts, ...shownWalks(counterexamples, verbose)], input, api);
  const parts = [];
  if (checklist.length > 0) parts.push(itemLines(checklist, places, layout).join('\n'));
  if (counterexamples.length > 0) {
    const title = hanging('', 'Calls that the squad answers otherwise:', columns);
    parts.push(title.map(style.bold).join('\n'));
    parts.push(walkLines(counterexamples, input.workflow, places, layout).join('\n'));
  }
  return parts;
}

function diagnosticTexts(
  { diagnostics }: Verification,
  input: CheckInput,
  layout: Layout,
  api: Api,
): string[] {
  const { columns, style, verbose } = layout;
  const wanted = diagnostics.filter(
    ({ severity, code }) => verbose || (severity !== 'info' && !shownAbove.has(code)),
  );
  const shown = verbose ? wanted : wanted.slice(0, mostDiagnostics);
  const places = placesOf(shown, input, api);
  const texts = shown.map((each) =>
    api.renderDiagnostic(each, whereOf(each, places, input), style, columns),
  );
  const left = leftOut(wanted.length - shown.length, '', layout);
  return left.length === 0 ? texts : [...texts, left.join('\n')];
}

function summaryLine(verification: Verification, { columns, style }: Layout): string {
  const paint = verification.holds ? style.green : style.red;
  return hanging('', summaryOf(verification), columns).map(paint).join('\n');
}

/** `holds: …`, or what does not. */
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
