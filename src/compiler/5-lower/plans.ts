/**
 * What crosses each handoff.
 *
 * In: regions, and per variable its captures and liveness. Out: the squad as far as it follows
 * without decisions: for each handoff the variables that it carries, with the captures that reach
 * it.
 *
 * A handoff from u to v carries x if a walk inside the assistant captures x, leaves at u without a
 * response that sets x after that, and x is live on entry to v. A later capture may fail, so it
 * changes nothing. A handoff to a global node can happen anywhere, so it carries whatever the
 * assistant captures anywhere and is live on entry to that node.
 *
 * An alias that crosses reads variables at the handoff: they are properties of the same plan if the
 * assistant captures them, and they are live on leaving the node. So these variables are planned
 * again, which ends because a handoff adds each read once.
 */
import { append, groupBy } from '../../graph/lists.js';
import { findReached } from '../../graph/walks.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Settled } from '../ir/options.js';
import { describe } from '../ir/prompt.js';
import { synthesized, traced } from '../ir/provenance.js';
import type { RegionMap } from '../ir/region-map.js';
import type { PlanProperty } from '../ir/squad-ir.js';
import {
  aliasAmong,
  type CaptureSite,
  type Crossing,
  foundAmong,
  replacingNodes,
  type Variable,
  type VariableFlow,
} from '../ir/variables.js';
import {
  entryStep,
  listMembers,
  type Member,
  type Names,
  nameAll,
  type Place,
  type Transition,
} from './members.js';

/** The squad as far as it is known before anything is written. */
export interface Planned {
  readonly graph: FlowGraph;
  readonly flow: VariableFlow;
  readonly map: RegionMap;
  readonly options: Settled;
  readonly names: Names;
  readonly members: readonly Member[];
  /** By assistant and name, where it sets a variable. */
  readonly sites: ReadonlyMap<Member, ReadonlyMap<string, Sites>>;
  /** What crosses each handoff. */
  readonly crossings: ReadonlyMap<Transition, readonly Crossing[]>;
  /** Variables that are set when the call starts. */
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
  const members = listMembers(graph, map, names, flow.placeOf);
  const sites = listSites(members, flow);
  const crossings = computeCrossings(graph, flow, map, members, sites);
  return { graph, flow, map, options, names, members, sites, crossings, supplied };
}

function listSites(members: readonly Member[], { variables }: VariableFlow): Planned['sites'] {
  const pairs = members.flatMap((it) => it.nodes.map(({ index }) => [index, it] as const));
  const holders = groupBy(pairs, ([node]) => node);
  type Lists = { captures: CaptureSite[]; responses: NodeIndex[]; offers: NodeIndex[] };
  const all = new Map(members.map((member) => [member, new Map<string, Sites & Lists>()]));
  for (const variable of variables.values()) {
    const at = (node: NodeIndex) =>
      (holders.get(node) ?? []).map(([, member]) => {
        const own = all.get(member)!;
        const fresh = { member, variable, captures: [], responses: [], offers: [] };
        const known = own.get(variable.name) ?? fresh;
        own.set(variable.name, known);
        return known;
      });
    for (const site of variable.captures) for (const it of at(site.node)) it.captures.push(site);
    for (const node of variable.responses) for (const it of at(node)) it.responses.push(node);
    for (const node of variable.offers) for (const it of at(node)) it.offers.push(node);
  }
  return all;
}

/**
 * Returns a test of whether definitions at some nodes of an assistant can reach a place. `replacing`
 * are the nodes where earlier ones end, `asked` the nodes of the places. A node sets a variable
 * first by its captures and then by its tools' responses.
 */
export function createReach(
  { inside }: Member,
  replacing: ReadonlySet<number>,
  asked: ReadonlySet<NodeIndex>,
) {
  const end = [...asked].reduce((last, node) => Math.max(last, inside.placeOf(node)), -1);
  const next = (at: number) => inside.next(at).filter((to) => inside.placeOf(to) <= end);
  const arcs = { next, before: inside.before };
  return (nodes: Iterable<number>, seeds: readonly number[] = [...nodes].flatMap(next)) => {
    const own = new Set(nodes);
    const reached = findReached<number>(seeds, asked, arcs, (at) => replacing.has(at));
    return ({ node, isLeft }: NonNullable<Place>): boolean =>
      (isLeft && own.has(node)) || (reached.has(node) && !(isLeft && replacing.has(node)));
  };
}

/** The definitions of a variable that can reach the point where a visit of an assistant ends. */
export interface Reaching {
  readonly captures: readonly CaptureSite[];
  /** Whether a tool's response in this visit can reach it. */
  readonly responds: boolean;
}

/** The definitions that reach the exit from one of these nodes; null stands for any node. */
export function reachingOnLeaving(sites: Sites, asked: readonly (NodeIndex | null)[]) {
  const { member, captures, responses } = sites;
  // Inner global nodes for whose condition a tool sets the variable.
  const given = member.inside.globals.flatMap(({ condition, to }) =>
    condition?.call?.variables.includes(sites.variable.name) ? to.index : [],
  );
  const responding = [...responses, ...given.map(entryStep)];
  const last = new Map(captures.map((site) => [site.node, site]));
  for (const node of responses) last.delete(node);
  const replacing = new Set<number>([...replacingNodes(sites), ...responding]);
  const reaches = createReach(member, replacing, new Set(asked.filter((node) => node !== null)));
  const captured = [...last.values()].map((site) => [site, reaches([site.node])] as const);
  const responded = reaches(responding);
  return (node: NodeIndex | null): Reaching => {
    const isReached = (by: typeof responded) => node === null || by({ node, isLeft: true });
    return {
      captures: captured.flatMap(([site, by]) => (isReached(by) ? site : [])),
      responds: responding.length > 0 && isReached(responded),
    };
  };
}

function computeCrossings(
  { order }: FlowGraph,
  { variables, placeOf, liveFrom }: VariableFlow,
  { representative }: RegionMap,
  members: readonly Member[],
  sites: Planned['sites'],
): Planned['crossings'] {
  const equals = groupBy(order, (node) => representative[node]!);
  /** The earliest position that the handoffs of a member lead to. */
  const earliest = new Map(
    members.map((member) => [
      member,
      member.handoffs.reduce((least, { to }) => Math.min(least, placeOf(to.index)), Infinity),
    ]),
  );
  const setting = groupBy(
    [...sites.values()].flatMap((own) => [...own.values()]),
    ({ variable }) => variable,
  );
  const carried = new Map<Variable, ReturnType<typeof cross>>();
  /** By variable, the handoffs whose aliases read it, and the nodes on leaving which it is read. */
  const readBy = new Map<string, Set<Transition>>();
  const readFrom = new Map<string, NodeIndex[]>();
  const captured = [...variables.values()].filter(({ captures }) => captures.length > 0);
  const pending = new Set(captured);
  // The loop also visits variables that are added meanwhile; one visited before comes again.
  for (const variable of pending) {
    pending.delete(variable);
    const { name } = variable;
    const conditionReads = [...variable.conditionReads, ...(readFrom.get(name) ?? [])];
    const own = setting.get(variable) ?? [];
    const least = own.reduce((one, { member }) => Math.min(one, earliest.get(member)!), Infinity);
    const { at, only } = liveFrom({ ...variable, conditionReads }, least);
    const reading = readBy.get(name);
    const crossing = own.flatMap((it) => {
      const { handoffs, handoffsTo } = it.member;
      // If the variable is live at few nodes, only the handoffs to these are visited.
      const isFew = only !== null && only.size < handoffs.length && reading === undefined;
      return isFew
        ? cross(
            it,
            [...only].flatMap((node) => handoffsTo.get(node) ?? []),
          )
        : cross(
            it,
            handoffs.filter((handoff) => at(handoff.to.index) || reading?.has(handoff)),
          );
    });
    carried.set(variable, crossing);
    for (const { member, handoff, crossing: carrying } of crossing) {
      for (const { name: read } of aliasAmong(carrying.captures)?.capture.alias?.uses ?? []) {
        const known = readBy.get(read) ?? new Set();
        if (known.has(handoff)) continue;
        readBy.set(read, known.add(handoff));
        pending.add(variables.get(read)!);
        // Equal nodes are left by the same handoffs.
        for (const { index } of handoff.from === null ? member.nodes : [handoff.from]) {
          for (const equal of equals.get(index)!) append(readFrom, read, equal);
        }
      }
    }
  }
  const inOrder = [...variables.values()].flatMap((variable) => carried.get(variable) ?? []);
  const crossings = new Map<Transition, Crossing[]>();
  for (const { handoff, crossing } of inOrder) append(crossings, handoff, crossing);
  return crossings;
}

/** What the assistant passes of the variable on these handoffs. */
function cross(sites: Sites, handoffs: readonly Transition[]) {
  if (handoffs.length === 0) return [];
  const { member, variable, offers } = sites;
  const leaving = handoffs.map(({ from }) => from?.index ?? null);
  const reachingOn = reachingOnLeaving(sites, leaving);
  return handoffs.flatMap((handoff, at) => {
    const { captures, responds } = reachingOn(leaving[at]!);
    if (captures.length === 0) return [];
    // A tool that the assistant may call at any time can set it too.
    const mixed = responds || offers.length > 0;
    const crossing: Crossing = { variable, captures, mixed };
    return [{ member, handoff, crossing }];
  });
}

/**
 * A variable as a property of a plan, of arguments, or of what the model fills in; null if no
 * capture from the conversation can cross.
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
    // A capture without an enumeration allows any value.
    enum: isOne && found.every((it) => it.enum !== null) ? [...new Set(choices)] : null,
    details: isOne && new Set(details).size === 1 ? first.details : null,
    captures,
  };
}
