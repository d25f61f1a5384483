/**
 * Which elements of the workflow's picture and of the squad's belong together.
 *
 * In: both pictures and the ledger. Out: for each id, the ids on the other side. A node goes with
 * its assistants, an edge with the destinations that it became (or, inside of an assistant, with
 * the assistant), the condition of a global node with what leads to it, and an exit with the
 * transfers and the ends that came of it.
 */
import { append } from '../../graph/lists.js';
import type { LedgerEntry } from '../../index.js';
import { ownerOf } from '../places.js';
import type { Picture, PictureEdge, PictureNode } from './picture.js';
import { endEdgeId, endId } from './squad-picture.js';

export type Links = ReadonlyMap<string, ReadonlySet<string>>;

type Pair = readonly [source: string, output: string];

interface Side {
  readonly nodes: ReadonlyMap<string, PictureNode>;
  readonly edges: ReadonlyMap<string, PictureEdge>;
  /** Ids by place. */
  readonly at: ReadonlyMap<string, readonly string[]>;
}

export function linksBetween(
  workflow: Picture,
  squad: Picture,
  ledger: readonly LedgerEntry[],
): Links {
  const [source, output] = [sideOf(workflow), sideOf(squad)];
  const links = new Map<string, Set<string>>();
  const add = (from: string, to: string) => {
    links.set(from, (links.get(from) ?? new Set()).add(to));
  };
  for (const entry of ledger) {
    for (const [from, to] of pairsOf(entry, source, output)) {
      add(from, to);
      add(to, from);
    }
  }
  return links;
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

function pairsOf({ kind, at, outputs }: LedgerEntry, source: Side, output: Side): Pair[] {
  const inSquad = outputs.flatMap((place) => output.at.get(ownerOf(place, output.at) ?? '') ?? []);
  const isMember = (id: string) => output.nodes.get(id)?.kind === 'talk';
  const node = source.nodes.get(at);
  const edge = source.edges.get(at);
  if (kind === 'node' && node !== undefined) {
    const places = outputs.map((member) => (endsCall(node) ? endId(member) : member));
    const shown = node.kind === 'exit' && !endsCall(node) ? [] : places;
    return shown.filter((id) => output.nodes.has(id)).map((id) => [at, id]);
  }
  if (kind === 'edge' && edge !== undefined) {
    const target = source.nodes.get(edge.to)!;
    return inSquad.flatMap((id): Pair[] => {
      const end = endEdgeId(id);
      if (isMember(id)) return [[at, endsCall(target) && output.edges.has(end) ? end : id]];
      const exit: Pair[] = target.kind === 'exit' ? [[target.id, id]] : [];
      return [[at, id], ...exit];
    });
  }
  if (kind === 'node' || kind === 'edge') return [];
  // Of the rest, only what makes a step into something: a global node's condition, a transfer.
  const ids = source.at.get(ownerOf(at, source.at) ?? '') ?? [];
  const steps = ids.filter((id) => {
    const from = source.edges.get(id)?.from;
    const isFromAnywhere = from !== undefined && source.nodes.get(from)?.kind === 'anywhere';
    return isFromAnywhere || source.nodes.get(id)?.kind === 'exit';
  });
  const leaves = inSquad.filter((id) => !isMember(id));
  return steps.flatMap((step) => leaves.map((leaf): Pair => [step, leaf]));
}

export function endsCall({ caption }: PictureNode): boolean {
  return caption === 'endCall' || caption === 'hangup';
}
