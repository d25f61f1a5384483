/**
 * Which members own which nodes.
 *
 * In: the source with its expected grouping, and the squad. Out: owners, and the first visit of every
 * node, which is a shortest call to it. Method: a walk through both at once, breadth first from the
 * start in member 0. A way stays in a member that holds the node's texts where the grouping expects
 * that, else it follows the destination that says its condition and leads to who holds them. Among
 * members with equal texts the one that the node's stage was found in before counts, then one that no
 * stage was found in: so what is equal is told apart by what leads to it. The grouping is a guide and
 * no judge: whatever is found here is compared afterwards, prompt by prompt and plan by plan.
 *
 * A member in the wording of squadc holds a node where the lines that are spelt for the node's step
 * stand in its prompt; one in other prose where the node's texts do, word for word; a saved one where
 * it is the node's. The tool of a node is there, or at least called.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import { whenNeeded } from '../compiler/ir/wording.js';
import type { Condition, Text, WorkflowEdge, WorkflowNode } from '../compiler/ir/workflow.js';
import { append } from '../graph/lists.js';
import type { Grouping } from './expected/grouping.js';
import { spellStep } from './expected/prompts.js';
import { createOwners, type Owners, type SourceGraph } from './expected/source.js';
import { nameOfRequest, toolName } from './expected/tools.js';
import { canonical, textOf } from './json.js';
import type { Destination, Member, Squad } from './squad.js';

/** Where a call can be, in the workflow and in the squad at once, and how it came there. */
export interface Visit {
  readonly node: NodeIndex;
  readonly member: number;
  /** The expected stage that the node is met in. */
  readonly stage: number;
  /** The visit before; null at the start, and where the node was found by its texts alone. */
  readonly parent: Visit | null;
  /** Null for a step to a global node. */
  readonly edge: WorkflowEdge | null;
  /** How many visits are before. */
  readonly depth: number;
}

export interface Match {
  readonly owners: Owners;
  /** In the order of the search. */
  readonly visits: readonly Visit[];
  /** By member, the nodes that it owns, in walk order. */
  readonly nodesOf: readonly (readonly NodeIndex[])[];
  /** Nodes that no assistant holds, with the member that holds most of their words, if any does. */
  readonly notPlaced: ReadonlyMap<NodeIndex, number | null>;
  /** Nodes in other prose of which not all stands where the way to them leads. */
  readonly likened: readonly Visit[];
  /** Members in other prose whose nodes have an order or inner conditions, which prose cannot show. */
  readonly undecided: readonly number[];
}

/** A step of the source. */
interface Step {
  readonly to: NodeIndex;
  readonly condition: Condition | null;
  readonly edge: WorkflowEdge | null;
}

export function matchNodes(graph: SourceGraph, grouping: Grouping, squad: Squad): Match {
  const { members } = squad;
  const { standsFor } = grouping;
  const { holds, calls, find, nearest } = createFinder(graph, squad);
  const visits: Visit[] = [];
  const nodesOf = members.map((): NodeIndex[] => []);
  const found = new Map<NodeIndex, Set<number>>();
  /** By stage the member that it was first found in, and by member the first stage found there. */
  const homes = new Map<number, number>();
  const stages = new Map<number, number>();
  const leadingOut = indexDestinations(squad);

  const visit = (
    node: NodeIndex,
    member: number,
    parent: Visit | null,
    edge: WorkflowEdge | null,
  ): void => {
    const owners = found.get(node) ?? new Set();
    if (owners.has(member)) return;
    found.set(node, owners.add(member));
    const within = grouping.of(node);
    const known = [parent?.stage, stages.get(member)].find((it) => within.has(it ?? -1));
    const stage = known ?? grouping.stageOf(node) ?? -1;
    if (!homes.has(stage)) homes.set(stage, member);
    if (!stages.has(member)) stages.set(member, stage);
    visits.push({ node, member, stage, parent, edge, depth: parent ? parent.depth + 1 : 0 });
    nodesOf[member]!.push(node);
  };

  const choose = (candidates: readonly number[], stage: number): number | undefined => {
    const home = homes.get(stage);
    if (home !== undefined && candidates.includes(home)) return home;
    return candidates.find((it) => !stages.has(it)) ?? candidates[0];
  };

  /** By member, the stages with talk nodes that it alone holds. */
  let stagesHeld: readonly ReadonlySet<number>[] | null = null;
  const listStagesHeld = () => {
    const held = members.map(() => new Set<number>());
    for (const node of graph.order.filter((it) => graph.nodeAt(it).role === 'talk')) {
      const [member, ...others] = find(node);
      if (others.length === 0) held[member ?? -1]?.add(grouping.stageOf(node) ?? -1);
    }
    return held;
  };
  /** Whether the member holds no talk node but some of the stage: then it may be for the stage. */
  const isFor = (member: number, stage: number): boolean => {
    stagesHeld ??= listStagesHeld();
    return [...stagesHeld[member]!].every((it) => it === stage);
  };

  /** The member that a way leads to from a visit; null where nothing tells. */
  const follow = ({ member, stage }: Visit, { to, condition, edge }: Step): number | null => {
    const isInner = grouping.of(to).has(stage);
    const held = holds(member, to);
    if (isInner && held !== false) return member;
    const aim = isInner ? stage : (grouping.stageOf(to) ?? -1);
    const { leadTo, saying, needing } = leadingOut[member]!;
    const said = condition !== null ? saying(condition.value) : edge === null ? needing() : [];
    const isOpen = (it: number) => members[it]!.unseen || holds(it, to) !== false;
    const clear = choose(said.filter(isOpen), aim);
    if (clear !== undefined) return clear;
    const home = homes.get(aim);
    if (condition === null && home !== undefined && leadTo.has(home) && isOpen(home)) return home;
    const holders = find(to).filter((it) => it !== member);
    const near = holders.filter((it) => leadTo.has(it));
    const isApt = (it: number) => isFor(it, aim);
    // What holds the node is no sign where it is for another stage: one text of it may have moved.
    const apt = choose(near.filter(isApt), aim);
    if (apt !== undefined) return apt;
    if (held === true || (isInner && calls(member, to))) return member;
    const meant = condition === null ? [...leadTo] : said;
    const unknown = meant.filter(held === null ? isOpen : isApt);
    return choose(unknown, aim) ?? choose(near, aim) ?? choose(holders, aim) ?? said[0] ?? null;
  };

  const leave = (from: Visit, isFirst: boolean): void => {
    const along = graph.leaving(from.node).map((edge): Step => ({ ...edge, edge }));
    // What can happen at any time is the same at every node.
    const anywhere = (isFirst ? graph.globals : []).map(({ index, global }): Step => {
      return { to: index, condition: global!.condition, edge: null };
    });
    for (const step of [...along, ...anywhere]) {
      const to = standsFor(step.to);
      if (graph.nodeAt(to).role === 'exit') continue;
      const member = follow(from, { ...step, to });
      if (member !== null) visit(to, member, from, step.edge);
    }
  };
  const entered = new Set<number>();
  let next = 0;
  const walkOn = (): void => {
    for (; next < visits.length; next += 1) {
      const here = visits[next]!;
      // What a saved assistant does, and where it hands off to, is not to be seen.
      if (!members[here.member]!.unseen) leave(here, !entered.has(here.member));
      entered.add(here.member);
    }
  };

  const start = standsFor(graph.start);
  if (members.length > 0) {
    const begins = holds(0, start) !== false || members[0]!.unseen;
    visit(start, begins ? 0 : (find(start)[0] ?? 0), null, null);
  }
  walkOn();
  const isLost = (node: NodeIndex) => graph.nodeAt(node).role !== 'exit' && !found.has(node);
  // Nodes that no way leads to any more are looked for, so that one fault does not hide the rest.
  for (const node of graph.order.map(standsFor)) {
    const [member] = isLost(node) ? find(node) : [];
    if (member !== undefined) visit(node, member, null, null);
    walkOn();
  }
  const lost = graph.order.map(standsFor).filter(isLost);
  const ranks = new Map(graph.order.map((node, rank) => [node, rank]));
  for (const own of nodesOf) own.sort((one, other) => ranks.get(one)! - ranks.get(other)!);
  const isProse = (member: number) => !members[member]!.ours && !members[member]!.saved;
  return {
    owners: createOwners(found, standsFor),
    visits,
    nodesOf,
    notPlaced: new Map(lost.map((node) => [node, nearest(node)])),
    likened: visits.filter(({ member, node }) => isProse(member) && holds(member, node) === false),
    undecided: [...nodesOf.keys()].filter((it) => isProse(it) && nodesOf[it]!.length > 1),
  };
}

/** By member, where its destinations lead to others, by the words that say when. */
function indexDestinations({ members, destinations }: Squad) {
  const leading = members.map((): (Destination & { readonly leadsTo: number })[] => []);
  for (const it of destinations) {
    const { leadsTo, member } = it;
    if (leadsTo !== null && leadsTo !== member) leading[member]!.push({ ...it, leadsTo });
  }
  return leading.map((own) => {
    const byWords = new Map<string, number[]>();
    for (const { description, leadsTo } of own) {
      const all = new Set([description, ...description.split('; or ')]);
      for (const words of all) append(byWords, words, leadsTo);
    }
    const leadTo = new Set(own.map(({ leadsTo }) => leadsTo));
    return {
      leadTo,
      /** Those that say what squadc says of a global node without a condition. */
      needing: () =>
        [...leadTo].filter((it) =>
          byWords.get(whenNeeded('', members[it]!.name ?? '').value)?.includes(it),
        ),
      saying: (words: string): readonly number[] =>
        byWords.get(words) ??
        own.filter((it) => it.description.includes(words)).map((it) => it.leadsTo),
    };
  });
}

/** Finds nodes in members by keys, without looking at all members. */
function createFinder(graph: SourceGraph, { members }: Squad) {
  const keys = members.map(listKeys);
  const having = new Map<string, number[]>();
  for (const [member, own] of keys.entries()) for (const key of own) append(having, key, member);
  const signs: (ReturnType<typeof readSigns> | undefined)[] = [];
  const signsOf = (node: NodeIndex) => {
    signs[node] ??= readSigns(graph.nodeAt(node));
    return signs[node];
  };
  /** Whether the member has the tools of the node, or calls them. */
  const calls = (member: number, node: NodeIndex): boolean => {
    const { ours, prompt } = members[member]!;
    const has = (key: string) => keys[member]!.has(key);
    return signsOf(node).tools.every(({ key, name }) => {
      if (has(key)) return true;
      return ours ? linesOf(spellStep({ calls: [name] })).every(has) : prompt.includes(name);
    });
  };
  /** Whether the member holds the node; null where there is nothing to know the node by. */
  const holds = (member: number, node: NodeIndex): boolean | null => {
    const { saved, assistantId, firstMessage, prompt, ours } = members[member]!;
    const { id, texts, spoken, unspoken, line, tools } = signsOf(node);
    if (saved || id !== null) return saved && assistantId === id;
    if (spoken.length + tools.length === 0) return null;
    if (!calls(member, node)) return false;
    const has = (key: string) => keys[member]!.has(key);
    const isSpoken = line !== null && firstMessage === line;
    if (ours) return spoken.every(has) || (isSpoken && unspoken.every(has));
    return texts.every((it) => prompt.includes(it) || (isSpoken && it === line));
  };
  /** Whoever has all of them has the rarest, which tells most. */
  const havingAll = (all: readonly string[]): readonly number[] => {
    const lists = all.map((key) => having.get(key) ?? []);
    return lists.sort((one, other) => one.length - other.length)[0] ?? [];
  };
  /** The members that hold it; none where there is nothing to know it by. */
  const find = (node: NodeIndex): readonly number[] => {
    const { id, texts, spoken, unspoken, line, tools } = signsOf(node);
    if (id !== null) return members.filter((it) => it.assistantId === id).map((it) => it.index);
    const own = tools.map(({ key }) => key);
    const candidates = new Set([
      ...havingAll([...spoken, ...own]),
      ...havingAll([...unspoken, ...(line === null ? [] : [`says ${line}`]), ...own]),
      ...havingAll([...texts.flatMap(wordsOf), ...own]),
    ]);
    return [...candidates].filter((it) => holds(it, node) === true).sort((a, b) => a - b);
  };
  /** The member that has most of the node's lines or words, where it has at least half of them. */
  const nearest = (node: NodeIndex): number | null => {
    const { spoken, texts } = signsOf(node);
    const shares = [spoken, texts.flatMap(wordsOf)].flatMap((all) => {
      const counts = new Map<number, number>();
      for (const member of all.flatMap((key) => having.get(key) ?? [])) {
        counts.set(member, (counts.get(member) ?? 0) + 1);
      }
      return Array.from(counts, ([member, count]) => ({ member, share: count / all.length }));
    });
    const [best] = shares.sort((one, other) => other.share - one.share);
    return best !== undefined && best.share >= 0.5 ? best.member : null;
  };
  return { holds, calls, find, nearest };
}

/** What a node is known by. */
function readSigns(node: WorkflowNode) {
  const { firstMessage, systemPrompt: instructions, captures, request, tools, role } = node;
  const texts = [firstMessage, instructions].flatMap((it) => it?.value || []);
  const names = captures.filter(({ alias }) => alias === undefined).map(({ name }) => name);
  const spell = (line: Text | null) => linesOf(spellStep({ line, instructions, captures }));
  const line = firstMessage?.value ? firstMessage : null;
  const address = `tool ${request?.url?.value} ${request?.method?.value}`;
  const given = (role === 'act' ? tools : []).map(({ name, value, savedAs }) => {
    const key = `tool ${canonical((value ?? savedAs)?.value)}`;
    return { key, name: value === null ? toolName(name) : name };
  });
  return {
    /** The id of a saved assistant. */
    id: node.assistant?.savedAs?.value ?? null,
    texts: texts.length > 0 ? texts : names,
    /** The lines of its step, where its first message is among them and where it is not. */
    spoken: spell(line),
    unspoken: spell(null),
    line: line?.value ?? null,
    tools: request === null ? given : [{ key: address, name: nameOfRequest(node) }, ...given],
  };
}

function linesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => (line === '' ? [] : `line ${line}`));
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** What a member has. */
function listKeys({ ours, prompt, firstMessage, tools, toolIds }: Member): ReadonlySet<string> {
  const own = tools.filter(({ type }) => type !== 'handoff');
  return new Set([
    ...(ours ? linesOf(prompt) : wordsOf(`${prompt} ${firstMessage ?? ''}`)),
    ...(firstMessage === null ? [] : [`says ${firstMessage}`]),
    ...own.map(({ value }) => `tool ${textOf(value['url'])} ${textOf(value['method'])}`),
    ...[...own.map(({ value }) => value), ...toolIds.map(({ id }) => id)].map(
      (it) => `tool ${canonical(it)}`,
    ),
  ]);
}
