/** The nodes of a picture by assistant, for formats that draw a frame round them. */
import { onlyGroup, type Picture } from './picture.js';

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
