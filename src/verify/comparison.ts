/** Source and squad side by side, as the items of the checklist look at them. */
import type { JsonPointer, NodeIndex } from '../compiler/ir/ids.js';
import type { JsonObject } from '../compiler/ir/json.js';
import type { Settled, Target } from '../compiler/ir/options.js';
import type { Question } from '../compiler/ir/result.js';
import { groupPassages } from './crossways.js';
import type { IsDemanded } from './demand.js';
import type { Grouping } from './grouping/group-nodes.js';
import { type Match, matchDestinations } from './matching.js';
import { type Owners, readOwners } from './owners.js';
import { listEdgePassages, listGlobalPassages, type Passage } from './passages.js';
import { readSquad } from './read-squad.js';
import { listNamed } from './ready-assistants.js';
import type { Settlement } from './settle.js';
import type { SourceGraph } from './source-graph.js';
import type { SquadReading } from './squad-reading.js';
import { type Crossings, computeCrossings } from './variables/crossings.js';
import type { Waiver } from './waiver.js';
import { type Exploration, explore } from './walks/explore.js';
import { layGround } from './walks/ground.js';

export type { Match } from './matching.js';

export interface Comparison {
  /** The source with the answers applied, as a call walks it. */
  readonly graph: SourceGraph;
  readonly document: JsonObject;
  readonly squad: SquadReading;
  readonly options: Settled;
  /** The target that the caller wants; null where the shape of the document says it. */
  readonly stated: Target | null;
  /** The assistants that the source comes to, for these options and answers. */
  readonly grouping: Grouping;
  /** Whether a variable crosses as a required argument of the handoffs. */
  readonly isDemanded: IsDemanded;
  /** Questions that nobody has answered. */
  readonly open: readonly Question[];
  /** Answers that keep stages apart, and the item that each waives. */
  readonly waivers: readonly Waiver[];
  /** The walk through both. */
  readonly exploration: Exploration;
  /** Which assistants own which nodes. */
  readonly owners: Owners;
  /** Ways along edges from one assistant to another. */
  readonly edgePassages: readonly Passage[];
  /** Ways to global nodes of other assistants. */
  readonly globalPassages: readonly Passage[];
  /** What crosses with these ways. */
  readonly crossings: Crossings;
  /** Which destination each of these ways has become. */
  readonly match: Match;
  /** What the texts call a member. */
  readonly nameOf: (member: number) => string;
  /** Where a node stands in the source. */
  readonly placeOf: (node: NodeIndex) => JsonPointer;
}

export function compare(
  { graph, variables, grouping, isDemanded, dialogue }: Settlement,
  document: JsonObject,
  options: Settled,
  stated: Target | null = options.target,
): Comparison {
  const squad = readSquad(document, listNamed(graph));
  const ground = layGround(graph, grouping.representative, squad);
  const exploration = explore(ground);
  const owners = readOwners(exploration.visits, grouping.representative);
  const edgePassages = listSeen(squad, listEdgePassages(graph, owners));
  const globalPassages = listSeen(squad, listGlobalPassages(graph, owners, squad.members.length));
  const passages =
    globalPassages.length === 0 ? edgePassages : [...edgePassages, ...globalPassages];
  const crossings = computeCrossings(graph, variables, owners, passages);
  const crossways = groupPassages(ground, owners, exploration.sentences, passages);
  return {
    graph,
    document,
    squad,
    options,
    stated,
    grouping,
    isDemanded,
    open: dialogue.open,
    waivers: listWaivers(grouping),
    exploration,
    owners,
    edgePassages,
    globalPassages,
    crossings,
    match: matchDestinations(squad, crossways, ({ passages: ways }) => {
      const carried = ways.flatMap((it) => crossings.of(it).map(({ variable }) => variable.name));
      return new Set(carried);
    }),
    nameOf: (member) => {
      const { name, assistantId } = squad.members[member] ?? {};
      return name ?? assistantId ?? `member ${member}`;
    },
    placeOf: (node) => graph.nodeAt(node).at,
  };
}

/** How a saved assistant hands off is not to be seen, unless the squad alone can make it. */
function listSeen({ members }: SquadReading, passages: readonly Passage[]): readonly Passage[] {
  if (!members.some(({ unseen }) => unseen)) return passages;
  return passages.filter(({ member }) => !members[member]!.unseen);
}

function listWaivers({ decisions }: Grouping): Waiver[] {
  return decisions
    .filter(({ choice }) => choice === 'keep-split' || choice === 'group')
    .map(({ inquiry }) => ({ item: 2, question: inquiry.question.id }));
}
