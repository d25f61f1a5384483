/** What the raw squad lacks of the raw workflow, as findings (conserve.ts). */
import type { Settled } from '../compiler/ir/options.js';
import type { ChecklistItem, Diagnostic, Question } from '../compiler/ir/result.js';
import { ofLosses } from '../diagnostics/checklist.js';
import { diagnose } from '../diagnostics/diagnose.js';
import type { JsonObject } from '../text/json.js';
import { conserve } from './conserve.js';
import { type Finding, fault } from './finding.js';

/** `raw` is the workflow as it was given; without it, nothing is compared. */
export function listLosses(
  raw: unknown,
  document: JsonObject,
  { answers, model, memberOverrides }: Settled,
  open: readonly Question[],
): Finding[] {
  // Without these answers it is unknown what they replace.
  const isUnclear = ({ kind }: Question) =>
    kind === 'undefined-variable' || kind === 'conflicting-settings';
  if (raw === null || open.some(isUnclear)) return [];
  const replaced = Object.keys({ ...(model && { model }), ...memberOverrides });
  return conserve(raw, document, { ...answers, replaced }).map((loss) =>
    loss.in === 'squad'
      ? fault(ofLosses.stray(loss.value), [], [loss.at])
      : fault(ofLosses.lacks(loss.value), [loss.at], []),
  );
}

/** The losses whose places nothing else reports; what an answer excuses is no fault. */
export function diagnoseLosses(
  losses: readonly Finding[],
  checklist: readonly ChecklistItem[],
  found: readonly Diagnostic[],
): Diagnostic[] {
  const faults = found.filter(({ severity }) => severity === 'error');
  const failing = checklist.filter(({ holds, decided }) => !holds && decided);
  const evidence = failing
    .flatMap((item) => item.evidence)
    .filter(({ holds, decided }) => !holds && decided !== false);
  const inSquad = [
    ...faults.flatMap((it) => (it.in === 'squad' ? it.at : [])),
    ...evidence.flatMap(({ output }) => output),
  ];
  const inSource = [
    ...faults.flatMap((it) => [...(it.in === undefined ? [it.at] : []), ...it.related]),
    ...evidence.flatMap(({ source }) => source),
  ];
  const isWithin = (one: string, other: string) => one === other || one.startsWith(`${other}/`);
  return losses.flatMap(({ text, source: [from], output: [place] }) => {
    const at = from ?? place!;
    const reported = from === undefined ? inSquad : inSource;
    const isKnown = reported.some((it) => it !== '' && (isWithin(at, it) || isWithin(it, at)));
    if (isKnown) return [];
    return [diagnose('check/lost', at, { text }, from === undefined ? { in: 'squad' } : {})];
  });
}
