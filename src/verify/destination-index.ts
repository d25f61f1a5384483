/** The destinations of a squad, found by where they lead from and to, and by what they say. */
import type { Crossway } from './crossways.js';
import type { Destination, SquadReading } from './squad-reading.js';
import { append } from './variables/lists.js';

export interface DestinationIndex {
  /** Those that lead and read as the ways are to, whatever the order of the alternatives. */
  readonly alike: (crossway: Crossway) => readonly Destination[];
  /** Those that lead as the ways do. */
  readonly between: (crossway: Crossway) => readonly Destination[];
  /** Those of a member. */
  readonly of: (member: number) => readonly Destination[];
}

/** So few are looked at one by one. */
const few = 8;

const joint = '; or ';

const none: readonly Destination[] = [];

const nowhere: DestinationIndex = { alike: () => none, between: () => none, of: () => none };

export function indexDestinations({ destinations, members }: SquadReading): DestinationIndex {
  if (destinations.length === 0) return nowhere;
  const byEnds = new Map<number, Destination[]>();
  for (const destination of destinations) {
    const { member, leadsTo } = destination;
    // Twice the number of a pair, and one more where the platform judges.
    const pair = leadsTo === null ? -1 : member * members.length + leadsTo;
    if (pair !== -1) append(byEnds, 2 * pair + (isGuarded(destination) ? 1 : 0), destination);
  }
  const between = ({ member, target, isGuarded: guarded }: Crossway) =>
    byEnds.get(2 * (member * members.length + target) + (guarded ? 1 : 0)) ?? none;
  let byWords: Map<readonly Destination[], Map<string, Destination[]>> | null = null;
  let byMember: Map<number, Destination[]> | null = null;
  return {
    between,
    alike: (crossway) => {
      const all = between(crossway);
      const words = inOrder(wordsOf(crossway));
      if (all.length === 1) return inOrder(all[0]!.description) === words ? all : none;
      if (all.length <= few) return all.filter((it) => inOrder(it.description) === words);
      byWords ??= new Map();
      const known = byWords.get(all) ?? groupBy(all, (it) => inOrder(it.description));
      byWords.set(all, known);
      return known.get(words) ?? none;
    },
    of: (member) => {
      byMember ??= groupBy(destinations, (it) => it.member);
      return byMember.get(member) ?? none;
    },
  };
}

function isGuarded({ tool }: Destination): boolean {
  return tool['rejectionPlan'] !== undefined;
}

function wordsOf({ parts }: Crossway): string {
  return parts.length === 1 ? parts[0]! : parts.join(joint);
}

/** Alternatives may stand in any order. */
function inOrder(description: string): string {
  return description.includes(joint) ? description.split(joint).sort().join(joint) : description;
}

function groupBy<Key>(
  all: readonly Destination[],
  keyOf: (destination: Destination) => Key,
): Map<Key, Destination[]> {
  const groups = new Map<Key, Destination[]>();
  for (const destination of all) append(groups, keyOf(destination), destination);
  return groups;
}
