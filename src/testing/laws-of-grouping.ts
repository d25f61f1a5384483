/** Laws of the assistants: everything has a place, the grouping is the defined one, and minimal. */
import { demand } from './demand.js';
import { type Ground, type LawOptions, stand } from './law-ground.js';
import { naivePartition } from './naive-partition.js';
import { nodeOf, nodesAt } from './source.js';
import { isExit, isTalk, type SpecWorkflow } from './spec-workflow.js';
import { follow, memberCount, ownersOf, toolsOf } from './squad-tracks.js';

/** Reachable nodes have assistants, talk nodes exactly one; what cannot be reached has none. */
export function partitionCovers(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { tracks } = stand(workflow, options);
  for (const [index, node] of workflow.nodes.entries()) {
    const owners = ownersOf(tracks, index);
    const right = !tracks.source.reachable.has(index)
      ? owners.length === 0
      : isTalk(node)
        ? owners.length === 1
        : owners.length > 0;
    demand(right, () => `${node.type} ${node.id} is in members ${JSON.stringify(owners)}`);
  }
}

/** The compiler's grouping is the one that the definition gives, in whatever order it is applied. */
export function groupingCanonical(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { tracks, settlement } = stand(workflow, options);
  const { numbers = [] } = options;
  const own = Array.from({ length: memberCount(tracks) }, (_, member) =>
    workflow.nodes.flatMap((_node, index) =>
      ownersOf(tracks, index).includes(member) ? [index] : [],
    ),
  );
  const boundary = options.compile?.boundary ?? 'branch';
  for (const order of [[], numbers, [...numbers].reverse().map((number) => number + 1)]) {
    const naive = naivePartition(tracks.source, settlement, boundary, order);
    if (naive === null) return;
    const [compiled, defined] = [named(workflow, own), named(workflow, naive)];
    demand(
      compiled === defined,
      () => `the compiler groups ${compiled}, the definition ${defined}`,
    );
  }
}

/**
 * Every handoff has a reason, no chain is left, and assistants talk (a tool-only start may not). For
 * the boundary `tools`, tools on both sides are a reason, too.
 */
export function groupingMinimal(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const ground = stand(workflow, options);
  const { tracks } = ground;
  const held = Array.from({ length: memberCount(tracks) }, (_, member) =>
    [...tracks.source.reachable].filter((node) => ownersOf(tracks, node).includes(member)),
  );
  const talks = (nodes: readonly number[]): boolean =>
    nodes.some((node) => isTalk(nodeOf(tracks.source, node)));
  for (const [member, nodes] of held.entries()) {
    demand(member === 0 || talks(nodes), () => `member ${member} holds no talk node`);
  }
  const links = handoffs(ground);
  for (const [from, to] of links) {
    const justified =
      links.some(([first, second]) => (first === from) !== (second === to)) ||
      (held[to] ?? []).some((node) => entersOnItsOwn(ground, node)) ||
      keptApart(ground, held[from] ?? [], held[to] ?? []) ||
      (options.compile?.boundary === 'tools' && hasTools(ground, from) && hasTools(ground, to));
    demand(justified, () => `the handoff from member ${from} to member ${to} has no reason`);
  }
}

function hasTools({ tracks }: Ground, member: number): boolean {
  const types = ['apiRequest', 'transferCall', 'function'];
  return types.some((type) => toolsOf(tracks, member, type).length > 0);
}

/** Handoffs along edges, as pairs of members, each once. */
function handoffs({ tracks }: Ground): [number, number][] {
  const pairs = new Map<string, [number, number]>();
  for (const edge of tracks.source.edges) {
    if (isExit(nodeOf(tracks.source, edge.to))) continue;
    for (const member of ownersOf(tracks, edge.from)) {
      const landing = follow(tracks, member, { to: edge.to, edge });
      if (landing.kind === 'handoff') {
        pairs.set(`${member} ${landing.member}`, [member, landing.member]);
      }
    }
  }
  return [...pairs.values()];
}

/** The start, or a global node; a global tool counts where it has an assistant of its own. */
function entersOnItsOwn({ tracks }: Ground, node: number): boolean {
  const { start, globals } = tracks.source;
  return node === start || (globals.includes(node) && ownersOf(tracks, node).length === 1);
}

function keptApart(
  { settlement }: Ground,
  from: readonly number[],
  to: readonly number[],
): boolean {
  return settlement.asked.some(({ id, kind, at }) => {
    if (kind !== 'cyclic-stages' || settlement.answers[id]?.choice === 'consolidate') return false;
    const about = nodesAt(at);
    return from.some((node) => about.includes(node)) && to.some((node) => about.includes(node));
  });
}

/** The grouping as a text that does not depend on any order. */
function named({ nodes }: SpecWorkflow, grouping: readonly Iterable<number>[]): string {
  const groups = grouping.map((group) =>
    [...group]
      .map((node) => nodes[node]?.id)
      .sort()
      .join(' '),
  );
  return `{${groups.sort().join(' | ')}}`;
}
