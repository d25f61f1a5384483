/**
 * A graph as it is drawn: what every format (SVG, Mermaid, DOT) is made of.
 *
 * Ids are JSON Pointers of the document that is drawn, or begin with one; labels are texts of that
 * document as they stand there, so they may hold anything.
 */

export interface Picture {
  /** Null where the document has none. */
  readonly title: string | null;
  readonly subject: 'workflow' | 'squad';
  /** The start comes first; layouts begin there. */
  readonly nodes: readonly PictureNode[];
  readonly edges: readonly PictureEdge[];
  /** Names of the assistants, by index; empty where nothing is known of them. */
  readonly groups: readonly string[];
}

/**
 * `anywhere` stands for every other node: edges from it lead to what can be entered at any time.
 * `many` stands for several nodes, in a graph that is too large to draw each.
 */
export type PictureNodeKind = 'talk' | 'act' | 'exit' | 'anywhere' | 'many';

export interface PictureNode {
  readonly id: string;
  readonly label: string;
  /** What it is, in a word or two. */
  readonly caption: string;
  readonly kind: PictureNodeKind;
  readonly isStart: boolean;
  readonly isGlobal: boolean;
  /** Assistants that it belongs to, by index, in ascending order. */
  readonly groups: readonly number[];
  readonly pointers: readonly string[];
}

export interface PictureEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** Empty where there is no condition. */
  readonly label: string;
  readonly pointers: readonly string[];
}

/** The one assistant that a node belongs to; null where there is none or where there are several. */
export function onlyGroup({ groups }: PictureNode): number | null {
  return groups.length === 1 ? groups[0]! : null;
}

export const anywhereId = '#anywhere';

export function anywhereNode(label: string): PictureNode {
  return {
    id: anywhereId,
    label,
    caption: '',
    kind: 'anywhere',
    isStart: false,
    isGlobal: false,
    groups: [],
    pointers: [],
  };
}

export interface Cluster {
  readonly group: number;
  readonly name: string;
  /** Positions of the nodes that belong to this assistant alone. */
  readonly nodes: readonly number[];
}

export interface Clusters {
  readonly clusters: readonly Cluster[];
  /** Positions of the others. */
  readonly free: readonly number[];
}

export function clustersOf({ nodes, groups }: Picture): Clusters {
  const members = new Map<number, number[]>();
  const free: number[] = [];
  for (const [at, node] of nodes.entries()) {
    const group = onlyGroup(node);
    if (group === null) free.push(at);
    else if (members.has(group)) members.get(group)!.push(at);
    else members.set(group, [at]);
  }
  const clusters = [...members]
    .sort(([a], [b]) => a - b)
    .map(([group, held]) => ({ group, name: groups[group] ?? '', nodes: held }));
  return { clusters, free };
}

/** Number and name of an assistant. */
export function clusterTitle({ group, name }: Cluster): string {
  return `${group + 1} ${name}`.trim();
}
