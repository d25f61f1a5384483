/**
 * Which members hold a node.
 *
 * A member in the wording of squadc holds a node where the lines that are spelt for the node's step
 * stand in its prompt; one in other prose where the node's texts do, word for word; a saved one where
 * it is the node's. The tool of a node is there, or at least called. Members are found by what a node
 * is known by, without looking at all of them.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import { withoutRaw } from '../compiler/ir/tokens.js';
import type { WorkflowNode } from '../compiler/ir/workflow.js';
import { append } from '../graph/lists.js';
import { spellStep } from './expected/prompts.js';
import type { SourceGraph } from './expected/source.js';
import { nameOfRequest, toolName } from './expected/tools.js';
import { canonical, textOf } from './json.js';
import type { Member, Squad } from './squad.js';

export interface Finder {
  readonly graph: SourceGraph;
  readonly members: readonly Member[];
  readonly keys: readonly ReadonlySet<string>[];
  /** By key the members that have it; null until somebody asks. */
  having: Map<string, number[]> | null;
  /** By node, as far as anybody has asked. */
  readonly signs: Signs[];
}

/** What a node is known by. */
interface Signs {
  /** The id of a saved assistant. */
  readonly id: string | null;
  readonly texts: readonly string[];
  /** The lines of its step, where its first message is among them and where it is not. */
  readonly spoken: readonly string[];
  readonly unspoken: readonly string[];
  readonly line: string | null;
  readonly tools: readonly { readonly key: string; readonly name: string }[];
}

export function createFinder(graph: SourceGraph, { members }: Squad): Finder {
  const signs: Signs[] = [];
  return { graph, members, keys: members.map(listKeys), having: null, signs };
}

function signsOf({ graph, signs }: Finder, node: NodeIndex): Signs {
  const known = signs[node] ?? readSigns(graph.nodeAt(node));
  signs[node] = known;
  return known;
}

/** Whether the member has the tools of the node, or calls them. */
export function calls(finder: Finder, member: number, node: NodeIndex): boolean {
  const { ours, prompt } = finder.members[member]!;
  const own = finder.keys[member]!;
  for (const { key, name } of signsOf(finder, node).tools) {
    if (own.has(key)) continue;
    const isCalled = ours
      ? hasAll(own, linesOf(spellStep({ calls: [name] })))
      : prompt.includes(name);
    if (!isCalled) return false;
  }
  return true;
}

/** Whether the member holds the node; null where there is nothing to know the node by. */
export function holds(finder: Finder, member: number, node: NodeIndex): boolean | null {
  const { saved, assistantId, firstMessage, prompt, ours } = finder.members[member]!;
  const { id, texts, spoken, unspoken, line, tools } = signsOf(finder, node);
  if (saved || id !== null) return saved && assistantId === id;
  if (spoken.length + tools.length === 0) return null;
  if (!calls(finder, member, node)) return false;
  const own = finder.keys[member]!;
  const isSpoken = line !== null && firstMessage?.includes(line) === true;
  if (ours) return hasAll(own, spoken) || (isSpoken && hasAll(own, unspoken));
  const shown = withoutRaw(prompt);
  return texts.every((it) => shown.includes(withoutRaw(it)) || (isSpoken && it === line));
}

function hasAll(keys: ReadonlySet<string>, wanted: readonly string[]): boolean {
  for (const key of wanted) if (!keys.has(key)) return false;
  return true;
}

function indexKeys(finder: Finder): ReadonlyMap<string, readonly number[]> {
  const having = finder.having ?? new Map<string, number[]>();
  if (finder.having === null) {
    for (const [member, own] of finder.keys.entries()) {
      for (const key of own) append(having, key, member);
    }
  }
  finder.having = having;
  return having;
}

/** The members that hold it; none where there is nothing to know it by. */
export function find(finder: Finder, node: NodeIndex): readonly number[] {
  const { members } = finder;
  const { id, texts, spoken, unspoken, line, tools } = signsOf(finder, node);
  if (id !== null) return members.filter((it) => it.assistantId === id).map((it) => it.index);
  const having = indexKeys(finder);
  const own = tools.map(({ key }) => key);
  const opening = wordsOf(line ?? '');
  const candidates = new Set<number>();
  for (const all of [spoken, [...unspoken, ...opening], texts.flatMap(wordsOf)]) {
    // Whoever has all of them has the rarest, which tells most.
    const lists = [...all, ...own].map((key) => having.get(key) ?? []);
    const [rarest = []] = lists.sort((one, other) => one.length - other.length);
    for (const member of rarest) candidates.add(member);
  }
  return [...candidates].filter((it) => holds(finder, it, node) === true).sort((a, b) => a - b);
}

/** The member that has most of the node's lines or words, where it has at least half of them. */
export function findNearest(finder: Finder, node: NodeIndex): number | null {
  const having = indexKeys(finder);
  const { spoken, texts } = signsOf(finder, node);
  const shares = [spoken, texts.flatMap(wordsOf)].flatMap((all) => {
    const counts = new Map<number, number>();
    for (const member of all.flatMap((key) => having.get(key) ?? [])) {
      counts.set(member, (counts.get(member) ?? 0) + 1);
    }
    return Array.from(counts, ([member, count]) => ({ member, share: count / all.length }));
  });
  const [best] = shares.sort((one, other) => other.share - one.share);
  return best !== undefined && best.share >= 0.5 ? best.member : null;
}

function readSigns(node: WorkflowNode): Signs {
  const { firstMessage, systemPrompt: instructions, captures, request, tools, role } = node;
  const texts: string[] = [];
  if (firstMessage?.value) texts.push(firstMessage.value);
  if (instructions?.value) texts.push(instructions.value);
  if (texts.length === 0) {
    for (const { name, alias } of captures) if (alias === undefined) texts.push(name);
  }
  const unspoken = linesOf(spellStep({ instructions, captures }));
  const line = firstMessage?.value ? firstMessage : null;
  const address = `\ntool ${request?.url?.value} ${request?.method?.value}`;
  const given = (role === 'act' ? tools : []).map(({ name, value, savedAs }) => {
    const key = `\ntool ${canonical((value ?? savedAs)?.value)}`;
    return { key, name: value === null ? toolName(name) : name };
  });
  return {
    id: node.assistant?.savedAs?.value ?? null,
    texts,
    spoken: line === null ? unspoken : [...linesOf(spellStep({ line })), ...unspoken],
    unspoken,
    line: line?.value ?? null,
    tools: request === null ? given : [{ key: address, name: nameOfRequest(node) }, ...given],
  };
}

/** As keys, lines stand for themselves; all others begin with a line feed, as no line does. */
function linesOf(text: string): string[] {
  return withoutRaw(text)
    .split('\n')
    .filter((line) => line !== '');
}

function wordsOf(text: string): readonly string[] {
  return (withoutRaw(text).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `\nword ${word}`);
}

/** What a member has. */
function listKeys({ ours, prompt, firstMessage, tools, toolIds }: Member): ReadonlySet<string> {
  const keys = new Set(ours ? linesOf(prompt) : wordsOf(prompt));
  for (const word of wordsOf(firstMessage ?? '')) keys.add(word);
  for (const { type, value } of tools) {
    if (type === 'handoff') continue;
    keys.add(`\ntool ${textOf(value['url'])} ${textOf(value['method'])}`);
    keys.add(`\ntool ${canonical(value)}`);
  }
  for (const { id } of toolIds) keys.add(`\ntool ${canonical(id)}`);
  return keys;
}
