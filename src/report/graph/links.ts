/**
 * Which elements of the workflow's picture and of the squad's belong together.
 *
 * In: both pictures and the ledger. Out: for each id, the ids on the other side. A node goes with
 * its assistants, an edge with the destinations that it became (or, inside of an assistant, with
 * the assistant), the condition of a global node with what leads to it, and an exit with the
 * transfers and the ends that came of it.
 */
import type { LedgerEntry } from '../../index.js';
import { append } from './lists.js';
import type { Picture, PictureEdge, PictureNode } from './picture.js';
import { ownerOf } from './places.js';
import { endEdgeId, endId } from './squad-picture.js';

export type Links = ReadonlyMap<string, ReadonlySet<string>>;

type Pair = readonly [source: string, output: string];

export function linksBetween(
  workflow: Picture,
  squad: Picture,
  ledger: readonly LedgerEntry[],
): Links {
  const sides = { source: sideOf(workflow), output: sideOf(squad) };
  const links = new Map<string, Set<string>>();
  const add = (from: string, to: string) => {
    links.set(from, (links.get(from) ?? new Set()).add(to));
  };
  for (const [from, to] of pairsOf(ledger, sides)) {
    add(from, to);
    add(to, from);
  }
  return links;
}

interface Side {
  readonly nodes: ReadonlyMap<string, PictureNode>;
  readonly edges: ReadonlyMap<string, PictureEdge>;
  /** Ids by place. */
  readonly at: ReadonlyMap<string, readonly string[]>;
}

interface Sides {
  readonly source: Side;
  readonly output: Side;
}

function sideOf({ nodes, edges }: Picture): Side {
  const at = new Map<string, string[]>();
  for (const { id, pointers } of [...nodes, ...edges]) {
    for (const pointer of pointers) append(at, pointer, id);
  }
  return {
    nodes: new Map(nodes.map((node) => [node.id, node])),
    edges: new Map(edges.map((edge) => [edge.id, edge])),
    at,
  };
}

function pairsOf(ledger: readonly LedgerEntry[], sides: Sides): Pair[] {
  return ledger.flatMap((entry) => {
    const { source } = sides;
    if (entry.kind === 'node') return pairsOfNode(entry, sides);
    if (entry.kind === 'edge') return pairsOfEdge(entry, sides);
    // Of the rest, only what makes a way into something: a global node's condition, a transfer.
    const ids = source.at.get(ownerOf(entry.at, source.at) ?? '') ?? [];
    const ways = ids.filter((id) => leadsIn(id, source));
    const leaves = placesIn(entry, sides.output).filter((id) => !isMember(id, sides.output));
    return ways.flatMap((way) => leaves.map((leaf): Pair => [way, leaf]));
  });
}

/** Whether it is an exit or a global node, or the step into one from anywhere. */
function leadsIn(id: string, { nodes, edges }: Side): boolean {
  const node = nodes.get(id) ?? nodes.get(edges.get(id)?.to ?? '');
  const fromAnywhere = nodes.get(edges.get(id)?.from ?? '')?.kind === 'anywhere';
  return fromAnywhere || (nodes.has(id) && node?.kind === 'exit');
}

function pairsOfNode({ at, outputs }: LedgerEntry, { source, output }: Sides): Pair[] {
  const node = source.nodes.get(at);
  if (node === undefined) return [];
  return outputs.flatMap((member): Pair[] => {
    if (node.kind !== 'exit') return output.nodes.has(member) ? [[at, member]] : [];
    const end = endId(member);
    return endsCall(node) && output.nodes.has(end) ? [[at, end]] : [];
  });
}

function pairsOfEdge(entry: LedgerEntry, { source, output }: Sides): Pair[] {
  const edge = source.edges.get(entry.at);
  if (edge === undefined) return [];
  const target = source.nodes.get(edge.to)!;
  return placesIn(entry, output).flatMap((id): Pair[] => {
    if (!isMember(id, output)) {
      return target.kind === 'exit'
        ? [
            [edge.id, id],
            [target.id, id],
          ]
        : [[edge.id, id]];
    }
    const end = endEdgeId(id);
    return [[edge.id, endsCall(target) && output.edges.has(end) ? end : id]];
  });
}

/** The elements of the squad in which the outputs of an entry lie. */
function placesIn({ outputs }: LedgerEntry, { at }: Side): readonly string[] {
  return outputs.flatMap((pointer) => at.get(ownerOf(pointer, at) ?? '') ?? []);
}

function isMember(id: string, { nodes }: Side): boolean {
  return nodes.get(id)?.kind === 'talk';
}

function endsCall({ caption }: PictureNode): boolean {
  return caption === 'endCall' || caption === 'hangup';
}
