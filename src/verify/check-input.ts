/** What the items of the validation checklist are computed from. */
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { JsonObject } from '../compiler/ir/json.js';
import type { Settled } from '../compiler/ir/options.js';
import type { LedgerEntry } from '../compiler/ir/result.js';
import type { Workflow } from '../compiler/ir/workflow.js';
import type { Waiver } from './waiver.js';

export interface CheckInput {
  /** The workflow with the answers applied. */
  readonly workflow: Workflow;
  readonly start: NodeIndex;
  /** The squad document: `{ squad: … }` or, for target `vapi`, `{ members: … }`. */
  readonly document: JsonObject;
  /** Where each node, edge and text of the workflow went. */
  readonly ledger: readonly LedgerEntry[];
  readonly options: Settled;
  /** Answers that keep stages apart, and the item that each waives. */
  readonly waivers: readonly Waiver[];
}
