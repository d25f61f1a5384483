/** Laws of the assistants: everything has a place, the grouping is the defined one, and minimal. */
import { isExit, isTalk, type SpecWorkflow } from '../simulator/spec-workflow.js';
import { follow, ownersOf, type Tracks, toolsOf } from '../simulator/squad.js';
import { nodeOf } from '../simulator/workflow.js';
import { nodesAt, readTracks } from './answered.js';
import type { Settlement } from './answering.js';
import { compileAnswered, demand, type LawOptions } from './law.js';
import { referenceGrouping } from './reference-grouping.js';

/** Reachable nodes have assistants, talk nodes exactly one; what cannot be reached has none. */
export function partitionCovers(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const tracks = readTracks(workflow, compileAnswered(workflow, options).settlement);
  for (const [index, node] of workflow.nodes.entries()) {
    const owners = ownersOf(tracks, index);
    const right = !tracks.source.reachable.has(index)
      ? owners.length === 0
      : owners.length === 1 || (!isTalk(node) && owners.length > 0);
    demand(right, () => `${node.type} ${node.id} is in members ${JSON.stringify(owners)}`);
  }
}

/** The compiler's grouping is the one that the definition gives, in whatever order it is applied. */
export function groupingCanonical(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { settlement } = compileAnswered(workflow, options);
  const tracks = readTracks(workflow, settlement);
  const { numbers = [] } = options;
  const named = (groups: readonly (readonly string[])[]): string =>
    `{${groups
      .map((ids) => [...ids].sort().join(' '))
      .sort()
      .join(' | ')}}`;
  const own = membersIn(tracks).map((member) =>
    workflow.nodes.flatMap(({ id }, index) =>
      ownersOf(tracks, index).includes(member) ? [id] : [],
    ),
  );
  const { boundary = 'branch' } = options.compile ?? {};
  for (const order of [[], numbers, [...numbers].reverse().map((number) => number + 1)]) {
    const defined = referenceGrouping(workflow, { settlement, boundary, numbers: order });
    if (defined === null) return;
    demand(
      named(own) === named(defined),
      () => `the compiler groups ${named(own)}, the definition ${named(defined)}`,
    );
  }
}

/**
 * Every handoff has a reason, no chain is left, and assistants talk (a tool-only start may not). For
 * the boundary `tools`, tools on both sides are a reason, too.
 */
export function groupingMinimal(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { settlement } = compileAnswered(workflow, options);
  const tracks = readTracks(workflow, settlement);
  const { source } = tracks;
  const held = membersIn(tracks).map((member) =>
    [...source.reachable].filter((node) => ownersOf(tracks, node).includes(member)),
  );
  for (const [member, nodes] of held.entries()) {
    const talks = nodes.some((node) => isTalk(nodeOf(source, node)));
    demand(member === 0 || talks, () => `member ${member} holds no talk node`);
  }
  // A global tool counts where it has an assistant of its own.
  const entersOnItsOwn = (node: number): boolean =>
    node === source.start || (source.globals.includes(node) && ownersOf(tracks, node).length === 1);
  const hasTools = (member: number): boolean =>
    ['apiRequest', 'transferCall', 'function'].some(
      (type) => toolsOf(tracks, member, type).length > 0,
    );
  const links = handoffs(tracks);
  for (const [from, to] of links) {
    const [left = [], entered = []] = [held[from], held[to]];
    const justified =
      links.some(([first, second]) => (first === from) !== (second === to)) ||
      entered.some(entersOnItsOwn) ||
      keptApart(settlement, left, entered) ||
      (options.compile?.boundary === 'tools' && hasTools(from) && hasTools(to));
    demand(justified, () => `the handoff from member ${from} to member ${to} has no reason`);
  }
}

function membersIn({ memberCount }: Tracks): number[] {
  return Array.from({ length: memberCount }, (_, member) => member);
}

/** Handoffs along edges, as pairs of members, each once. */
function handoffs(tracks: Tracks): [number, number][] {
  const pairs = new Map<string, [number, number]>();
  for (const edge of tracks.source.edges) {
    if (isExit(nodeOf(tracks.source, edge.to))) continue;
    for (const from of ownersOf(tracks, edge.from)) {
      const landing = follow(tracks, from, { to: edge.to, edge });
      if (landing.kind === 'handoff') {
        pairs.set(`${from} ${landing.member}`, [from, landing.member]);
      }
    }
  }
  return [...pairs.values()];
}

function keptApart(
  { asked, answers }: Settlement,
  from: readonly number[],
  to: readonly number[],
): boolean {
  return asked.some(({ id, kind, at }) => {
    if (kind !== 'cyclic-stages' || answers[id]?.choice === 'consolidate') return false;
    const about = nodesAt(at);
    return from.some((node) => about.includes(node)) && to.some((node) => about.includes(node));
  });
}
