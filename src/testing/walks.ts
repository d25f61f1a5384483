/** Walks of the source: what a call can do, step by step. */
import { nodeOf, type Source } from './source.js';
import { isExit } from './spec-workflow.js';
import type { Step } from './squad-tracks.js';

/** The steps of a call after it has begun at the start node. */
export type Walk = readonly Step[];

/** The steps that can be taken at a node: its edges in order, then every global node. */
export function stepsFrom(source: Source, node: number): Step[] {
  if (isExit(nodeOf(source, node))) return [];
  return [
    ...source.edges.filter(({ from }) => from === node).map((edge) => ({ to: edge.to, edge })),
    ...source.globals.map((to) => ({ to })),
  ];
}

/** The shortest walks first, up to a length and a number. */
export function walks(source: Source, maxLength: number, max: number): Walk[] {
  const found: Walk[] = [[]];
  for (const walk of found) {
    if (walk.length >= maxLength) continue;
    for (const step of stepsFrom(source, walk.at(-1)?.to ?? source.start)) {
      if (found.length >= max) return found;
      found.push([...walk, step]);
    }
  }
  return found;
}

/** The walk that these numbers choose, one step each; it stops where there is no way on. */
export function randomWalk(source: Source, numbers: readonly number[]): Walk {
  const walk: Step[] = [];
  for (const number of numbers) {
    const possible = stepsFrom(source, walk.at(-1)?.to ?? source.start);
    const step = possible[number % Math.max(possible.length, 1)];
    if (step === undefined) break;
    walk.push(step);
  }
  return walk;
}

/** The walk as a text, for messages. */
export function describeWalk(source: Source, walk: Walk): string {
  const steps = walk.map(({ to, edge }) =>
    edge === undefined ? `⇒ ${nodeOf(source, to).id}` : `→ ${nodeOf(source, to).id}`,
  );
  return [nodeOf(source, source.start).id, ...steps].join(' ');
}
