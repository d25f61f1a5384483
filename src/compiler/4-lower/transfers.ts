/** transferCall nodes → transfer tools, one per node and assistant. */
import { append, groupBy } from '../graph/lists.js';
import type { NodeIndex } from '../ir/ids.js';
import type { JsonObject } from '../ir/json.js';
import { traced } from '../ir/provenance.js';
import type { Step } from '../ir/region-map.js';
import type { Segment, TransferDestinationIr, TransferToolIr } from '../ir/squad-ir.js';
import type { Transfer, WorkflowNode } from '../ir/workflow.js';
import { toLegalName } from '../names/legal-names.js';
import { whenCalledFor, whenLeft } from './conditions.js';
import { rejectionsOf } from './guards.js';
import type { Scene } from './prompt.js';
import { join, originOf, quoted, segment, unique } from './segments.js';
import type { ToolWays } from './tool-ways.js';

/**
 * The transfers that the assistant can make, by the first node that leads to each (null for the
 * global ones that no node leads to), in the order in which a walk comes to them.
 */
export function lowerTransfers(
  scene: Scene,
  ways: ToolWays,
): ReadonlyMap<NodeIndex | null, TransferToolIr[]> {
  const { graph, region } = scene;
  const isTransfer = (node: NodeIndex) => graph.workflow.nodes[node]!.type === 'transferCall';
  const steps = region.steps.filter((step) => step.kind === 'exit' && isTransfer(step.to));
  const byExit = groupBy(steps, ({ to }) => to);
  const transfers = new Map<NodeIndex | null, TransferToolIr[]>();
  for (const [exit, together] of byExit) {
    append(transfers, together[0]!.from, lowerTransfer(scene, exit, together, ways));
  }
  for (const exit of graph.globals) {
    if (isTransfer(exit) && !byExit.has(exit))
      append(transfers, null, lowerTransfer(scene, exit, [], ways));
  }
  return transfers;
}

/** The number or address that a transfer goes to, or all that it may go to. */
export function describeDestinations({ transfer }: WorkflowNode): Segment[] {
  const addresses = [transfer!, ...transfer!.others].flatMap(({ destination }) => {
    if (destination === null) return [];
    const { value, origin } = destination;
    return [[segment(value.type === 'sip' ? value.sipUri : value.number, origin)]];
  });
  return join(addresses, ' or ');
}

function lowerTransfer(
  scene: Scene,
  exit: NodeIndex,
  steps: readonly Step[],
  ways: ToolWays,
): TransferToolIr {
  const { graph } = scene;
  const node = graph.workflow.nodes[exit]!;
  const sentences = steps.map((step) => whenLeft(scene, step));
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
  sentences: readonly (readonly Segment[])[],
): TransferDestinationIr[] {
  if (destination === null) return [];
  const purpose = description === null ? [] : [[quoted(description)]];
  return [
    {
      address: traced<JsonObject>({ ...destination.value }, destination.origin),
      message: message === null ? null : traced(message.value, originOf(message)),
      description: join(unique([...sentences, ...purpose]), '; or '),
      passed,
    },
  ];
}
