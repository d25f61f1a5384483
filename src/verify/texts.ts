/**
 * What a node is known by, and where in a squad that stands.
 *
 * A member in the wording of squadc holds a node where the lines that are spelt for the node's step
 * stand in its prompt; one in other prose where the node's texts do, word for word; a saved one where
 * it is the node's. The tool of a node is there, or at least called. All of it are keys, by which the
 * members that may hold a node are found without looking at the others.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import { createToolNames } from '../compiler/ir/names.js';
import type { Text, WorkflowNode } from '../compiler/ir/workflow.js';
import { append } from '../graph/lists.js';
import type { SourceGraph } from './expected.js';
import { spellStep } from './expected-prompts.js';
import { canonical, textOf } from './json.js';
import type { Member, Squad } from './squad.js';

export interface Finder {
  /** Whether the member holds the node; null where there is nothing to know the node by. */
  readonly holds: (member: number, node: NodeIndex) => boolean | null;
  /** Whether the member has the tools of the node, or calls them. */
  readonly calls: (member: number, node: NodeIndex) => boolean;
  /** The members that hold it; none where there is nothing to know it by. */
  readonly find: (node: NodeIndex) => readonly number[];
  /** The member that has most of the node's lines or words, where it has at least half of them. */
  readonly nearest: (node: NodeIndex) => number | null;
}

export function createFinder(graph: SourceGraph, { members }: Squad): Finder {
  const signs: (NodeSigns | undefined)[] = [];
  const signsOf = (node: NodeIndex) => {
    signs[node] ??= readSigns(graph.nodeAt(node));
    return signs[node];
  };
  const keys: (ReadonlySet<string> | undefined)[] = [];
  const keysOf = (member: number) => {
    keys[member] ??= listKeys(members[member]!);
    return keys[member];
  };
  const calls: Finder['calls'] = (index, node) => {
    const { ours, prompt } = members[index]!;
    const has = (key: string) => keysOf(index).has(key);
    return signsOf(node).tools.every(({ key, name }) => {
      if (has(key)) return true;
      return ours ? linesOf(spellStep({ calls: [name] })).every(has) : prompt.includes(name);
    });
  };
  const holds: Finder['holds'] = (index, node) => {
    const { saved, assistantId, firstMessage, prompt, ours } = members[index]!;
    const { id, texts, spoken, unspoken, line, tools } = signsOf(node);
    if (saved || id !== null) return saved && assistantId === id;
    if (spoken.length + tools.length === 0) return null;
    if (!calls(index, node)) return false;
    const has = (key: string) => keysOf(index).has(key);
    const isSpoken = line !== null && firstMessage === line;
    if (ours) return spoken.every(has) || (isSpoken && unspoken.every(has));
    return texts.every((it) => prompt.includes(it) || (isSpoken && it === line));
  };
  let index: ReadonlyMap<string, readonly number[]> | null = null;
  const having = (key: string): readonly number[] => {
    index ??= indexKeys(members.map((it) => keysOf(it.index)));
    return index.get(key) ?? [];
  };
  /** Whoever has all of them has the rarest, which tells most. */
  const havingAll = (all: readonly string[]): readonly number[] =>
    all.map(having).sort((one, other) => one.length - other.length)[0] ?? [];
  const find: Finder['find'] = (node) => {
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
  const nearest: Finder['nearest'] = (node) => {
    const { spoken, texts } = signsOf(node);
    const shares = [spoken, texts.flatMap(wordsOf)].flatMap((all) => {
      const counts = new Map<number, number>();
      for (const member of all.flatMap(having)) counts.set(member, (counts.get(member) ?? 0) + 1);
      return Array.from(counts, ([member, count]) => ({ member, share: count / all.length }));
    });
    const [best] = shares.sort((one, other) => other.share - one.share);
    return best !== undefined && best.share >= 0.5 ? best.member : null;
  };
  return { holds, calls, find, nearest };
}

interface NodeSigns {
  /** The id of a saved assistant. */
  readonly id: string | null;
  readonly texts: readonly string[];
  /** The lines of its step, where its first message is among them and where it is not. */
  readonly spoken: readonly string[];
  readonly unspoken: readonly string[];
  readonly line: string | null;
  readonly tools: readonly { readonly key: string; readonly name: string }[];
}

function readSigns(node: WorkflowNode): NodeSigns {
  const { firstMessage, systemPrompt: instructions, captures, request, tools, role } = node;
  const texts = [firstMessage, instructions].flatMap((it) => it?.value || []);
  const names = captures.filter(({ alias }) => alias === undefined).map(({ name }) => name);
  const spell = (line: Text | null) => linesOf(spellStep({ line, instructions, captures }));
  const spoken = firstMessage?.value ? firstMessage : null;
  const given = role === 'act' ? tools : [];
  const own = request === null ? [] : [`tool ${request.url?.value} ${request.method?.value}`];
  return {
    id: node.assistant?.savedAs?.value ?? null,
    texts: texts.length > 0 ? texts : names,
    spoken: spell(spoken),
    unspoken: spell(null),
    line: spoken?.value ?? null,
    tools: [
      ...own.map((key) => ({ key, name: nameOfRequest(node) })),
      ...given.map(({ name, value, savedAs }) => {
        if (value === null)
          return { key: `tool ${canonical(savedAs?.value)}`, name: toolName(name) };
        return { key: `tool ${canonical(value.value)}`, name };
      }),
    ],
  };
}

/** The legal name of a tool. */
export function toolName(wanted: string): string {
  return createToolNames()(wanted).name;
}

/** What a request's tool is called, where the name can be had. */
export function nameOfRequest({ request, name, id }: WorkflowNode): string {
  return toolName(request?.toolName?.value ?? name ?? id);
}

function linesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => (line === '' ? [] : `line ${line}`));
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** What a member has. */
function listKeys({ ours, prompt, firstMessage, tools, toolIds }: Member): ReadonlySet<string> {
  return new Set([
    ...(ours ? linesOf(prompt) : wordsOf(`${prompt} ${firstMessage ?? ''}`)),
    ...(firstMessage === null ? [] : [`says ${firstMessage}`]),
    ...tools.flatMap(({ type, value }) => {
      if (type === 'handoff') return [];
      const address = `tool ${textOf(value['url'])} ${textOf(value['method'])}`;
      return [address, `tool ${canonical(value)}`];
    }),
    ...toolIds.map(({ id }) => `tool ${canonical(id)}`),
  ]);
}

/** By key, the members that have it. */
function indexKeys(keys: readonly ReadonlySet<string>[]): ReadonlyMap<string, readonly number[]> {
  const index = new Map<string, number[]>();
  keys.forEach((own, member) => {
    for (const key of own) append(index, key, member);
  });
  return index;
}
