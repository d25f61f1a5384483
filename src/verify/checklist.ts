/**
 * The validation checklist of spec/3: nine items, each with its evidence.
 *
 * In: the workflow with its answers and the squad, side by side. Out: what is to be said of the
 * items, in their order. Guarantees: each item is judged from the input alone, none from another; a
 * document of any shape fails items and throws nothing.
 */
import type { Comparison } from './comparison.js';
import type { Judgement } from './item.js';
import { checkEntry } from './item-1-entry.js';
import { checkGrouping } from './item-2-grouping.js';
import { checkHandoffs } from './item-3-handoffs.js';
import { checkVariables } from './item-4-variables.js';
import { checkTools } from './item-5-tools.js';
import { checkEndings } from './item-6-endings.js';
import { checkNames } from './item-7-names.js';
import { checkShape } from './item-8-shape.js';
import { checkCallers } from './item-9-callers.js';

/** The items by number, the first at 0. */
export const checks: readonly ((comparison: Comparison) => Judgement)[] = [
  checkEntry,
  checkGrouping,
  checkHandoffs,
  checkVariables,
  checkTools,
  checkEndings,
  checkNames,
  checkShape,
  checkCallers,
];

/** Checks what became of the workflow: nine items, in the order of spec/3. */
export function checkMigration(comparison: Comparison): Judgement[] {
  return checks.map((check) => check(comparison));
}
