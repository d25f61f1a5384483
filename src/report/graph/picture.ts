/**
 * A graph as it is drawn; SVG, Mermaid and DOT are written from it.
 *
 * An id is the JSON Pointer of what is drawn, or starts with one. Labels are texts of the document
 * and may hold anything.
 */
export interface Picture {
  /** Null if the document has none. */
  readonly title: string | null;
  readonly subject: 'workflow' | 'squad';
  /** The start comes first. */
  readonly nodes: readonly PictureNode[];
  readonly edges: readonly PictureEdge[];
  /** Names of the assistants, by index; empty if they are unknown. */
  readonly groups: readonly string[];
}

export interface PictureNode {
  readonly id: string;
  readonly label: string;
  /** The type of the node, in a word or two. */
  readonly caption: string;
  /**
   * `anywhere` stands for every other node: its edges can be taken at any time. `many` is a box for
   * several nodes of a graph that is too large to draw in full.
   */
  readonly kind: 'talk' | 'act' | 'exit' | 'anywhere' | 'many';
  readonly isStart: boolean;
  readonly isGlobal: boolean;
  /** Indexes of the assistants that it belongs to, in ascending order. */
  readonly groups: readonly number[];
  /** Places in the document that it stands for. */
  readonly pointers: readonly string[];
}

export interface PictureEdge extends Pick<PictureNode, 'id' | 'label' | 'pointers'> {
  readonly from: string;
  readonly to: string;
}

type NewNode = Pick<PictureNode, 'id' | 'label' | 'kind'> & Partial<PictureNode>;

export function pictureNode(given: NewNode): PictureNode {
  return { caption: '', isStart: false, isGlobal: false, groups: [], pointers: [], ...given };
}

export const anywhereId = '#anywhere';

export function anywhereNode(label: string): PictureNode {
  return pictureNode({ id: anywhereId, label, kind: 'anywhere' });
}

/** The assistant of a node that belongs to exactly one; else null. */
export function onlyGroup({ groups }: PictureNode): number | null {
  return groups.length === 1 ? groups[0]! : null;
}

/** For example `start, global, conversation`. */
export function noteOf({ caption, isStart, isGlobal }: PictureNode, separator: string): string {
  const parts = [isStart ? 'start' : '', isGlobal ? 'global' : '', caption];
  return parts.filter((part) => part !== '').join(separator);
}
