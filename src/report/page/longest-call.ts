/** How many assistants the longest call meets, and how many extra model calls that costs. */
import { computeComponents } from '../../graph/partitions.js';
import type { SquadView } from '../squad-view.js';

export interface LongestCall {
  readonly assistants: number;
  readonly handoffs: number;
  /** One for each handoff that extracts variables. */
  readonly modelCalls: number;
  /** Whether handoffs lead in a circle, so that no call is the longest. */
  readonly isOpen: boolean;
}

/**
 * The call with the most handoffs; of several, the one with the most extractions. In a circle each
 * assistant is met once, and if any handoff of the circle extracts, all count as extracting.
 */
export function longestCall({ members }: SquadView): LongestCall {
  const arcs = members.map(({ destinations }) =>
    destinations.flatMap(({ member }) => (member === null ? [] : [member])),
  );
  const { of, members: components } = computeComponents(arcs);
  // The start is the first member. Components stand in topological order.
  const costs: ([handoffs: number, extractions: number] | null)[] = components.map(() => null);
  let [most, isOpen]: [readonly [number, number], boolean] = [[0, 0], false];
  for (const [at, component] of components.entries()) {
    const begun = component.includes(0) ? ([0, 0] as const) : costs[at];
    if (begun === null || begun === undefined) continue;
    const steps = component.flatMap((index) => members[index]!.destinations);
    const inner = steps.filter(({ member }) => member !== null && of[member] === at);
    if (inner.length > 0) isOpen = true;
    const within = component.length - 1;
    const extracted = inner.some((step) => step.isExtracted) ? within : 0;
    const cost = [begun[0] + within, begun[1] + extracted] as const;
    if (isMore(cost, most)) most = cost;
    for (const { member, isExtracted } of steps) {
      if (member === null || of[member] === at) continue;
      const next: [number, number] = [cost[0] + 1, cost[1] + (isExtracted ? 1 : 0)];
      const known = costs[of[member]!] ?? null;
      if (known === null || isMore(next, known)) costs[of[member]!] = next;
    }
  }
  return { assistants: most[0] + 1, handoffs: most[0], modelCalls: most[1], isOpen };
}

function isMore(a: readonly [number, number], b: readonly [number, number]): boolean {
  return a[0] > b[0] || (a[0] === b[0] && a[1] > b[1]);
}
