/**
 * Vertices that are assistants already. Each is a component by itself, since no cycle through it
 * can be one assistant, and keeps apart from all others that talk. One that is saved keeps apart
 * from tools as well: it has no prompt that would call them.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import { flag, type Rows, toRows } from '../rows.js';
import { type Labels, uniteLabels } from './labels.js';
import type { Quotient } from './quotient.js';
import type { Stages } from './stages.js';

/** By vertex; null where the source has no such assistant. */
export type Ready = Uint8Array | null;

export function flagReady({ graph, nodes }: Quotient): Ready {
  const isReady = (node: NodeIndex) => graph.nodeAt(node).assistant !== null;
  if (!nodes.some(isReady)) return null;
  return flag(nodes.length, (vertex) => isReady(nodes[vertex]!));
}

/** The steps among the other vertices. */
export function withoutReady({ successors }: Quotient, ready: Ready): Rows {
  if (ready === null) return successors;
  const { offsets, targets } = successors;
  const steps: [number, number][] = [];
  for (let vertex = 0; vertex + 1 < offsets.length; vertex += 1) {
    if (ready[vertex] === 1) continue;
    for (const to of targets.subarray(offsets[vertex]!, offsets[vertex + 1]!)) {
      if (ready[to] === 0) steps.push([vertex, to]);
    }
  }
  return toRows(
    ready.length,
    steps.map(([from]) => from),
    steps.map(([, to]) => to),
  );
}

/** Their numbers are below those of the splits that answers ask for. */
const apartFromTalk = -1;
const apartFromAll = -2;

/** The stages of phase 3 with labels that no answer gives, and that last. */
export function labelReady(quotient: Quotient, ready: Ready, stages: Stages): Stages {
  if (ready === null) return stages;
  const { graph, nodes, talks } = quotient;
  const labels: Labels[] = [...stages.labels];
  const hasSaved = nodes.some((node) => graph.nodeAt(node).assistant?.savedAs);
  const put = (vertex: number, split: number, label: number): void => {
    const stage = stages.of[vertex]!;
    labels[stage] = uniteLabels(labels[stage]!, new Map([[split, label]]));
  };
  nodes.forEach((node, vertex) => {
    const isSaved = Boolean(graph.nodeAt(node).assistant?.savedAs);
    if (talks[vertex] === 1) put(vertex, apartFromTalk, ready[vertex] === 1 ? vertex + 1 : 0);
    if (hasSaved) put(vertex, apartFromAll, isSaved ? vertex + 1 : 0);
  });
  return { ...stages, labels };
}

/** What answers say, and nobody else. */
export function ofAnswers(labels: Labels): Labels {
  return labels === null ? null : new Map([...labels].filter(([split]) => split >= 0));
}
