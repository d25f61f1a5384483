/** The items of the checklist, as functions of a migration. */
import type { ChecklistItem } from '../../src/compiler/ir/result.js';
import { checks } from '../../src/verify/checklist.js';
import { toItem } from '../../src/verify/item.js';
import { compareMigration, type Migration } from './migration.js';

type Check = (input: Migration) => ChecklistItem;

export const [
  checkEntry,
  checkGrouping,
  checkHandoffs,
  checkVariables,
  checkTools,
  checkEndings,
  checkNames,
  checkShape,
  checkCallers,
] = checks.map(
  (check): Check =>
    (input) =>
      toItem(check(compareMigration(input))),
) as [Check, Check, Check, Check, Check, Check, Check, Check, Check];

/** The check of an item by its position, the first at 0. */
export function checkItem(at: number): Check {
  return (input) => toItem(checks[at]!(compareMigration(input)));
}
