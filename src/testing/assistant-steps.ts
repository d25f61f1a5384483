/** Which node is which step of an assistant, found the obvious way. */
import type { Ground } from './law-ground.js';
import { naiveRepresentatives } from './naive-equality.js';
import { nodeOf, type Source } from './source.js';
import { isExit } from './spec-workflow.js';
import { follow, memberCount, ownersOf } from './squad-tracks.js';

/** The order in which walks come to the nodes: breadth first from the start, then from globals. */
export function walkOrder({ start, globals, edges }: Source): number[] {
  const order = new Set<number>();
  for (const root of [start, ...globals]) {
    const queue = order.has(root) ? [] : [root];
    for (const node of queue) {
      order.add(node);
      for (const { from, to } of edges) {
        if (from === node && !order.has(to) && !queue.includes(to)) queue.push(to);
      }
    }
  }
  return [...order];
}

/** The nodes that stand for their equals: the first of them in walk order. */
function representativesOf({ tracks, settlement }: Ground): ReadonlyMap<number, number> {
  const classes = naiveRepresentatives(tracks.source, settlement);
  const first = new Map<number, number>();
  for (const node of walkOrder(tracks.source)) {
    const number = classes.get(node) ?? node;
    if (!first.has(number)) first.set(number, node);
  }
  return new Map([...classes].map(([node, number]) => [node, first.get(number) ?? node]));
}

/** The nodes of a member, one for each of its steps: its first node, then in walk order. */
export function stepsOfMember(ground: Ground, member: number): number[] {
  const { source } = ground.tracks;
  const representatives = representativesOf(ground);
  const nodes = walkOrder(source).filter(
    (node) =>
      !isExit(nodeOf(source, node)) &&
      representatives.get(node) === node &&
      ownersOf(ground.tracks, node).includes(member),
  );
  const first = firstOf(ground, member, nodes);
  return [first, ...nodes.filter((node) => node !== first)];
}

/** The start, else a global node, else the first node that another assistant hands off to. */
function firstOf({ tracks }: Ground, member: number, nodes: readonly number[]): number {
  const { source } = tracks;
  // A tool that several assistants hold is nobody's entry.
  const own = nodes.filter((node) => ownersOf(tracks, node).length === 1);
  const isEntered = (node: number): boolean =>
    source.edges.some(
      (edge) =>
        edge.to === node &&
        ownersOf(tracks, edge.from).some((from) => {
          const landing = follow(tracks, from, { to: node, edge });
          return landing.kind === 'handoff' && landing.member === member;
        }),
    );
  const isGlobal = (node: number): boolean =>
    memberCount(tracks) > 1 && source.globals.includes(node);
  const [first] = [...own.filter(isGlobal), ...own.filter(isEntered), ...nodes];
  return nodes.includes(source.start) ? source.start : (first ?? source.start);
}

/** The nodes that behave as no other does. */
export function lonelyNodes({ tracks, settlement }: Ground): ReadonlySet<number> {
  const classes = [...naiveRepresentatives(tracks.source, settlement)];
  const sizes = new Map<number, number>();
  for (const [, first] of classes) sizes.set(first, (sizes.get(first) ?? 0) + 1);
  return new Set(classes.flatMap(([node, first]) => (sizes.get(first) === 1 ? [node] : [])));
}
