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

/** What a node is and how it is entered. */
export function noteOf({ caption, isStart, isGlobal }: PictureNode, separator: string): string {
  const parts = [isStart ? 'start' : '', isGlobal ? 'global' : '', caption];
  return parts.filter((part) => part !== '').join(separator);
}

export const anywhereId = '#anywhere';

export function anywhereNode(label: string): PictureNode {
  const isNo = { isStart: false, isGlobal: false };
  return {
    id: anywhereId,
    label,
    caption: '',
    kind: 'anywhere',
    ...isNo,
    groups: [],
    pointers: [],
  };
}
