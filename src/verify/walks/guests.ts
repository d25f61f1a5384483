/** The visits of a walk, each pair of a node and a position once. */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type { Position } from './finder.js';
import type { Ground } from './ground.js';
import type { Visit } from './visit.js';
import type { Way } from './ways.js';

export interface Guests {
  /** In the order in which they have come. */
  readonly visits: readonly Visit[];
  /** Whether a call has come to the node, or to one that is equal to it. */
  readonly isPlaced: (node: NodeIndex) => boolean;
  /** The first node at which a call has come to the position of this number; null where none is. */
  readonly firstAt: (position: number) => NodeIndex | null;
  readonly add: (visit: Visit) => void;
  readonly come: (way: Way, to: Position, from: Visit) => void;
}

const nobody = -1;

export function createGuests({ graph, representative, positionCount, numberOf }: Ground): Guests {
  const visits: Visit[] = [];
  const isMet = new Array<boolean>(graph.workflow.nodes.length).fill(false);
  // Most positions are met by one node; those that come to another's are in the set.
  const first = new Array<number>(positionCount).fill(nobody);
  let further: Set<number> | null = null;
  const isNew = (node: NodeIndex, position: number): boolean => {
    if (first[position] === node) return false;
    if (first[position] === nobody) {
      first[position] = node;
      return true;
    }
    further ??= new Set();
    const known = further.size;
    return further.add(node * positionCount + position).size > known;
  };
  const add = (visit: Visit): void => {
    if (!isNew(visit.node, numberOf(visit.member, visit.step))) return;
    isMet[visit.node] = true;
    visits.push(visit);
  };
  return {
    visits,
    add,
    isPlaced: (node) => isMet[representative[node]!]!,
    firstAt: (position) => (first[position] === nobody ? null : (first[position]! as NodeIndex)),
    come: (way, { member, step }, parent) => {
      // Equal nodes are one node: what is seen of one is seen of all.
      add({ node: representative[way.to]! as NodeIndex, member, step, parent, way });
    },
  };
}
