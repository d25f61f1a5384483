/**
 * What crosses with each handoff.
 *
 * In: regions, and per variable its captures and where it is live. Out: the squad as far as it is
 * known without a decision: for each handoff the variables that it carries, with the captures that
 * reach it.
 *
 * A handoff from u to v carries x when a walk inside the assistant captures x, leaves at u with
 * that capture still the latest word on x, and x is live on entry to v. A handoff to a global node
 * can be taken anywhere, so it carries what is captured anywhere inside and live on entry to it.
 *
 * An alias that crosses reads variables at the handoff: they are properties of the same plan where
 * the assistant captures them, and live on leaving the node. So they are planned anew; it ends
 * because no handoff reads a variable for the first time twice.
 */
import { append, groupBy } from '../../graph/lists.js';
import { flood } from '../../graph/walks.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Settled } from '../ir/options.js';
import { synthesized, traced } from '../ir/provenance.js';
import type { RegionMap } from '../ir/region-map.js';
import type { PlanProperty } from '../ir/squad-ir.js';
import {
  aliasAmong,
  type CaptureSite,
  type Crossing,
  foundAmong,
  type Variable,
  type VariableFlow,
} from '../ir/variables.js';
import { describe } from '../ir/wording.js';
import { listMembers, type Member, type Names, nameAll, stepTo, type Way } from './members.js';

/** The squad as far as it is known before anything is written. */
export interface Planned {
  readonly graph: FlowGraph;
  readonly flow: VariableFlow;
  readonly map: RegionMap;
  readonly options: Settled;
  readonly names: Names;
  readonly members: readonly Member[];
  /** By variable, where each assistant that sets it does. */
  readonly sites: ReadonlyMap<Variable, ReadonlyMap<Member, Sites>>;
  /** What crosses with a handoff. */
  readonly crossings: ReadonlyMap<Way, readonly Crossing[]>;
  /** Variables that are there when the call starts. */
  readonly supplied: ReadonlySet<string>;
}

/** Where an assistant sets a variable, in walk order. */
export interface Sites extends Pick<Variable, 'captures' | 'responses' | 'offers'> {
  readonly member: Member;
  readonly variable: Variable;
}

export function planSquad(
  { graph, flow, supplied }: Pick<Planned, 'graph' | 'flow' | 'supplied'>,
  map: RegionMap,
  options: Settled,
): Planned {
  const names = nameAll(graph, map, options);
  const members = listMembers(graph, map, names);
  const holders = new Map<NodeIndex, Member[]>();
  for (const member of members) {
    for (const { index } of member.nodes) append(holders, index, member);
  }
  const sites = new Map(
    Array.from(flow.variables.values(), (it) => [it, listSites(holders, it)] as const),
  );
  const crossings = computeCrossings(graph, flow, map, members, sites);
  return { graph, flow, map, options, names, members, sites, crossings, supplied };
}

function listSites(
  holders: ReadonlyMap<NodeIndex, readonly Member[]>,
  variable: Variable,
): ReadonlyMap<Member, Sites> {
  type Lists = { captures: CaptureSite[]; responses: NodeIndex[]; offers: NodeIndex[] };
  const sites = new Map<Member, Sites & Lists>();
  const at = (node: NodeIndex, add: (to: Lists) => void): void => {
    for (const member of holders.get(node) ?? []) {
      const fresh = { member, variable, captures: [], responses: [], offers: [] };
      const known = sites.get(member) ?? fresh;
      sites.set(member, known);
      add(known);
    }
  };
  for (const site of variable.captures) at(site.node, ({ captures }) => captures.push(site));
  for (const list of ['responses', 'offers'] as const) {
    for (const node of variable[list]) at(node, (to) => to[list].push(node));
  }
  return sites;
}

/** What can be the latest word on a variable where a visit of an assistant is left. */
export interface LatestWord {
  readonly captures: readonly CaptureSite[];
  /** Whether it can be a tool's response of this visit. */
  readonly responds: boolean;
  /** Whether it can be nothing of this visit. */
  readonly misses: boolean;
}

/**
 * The latest word on leaving each of these nodes. A node sets a variable by its captures first and by
 * its tools' responses after. Floods end where the variable is set, and stay between there and what is
 * asked for.
 */
export function wordsOnLeaving(
  sites: Sites,
  asked: ReadonlySet<NodeIndex>,
): ReadonlyMap<NodeIndex, LatestWord> {
  const { region, inside } = sites.member;
  const responding = [...sites.responses, ...listGiven(sites).map(stepTo)];
  const setting = new Set<number>([...sites.captures.map(({ node }) => node), ...responding]);
  const isOpen = (at: number) => !setting.has(at);
  const between = flood<number>(
    asked,
    (at) => inside.before(at).filter(isOpen),
    (at) => setting.has(at),
  );
  const isOn = (at: number) => isOpen(at) && between.has(at);
  const walkOn = (from: readonly number[]) => flood(from, (at) => inside.next(at).filter(isOn));
  const captured = lastCaptures(sites).map((site) => ({ site, leaving: walkOn([site.node]) }));
  const responded = walkOn(responding);
  const missed = walkOn(region.entries.filter(isOn));
  const wordAt = (node: NodeIndex): LatestWord => ({
    captures: captured.filter(({ leaving }) => leaving.has(node)).map(({ site }) => site),
    responds: responded.has(node),
    misses: missed.has(node),
  });
  return new Map(Array.from(asked, (node) => [node, wordAt(node)]));
}

/** The latest word wherever the assistant is left. */
export function wordAnywhere(sites: Sites): LatestWord {
  const setting = new Set([...sites.captures.map(({ node }) => node), ...sites.responses]);
  const isNew = (global: NodeIndex) => !setting.has(global);
  const responds = sites.responses.length > 0 || listGiven(sites).some(isNew);
  return { captures: lastCaptures(sites), responds, misses: true };
}

/** The global nodes inside on the way to which a tool sets the variable. */
function listGiven({ member, variable: { name } }: Sites): NodeIndex[] {
  const { globals } = member.inside;
  const given = globals.filter((way) => way.condition?.call?.variables.includes(name));
  return given.map(({ to }) => to.index);
}

/** The captures that are the latest word of their nodes. */
function lastCaptures({ captures, responses }: Sites): readonly CaptureSite[] {
  const responding = new Set(responses);
  const last = new Map(captures.map((site) => [site.node, site]));
  return [...last.values()].filter(({ node }) => !responding.has(node));
}

function computeCrossings(
  { order }: FlowGraph,
  { variables, placeOf, liveFrom }: VariableFlow,
  { representative }: RegionMap,
  members: readonly Member[],
  sites: Planned['sites'],
): Planned['crossings'] {
  const twins = groupBy(order, (node) => representative[node]!);
  /** Where the handoffs of a member lead to at the earliest. */
  const earliest = new Map(
    members.map((member) => {
      const places = member.handoffs.map(({ to }) => placeOf(to.index));
      return [
        member,
        places.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY),
      ];
    }),
  );
  const carried = new Map<Variable, ReturnType<typeof cross>>();
  /** By variable the handoffs whose aliases read it, and the nodes on leaving which it is read. */
  const readBy = new Map<string, Set<Way>>();
  const readFrom = new Map<string, NodeIndex[]>();
  const captured = [...variables.values()].filter(({ captures }) => captures.length > 0);
  const pending = new Set(captured);
  // What is added on the way is come to as well, and what was there before once more.
  for (const variable of pending) {
    pending.delete(variable);
    const { name } = variable;
    const conditionReads = [...variable.conditionReads, ...(readFrom.get(name) ?? [])];
    const setting = [...(sites.get(variable)?.values() ?? [])];
    const places = setting.map(({ member }) => earliest.get(member)!);
    const least = places.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
    const { at, only } = liveFrom({ ...variable, conditionReads }, least);
    const reading = readBy.get(name);
    const crossing = setting.flatMap((it) => {
      const { handoffs, handoffsTo } = it.member;
      // Where the variable is live at few nodes, only the handoffs to these are looked at.
      if (only !== null && only.size < handoffs.length && reading === undefined) {
        return cross(
          it,
          [...only].flatMap((node) => handoffsTo.get(node) ?? []),
        );
      }
      return cross(
        it,
        handoffs.filter((way) => at(way.to.index) || reading?.has(way)),
      );
    });
    carried.set(variable, crossing);
    for (const { member, way, crossing: carrying } of crossing) {
      for (const { name: read } of aliasAmong(carrying.captures)?.capture.alias?.uses ?? []) {
        const known = readBy.get(read) ?? new Set();
        if (known.has(way)) continue;
        readBy.set(read, known.add(way));
        pending.add(variables.get(read)!);
        // Equal nodes are left by the same handoffs.
        for (const { index } of way.from === null ? member.nodes : [way.from]) {
          for (const twin of twins.get(index)!) append(readFrom, read, twin);
        }
      }
    }
  }
  const crossings = new Map<Way, Crossing[]>();
  for (const variable of variables.values()) {
    for (const { way, crossing } of carried.get(variable) ?? []) append(crossings, way, crossing);
  }
  return crossings;
}

/** What the assistant hands over of the variable on these ways. */
function cross(sites: Sites, ways: readonly Way[]) {
  if (ways.length === 0) return [];
  const { member, variable, offers } = sites;
  const words = wordsOnLeaving(sites, new Set(ways.flatMap(({ from }) => from?.index ?? [])));
  const anywhere = wordAnywhere(sites);
  return ways.flatMap((way) => {
    const word = way.from === null ? anywhere : words.get(way.from.index)!;
    const { captures, responds, misses: missable } = word;
    if (captures.length === 0) return [];
    // A tool that the assistant may call at any time can set it too.
    const mixed = responds || offers.length > 0;
    const crossing: Crossing = { variable, captures, mixed, missable };
    return [{ member, way, crossing }];
  });
}

/**
 * A variable as a property of a plan, of arguments, or of what the model fills in; null where nothing is
 * found out that could cross.
 */
export function propertyOf(crossing: Crossing): PlanProperty | null {
  const { name } = crossing.variable;
  const [first, ...others] = foundAmong(crossing).map(({ capture }) => capture);
  if (first === undefined) return null;
  const found = [first, ...others];
  const captures = found.map(({ at }) => at);
  const isOne = others.every(({ type }) => type === first.type);
  const details = found.map((it) => JSON.stringify(it.details?.value));
  const choices = found.flatMap((it) => it.enum ?? []);
  const described = found.flatMap(({ description }) => description ?? []);
  return {
    name,
    type: isOne ? first.type : 'string',
    description:
      described.length > 0
        ? describe(described)
        : traced(name, synthesized('named-after-variable', captures)),
    // One without an enumeration allows any value.
    enum: isOne && found.every((it) => it.enum !== null) ? [...new Set(choices)] : null,
    details: isOne && new Set(details).size === 1 ? first.details : null,
    captures,
  };
}
