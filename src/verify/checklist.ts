/** The validation checklist of spec/3: nine items, each with its evidence. */
import type { ChecklistItem } from '../compiler/ir/result.js';
import type { CheckInput } from './check-input.js';

/** Checks what became of the workflow: nine items, in the order of spec/3. */
export function checkMigration(_input: CheckInput): ChecklistItem[] {
  return [];
}
