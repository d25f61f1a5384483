/**
 * What every assistant has is drawn once: a destination for the same reason to the same place, as
 * a global node gives it to all others, comes from `any assistant`.
 */

import { append } from './lists.js';
import type { Picture, PictureEdge, PictureNode } from './picture.js';
import { anywhereNode } from './picture.js';

/** Fewer than these are drawn one by one. */
const fewest = 3;

export function foldEverywhere(picture: Picture): Picture {
  const members = picture.nodes.filter(({ kind }) => kind === 'talk');
  const nodes = new Map(picture.nodes.map((node) => [node.id, node]));
  const folded = new Map<string, PictureEdge[]>();
  for (const edges of sameSteps(picture.edges, nodes).values()) {
    if (isEverywhere(edges, members, picture.edges)) folded.set(edges[0]!.id, edges);
  }
  return folded.size === 0 ? picture : fold(picture, [...folded.values()], nodes);
}

/** Edges by where they lead and why; transfers of several members lead to the same place. */
function sameSteps(
  edges: readonly PictureEdge[],
  nodes: ReadonlyMap<string, PictureNode>,
): Map<string, PictureEdge[]> {
  const groups = new Map<string, PictureEdge[]>();
  for (const edge of edges) {
    if (edge.label === '') continue;
    const key = JSON.stringify([placeOf(nodes.get(edge.to)!), edge.label]);
    append(groups, key, edge);
  }
  return groups;
}

function placeOf({ id, kind, label, caption }: PictureNode): readonly string[] {
  return kind === 'exit' ? [label, caption] : [id];
}

/** Whether all members have such an edge, those aside that lie at its end or have another way there. */
function isEverywhere(
  same: readonly PictureEdge[],
  members: readonly PictureNode[],
  edges: readonly PictureEdge[],
): boolean {
  const sources = new Set(same.map(({ from }) => from));
  if (sources.size < fewest) return false;
  const { to } = same[0]!;
  const others = new Set(edges.flatMap((edge) => (edge.to === to ? [edge.from] : [])));
  return members.every(({ id }) => sources.has(id) || id === to || others.has(id));
}

function fold(
  picture: Picture,
  folded: readonly (readonly PictureEdge[])[],
  nodes: ReadonlyMap<string, PictureNode>,
): Picture {
  const anywhere = anywhereNode('any assistant');
  const gone = new Set(folded.flat().map(({ id }) => id));
  const spare = new Set<string>();
  const merged = new Map<string, PictureNode>();
  for (const edges of folded) {
    const [first, ...others] = edges.map(({ to }) => nodes.get(to)!);
    if (first!.kind === 'exit') for (const { id } of others) spare.add(id);
    const all = [first!, ...others];
    const groups = first!.kind === 'exit' ? all.flatMap((it) => it.groups) : first!.groups;
    const pointers = new Set(all.flatMap((it) => it.pointers));
    merged.set(first!.id, { ...first!, groups, pointers: [...pointers], isGlobal: true });
  }
  return {
    ...picture,
    nodes: [
      ...picture.nodes.filter(({ id }) => !spare.has(id)).map((it) => merged.get(it.id) ?? it),
      anywhere,
    ],
    edges: [
      ...picture.edges.filter(({ id }) => !gone.has(id)),
      ...folded.map((edges) => ({
        ...edges[0]!,
        id: `${edges[0]!.id}${anywhere.id}`,
        from: anywhere.id,
        pointers: edges.flatMap(({ pointers }) => pointers),
      })),
    ],
  };
}
