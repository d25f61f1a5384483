/**
 * Names that the target accepts: short, unique, readable; the same source gives the same names.
 *
 * Example: two nodes called `Collect {details}` become `Collect details` and `Collect details-2`.
 */
import { groupBy } from '../../graph/lists.js';
import { functionOf, type WorkflowNode } from './workflow.js';

/** The most characters in the name of an assistant or of a request's tool. */
const maxNameLength = 40;
/** A longer text is no misspelt name; comparing it takes time in the square of its length. */
const maxComparedLength = 200;

/**
 * Hands out names, each at most once; names that differ only in case or Unicode form count as
 * equal. `reason` says why the name is not the wanted one; null if it is.
 */
export type NameGiver = (wanted: string) => {
  readonly name: string;
  readonly reason: 'too-long' | 'taken' | 'unreadable' | null;
};

/** The name of a tool that someone else provides, whatever other tools there are. */
export function toToolName(wanted: string): string {
  // Long names with the same beginning stay apart.
  const { name, reason } = createToolNames()(wanted);
  return reason === 'too-long' ? `${truncate(name, maxNameLength - 9)}-${digest(wanted)}` : name;
}

/**
 * Returns true for a name that a program made up: `node_1748494069554`, `tool-3f2a`, a number, or
 * anything that ends in a long number or a UUID.
 */
export function isGenerated(name: string): boolean {
  const type = '(?:node|conversation|say|gather|tool|apirequest|hangup|endcall|transfercall)';
  const counted = `(?:${type}[-_ ]?)?\\d+|(?:${type}[-_ ]?|(?=.{8}))(?=[a-f]*\\d)[a-f\\d]{4,}`;
  return new RegExp(`^(?:${counted}|.*[-_ ](?:\\d{9,}|[a-f\\d]{12,}))$`, 'is').test(name);
}

/**
 * Readable names for those of the nodes whose own names a program made up and that have words: the
 * first words of their instructions or line; of a request, its method and the last words of its path.
 */
export function nameByWords(nodes: readonly WorkflowNode[], secrets: readonly string[]) {
  const wordsOf = ({ systemPrompt, firstMessage, request }: WorkflowNode): string[] => {
    if (request !== null) return wordsOfRequest(request);
    const text = [systemPrompt, firstMessage].find((it) => it?.value.trim())?.value ?? '';
    return listWords(secrets.reduce((left, secret) => left.replaceAll(secret, ' '), text));
  };
  const startOf = (words: readonly string[]) => words.slice(0, 5).join('-');
  const all = nodes.map((node) => ({ node, words: wordsOf(node) }));
  const byStart = groupBy(all, ({ words }) => startOf(words));
  const named = all.filter(({ node, words }) => words[0] && isGenerated(node.name ?? node.id));
  return new Map(
    named.map(({ node, words }) => {
      // What others begin with as well tells nothing.
      const shared = byStart
        .get(startOf(words))!
        .map((it) => words.findIndex((word, at) => it.words[at] !== word));
      return [node, startOf(words.slice(Math.max(0, ...shared)))];
    }),
  );
}

/** The words of a text without its Liquid, in lower case; more of it is not looked at. */
function listWords(text: string): string[] {
  const plain = text.slice(0, 2000).replaceAll(/\{\{[^}]*\}\}|\{%[^}]*%\}/g, ' ');
  const words = plain.replaceAll(/['’]/g, '').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.map((word) => word.toLowerCase());
}

function wordsOfRequest({ method, url }: NonNullable<WorkflowNode['request']>): string[] {
  const path = (url?.value ?? '').replace(/^(?:[a-z]+:)?\/\/[^/]*/i, '').replace(/[?#].*$/s, '');
  const words = listWords(path).filter((word) => !/^v?\d+$/.test(word));
  return words.length === 0 ? [] : [...listWords(method?.value ?? ''), ...words.slice(-3)];
}

/** What a prompt calls a node. */
export function nodeInPrompt({ name, id }: Pick<WorkflowNode, 'name' | 'id'>): string {
  return clean(name ?? id, 'tool');
}

/** The parts of a node that questions name it by. */
export type NamedNode = Pick<WorkflowNode, 'id'> & Partial<WorkflowNode>;

/** A readable label for a node whose id a program made up; null for all others. */
export function wordsFor(node: NamedNode): string | null {
  const { id, type, name, systemPrompt, firstMessage, request, transfer, tools = [] } = node;
  if (!isGenerated(id)) return null;
  const [tool] = type === 'tool' ? tools : [];
  const names = [name, request?.toolName?.value, tool?.known && functionOf(tool)];
  const called = names.find((it) => it && !isGenerated(it));
  const texts = [systemPrompt, firstMessage, request?.description, transfer?.message];
  const told = [...texts.map((text) => text?.value), tool?.known?.description];
  return called ?? told.map((text) => firstWords(text)).find((it) => it !== null) ?? null;
}

/** Null if the text is blank. */
function firstWords(text = ''): string | null {
  const words = clean(text, '').split(' ').slice(0, 6).join(' ');
  return words === '' ? null : `${truncate(words, 60)}…`;
}

export function createAssistantNames(): NameGiver {
  return createNames((wanted) => clean(wanted), '-', maxNameLength);
}

/** Names of tools: letters, digits, underscores and dashes. */
export function createToolNames(longest = maxNameLength, separator = '-'): NameGiver {
  const toSign = (wanted: string) => clean(wanted).replaceAll(/[^A-Za-z0-9_-]+/g, '_');
  const legalize = (wanted: string) => toSign(wanted).replaceAll(/^_+|(?<!_)_+$/g, '') || 'tool';
  return createNames(legalize, separator, longest);
}

function createNames(
  legalize: (wanted: string) => string,
  separator: string,
  longest: number,
): NameGiver {
  const taken = new Set<string>();
  const keyOf = (name: string) => name.normalize('NFC').toLowerCase();
  /** By name, the number of the copy to try next; all before it are taken for good. */
  const copies = new Map<string, number>();
  return (wanted) => {
    const legal = legalize(wanted);
    const isLong = [...legal].length > longest;
    const short = isLong ? cut(legal, longest) : legal;
    let name = short;
    let copy = copies.get(short) ?? 2;
    for (; taken.has(keyOf(name)); copy += 1) {
      const suffix = `${separator}${copy}`;
      name = `${truncate(short, longest - suffix.length)}${suffix}`;
    }
    copies.set(short, copy);
    taken.add(keyOf(name));
    if (name !== short) return { name, reason: 'taken' };
    if (isLong) return { name, reason: 'too-long' };
    return { name, reason: legal === wanted ? null : 'unreadable' };
  };
}

/** Control and format characters and white space; joiners hold emoji and scripts together. */
const invisible = /(?:(?![\u200c\u200d])[\p{Cc}\p{Cf}\s])+/gu;

/** One line without control characters and without Liquid's braces. */
function clean(wanted: string, otherwise = 'assistant'): string {
  const plain = wanted.replaceAll(/%(?=\})|[{}]/g, '').replaceAll(invisible, ' ');
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(plain) ? plain.trim() : otherwise;
}

/** The first characters of a text; a surrogate pair is never split. */
function truncate(text: string, length: number): string {
  return [...text].slice(0, length).join('').trimEnd();
}

/** The first characters of a name, at the end of a word if one ends in the second half. */
function cut(name: string, length: number): string {
  const start = truncate(name, length + 1);
  const [whole] = /^.*(?=[-_ ])/su.exec(start) ?? [''];
  return whole.length > length / 2 ? whole.trimEnd() : truncate(name, length);
}

/** Returns true if the response of a tool can set a variable of this name by an alias. */
export function isAliasKey(variable: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_]{0,39}$/.test(variable);
}

/**
 * The candidate whose edit distance is at most a third of the text's length, ignoring case and
 * separators; of equally near ones the first by name; null if there is none.
 */
export function findNearest(text: string, candidates: Iterable<string>): string | null {
  if (text.length > maxComparedLength) return null;
  const fold = (name: string) => name.toLowerCase().replaceAll(/[_-]/g, '');
  const folded = fold(text);
  let nearest: string | null = null;
  let least = Math.max(1, Math.floor(text.length / 3)) + 1;
  for (const candidate of [...candidates].sort()) {
    if (candidate === text || Math.abs(candidate.length - text.length) > least + 2) continue;
    const edits = distance(folded, fold(candidate));
    if (edits >= least) continue;
    nearest = candidate;
    least = edits;
  }
  return nearest;
}

/** The edit distance of two texts: characters added, removed or replaced. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 0; at < one.length; at += 1) {
    const next = [at + 1];
    for (let to = 0; to < other.length; to += 1) {
      const replaced = row[to]! + (one[at] === other[to] ? 0 : 1);
      next.push(Math.min(replaced, row[to + 1]! + 1, next[to]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}

/** A short, stable digest of a text: FNV-1a over its UTF-16 units, as eight hexadecimal digits. */
export function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}
