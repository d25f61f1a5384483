/**
 * What became of a request whose place an operation has taken.
 *
 * What the operation is sent stands in the document, though in other words; how the request was
 * sent, like its headers, does not. Both are said, so that nobody has to look for what is gone.
 */
import type { JsonPointer } from '../ir/ids.js';
import type { LedgerEntry } from '../ir/result.js';
import type { WorkflowNode } from '../ir/workflow.js';
import type { Fate } from './ledger.js';

/** The entries of what an operation replaces; `fate` is the node's. */
export function entriesOfReplaced(
  { request }: WorkflowNode,
  fate: Fate,
  within: (at: JsonPointer) => readonly JsonPointer[],
): LedgerEntry[] {
  const { id, replaced } = request?.operation ?? { replaced: [] };
  return replaced.flatMap(({ origin }): LedgerEntry[] => {
    if (origin.kind !== 'source') return [];
    const { at } = origin;
    if (fate.status !== 'converted') return [{ at, kind: 'field', ...fate }];
    const outputs = within(at);
    if (outputs.length > 0) return [{ at, kind: 'field', status: 'converted', outputs }];
    const reason = `replaced by the operation ${id!.value}`;
    return [{ at, kind: 'field', status: 'dropped', reason, outputs }];
  });
}
