/** Facts of a workflow's graph, found the obvious way: start, reachable part, edges that count. */
import type { Answer } from '../compiler/ir/answers.js';
import type { JsonPointer } from '../compiler/ir/ids.js';
import type { Question } from '../compiler/ir/result.js';
import { applyAnswers, type Provided, readProvided } from './answered-workflow.js';
import { isExit, nth, type SpecNode, type SpecWorkflow, saidCondition } from './spec-workflow.js';

/** An edge that a walk can take, by positions in the workflow. */
export interface SourceEdge {
  readonly index: number;
  readonly from: number;
  readonly to: number;
  readonly condition: string | undefined;
}

export interface Source {
  /** With the captures and names that answers give it. */
  readonly workflow: SpecWorkflow;
  readonly start: number;
  readonly globals: readonly number[];
  readonly reachable: ReadonlySet<number>;
  /** Edges of the reachable part; none leaves an exit, none repeats an earlier one. */
  readonly edges: readonly SourceEdge[];
  readonly provided: Provided;
}

/** What was asked and what was answered; empty where nothing was. */
export interface Answered {
  readonly asked: readonly Question[];
  readonly answers: Readonly<Record<string, Answer>>;
}

/** Nodes that are neither global nor exits and that no edge of another such node leads to. */
export function startCandidates({ nodes, edges }: SpecWorkflow): number[] {
  const exits = new Set(nodes.filter(isExit).map(({ id }) => id));
  const entered = new Set(
    edges.filter(({ from, to }) => from !== to && !exits.has(from)).map(({ to }) => to),
  );
  return nodes.flatMap((node, index) =>
    node.isGlobal || isExit(node) || entered.has(node.id) ? [] : [index],
  );
}

/** The workflow as a graph; the start is the only candidate, or the answer. */
export function readSource(written: SpecWorkflow, answered: Answered = unanswered): Source {
  const workflow = applyAnswers(written, answered);
  const start = startOf(workflow, answered);
  const globals = workflow.nodes.flatMap((node, index) => (node.isGlobal ? [index] : []));
  const edges = countingEdges(workflow);
  const reachable = reach([start, ...globals], edges);
  return {
    workflow,
    start,
    globals,
    reachable,
    edges: edges.filter(({ from }) => reachable.has(from)),
    provided: readProvided(workflow, answered),
  };
}

const unanswered: Answered = { asked: [], answers: {} };

function startOf(workflow: SpecWorkflow, { asked, answers }: Answered): number {
  const candidates = startCandidates(workflow);
  if (candidates.length === 1) return nth(candidates, 0);
  const question = asked.find(({ kind }) => kind === 'ambiguous-start');
  const id = question && answers[question.id]?.value;
  const start = workflow.nodes.findIndex((node) => node.id === id);
  if (start < 0) throw new Error(`${candidates.length} nodes can be the start and none was chosen`);
  return start;
}

function countingEdges({ nodes, edges }: SpecWorkflow): SourceEdge[] {
  const seen = new Set<string>();
  const found: SourceEdge[] = [];
  for (const [index, edge] of edges.entries()) {
    const from = nodes.findIndex(({ id }) => id === edge.from);
    const to = nodes.findIndex(({ id }) => id === edge.to);
    const condition = saidCondition(edge.condition);
    const key = JSON.stringify([from, to, condition ?? null]);
    if (isExit(nth(nodes, from)) || seen.has(key)) continue;
    seen.add(key);
    found.push({ index, from, to, condition });
  }
  return found;
}

/** Everything that edges lead to from these nodes, they themselves included. */
export function reach(
  from: readonly number[],
  edges: readonly { readonly from: number; readonly to: number }[],
): Set<number> {
  const found = new Set(from);
  for (const node of found) {
    for (const edge of edges) if (edge.from === node) found.add(edge.to);
  }
  return found;
}

/** The nodes that a question is about, by the places that it names. */
export function nodesAt(places: readonly JsonPointer[]): number[] {
  return places.flatMap((place) => {
    const found = /^\/nodes\/(\d+)/.exec(place);
    return found === null ? [] : [Number(found[1])];
  });
}

export function nodeOf({ workflow }: Source, index: number): SpecNode {
  return nth(workflow.nodes, index);
}
