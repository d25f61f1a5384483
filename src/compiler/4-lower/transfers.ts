/** transferCall nodes → transfer tools, one per node and assistant (DESIGN section 5). */
import type { NodeIndex } from '../ir/ids.js';
import type { JsonObject } from '../ir/json.js';
import { type Traced, traced } from '../ir/provenance.js';
import type { TransferToolIr } from '../ir/squad-ir.js';
import type { WorkflowNode } from '../ir/workflow.js';
import { conditionOf, whenCalledFor, whenLeft } from './conditions.js';
import { rejectionsOf } from './guards.js';
import type { Scene } from './prompt.js';
import { join, originOf, unique } from './segments.js';

/** The transfers that the assistant can make, in the order in which a walk comes to them. */
export function lowerTransfers(scene: Scene, from: NodeIndex | null): TransferToolIr[] {
  return listTransfers(scene, from).map((exit) => lowerTransfer(scene, exit));
}

/** The number or address that a transfer goes to. */
export function describeDestination(node: WorkflowNode): Traced<string> {
  const { value, origin } = node.transfer!.destination!;
  return traced(value.type === 'sip' ? value.sipUri : value.number, origin);
}

/** Transfers that a node leads to (`from`), or the global ones that no node leads to (null). */
function listTransfers({ graph, region }: Scene, from: NodeIndex | null): NodeIndex[] {
  const isTransfer = (node: NodeIndex) => graph.workflow.nodes[node]!.type === 'transferCall';
  const exits = region.steps.filter((step) => step.kind === 'exit' && isTransfer(step.to));
  if (from === null) {
    const reached = new Set(exits.map((step) => step.to));
    return graph.globals.filter((node) => isTransfer(node) && !reached.has(node));
  }
  const first = new Map<NodeIndex, NodeIndex>();
  for (const step of exits) if (!first.has(step.to)) first.set(step.to, step.from);
  return [...first].flatMap(([exit, firstFrom]) => (firstFrom === from ? [exit] : []));
}

function lowerTransfer(scene: Scene, exit: NodeIndex): TransferToolIr {
  const { graph, region } = scene;
  const node = graph.workflow.nodes[exit]!;
  const steps = region.steps.filter((step) => step.kind === 'exit' && step.to === exit);
  const sentences = steps.map((step) => whenLeft(scene, step));
  const ways = steps.map((step) => conditionOf(scene, step));
  if (node.global !== null) {
    sentences.push(whenCalledFor(graph, exit, node.name ?? node.id));
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
