/**
 * The sentence that says when a step is taken.
 *
 * A condition stands word for word. Where the source gives none, the sentence is squadc's own:
 * after what the assistant collects, or when it is done.
 */
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Region, Step } from '../ir/region-map.js';
import type { Condition, Text } from '../ir/workflow.js';
import { enumerate, sentenceFor } from './segments.js';

/** One assistant, as the sentences about its steps need it. */
export class Speaker {
  private ready: string | null = null;
  /** For nodes with several ways on that were looked at, whether one of the ways has a condition. */
  private forks: Map<NodeIndex, boolean> | null = null;

  constructor(
    readonly graph: FlowGraph,
    readonly region: Region,
    readonly name: string,
  ) {}

  conditionOf({ edge }: Step): Condition | null {
    return this.graph.workflow.edges[edge]!.condition;
  }

  /** When a handoff is made: its condition, else after what the assistant collects. */
  whenHandedOff(step: Step): Text {
    const condition = this.conditionOf(step);
    if (condition !== null) return condition;
    this.ready ??= whenReady(this);
    return this.sentenceOf(step, this.ready);
  }

  /** When a call is ended or transferred: its condition, else when the assistant is done. */
  whenLeft(step: Step): Text {
    return this.conditionOf(step) ?? this.sentenceOf(step, whenDone(this));
  }

  /** Whether beside a step without a condition another way out of the same node has one. */
  hasConditionedSibling({ from }: Step): boolean {
    const siblings = this.region.stepsFrom.get(from)!;
    if (siblings.length === 1) return false;
    this.forks ??= new Map();
    let found = this.forks.get(from);
    if (found === undefined) {
      found = siblings.some((step) => this.conditionOf(step) !== null);
      this.forks.set(from, found);
    }
    return found;
  }

  private sentenceOf(step: Step, when: string): Text {
    const { at } = this.graph.workflow.edges[step.edge]!;
    const otherwise = this.hasConditionedSibling(step) ? 'otherwise, ' : '';
    return sentenceFor(at, 'unconditioned-edge', otherwise + when);
  }
}

/** When a global node is entered. */
export function whenCalledFor(graph: FlowGraph, global: NodeIndex, name: string): Text {
  const node = graph.workflow.nodes[global]!;
  const condition = node.global?.condition ?? null;
  if (condition !== null) return condition;
  return sentenceFor(node.at, 'global-without-condition', `when the caller needs ${name}`);
}

function whenReady(speaker: Speaker): string {
  const collected = listCollected(speaker);
  return collected.length > 0 ? `after collecting ${enumerate(collected)}` : whenDone(speaker);
}

function whenDone({ name }: Speaker): string {
  return `when done with ${name}`;
}

/** What is derived is not collected. */
function listCollected({ graph, region }: Speaker): readonly string[] {
  const names = new Set<string>();
  for (const node of region.nodes) {
    for (const { name, alias } of graph.workflow.nodes[node]!.captures) {
      if (alias === undefined) names.add(name);
    }
  }
  return [...names];
}
