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
import { append, groupBy } from '../graph/lists.js';
import { spellStep } from './expected/prompts.js';
import type { SourceGraph } from './expected/source.js';
import { nameOfRequest, toolName } from './expected/tools.js';
import { canonical, textOf } from './json.js';
import { type Member, type Squad, savedToolKey } from './squad.js';

export interface Finder {
  readonly members: readonly Member[];
  readonly keys: readonly ReadonlySet<string>[];
  /** By key the members that have it; made where a node is looked for. */
  readonly having: () => ReadonlyMap<string, readonly number[]>;
  readonly signsOf: (node: NodeIndex) => Signs;
}

/** What a node is known by. */
interface Signs {
  /** The id of a saved assistant. */
  readonly id: string | null;
  readonly texts: readonly string[];
  /** The lines of its step: of its first message, and all others. */
  readonly spoken: readonly string[];
  readonly lines: readonly string[];
  readonly line: string | null;
  readonly tools: readonly { readonly key: string; readonly name: string }[];
}

export function createFinder(graph: SourceGraph, { members }: Squad): Finder {
  const keys = members.map(listKeys);
  let known: Map<string, number[]> | null = null;
  const having = () => {
    if (known !== null) return known;
    known = new Map();
    for (const [member, own] of keys.entries()) for (const key of own) append(known, key, member);
    return known;
  };
  const signs: Signs[] = [];
  const signsOf = (node: NodeIndex) => {
    signs[node] ??= readSigns(graph.nodeAt(node));
    return signs[node];
  };
  return { members, keys, having, signsOf };
}

/** Whether the member has the tools of the node, or calls them. */
export function calls(
  { members, keys, signsOf }: Finder,
  member: number,
  node: NodeIndex,
): boolean {
  const { ours, prompt } = members[member]!;
  const own = keys[member]!;
  return signsOf(node).tools.every(({ key, name }) => {
    if (own.has(key)) return true;
    return ours ? hasAll(own, linesOf(spellStep({ calls: [name] }))) : prompt.includes(name);
  });
}

/** Whether the member holds the node; null where there is nothing to know the node by. */
export function holds(finder: Finder, member: number, node: NodeIndex): boolean | null {
  const { saved, assistantId, firstMessage, prompt, ours } = finder.members[member]!;
  const { id, texts, spoken, lines, line, tools } = finder.signsOf(node);
  if (saved || id !== null) return saved && assistantId === id;
  if (spoken.length + lines.length + tools.length === 0) return null;
  if (!calls(finder, member, node)) return false;
  const own = finder.keys[member]!;
  const isSpoken = line !== null && firstMessage?.includes(line) === true;
  if (ours) return hasAll(own, lines) && (isSpoken || hasAll(own, spoken));
  const shown = withoutRaw(prompt);
  return texts.every((it) => shown.includes(withoutRaw(it)) || (isSpoken && it === line));
}

function hasAll(keys: ReadonlySet<string>, wanted: readonly string[]): boolean {
  return wanted.every((key) => keys.has(key));
}

/** The members that hold it; none where there is nothing to know it by. */
export function find(finder: Finder, node: NodeIndex): readonly number[] {
  const { members, having, signsOf } = finder;
  const { id, texts, spoken, lines, line, tools } = signsOf(node);
  if (id !== null) return members.filter((it) => it.assistantId === id).map((it) => it.index);
  const own = tools.map(({ key }) => key);
  const opening = wordsOf(line ?? '');
  const candidates = new Set<number>();
  for (const all of [[...spoken, ...lines], [...lines, ...opening], texts.flatMap(wordsOf)]) {
    // Whoever has all of them has the rarest, which tells most.
    const lists = [...all, ...own].map((key) => having().get(key) ?? []);
    const [rarest = []] = lists.sort((one, other) => one.length - other.length);
    for (const member of rarest) candidates.add(member);
  }
  return [...candidates].filter((it) => holds(finder, it, node) === true).sort((a, b) => a - b);
}

/** The member that has most of the node's lines or words, where it has at least half of them. */
export function findNearest({ having, signsOf }: Finder, node: NodeIndex): number | null {
  const { spoken, lines, texts } = signsOf(node);
  const shares = [[...spoken, ...lines], texts.flatMap(wordsOf)].flatMap((all) => {
    const found = all.flatMap((key) => having().get(key) ?? []);
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

function readSigns(node: WorkflowNode): Signs {
  const { firstMessage, systemPrompt: instructions, captures, request, tools, role } = node;
  const line = firstMessage?.value ? firstMessage : null;
  const found = captures.filter(({ alias }) => alias === undefined).map(({ name }) => name);
  const texts = [line, instructions].flatMap((it) => it?.value || []);
  const address = `\ntool ${request?.url?.value} ${request?.method?.value}`;
  const given = (role === 'act' ? tools : []).map(({ name, value, savedAs, version }) => {
    const id = savedToolKey(savedAs?.value ?? '', version?.value ?? null);
    const key = `\ntool ${canonical(value?.value ?? id)}`;
    return { key, name: value === null ? toolName(name) : name };
  });
  return {
    id: node.assistant?.savedAs?.value ?? null,
    texts: texts.length > 0 ? texts : found,
    spoken: line === null ? [] : linesOf(spellStep({ lines: [line] })),
    lines: linesOf(spellStep({ instructions, captures })),
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
