/**
 * Matches members to the nodes that they own.
 *
 * In: the source with its expected grouping, and the squad. Out: owners, and the first visit of
 * every node, which is a shortest call to it. Method: a walk through both at once, breadth first
 * from the start in member 0. A transition stays in a member that holds the node's texts if the
 * grouping expects that; else it follows the destination that has its condition and leads to a
 * holder. Among members with equal texts, the one where the node's stage was found before takes
 * precedence, then one without a stage: so equal members are distinguished by what leads to them.
 * The grouping only guides the search: all findings are compared afterwards, prompt by prompt and
 * plan by plan.
 *
 * A member in squadc's wording holds a node if the lines of its step stand in the prompt; one in
 * other prose, if the node's texts do, word for word; a saved one, if it is the node's assistant.
 * The tool of a node is there, or at least called. Members are looked up by what identifies a node.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import { withoutRaw } from '../compiler/ir/tokens.js';
import type { Condition, WorkflowEdge, WorkflowNode } from '../compiler/ir/workflow.js';
import { append, groupBy } from '../graph/lists.js';
import { canonicalJson } from '../text/json.js';
import type { Grouping } from './expected/grouping.js';
import { stepText } from './expected/prompts.js';
import { createOwners, memo, type Owners, type SourceGraph } from './expected/source.js';
import { nameOfRequest, toolName } from './expected/tools.js';
import { textOf } from './json.js';
import { type Member, type Squad, savedToolKey } from './squad.js';

/** A position of a call in the workflow and in the squad, and how it got there. */
export interface Visit {
  readonly node: NodeIndex;
  readonly member: number;
  /** The expected stage in which the node is met. */
  readonly stage: number;
  /** The visit before; null at the start, and for a node that was found by its texts only. */
  readonly parent: Visit | null;
  /** Null for a step to a global node. */
  readonly edge: WorkflowEdge | null;
  /** The number of visits before. */
  readonly depth: number;
}

export interface Match {
  readonly owners: Owners;
  /** In the order of the search. */
  readonly visits: readonly Visit[];
  /** By member, the nodes that it owns, in walk order. */
  readonly nodesOf: readonly (readonly NodeIndex[])[];
  /** Nodes that no assistant holds, with the member that holds most of their words, if any. */
  readonly notPlaced: ReadonlyMap<NodeIndex, number | null>;
}

/** The state of the walk through both. */
function startSearch(graph: SourceGraph, grouping: Grouping, squad: Squad) {
  const { members } = squad;
  return {
    graph,
    grouping,
    members,
    finder: createFinder(graph, squad),
    /** By member. */
    leading: indexDestinations(squad),
    nodesOf: members.map((): NodeIndex[] => []),
    visits: [] as Visit[],
    /** By node. */
    found: [] as Set<number>[],
    /** By stage the member where it was first found; by member the first stage found there. */
    homes: new Map<number, number>(),
    stages: new Map<number, number>(),
  };
}

type Search = ReturnType<typeof startSearch>;

export function matchNodes(graph: SourceGraph, grouping: Grouping, squad: Squad): Match {
  const { standsFor } = grouping;
  const search = startSearch(graph, grouping, squad);
  const { members, finder, visits, nodesOf, found } = search;
  const entered = new Set<number>();
  let next = 0;
  const walk = (): void => {
    for (; next < visits.length; next += 1) {
      const here = visits[next]!;
      // The nodes and handoffs of a saved assistant are not visible.
      if (!members[here.member]!.unseen) leave(search, here, !entered.has(here.member));
      entered.add(here.member);
    }
  };

  const start = standsFor(graph.start);
  if (members.length > 0) {
    const begins = holds(finder, 0, start) !== false || members[0]!.unseen;
    visit(search, start, begins ? 0 : (find(finder, start)[0] ?? 0), null, null);
  }
  walk();
  const isLost = (node: NodeIndex) =>
    found[node] === undefined && graph.nodeAt(node).role !== 'exit';
  // Nodes that are no longer reachable are searched for, so that one fault does not hide the rest.
  for (const node of graph.order.map(standsFor)) {
    const [member] = isLost(node) ? find(finder, node) : [];
    if (member !== undefined) visit(search, node, member, null, null);
    walk();
  }
  const lost = graph.order.map(standsFor).filter(isLost);
  const { rank } = graph;
  for (const own of nodesOf) own.sort((one, other) => rank[one]! - rank[other]!);
  return {
    owners: createOwners(found, standsFor),
    visits,
    nodesOf,
    notPlaced: new Map(lost.map((node) => [node, findNearest(finder, node)])),
  };
}

/** Records that the member holds the node, the first time that a call reaches it there. */
function visit(
  { grouping, visits, nodesOf, found, homes, stages }: Search,
  node: NodeIndex,
  member: number,
  parent: Visit | null,
  edge: WorkflowEdge | null,
): void {
  if (found[node]?.has(member)) return;
  found[node] = (found[node] ?? new Set()).add(member);
  const within = grouping.of(node);
  let stage = parent !== null && within.has(parent.stage) ? parent.stage : stages.get(member);
  if (stage === undefined || !within.has(stage)) stage = grouping.stageOf(node) ?? -1;
  if (!homes.has(stage)) homes.set(stage, member);
  if (!stages.has(member)) stages.set(member, stage);
  visits.push({ node, member, stage, parent, edge, depth: parent === null ? 0 : parent.depth + 1 });
  nodesOf[member]!.push(node);
}

/** Continues from a visit: along all edges, and from the first of a member to the global nodes. */
function leave(search: Search, from: Visit, isFirst: boolean): void {
  const { graph } = search;
  for (const edge of graph.leaving[from.node]!) step(search, from, edge.to, edge.condition, edge);
  // Transitions to global nodes are the same at every node.
  for (const { index, global } of isFirst ? graph.globalNodes : []) {
    step(search, from, index, global!.condition, null);
  }
}

function step(
  search: Search,
  from: Visit,
  end: NodeIndex,
  condition: Condition | null,
  edge: WorkflowEdge | null,
): void {
  const to = search.grouping.standsFor(end);
  if (search.graph.nodeAt(to).role === 'exit') return;
  const member = follow(search, from, to, condition);
  if (member !== null) visit(search, to, member, from, edge);
}

/** The member that a transition leads to from a visit; null if nothing shows it. */
function follow(
  search: Search,
  { member, stage }: Visit,
  to: NodeIndex,
  condition: Condition | null,
): number | null {
  const { grouping, finder, members, leading } = search;
  const isInner = grouping.of(to).has(stage);
  const held = holds(finder, member, to);
  if (isInner && held !== false) return member;
  const targetStage = isInner ? stage : (grouping.stageOf(to) ?? -1);
  const { leadTo } = leading[member]!;
  const said = condition === null ? [] : findDescribed(leading[member]!, condition.value);
  const isOpen = (it: number) => members[it]!.unseen || holds(finder, it, to) !== false;
  const clear = choose(search, said.filter(isOpen), targetStage);
  if (clear !== undefined) return clear;
  const home = search.homes.get(targetStage);
  if (condition === null && home !== undefined && leadTo.has(home) && isOpen(home)) return home;
  const holders = find(finder, to).filter((it) => it !== member);
  const near = holders.filter((it) => leadTo.has(it));
  const nearest = choose(search, near, targetStage);
  if (nearest !== undefined) return nearest;
  if (held === true || (isInner && calls(finder, member, to))) return member;
  const meant = condition === null ? [...leadTo] : said;
  const open = held === null ? choose(search, meant.filter(isOpen), targetStage) : undefined;
  return open ?? choose(search, holders, targetStage) ?? choose(search, meant, targetStage) ?? null;
}

function choose(
  { homes, stages }: Search,
  candidates: readonly number[],
  stage: number,
): number | undefined {
  const home = homes.get(stage);
  if (home !== undefined && candidates.includes(home)) return home;
  const free = candidates.filter((it) => !stages.has(it));
  // If nothing distinguishes them, members are in the order in which a call meets their stages.
  return free.find((it) => it === stage) ?? free[0] ?? candidates[0];
}

/** The destinations of a member in other members. */
interface Leading {
  readonly all: { readonly words: string; readonly leadsTo: number }[];
  readonly leadTo: Set<number>;
  /** By description, in whole and in each of its alternatives. */
  readonly byWords: Map<string, number[]>;
}

function indexDestinations({ members, destinations }: Squad): Leading[] {
  const leading = members.map((): Leading => ({ all: [], leadTo: new Set(), byWords: new Map() }));
  for (const { leadsTo, member, description } of destinations) {
    const words = withoutRaw(description);
    if (leadsTo === null || leadsTo === member) continue;
    const { all, leadTo, byWords } = leading[member]!;
    all.push({ words, leadsTo });
    leadTo.add(leadsTo);
    append(byWords, words, leadsTo);
    if (!words.includes('; or ')) continue;
    for (const part of new Set(words.split('; or '))) append(byWords, part, leadsTo);
  }
  return leading;
}

function findDescribed({ all, byWords }: Leading, condition: string): readonly number[] {
  const said = withoutRaw(condition);
  const known = byWords.get(said);
  if (known !== undefined) return known;
  return all.filter(({ words }) => words.includes(said)).map(({ leadsTo }) => leadsTo);
}

interface Finder {
  readonly members: readonly Member[];
  readonly keys: readonly ReadonlySet<string>[];
  /** By key, the members that have it. */
  readonly membersByKey: ReadonlyMap<string, readonly number[]>;
  readonly signatureOf: (node: NodeIndex) => Signature;
}

/** What identifies a node in a squad. */
interface Signature {
  /** The id of a saved assistant. */
  readonly id: string | null;
  readonly texts: readonly string[];
  /** The lines of its step: those of its first message, and all others. */
  readonly spoken: readonly string[];
  readonly lines: readonly string[];
  readonly line: string | null;
  readonly tools: readonly { readonly key: string; readonly name: string }[];
}

function createFinder(graph: SourceGraph, { members }: Squad): Finder {
  const keys = members.map(listKeys);
  const membersByKey = new Map<string, number[]>();
  for (const [member, own] of keys.entries()) {
    for (const key of own) append(membersByKey, key, member);
  }
  const signatureOf = memo((node: NodeIndex) => readSignature(graph.nodeAt(node)));
  return { members, keys, membersByKey, signatureOf };
}

/** Returns true if the member has the tools of the node, or calls them. */
function calls({ members, keys, signatureOf }: Finder, member: number, node: NodeIndex): boolean {
  const { worded, prompt } = members[member]!;
  const own = keys[member]!;
  return signatureOf(node).tools.every(({ key, name }) => {
    if (own.has(key)) return true;
    return worded ? hasAll(own, linesOf(stepText({ calls: [name] }))) : prompt.includes(name);
  });
}

/** Whether the member holds the node; null if nothing identifies the node. */
function holds(finder: Finder, member: number, node: NodeIndex): boolean | null {
  const { saved, assistantId, firstMessage, prompt, worded } = finder.members[member]!;
  const { id, texts, spoken, lines, line, tools } = finder.signatureOf(node);
  if (saved || id !== null) return saved && assistantId === id;
  if (spoken.length + lines.length + tools.length === 0) return null;
  if (!calls(finder, member, node)) return false;
  const own = finder.keys[member]!;
  const isSpoken = line !== null && firstMessage?.includes(line) === true;
  if (worded) return hasAll(own, lines) && (isSpoken || hasAll(own, spoken));
  const shown = withoutRaw(prompt);
  return texts.every((it) => shown.includes(withoutRaw(it)) || (isSpoken && it === line));
}

function hasAll(keys: ReadonlySet<string>, wanted: readonly string[]): boolean {
  return wanted.every((key) => keys.has(key));
}

/** The members that hold the node; none if nothing identifies it. */
function find(finder: Finder, node: NodeIndex): readonly number[] {
  const { members, membersByKey, signatureOf } = finder;
  const { id, texts, spoken, lines, line, tools } = signatureOf(node);
  if (id !== null) return members.filter((it) => it.assistantId === id).map((it) => it.index);
  const own = tools.map(({ key }) => key);
  const opening = wordsOf(line ?? '');
  const candidates = new Set<number>();
  for (const all of [[...spoken, ...lines], [...lines, ...opening], texts.flatMap(wordsOf)]) {
    // A member with all keys has the rarest, which has the fewest candidates.
    const lists = [...all, ...own].map((key) => membersByKey.get(key) ?? []);
    const [rarest = []] = lists.sort((one, other) => one.length - other.length);
    for (const member of rarest) candidates.add(member);
  }
  return [...candidates].filter((it) => holds(finder, it, node) === true).sort((a, b) => a - b);
}

/** The member with most of the node's lines or words, if it has at least half of them. */
function findNearest({ membersByKey, signatureOf }: Finder, node: NodeIndex): number | null {
  const { spoken, lines, texts } = signatureOf(node);
  const shares = [[...spoken, ...lines], texts.flatMap(wordsOf)].flatMap((all) => {
    const found = all.flatMap((key) => membersByKey.get(key) ?? []);
    return Array.from(
      groupBy(found, (member) => member),
      ([member, { length }]) => {
        return { member, share: length / all.length };
      },
    );
  });
  const [best] = shares.sort((one, other) => other.share - one.share);
  return best !== undefined && best.share >= 0.5 ? best.member : null;
}

function readSignature(node: WorkflowNode): Signature {
  const { firstMessage, systemPrompt: instructions, captures, request, tools, role } = node;
  const line = firstMessage?.value ? firstMessage : null;
  const found = captures.filter(({ alias }) => alias === undefined).map(({ name }) => name);
  const texts = [line, instructions].flatMap((it) => it?.value || []);
  const address = `\ntool ${request?.url?.value} ${request?.method?.value}`;
  const given = (role === 'act' ? tools : []).map(({ name, value, savedAs, version }) => {
    const id = savedToolKey(savedAs?.value ?? '', version?.value ?? null);
    const key = `\ntool ${canonicalJson(value?.value ?? id)}`;
    return { key, name: value === null ? toolName(name) : name };
  });
  return {
    id: node.assistant?.savedAs?.value ?? null,
    texts: texts.length > 0 ? texts : found,
    spoken: line === null ? [] : linesOf(stepText({ lines: [line] })),
    lines: linesOf(stepText({ instructions, captures })),
    line: line?.value ?? null,
    tools: request === null ? given : [{ key: address, name: nameOfRequest(node) }, ...given],
  };
}

/** A line is its own key; all other keys begin with a line feed, as no line does. */
function linesOf(text: string): string[] {
  return withoutRaw(text)
    .split('\n')
    .filter((line) => line !== '');
}

function wordsOf(text: string): readonly string[] {
  return (withoutRaw(text).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `\nword ${word}`);
}

/** The keys of a member's contents. */
function listKeys({ worded, prompt, firstMessage, tools, toolIds }: Member): ReadonlySet<string> {
  const keys = new Set(worded ? linesOf(prompt) : wordsOf(prompt));
  for (const word of wordsOf(firstMessage ?? '')) keys.add(word);
  for (const { type, value } of tools) {
    if (type === 'handoff') continue;
    keys.add(`\ntool ${textOf(value['url'])} ${textOf(value['method'])}`);
    keys.add(`\ntool ${canonicalJson(value)}`);
  }
  for (const { id } of toolIds) keys.add(`\ntool ${canonicalJson(id)}`);
  return keys;
}
