/**
 * A picture of a graph that is too large to draw each of its nodes.
 *
 * The nodes of an assistant are one box with their number, and edges between two boxes one edge.
 * Where that is still too much (thousands of assistants, or nothing known of them), boxes stand for
 * runs of 2, 4, 8, … neighbours in the order of the document: what is drawn is bounded for any graph.
 */
import { append, groupBy } from '../../graph/lists.js';
import { computeComponents } from '../../graph/partitions.js';
import { counted } from '../words.js';
import type { Picture, PictureEdge, PictureNode } from './picture.js';

/** What can be drawn, and read; `span` is how many ranks all edges cross together. */
export const limits = { nodes: 400, edges: 800, span: 2500 } as const;

export interface Condensed {
  readonly picture: Picture;
  /** The ids that stand for others, by those; empty where everything is drawn. */
  readonly standsFor: ReadonlyMap<string, string>;
}

export function condense(picture: Picture): Condensed {
  if (isSmall(picture)) return { picture, standsFor: new Map() };
  const boxes = boxesByAssistant(picture);
  for (let run = 1; ; run *= 2) {
    const joined = groupBy(boxes.entries(), ([at]) => Math.floor(at / run));
    const condensed = merge(
      picture,
      [...joined.values()].map((all) => all.flatMap(([, box]) => box)),
    );
    if (isSmall(condensed.picture)) return condensed;
  }
}

function isSmall(picture: Picture): boolean {
  const { nodes, edges } = picture;
  const few = nodes.length <= limits.nodes && edges.length <= limits.edges;
  return few && totalSpan(picture) <= limits.span;
}

/** Of the longest ranks; an edge that leads back crosses what lies between its ends. */
export function totalSpan({ nodes, edges }: Picture): number {
  const numbers = new Map(nodes.map(({ id }, index) => [id, index]));
  const targets: number[][] = nodes.map(() => []);
  for (const { from, to } of edges) targets[numbers.get(from)!]!.push(numbers.get(to)!);
  // Within a component, which has no order, that of the document counts.
  const order = computeComponents(targets).members.flat();
  const position = new Map(order.map((node, at) => [node, at]));
  const ranks = nodes.map(() => 0);
  for (const node of order) {
    for (const to of targets[node]!) {
      const isOnward = position.get(to)! > position.get(node)!;
      if (isOnward) ranks[to] = Math.max(ranks[to]!, ranks[node]! + 1);
    }
  }
  return targets.reduce((sum, list, node) => {
    return list.reduce((all, to) => all + Math.abs(ranks[to]! - ranks[node]!), sum);
  }, 0);
}

/** The nodes of one box. */
type Box = readonly PictureNode[];

/** What belongs to several assistants or to none stays by itself, unless that is much too. */
function boxesByAssistant({ nodes }: Picture): readonly Box[] {
  if (nodes.every(({ groups }) => groups.length === 0)) return nodes.map((node) => [node]);
  const alone = nodes.filter(({ groups }) => groups.length !== 1).length;
  const boxes = groupBy(nodes, ({ id, groups, kind }) => {
    const together = kind !== 'anywhere' && (groups.length === 1 || alone > limits.nodes / 4);
    return together ? `groups ${groups.join(' ')}` : `node ${id}`;
  });
  return [...boxes.values()];
}

/** Edges inside of a box are not drawn; its number of nodes stands for them. */
function merge(picture: Picture, boxes: readonly Box[]): Condensed {
  const standsFor = new Map<string, string>();
  const nodes = boxes.map((box) => {
    const node = box.length === 1 ? box[0]! : boxNode(box, picture);
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
    const pointers = bundle.flatMap((edge) => edge.pointers);
    return { ...first, id, label: `${bundle.length} edges`, pointers };
  });
  return { picture: { ...picture, nodes, edges }, standsFor };
}

function boxNode(box: Box, { groups: names }: Picture): PictureNode {
  const groups = [...new Set(box.flatMap((node) => node.groups))].sort((a, b) => a - b);
  const [first, ...others] = groups;
  const name = first === undefined ? '' : (names[first] ?? `assistant ${first + 1}`);
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return {
    id: `${box[0]!.id}#box`,
    label: first === undefined ? `${box[0]!.label} … ${box.at(-1)!.label}` : `${name}${more}`,
    caption: counted(box.length, 'node'),
    kind: 'many',
    isStart: box.some(({ isStart }) => isStart),
    isGlobal: box.some(({ isGlobal }) => isGlobal),
    groups,
    pointers: box.flatMap(({ pointers }) => pointers),
  };
}
