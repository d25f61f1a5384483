/** Which assistants own which nodes, and where edges have become destinations: the ledger's word. */
import type { JsonPointer, NodeIndex } from '../compiler/ir/ids.js';
import type { LedgerEntry } from '../compiler/ir/result.js';
import type { Workflow, WorkflowEdge } from '../compiler/ir/workflow.js';

export interface Owners {
  /** Positions of the members that own the node. */
  readonly of: (node: NodeIndex) => ReadonlySet<number>;
  /** The only member that owns the node; null where there is none or several. */
  readonly soleOwner: (node: NodeIndex) => number | null;
  /** The equal node that stands for this one; itself where it has none. */
  readonly standsFor: (node: NodeIndex) => NodeIndex;
  /** Places of the document that the edge went to. */
  readonly placesOf: (edge: WorkflowEdge) => readonly JsonPointer[];
}

const nobody: ReadonlySet<number> = new Set();
const equalTo = 'equal to ';

export function readOwners(workflow: Workflow, ledger: readonly LedgerEntry[]): Owners {
  const nodes = new Map<JsonPointer, LedgerEntry>();
  const edges = new Map<JsonPointer, LedgerEntry>();
  for (const entry of ledger) {
    if (entry.kind === 'node') nodes.set(entry.at, entry);
    if (entry.kind === 'edge') edges.set(entry.at, entry);
  }
  const owners = workflow.nodes.map(({ at }) => membersIn(nodes.get(at)?.outputs ?? []));
  const byId = new Map(workflow.nodes.map((node) => [node.id, node.index]));
  const of = (node: NodeIndex) => owners[node] ?? nobody;
  return {
    of,
    soleOwner: (node) => {
      const [only, ...others] = of(node);
      return only === undefined || others.length > 0 ? null : only;
    },
    standsFor: (node) => {
      const reason = nodes.get(workflow.nodes[node]!.at)?.reason ?? '';
      const equal = reason.startsWith(equalTo) ? byId.get(reason.slice(equalTo.length)) : undefined;
      return equal ?? node;
    },
    placesOf: ({ at }) => edges.get(at)?.outputs ?? [],
  };
}

function membersIn(places: readonly JsonPointer[]): ReadonlySet<number> {
  const numbers = places.map((at) => /^(?:\/squad)?\/members\/(\d+)(?:\/|$)/.exec(at)?.[1]);
  return new Set(numbers.filter((it) => it !== undefined).map(Number));
}
