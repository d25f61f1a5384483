/**
 * Where each read gets its value while the call runs.
 *
 * In: the squad as it is planned. Out, for each assistant: its reads with their kind, and what follows
 * for its texts. The platform renders a prompt when the assistant becomes active, from the values that
 * the call has by then; what the caller says after that is in no template until a handoff carries it.
 * So a read that a capture or a response of the same assistant reaches is told to the model as a token,
 * unless a request reads it: there the model fills the value in as it calls the tool.
 *
 * Example: in ask → quote, one assistant, where ask captures `size` and quote says `For {{size}} …`,
 * the read is told. In another assistant it would be rendered.
 */
import { append, groupBy } from '../../graph/lists.js';
import { computeComponents } from '../../graph/partitions.js';
import { findReached, flood } from '../../graph/walks.js';
import type { JsonPointer, NodeIndex, RegionIndex } from '../ir/ids.js';
import { isJsonObject, type Json } from '../ir/json.js';
import type { FilledProperty } from '../ir/squad-ir.js';
import { isSchema } from '../ir/template.js';
import { startLineOf, textsOf } from '../ir/texts.js';
import {
  asIs,
  isExpression,
  isToken,
  isVerbatim,
  markRaw,
  outputOf,
  type Supply,
} from '../ir/tokens.js';
import { type Sent, type Supplied, sentBy } from '../ir/tool.js';
import { builtInVariables, isAlias, type VariableFlow } from '../ir/variables.js';
import {
  type GivenTool,
  givenToolKey,
  type Request,
  type Span,
  type Text,
  type Use,
  type WorkflowNode,
} from '../ir/workflow.js';
import { type Member, type Place, placeOf } from './members.js';
import { type Planned, propertyOf, type Sites } from './plans.js';

/** One read of a text, and how it gets its value. */
export interface SuppliedRead {
  readonly text: Text;
  readonly use: Use;
  readonly kind: Supply;
  /** Captures and responses of the same assistant that the value can be from. */
  readonly from: readonly JsonPointer[];
  /** The nodes of the same assistant that set the variable. */
  readonly setters: readonly NodeIndex[];
  readonly place: Place;
  /** The tool that reads it; null for what the model is told. */
  readonly tool: Reader | null;
}

/** A tool of a node that reads variables as it runs. */
export interface Reader {
  readonly node: WorkflowNode;
  readonly tool: Request | GivenTool;
  /** Whether the platform evaluates the text before it asks the model for values. */
  readonly isAhead: boolean;
}

/** What an assistant does about its reads. */
export interface MemberSupply {
  readonly reads: readonly SuppliedRead[];
  /** Whether a text of it holds tokens that stand for what is found out. */
  readonly hasTokens: boolean;
  /** Variables whose value on entry no text shows, by name. */
  readonly known: readonly string[];
  /** The text as the prompt or a description has it. */
  readonly say: <T extends Text>(text: T, place: Place) => T;
  /** Whether the platform would speak the text without a value that the assistant knows. */
  readonly isTold: (text: Text, place: Place) => boolean;
  /** What the model gives as it calls a tool; equal tools of several nodes are one. */
  readonly suppliedTo: (tool: Request | GivenTool) => Supplied;
}

/** What all assistants are made from. */
export interface Squad extends Planned {
  readonly supplies: ReadonlyMap<Member, MemberSupply>;
}

/** By assistant and name, where that sets a variable. */
type Definitions = ReadonlyMap<Member, ReadonlyMap<string, Sites>>;

export function supplyReads(squad: Planned): Squad {
  const holders = new Map<NodeIndex, Member[]>();
  for (const member of squad.members) {
    for (const { index } of member.nodes) append(holders, index, member);
  }
  const definitions = new Map<Member, Map<string, Sites>>();
  for (const [{ name }, byMember] of squad.sites) {
    for (const [member, sites] of byMember) {
      const own = definitions.get(member) ?? new Map<string, Sites>();
      definitions.set(member, own.set(name, sites));
    }
  }
  const isInBag = createBag(squad, definitions, holders);
  // Places tell what lies between a capture and a read, unless one node stands for several.
  const { order } = squad.graph;
  const isInOrder = order.every((node) => squad.map.representative[node] === node);
  const supplies = new Map<Member, MemberSupply>();
  for (const member of squad.members) {
    const own = definitions.get(member) ?? new Map<string, Sites>();
    supplies.set(
      member,
      supplyMember(squad, member, own, (name) => isInBag(member, name), isInOrder),
    );
  }
  return { ...squad, supplies };
}

/** By node, the assistants that hold it. */
type Holders = ReadonlyMap<NodeIndex, readonly Member[]>;

/** The nodes whose tools set the variable, or may. */
function respondersOf({ responses, offers }: Sites): readonly NodeIndex[] {
  return [...responses, ...offers];
}

/**
 * Whether a variable can have a value when an assistant becomes active: it is given with the call, or
 * on some walk to the assistant a handoff has carried it or a tool has set it.
 */
function createBag(
  { members, crossings, supplied, flow }: Planned,
  definitions: Definitions,
  holders: Holders,
) {
  const next = members.map(({ handoffs }) => [
    ...new Set(handoffs.flatMap(({ edge, region }) => (edge === null ? [] : [region]))),
  ]);
  const globals = members.flatMap(({ handoffs }) =>
    handoffs.flatMap(({ edge, region }) => (edge === null ? [region] : [])),
  );
  const afterGlobals = flood(globals, (region) => next[region]!);
  /** By variable, the assistants that it can be there for, as far as no global node leads to them. */
  const entered = new Map<string, Set<RegionIndex>>();
  const enter = (name: string, region: RegionIndex): void => {
    entered.set(name, (entered.get(name) ?? new Set()).add(region));
  };
  for (const member of members) {
    for (const way of member.handoffs) {
      for (const { variable } of crossings.get(way) ?? []) enter(variable.name, way.region);
    }
    for (const [name, sites] of definitions.get(member) ?? []) {
      if (respondersOf(sites).length > 0)
        for (const { region } of member.handoffs) enter(name, region);
    }
  }
  // Whoever asks sets the variable, or has a condition that reads it: what lies behind all of these
  // leads to none of them.
  const { of: rank } = computeComponents(next);
  const last = new Map<string, number>();
  const reach = (name: string, { region }: Member): void => {
    last.set(name, Math.max(rank[region.index]!, last.get(name) ?? 0));
  };
  for (const [member, own] of definitions) for (const name of own.keys()) reach(name, member);
  for (const { name, conditionReads, globalReads } of flow.variables.values()) {
    if (globalReads.length > 0) last.set(name, Infinity);
    for (const node of conditionReads) for (const it of holders.get(node) ?? []) reach(name, it);
  }
  const reached = new Map<string, ReadonlySet<RegionIndex>>();
  return (member: Member, name: string): boolean => {
    if (supplied.has(name) || builtInVariables.has(name)) return true;
    const first = entered.get(name);
    if (first === undefined) return false;
    const { index } = member.region;
    if (afterGlobals.has(index)) return true;
    const isLast = (region: RegionIndex) => rank[region]! > (last.get(name) ?? Infinity);
    const known = reached.get(name) ?? flood(first, (region) => next[region]!, isLast);
    reached.set(name, known);
    return known.has(index);
  };
}

function supplyMember(
  squad: Planned,
  member: Member,
  definitions: ReadonlyMap<string, Sites>,
  isInBag: (name: string) => boolean,
  isInOrder: boolean,
): MemberSupply {
  const texts = listTexts(squad, member);
  const sourcesOf = traceSources(squad.flow, member, isInOrder, definitions, texts);
  const kindOf = (text: Text, use: Use, place: Place, reader: Reader | null): Supply => {
    const { captured, responded } = sourcesOf(use.name, place);
    if (!captured && !responded) return 'rendered';
    const isOutput = outputOf(text.value, use) !== null;
    if (reader === null) return isExpression(text) || isOutput ? 'told' : 'early';
    if (!captured) return 'response';
    const isFound = definitions.get(use.name)!.captures.some((site) => !isAlias(site));
    const isAsked = isOutput && isFound && !reader.isAhead;
    return isAsked && canBeFilled(sentBy(reader.tool), use.name) ? 'filled' : 'early';
  };
  const reads: SuppliedRead[] = [];
  for (const { text, place, tool } of texts) {
    for (const use of text.uses) {
      const kind = kindOf(text, use, place, tool);
      const own = definitions.get(use.name);
      const [captures, responses] = own ? [own.captures, respondersOf(own)] : [[], []];
      const set = responses.map((node) => squad.graph.workflow.nodes[node]!.at);
      const from =
        kind === 'rendered' ? [] : [...captures.map(({ capture }) => capture.at), ...set];
      const setters = [...captures.map(({ node }) => node), ...responses];
      reads.push({ text, use, kind, from, setters, place, tool });
    }
  }
  const isUnshown = ({ kind, text }: SuppliedRead) =>
    kind === 'told' || kind === 'filled' || isExpression(text);
  const unshown = reads.filter((it) => isUnshown(it) && isInBag(it.use.name));
  const say = <T extends Text>(text: T, place: Place): T => {
    if (isVerbatim(text)) return asIs(text);
    return markRaw(
      text,
      text.uses.flatMap((use): Span[] => {
        const output = outputOf(text.value, use);
        if (output === null || kindOf(text, use, place, null) !== 'told') return [];
        return isInBag(use.name) ? [output] : [];
      }),
    );
  };
  const holders = new Map<Request | string, WorkflowNode[]>();
  for (const node of member.nodes) {
    if (node.request !== null) append(holders, node.request, node);
    for (const tool of node.tools) append(holders, givenToolKey(tool), node);
  }
  const keyOf = (tool: Request | GivenTool) => ('statics' in tool ? tool : givenToolKey(tool));
  const filled = groupBy(
    reads.filter(({ kind }) => kind === 'filled'),
    ({ tool }) => keyOf(tool!.tool),
  );
  const isTold: MemberSupply['isTold'] = (text, place) =>
    text.uses.some((use) => kindOf(text, use, place, null) !== 'rendered');
  const supplied = new Map<Request | string, Supplied>();
  const supply = (key: Request | string): Supplied => {
    const nodes = holders.get(key) ?? [];
    const own = groupBy(filled.get(key) ?? [], ({ use }) => use.name);
    return {
      filled: Array.from(own, ([name, uses]): FilledProperty => {
        const { variable, captures } = definitions.get(name)!;
        const property = propertyOf({ variable, captures, mixed: false, missable: false })!;
        const gates = captures.map((it) => it.node);
        return {
          property,
          isOnly: uses.filter((it) => it.tool!.tool === uses[0]!.tool!.tool).length === 1,
          isRequired:
            squad.options.criticalVariables.has(name) ||
            nodes.every(({ index }) => member.inside.passes(gates, index)),
        };
      }),
      isSilent: nodes.some((node) => {
        const line = startLineOf(node);
        return line !== null && isTold(line, { node: node.index, isLeft: false });
      }),
    };
  };
  return {
    reads,
    hasTokens: reads.some(
      ({ kind, text }) => (kind === 'told' || isVerbatim(text)) && text.value.includes('{{'),
    ),
    known: [...new Set(unshown.map(({ use }) => use.name))].sort(),
    say,
    isTold,
    suppliedTo: (tool) => {
      const key = keyOf(tool);
      const known = supplied.get(key) ?? supply(key);
      supplied.set(key, known);
      return known;
    },
  };
}

/** A text of an assistant, and where it is read. */
type Placed = Pick<SuppliedRead, 'text' | 'place' | 'tool'>;

function listTexts({ graph }: Planned, { nodes, ways }: Member): readonly Placed[] {
  const { globalPrompt } = graph.workflow;
  const texts: Placed[] = [];
  const add = (node: WorkflowNode, place: Place): void => {
    for (const { value: text, moment, tool: given = node.request } of textsOf(node)) {
      if (moment === 'handoff') continue;
      const isAhead = moment === 'ahead';
      const isCalled = given !== null && (moment === 'run' || isAhead);
      texts.push({ text, place, tool: isCalled ? { node, tool: given, isAhead } : null });
    }
  };
  if (globalPrompt !== null) texts.push({ text: globalPrompt, place: null, tool: null });
  for (const node of nodes) add(node, { node: node.index, isLeft: false });
  for (const way of ways) {
    const place = placeOf(way);
    if (way.kind === 'exit') add(way.to, place);
    if (way.condition !== null) texts.push({ text: way.condition, place, tool: null });
  }
  return texts;
}

/** Whether a capture or a response of the assistant can be the latest word where a text is read. */
function traceSources(
  flow: VariableFlow,
  { inside }: Member,
  isInOrder: boolean,
  definitions: ReadonlyMap<string, Sites>,
  texts: readonly Placed[],
) {
  const readers = new Map<string, Set<NodeIndex>>();
  for (const { text, place } of texts) {
    if (place === null) continue;
    for (const { name } of text.uses) {
      readers.set(name, (readers.get(name) ?? new Set()).add(place.node));
    }
  }
  const isOpenEnded = inside.globals.length > 0 || !isInOrder;
  const trace = (sites: Sites) => {
    const { variable, captures } = sites;
    const responding = new Set<number>(respondersOf(sites));
    const capturing = new Set<number>();
    for (const { node } of captures) if (!responding.has(node)) capturing.add(node);
    const setting = new Set([...capturing, ...responding]);
    const reading: ReadonlySet<NodeIndex> = readers.get(variable.name) ?? new Set();
    const last = [...reading].reduce((max, node) => Math.max(max, flow.placeOf(node)), -1);
    const isNear = (at: number) => isOpenEnded || at < 0 || flow.placeOf(at as NodeIndex) <= last;
    const next = (at: number) => inside.next(at).filter(isNear);
    const goOn = (from: ReadonlySet<number>) => {
      const arcs = { next, before: inside.before };
      return findReached<number>([...from].flatMap(next), reading, arcs, (at) => setting.has(at));
    };
    const [captured, responded] = [goOn(capturing), goOn(responding)];
    const isAt = (
      here: ReadonlySet<number>,
      after: ReadonlySet<number>,
      { node, isLeft }: NonNullable<Place>,
    ) => (isLeft && setting.has(node) ? here.has(node) : after.has(node));
    return (place: Place) => ({
      captured: place === null ? capturing.size > 0 : isAt(capturing, captured, place),
      responded: place === null ? responding.size > 0 : isAt(responding, responded, place),
    });
  };
  const traced = new Map<string, ReturnType<typeof trace>>();
  return (name: string, place: Place) => {
    const known = definitions.get(name);
    if (known === undefined) return { captured: false, responded: false };
    const sources = traced.get(name) ?? trace(known);
    traced.set(name, sources);
    return sources(place);
  };
}

/** Whether the model can give a value of this name beside what the tool sends by itself. */
function canBeFilled(sent: Sent | null, name: string): boolean {
  if (sent === null) return false;
  const { body, statics } = sent;
  const isOther = (key: string, value: Json | undefined) => key === name && !isToken(value, name);
  if (statics.some(({ key, value }) => isOther(key, value.value))) return false;
  if (body === null) return true;
  if (!isJsonObject(body.value)) return false;
  const fields = isSchema(body.value) ? body.value['properties'] : body.value;
  if (!isJsonObject(fields ?? {}) || fields === undefined) return true;
  return Object.entries(fields as object).every(([key, value]) => {
    const fixed = isSchema(body.value as never) && isJsonObject(value) ? value['value'] : value;
    return !isOther(key, fixed);
  });
}
