/** Source and squad side by side, as most items of the checklist look at them. */
import type { JsonPointer, NodeIndex } from '../compiler/ir/ids.js';
import type { JsonObject } from '../compiler/ir/json.js';
import type { Settled } from '../compiler/ir/options.js';
import type { CheckInput } from './check-input.js';
import { type Owners, readOwners } from './owners.js';
import { listEdgePassages, listGlobalPassages, type Passage } from './passages.js';
import { readSource, type SourceGraph } from './source-graph.js';
import { type Destination, readSquad, type SquadReading } from './squad-reading.js';
import type { Waiver } from './waiver.js';

export interface Comparison {
  /** The source with the answers applied, as a call walks it. */
  readonly graph: SourceGraph;
  readonly document: JsonObject;
  readonly squad: SquadReading;
  readonly options: Settled;
  /** Answers that keep stages apart, and the item that each waives. */
  readonly waivers: readonly Waiver[];
  /** Which assistants own which nodes. */
  readonly owners: Owners;
  /** Ways along edges from one assistant to another. */
  readonly edgePassages: readonly Passage[];
  /** Ways to global nodes of other assistants. */
  readonly globalPassages: readonly Passage[];
  /** Which destination each of these ways has become. */
  readonly match: Match;
  /** What the texts call a member. */
  readonly nameOf: (member: number) => string;
  /** Where a node stands in the source. */
  readonly placeOf: (node: NodeIndex) => JsonPointer;
}

export function compare(input: CheckInput): Comparison {
  const graph = readSource(input.workflow, input.start);
  const squad = readSquad(input.document);
  const owners = readOwners(input.workflow, input.ledger);
  const edgePassages = listEdgePassages(graph, owners);
  const globalPassages = listGlobalPassages(graph, owners, squad.members.length);
  return {
    graph,
    document: input.document,
    squad,
    options: input.options,
    waivers: input.waivers,
    owners,
    edgePassages,
    globalPassages,
    match: matchDestinations({ graph, squad, owners, edgePassages, globalPassages }),
    nameOf: (member) => squad.members[member]?.name ?? `member ${member}`,
    placeOf: (node) => graph.nodeAt(node).at,
  };
}

/** Which destination each passage has become, and which passages each destination stands for. */
export interface Match {
  readonly destinationOf: ReadonlyMap<Passage, Destination>;
  readonly passagesOf: (destination: Destination) => readonly Passage[];
}

/**
 * The ledger says which destination an edge has become; a destination that no edge claims stands
 * for the global nodes of the assistant that it leads to, the first of several for all of them.
 * Conditions that are guarded have a destination apart.
 */
function matchDestinations(
  comparison: Pick<Comparison, 'graph' | 'squad' | 'owners' | 'edgePassages' | 'globalPassages'>,
): Match {
  const { squad, owners, edgePassages, globalPassages } = comparison;
  const byPlace = new Map(squad.destinations.map((it) => [it.at, it]));
  const claimed = new Set<Destination>();
  for (const edge of comparison.graph.edges) {
    for (const at of owners.placesOf(edge)) {
      const destination = byPlace.get(at);
      if (destination !== undefined) claimed.add(destination);
    }
  }
  const free = new Map<string, Destination>();
  for (const destination of squad.destinations) {
    const isGuarded = destination.tool['rejectionPlan'] !== undefined;
    const key = `${destination.member} ${destination.leadsTo} ${isGuarded}`;
    if (!claimed.has(destination) && !free.has(key)) free.set(key, destination);
  }
  const destinationOf = new Map<Passage, Destination>();
  for (const passage of edgePassages) {
    const places = passage.edge === null ? [] : owners.placesOf(passage.edge);
    const own = places.map((at) => byPlace.get(at)).find((it) => it?.member === passage.member);
    if (own !== undefined) destinationOf.set(passage, own);
  }
  for (const passage of globalPassages) {
    if (passage.target === null) continue;
    const isGuarded = passage.condition?.routing === 'guard';
    const key = `${passage.member} ${passage.target}`;
    const own = free.get(`${key} ${isGuarded}`) ?? free.get(`${key} ${!isGuarded}`);
    if (own !== undefined) destinationOf.set(passage, own);
  }
  return { destinationOf, passagesOf: invert(destinationOf) };
}

function invert(destinationOf: ReadonlyMap<Passage, Destination>): Match['passagesOf'] {
  const passages = new Map<Destination, Passage[]>();
  for (const [passage, destination] of destinationOf) {
    const list = passages.get(destination);
    if (list === undefined) passages.set(destination, [passage]);
    else list.push(passage);
  }
  return (destination) => passages.get(destination) ?? [];
}
