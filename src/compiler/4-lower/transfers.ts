/** transferCall nodes → transfer tools, one per node and assistant (DESIGN section 5). */
import { append, groupBy } from '../graph/lists.js';
import type { NodeIndex } from '../ir/ids.js';
import type { JsonObject } from '../ir/json.js';
import { type Traced, traced } from '../ir/provenance.js';
import type { Step } from '../ir/region-map.js';
import type { TransferToolIr } from '../ir/squad-ir.js';
import type { WorkflowNode } from '../ir/workflow.js';
import { toLegalName } from '../names/legal-names.js';
import { conditionOf, whenCalledFor, whenLeft } from './conditions.js';
import { rejectionsOf } from './guards.js';
import type { Scene } from './prompt.js';
import { join, originOf, unique } from './segments.js';

/**
 * The transfers that the assistant can make, by the first node that leads to each (null for the
 * global ones that no node leads to), in the order in which a walk comes to them.
 */
export function lowerTransfers(scene: Scene): ReadonlyMap<NodeIndex | null, TransferToolIr[]> {
  const { graph, region } = scene;
  const isTransfer = (node: NodeIndex) => graph.workflow.nodes[node]!.type === 'transferCall';
  const steps = region.steps.filter((step) => step.kind === 'exit' && isTransfer(step.to));
  const byExit = groupBy(steps, ({ to }) => to);
  const transfers = new Map<NodeIndex | null, TransferToolIr[]>();
  for (const [exit, together] of byExit) {
    append(transfers, together[0]!.from, lowerTransfer(scene, exit, together));
  }
  for (const exit of graph.globals) {
    if (isTransfer(exit) && !byExit.has(exit))
      append(transfers, null, lowerTransfer(scene, exit, []));
  }
  return transfers;
}

/** The number or address that a transfer goes to. */
export function describeDestination(node: WorkflowNode): Traced<string> {
  const { value, origin } = node.transfer!.destination!;
  return traced(value.type === 'sip' ? value.sipUri : value.number, origin);
}

function lowerTransfer(scene: Scene, exit: NodeIndex, steps: readonly Step[]): TransferToolIr {
  const { graph } = scene;
  const node = graph.workflow.nodes[exit]!;
  const sentences = steps.map((step) => whenLeft(scene, step));
  const ways = steps.map((step) => conditionOf(scene, step));
  if (node.global !== null) {
    sentences.push(whenCalledFor(graph, exit, toLegalName(node.name ?? node.id)));
    ways.push(node.global.condition);
  }
  const message = node.transfer?.message ?? null;
  const destination = node.transfer!.destination!;
  return {
    kind: 'transfer',
    node: exit,
    edges: steps.map((step) => step.edge),
    destination: traced<JsonObject>({ ...destination.value }, destination.origin),
    message: message === null ? null : traced(message.value, originOf(message)),
    description: join(unique(sentences), '; or '),
    rejections: rejectionsOf(ways),
  };
}
