/**
 * The sentence that says when a step is taken.
 *
 * A condition stands word for word. Where the source gives none, the sentence is squadc's own:
 * after what the assistant collects, or when it is done.
 */
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import { synthesized } from '../ir/provenance.js';
import type { Region, Step } from '../ir/region-map.js';
import type { Segment } from '../ir/squad-ir.js';
import { enumerate, quoted, segment } from './segments.js';

/** What the sentences about one assistant are made of. */
export interface Speaker {
  readonly graph: FlowGraph;
  readonly region: Region;
  readonly name: string;
}

/** When a handoff is made: its condition, else after what the assistant collects. */
export function whenHandedOff(speaker: Speaker, step: Step): Segment[] {
  const condition = conditionOf(speaker, step);
  if (condition !== null) return [quoted(condition)];
  const collected = collectedNames(speaker);
  const sentence =
    collected.length > 0 ? `after collecting ${enumerate(collected)}` : whenDone(speaker);
  return [synthesizedSentence(speaker, step, `${otherwise(speaker, step)}${sentence}`)];
}

/** When a call is ended or transferred: its condition, else when the assistant is done. */
export function whenLeft(speaker: Speaker, step: Step): Segment[] {
  const condition = conditionOf(speaker, step);
  if (condition !== null) return [quoted(condition)];
  return [synthesizedSentence(speaker, step, `${otherwise(speaker, step)}${whenDone(speaker)}`)];
}

/** When a global node is entered. */
export function whenCalledFor(graph: FlowGraph, global: NodeIndex, name: string): Segment[] {
  const node = graph.workflow.nodes[global]!;
  const condition = node.global?.condition ?? null;
  if (condition !== null) return [quoted(condition)];
  const origin = synthesized('global-without-condition', [node.at]);
  return [segment(`when the caller needs ${name}`, origin)];
}

/** Whether another way out of the same node has a condition. */
export function hasConditionedSibling({ graph, region }: Speaker, step: Step): boolean {
  const siblings = region.stepsFrom.get(step.from) ?? [];
  return siblings.some(
    (other) => other !== step && graph.workflow.edges[other.edge]!.condition !== null,
  );
}

export function conditionOf({ graph }: Speaker, step: Step) {
  return graph.workflow.edges[step.edge]!.condition;
}

function otherwise(speaker: Speaker, step: Step): string {
  return hasConditionedSibling(speaker, step) ? 'otherwise, ' : '';
}

function whenDone({ name }: Speaker): string {
  return `when done with ${name}`;
}

function collectedNames({ graph, region }: Speaker): string[] {
  const captures = region.nodes.flatMap((node) => graph.workflow.nodes[node]!.captures);
  // What is derived is not collected.
  const found = captures.filter(({ alias }) => alias === undefined);
  return [...new Set(found.map(({ name }) => name))];
}

function synthesizedSentence({ graph }: Speaker, step: Step, text: string): Segment {
  return segment(text, synthesized('unconditioned-edge', [graph.workflow.edges[step.edge]!.at]));
}
