/**
 * A picture of a graph that is too large to draw each of its nodes.
 *
 * The nodes of an assistant are one box with their number, and edges between two boxes one edge.
 * Where that is still too much (thousands of assistants, or nothing known of them), boxes stand for
 * runs of 2, 4, 8, … neighbours in the order of the document: what is drawn is bounded for any graph.
 */
import { counted } from '../words.js';
import { append } from './lists.js';
import type { Picture, PictureEdge, PictureNode } from './picture.js';

/** What can be drawn, and read. */
export const limits = { nodes: 400, edges: 800, span: 2500 } as const;

export interface Condensed {
  readonly picture: Picture;
  /** The ids that stand for others, by those; empty where everything is drawn. */
  readonly standsFor: ReadonlyMap<string, string>;
}

export function condense(picture: Picture): Condensed {
  if (isSmall(picture)) return { picture, standsFor: new Map() };
  const first = boxesByAssistant(picture);
  for (let run = 1; ; run *= 2) {
    const condensed = merge(picture, joinRuns(first, run));
    if (isSmall(condensed.picture)) return condensed;
  }
}

function isSmall(picture: Picture): boolean {
  const { nodes, edges } = picture;
  const few = nodes.length <= limits.nodes && edges.length <= limits.edges;
  return few && totalSpan(picture) <= limits.span;
}

/** The nodes of one box. */
type Box = readonly PictureNode[];

/** What belongs to several assistants or to none stays by itself, unless that is much too. */
function boxesByAssistant({ nodes }: Picture): Box[] {
  const boxes = new Map<string, PictureNode[]>();
  const alone = nodes.filter(({ groups }) => groups.length !== 1).length;
  for (const node of nodes) {
    const { id, groups, kind } = node;
    const together = kind !== 'anywhere' && (groups.length === 1 || alone > limits.nodes / 4);
    append(boxes, together ? `groups ${groups.join(' ')}` : `node ${id}`, node);
  }
  const hasAssistants = nodes.some(({ groups }) => groups.length > 0);
  return hasAssistants ? [...boxes.values()] : nodes.map((node) => [node]);
}

function joinRuns(boxes: readonly Box[], length: number): Box[] {
  const joined: Box[] = [];
  for (let at = 0; at < boxes.length; at += length)
    joined.push(boxes.slice(at, at + length).flat());
  return joined;
}

function merge(picture: Picture, boxes: readonly Box[]): Condensed {
  const standsFor = new Map<string, string>();
  const nodes = boxes.map((box) => {
    const node = box.length === 1 ? box[0]! : boxNode(box, picture);
    for (const { id } of box) standsFor.set(id, node.id);
    return node;
  });
  const edges = mergeEdges(picture.edges, standsFor);
  return { picture: { ...picture, nodes, edges }, standsFor };
}

function boxNode(box: Box, { groups: names }: Picture): PictureNode {
  const groups = [...new Set(box.flatMap(({ groups }) => groups))].sort((a, b) => a - b);
  return {
    id: `${box[0]!.id}#box`,
    label: labelOf(groups, names, box),
    caption: counted(box.length, 'node'),
    kind: 'many',
    isStart: box.some(({ isStart }) => isStart),
    isGlobal: box.some(({ isGlobal }) => isGlobal),
    groups,
    pointers: box.flatMap(({ pointers }) => pointers),
  };
}

function labelOf(groups: readonly number[], names: readonly string[], box: Box): string {
  const [first, ...others] = groups;
  if (first === undefined) return `${box[0]!.label} … ${box[box.length - 1]!.label}`;
  const name = names[first] ?? `assistant ${first + 1}`;
  return others.length === 0 ? name : `${name} and ${others.length} more`;
}

/** Edges inside of a box are not drawn; its number of nodes stands for them. */
function mergeEdges(edges: readonly PictureEdge[], standsFor: Map<string, string>): PictureEdge[] {
  const bundles = new Map<string, PictureEdge[]>();
  for (const edge of edges) {
    const from = standsFor.get(edge.from)!;
    const to = standsFor.get(edge.to)!;
    if (from === to && edge.from !== edge.to) standsFor.set(edge.id, from);
    else append(bundles, JSON.stringify([from, to]), { ...edge, from, to });
  }
  return [...bundles.values()].map((bundle) => {
    const [first] = bundle;
    if (bundle.length === 1) return first!;
    const id = `${first!.id}#bundle`;
    for (const edge of bundle) standsFor.set(edge.id, id);
    const pointers = bundle.flatMap((edge) => edge.pointers);
    return { ...first!, id, label: `${bundle.length} ways`, pointers };
  });
}

export function totalSpan({ nodes, edges }: Picture): number {
  const numbers = new Map(nodes.map(({ id }, index) => [id, index]));
  const targets: number[][] = nodes.map(() => []);
  for (const { from, to } of edges) {
    if (from !== to) targets[numbers.get(from)!]!.push(numbers.get(to)!);
  }
  const order = finishOrder(targets).reverse();
  const position = new Int32Array(nodes.length);
  for (const [at, node] of order.entries()) position[node] = at;
  const rank = new Int32Array(nodes.length);
  for (const node of order) {
    for (const target of targets[node]!) {
      if (position[target]! > position[node]!)
        rank[target] = Math.max(rank[target]!, rank[node]! + 1);
    }
  }
  let span = 0;
  for (const [node, list] of targets.entries()) {
    for (const target of list) span += Math.abs(rank[target]! - rank[node]!);
  }
  return span;
}

/** Nodes as a depth-first search leaves them. */
function finishOrder(targets: readonly (readonly number[])[]): number[] {
  const next = new Int32Array(targets.length);
  const seen = new Uint8Array(targets.length);
  const finished: number[] = [];
  for (const root of targets.keys()) {
    if (seen[root]) continue;
    const path = [root];
    seen[root] = 1;
    while (path.length > 0) {
      const node = path[path.length - 1]!;
      const target = targets[node]![next[node]!++];
      if (target === undefined) finished.push(path.pop()!);
      else if (!seen[target]) {
        seen[target] = 1;
        path.push(target);
      }
    }
  }
  return finished;
}
