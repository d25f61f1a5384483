/** Walks of the source: what a call can do, step by step. */
import type { WalkStep } from '../compiler/ir/verification.js';
import { nodeOf, readSource, type Source } from './source.js';
import { isExit, type SpecWorkflow, wheel } from './spec-workflow.js';
import type { Step } from './squad-tracks.js';

/** A call: the nodes that it comes to, the start first. Counterexamples of `verify` have this form. */
export type Walk = readonly WalkStep[];

/** Bounds of an enumeration that is endless where the workflow has a cycle. */
export interface WalkLimits {
  /** How many steps a walk takes at most after the start. Default 8. */
  readonly maxSteps?: number;
  /** How many walks there are at most. Default 1000. */
  readonly max?: number;
  /** Id of the start, where the workflow does not say. */
  readonly start?: string;
}

/**
 * The calls that a workflow allows, the shortest first; a call may break off anywhere, so every
 * beginning of a walk is one. A step goes along an edge or, from everywhere, to a global node.
 */
export function walks(workflow: SpecWorkflow, limits: WalkLimits = {}): Walk[] {
  const { maxSteps = 8, max = 1000 } = limits;
  const source = sourceFrom(workflow, limits);
  const found: Walk[] = [beginning(source)];
  for (const walk of found) {
    if (walk.length > maxSteps) continue;
    for (const step of stepsFrom(source, lastOf(walk))) {
      if (found.length >= max) return found;
      found.push(goOn(source, walk, step));
    }
  }
  return found;
}

/** The walk that these numbers choose, one step each; it stops where there is no way on. */
export function randomWalk(
  workflow: SpecWorkflow,
  numbers: readonly number[],
  limits: Pick<WalkLimits, 'start'> = {},
): Walk {
  const source = sourceFrom(workflow, limits);
  let walk = beginning(source);
  for (const number of numbers) {
    const possible = stepsFrom(source, lastOf(walk));
    if (possible.length === 0) break;
    walk = goOn(source, walk, wheel(possible, number));
  }
  return walk;
}

/** The walk as a text: `a → b` along an edge, `a ⇒ b` to a global node. */
export function describeWalk(walk: Walk): string {
  const [first, ...rest] = walk;
  const steps = rest.map(({ node, via }) => `${via === null ? '⇒' : '→'} ${node}`);
  return [first?.node ?? '', ...steps].join(' ');
}

function sourceFrom(workflow: SpecWorkflow, { start }: Pick<WalkLimits, 'start'>): Source {
  if (start === undefined) return readSource(workflow);
  const question = { id: 'start', kind: 'ambiguous-start', at: [], text: '', choices: [] } as const;
  const asked = [{ ...question, proposal: null }];
  return readSource(workflow, { asked, answers: { start: { choice: 'node', value: start } } });
}

/** The steps that can be taken at a node: its edges in order, then every global node. */
export function stepsFrom(source: Source, node: number): Step[] {
  if (isExit(nodeOf(source, node))) return [];
  return [
    ...source.edges.filter(({ from }) => from === node).map((edge) => ({ to: edge.to, edge })),
    ...source.globals.map((to) => ({ to })),
  ];
}

/** The walk that has come to the start and no further. */
export function beginning(source: Source): Walk {
  return [visit(source, { to: source.start })];
}

/** The walk with one step more. */
export function goOn(source: Source, walk: Walk, step: Step): Walk {
  return [...walk, visit(source, step)];
}

function visit(source: Source, { to, edge }: Step): WalkStep {
  const via = edge === undefined ? null : `/edges/${edge.index}`;
  return { node: nodeOf(source, to).id, at: `/nodes/${to}`, via };
}

/** The steps of a walk after its start; throws where the source has no such step. */
export function stepsOf(source: Source, [, ...visits]: Walk): Step[] {
  return visits.map(({ at, via, node }) => {
    const to = Number(at.slice('/nodes/'.length));
    if (via === null) return { to };
    const edge = source.edges.find(({ index }) => via === `/edges/${index}`);
    if (edge === undefined) throw new Error(`no call can come to ${node} by ${via}`);
    return { to, edge };
  });
}

function lastOf(walk: Walk): number {
  return Number(walk.at(-1)?.at.slice('/nodes/'.length));
}
