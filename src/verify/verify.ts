/**
 * The verifier: is this squad a faithful migration of this workflow?
 *
 *     workflow + answers ──settle──▶ what a call can do, and the assistants that it wants
 *                                         │
 *     squad ──────────────────────────▶ compare: one walk through both at once
 *                                         │
 *                    nine items of the checklist, and calls that show what differs
 *
 * It knows the two documents, the options and the answers, and nothing of how the squad was made:
 * with the compiler it shares the workflow reader and the catalogue, and no other program. Which
 * assistant owns which node it finds from the texts.
 */

import type { Dialogue } from '../compiler/1-read/decide.js';
import { parseWorkflow } from '../compiler/1-read/parse-workflow.js';
import { readOptions } from '../compiler/1-read/read-options.js';
import { findStart } from '../compiler/1-read/start.js';
import { isJsonObject, type JsonObject } from '../compiler/ir/json.js';
import { withLazy } from '../compiler/ir/lazy.js';
import type { Settled, Target } from '../compiler/ir/options.js';
import type { ChecklistItem, Diagnostic } from '../compiler/ir/result.js';
import type { Verification, VerifyOptions } from '../compiler/ir/verification.js';
import type { Workflow } from '../compiler/ir/workflow.js';
import { diagnose } from '../diagnostics/diagnose.js';
import { checkMigration } from './checklist.js';
import { compare } from './comparison.js';
import { listCounterexamples } from './counterexamples.js';
import { listFaults } from './faults.js';
import { toItem } from './item.js';
import { readDocument } from './read-document.js';
import { settle } from './settle.js';

/**
 * Decides whether `squad` is a faithful migration of `workflow` (spec/3, "Validation checklist"):
 * the nine items, and whether every call of the workflow finds the same lines, instructions, tools,
 * transfers and variables in the squad, and the squad allows no handoff that the workflow does not.
 * Works on squads of both shapes, whoever made them. Without the answers that the squad was made
 * with, the items that depend on them do not hold. Pure; never throws on bad input.
 */
export function verify(
  workflow: unknown,
  squad: unknown,
  options: VerifyOptions = {},
): Verification {
  const { document, diagnostics } = readDocument(squad);
  const { sourceMap: _, ...given } = options;
  // Where the caller does not say it, the shape of the document says for which target it is.
  const target = given.target ?? (isJsonObject(document['squad']) ? 'squad' : 'vapi');
  const { options: settled, diagnostics: faults } = readOptions({ ...given, target });
  const { workflow: source, diagnostics: found } = parseWorkflow(workflow);
  const errors = [...found, ...faults].filter(({ severity }) => severity === 'error');
  if (source === null || errors.length > 0) return unreadable(errors);
  const verification = verifyParsed(source, document, settled, given.target ?? null);
  return diagnostics.length === 0
    ? verification
    : { ...verification, holds: false, diagnostics: [...diagnostics, ...verification.diagnostics] };
}

/** As `verify`, for a workflow that has been read and a document that is JSON. */
export function verifyParsed(
  source: Workflow,
  document: JsonObject,
  options: Settled,
  stated: Target | null = options.target,
): Verification {
  const settlement = settle(source, options);
  if (settlement === null) {
    const { id, at } = source.nodes[findExit(source)]!;
    return unreadable([diagnose('flow/start-is-exit', at, { id })]);
  }
  const comparison = compare(settlement, document, options, stated);
  const judgements = checkMigration(comparison);
  const diagnostics = listFaults(comparison, judgements, settlement.dialogue.diagnostics);
  const holds = diagnostics.every(({ severity }) => severity !== 'error');
  const views = {
    checklist: () => judgements.map(toItem),
    counterexamples: () => (holds ? [] : listCounterexamples(comparison, judgements)),
  };
  return Object.assign(withLazy({ holds }, views), { diagnostics });
}

/**
 * The checklist of a draft: what the open questions assume counts as answered, and their items do
 * not hold.
 */
export function checkDraft(
  source: Workflow,
  document: JsonObject,
  options: Settled,
  { assumed, open }: Pick<Dialogue, 'assumed' | 'open'>,
): readonly ChecklistItem[] {
  const answers = { ...Object.fromEntries(assumed), ...options.answers.answers };
  const settlement = settle(source, { ...options, answers: { ...options.answers, answers } });
  if (settlement === null) return [];
  return checkMigration({ ...compare(settlement, document, options), open }).map(toItem);
}

/** The exit that a call would have to begin with. */
function findExit(source: Workflow): number {
  const start = findStart(source);
  return start.kind === 'exit' ? start.node : 0;
}

/** Nothing was checked, so nothing holds. */
function unreadable(diagnostics: readonly Diagnostic[]): Verification {
  return { holds: false, checklist: [], counterexamples: [], diagnostics };
}
