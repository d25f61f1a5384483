/** transferCall nodes → transfer tools, one per node and assistant. */
import { append, groupBy } from '../../graph/lists.js';
import type { NodeIndex } from '../ir/ids.js';
import type { JsonObject } from '../ir/json.js';
import { type Traced, traced } from '../ir/provenance.js';
import type { Step } from '../ir/region-map.js';
import type { TransferDestinationIr, TransferToolIr } from '../ir/squad-ir.js';
import type { Text, Transfer, TransferDestination, WorkflowNode } from '../ir/workflow.js';
import { toLegalName } from '../names/legal-names.js';
import { whenCalledFor } from './conditions.js';
import { rejectionsOf } from './guards.js';
import type { Pen } from './pens.js';
import type { Scene } from './scene.js';
import { either, originOf } from './segments.js';
import type { ToolWays } from './tool-ways.js';

/**
 * The transfers that the assistant can make, by the first node that leads to each (null for the
 * global ones that no node leads to), in the order in which a walk comes to them.
 */
export function lowerTransfers(
  scene: Scene,
  ways: ToolWays,
): ReadonlyMap<NodeIndex | null, readonly TransferToolIr[]> {
  const { graph, region } = scene;
  const isTransfer = (node: NodeIndex) => graph.workflow.nodes[node]!.type === 'transferCall';
  const steps = region.steps.filter((step) => step.kind === 'exit' && isTransfer(step.to));
  const globals = graph.globals.filter(isTransfer);
  if (steps.length + globals.length === 0) return none;
  const byExit = groupBy(steps, ({ to }) => to);
  const transfers = new Map<NodeIndex | null, TransferToolIr[]>();
  for (const [exit, together] of byExit) {
    append(transfers, together[0]!.from, lowerTransfer(scene, exit, together, ways));
  }
  for (const exit of globals) {
    if (!byExit.has(exit)) append(transfers, null, lowerTransfer(scene, exit, [], ways));
  }
  return transfers;
}

const none: ReadonlyMap<NodeIndex | null, readonly TransferToolIr[]> = new Map();

/** The number or address that a transfer goes to, or all that it may go to. */
export function writeDestinations(pen: Pen, { transfer }: WorkflowNode): void {
  let isFirst = true;
  for (const { destination } of [transfer!, ...transfer!.others]) {
    if (destination === null) continue;
    if (!isFirst) pen.words(' or ');
    isFirst = false;
    pen.derive(addressOf(destination), destination, ({ origin }) => origin);
  }
}

function addressOf({ value }: Traced<TransferDestination>): string {
  return value.type === 'sip' ? value.sipUri : value.number;
}

function lowerTransfer(
  scene: Scene,
  exit: NodeIndex,
  steps: readonly Step[],
  ways: ToolWays,
): TransferToolIr {
  const { graph } = scene;
  const node = graph.workflow.nodes[exit]!;
  const sentences = steps.map((step) => scene.whenLeft(step));
  if (node.global !== null) {
    sentences.push(whenCalledFor(graph, exit, toLegalName(node.name ?? node.id)));
  }
  const { others, ...first } = node.transfer!;
  return {
    kind: 'transfer',
    node: exit,
    edges: steps.map((step) => step.edge),
    destinations: [first, ...others].flatMap((it) => lowerDestination(it, sentences)),
    rejections: rejectionsOf(ways.to(exit)),
  };
}

/** Where several are, what the source says of each tells them apart. */
function lowerDestination(
  { destination, message, description, passed }: Omit<Transfer, 'others'>,
  sentences: readonly Text[],
): TransferDestinationIr[] {
  if (destination === null) return [];
  return [
    {
      address: traced<JsonObject>({ ...destination.value }, destination.origin),
      message: message === null ? null : traced(message.value, originOf(message)),
      description: either(description === null ? sentences : [...sentences, description]),
      passed,
    },
  ];
}
