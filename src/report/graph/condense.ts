/**
 * Makes a picture small enough to draw and to read.
 *
 * The nodes of one assistant become one box, and all edges between two boxes become one edge. While
 * that is still too much, neighbouring boxes are joined in pairs, so that any graph ends up within
 * the limits.
 */
import { append, groupBy } from '../../graph/lists.js';
import { computeComponents } from '../../graph/partitions.js';
import { counted } from '../../text/counted.js';
import { type Picture, type PictureEdge, type PictureNode, pictureNode } from './picture.js';

/** `span` is the number of ranks that all edges together cross: the layout's time depends on it. */
export const limits = { nodes: 400, edges: 800, span: 2500 } as const;

/** With the id that stands for each id that is not drawn. */
export function condense(picture: Picture) {
  if (isSmall(picture)) return { picture, standsFor: new Map<string, string>() };
  const owners = ({ id, groups }: PictureNode) => (groups.length > 0 ? groups.join(' ') : id);
  let boxes = [...groupBy(picture.nodes, owners).values()];
  for (;;) {
    const condensed = merge(picture, boxes);
    if (isSmall(condensed.picture)) return condensed;
    const pairs = groupBy(boxes.entries(), ([at]) => Math.floor(at / 2));
    boxes = [...pairs.values()].map((pair) => pair.flatMap(([, box]) => box));
  }
}

function isSmall(picture: Picture): boolean {
  const { nodes, edges } = picture;
  const isShort = nodes.length <= limits.nodes && edges.length <= limits.edges;
  return isShort && totalSpan(picture) <= limits.span;
}

/** With each node as far down as its longest path; an edge back spans the ranks between its ends. */
function totalSpan({ nodes, edges }: Picture): number {
  const numbers = new Map(nodes.map(({ id }, index) => [id, index]));
  const targets: number[][] = nodes.map(() => []);
  for (const { from, to } of edges) targets[numbers.get(from)!]!.push(numbers.get(to)!);
  const order = computeComponents(targets).members.flat();
  const position = new Map(order.map((node, at) => [node, at]));
  const ranks = nodes.map(() => 0);
  for (const node of order) {
    for (const to of targets[node]!) {
      const isForward = position.get(to)! > position.get(node)!;
      if (isForward) ranks[to] = Math.max(ranks[to]!, ranks[node]! + 1);
    }
  }
  return targets.reduce((sum, list, node) => {
    return list.reduce((all, to) => all + Math.abs(ranks[to]! - ranks[node]!), sum);
  }, 0);
}

/** An edge within a box is not drawn. */
function merge(picture: Picture, boxes: readonly PictureNode[][]) {
  const standsFor = new Map<string, string>();
  const nodes = boxes.map((box) => {
    const node = box.length === 1 ? box[0]! : boxOf(box, picture);
    for (const { id } of box) standsFor.set(id, node.id);
    return node;
  });
  const bundles = new Map<string, PictureEdge[]>();
  for (const edge of picture.edges) {
    const [from, to] = [standsFor.get(edge.from)!, standsFor.get(edge.to)!];
    if (from === to && edge.from !== edge.to) standsFor.set(edge.id, from);
    else append(bundles, JSON.stringify([from, to]), { ...edge, from, to });
  }
  const edges = [...bundles.values()].map((bundle) => {
    const [first] = bundle as [PictureEdge];
    if (bundle.length === 1) return first;
    const id = `${first.id}#bundle`;
    for (const edge of bundle) standsFor.set(edge.id, id);
    return { ...first, id, label: `${bundle.length} edges` };
  });
  return { picture: { ...picture, nodes, edges }, standsFor };
}

function boxOf(box: readonly PictureNode[], { groups: names }: Picture): PictureNode {
  const groups = [...new Set(box.flatMap((node) => node.groups))].sort((a, b) => a - b);
  const [first] = groups;
  const more = groups.length > 1 ? ` and ${groups.length - 1} more` : '';
  return pictureNode({
    id: `${box[0]!.id}#box`,
    label: first === undefined ? `${box[0]!.label} … ${box.at(-1)!.label}` : names[first] + more,
    caption: counted(box.length, 'node'),
    kind: 'many',
    isStart: box.some(({ isStart }) => isStart),
    isGlobal: box.some(({ isGlobal }) => isGlobal),
    groups,
  });
}
