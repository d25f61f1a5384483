/** The items of the checklist, as functions of a migration. */
import { type ChecklistItem, verify } from '../../src/index.js';
import type { Migration } from './migration.js';

/** The item of this number, as `verify` judges it. */
function checkItem(item: number): (input: Migration) => ChecklistItem {
  return ({ source, options, document }) => {
    const { checklist, diagnostics } = verify(source, document, options);
    const found = checklist.find((each) => each.item === item);
    if (found === undefined) throw new Error(diagnostics.map(({ message }) => message).join(' '));
    return found;
  };
}

export const checkEntry = checkItem(1);
export const checkHandoffs = checkItem(3);
export const checkNames = checkItem(7);
export const checkCallers = checkItem(9);
