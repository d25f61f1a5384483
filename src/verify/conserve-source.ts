/** The workflow as it stands: its nodes and edges, and what a call can reach (conserve.ts). */
import { asObject, isObject, type Json, type JsonObject } from '../text/json.js';
import { child, type JsonPointer } from '../text/pointer.js';
import { leavesOf, type Reading } from './conserve-fields.js';

/** The answers and options that change what is expected. */
export interface ConserveOptions {
  readonly answers?: Readonly<
    Record<string, { readonly choice: string; readonly value?: unknown }>
  >;
  readonly policies?: Readonly<Record<string, unknown>>;
  /** Options that replace settings of the workflow, such as `model`. */
  readonly overrides?: JsonObject;
  /** Places of the workflow whose values are reported as not used, or as read otherwise. */
  readonly reported?: readonly JsonPointer[];
  /** What squadc has read; not compared if absent. */
  readonly read?: Reading;
  /** The edges along which the squad was followed, as `from → to`; not compared if absent. */
  readonly followed?: ReadonlySet<string>;
  /** Whether prompts are free prose: then a text may stand in one that is expected, too. */
  readonly isProse?: boolean;
}

export interface Source {
  readonly at: JsonPointer;
  /** The objects around the nodes, the outermost first. */
  readonly around: readonly (readonly [JsonPointer, JsonObject])[];
  readonly nodes: readonly Json[];
  readonly edges: readonly Json[];
}

/** The object with nodes, at the root or within what an export wraps it in. */
export function findSource(document: Json, at = '', outside: Source['around'] = []): Source | null {
  if (!isObject(document)) return null;
  const { nodes, edges } = document;
  const around = [...outside, [at, document] as const];
  if (Array.isArray(nodes)) {
    return { at, around, nodes: nodes.map(withData), edges: listOf(edges).map(withData) };
  }
  const { results } = document;
  if (Array.isArray(results) && results.length === 1) {
    return findSource(results[0]!, `${at}/results/0`, around);
  }
  for (const key of ['workflow', 'model', 'data']) {
    const found =
      document[key] === undefined ? null : findSource(document[key], child(at, key), around);
    if (found !== null) return found;
  }
  return null;
}

/** A node or an edge with what an editor keeps in its `data`. */
function withData(node: Json): Json {
  const { data, ...others } = asObject(node);
  const { id = null } = others;
  return isObject(data) ? { ...others, ...data, ...(id !== null && { id }) } : node;
}

export const idOf = (node: Json) => asObject(node)['id'] ?? asObject(node)['name'] ?? null;

export function isGlobal(node: Json): boolean {
  const { isGlobal: flag, globalNodePlan, condition = null } = asObject(node);
  const { enabled, enterCondition = null } = asObject(globalNodePlan);
  return (flag === true && !isFalse(condition)) || (enabled === true && !isFalse(enterCondition));
}

export const isTalk = (node: Json) =>
  /^(?:conversation|gather|say)$/i.test(`${asObject(node)['type']}`);

const kindOf = (node: Json) => {
  const { type, tool } = asObject(node);
  return `${type === 'tool' || type === undefined ? asObject(tool)['type'] : type}`;
};
export const isEnd = (node: Json) => /^(?:endCall|end|hangup)$/i.test(kindOf(node));
export const isExit = (node: Json) => isEnd(node) || /^transfer(?:Call)?$/i.test(kindOf(node));

/** A condition that says nothing: it always holds, or never. */
export const constant = /^\s*(?:true|false)\s*$/i;

/** No call takes an edge under `false`. */
function isNever(edge: Json): boolean {
  const { condition = null } = asObject(edge);
  const texts = leavesOf(condition).filter(({ path }) => !path.endsWith('/type'));
  return texts.length > 0 && texts.every(({ value }) => isFalse(value));
}

const isFalse = (condition: Json | undefined) => `${condition}`.trim().toLowerCase() === 'false';

/** Edges may name their nodes. */
export function endsOf({ nodes, edges }: Source) {
  const ids = new Map([...nodes].reverse().map((it) => [asObject(it)['name'], idOf(it)]));
  for (const id of nodes.map(idOf)) ids.set(id ?? undefined, id);
  return edges.map((edge) => {
    const { from, to, source, target } = asObject(edge);
    if (isNever(edge)) return { from: null, to: null };
    const [start, end] = [from ?? source ?? null, to ?? target ?? null];
    return { from: ids.get(start) ?? start, to: ids.get(end) ?? end };
  });
}

/** The ids of the nodes that a call can reach; null if it is unclear where a call starts. */
export function reach(source: Source, { answers = {}, policies = {} }: ConserveOptions) {
  const { nodes, edges } = source;
  const exits = new Set(nodes.filter(isExit).map(idOf));
  const ends = endsOf(source).filter(({ from, to }) => from !== to && !exits.has(from));
  const entered = new Set(ends.map(({ to }) => to));
  const isOpen = (it: Json) => !isGlobal(it) && !isExit(it) && !entered.has(idOf(it));
  const chosen = nodes.filter((it) => idOf(it) === answers['ambiguous-start:workflow']?.value);
  const marked = nodes.filter((it) => asObject(it)['isStart'] === true);
  const byType = nodes.filter((it) => /^start$/i.test(kindOf(it))).slice(0, 1);
  const [starts = nodes.filter(isOpen)] = [chosen, marked, byType].filter((it) => it.length > 0);
  const linked = answers['missing-edges:workflow']?.choice ?? policies['missing-edges'];
  const isInOrder = edges.length === 0 && linked === 'in-order';
  if (starts.length !== 1 && nodes.length > 1 && !isInOrder) return null;
  // Nothing follows an exit.
  const listed = nodes.filter((it) => !isGlobal(it));
  const [last = listed.length] = listed.flatMap((it, at) => (isExit(it) ? [at] : []));
  const first = isInOrder ? listed.slice(0, last + 1) : starts;
  const reached = new Set([...first, ...nodes.filter(isGlobal)].map(idOf));
  for (const from of reached) for (const it of ends) if (it.from === from) reached.add(it.to);
  return { reached, exits };
}

/** Whether an answer chooses among the settings of several nodes: the others are lost. */
export function areSettingsChosen({ answers = {}, policies = {} }: ConserveOptions): boolean {
  const own = Object.entries(answers).filter(([id]) => id.startsWith('conflicting-settings:'));
  const choices = [policies['conflicting-settings'], ...own.map(([, { choice }]) => choice)];
  return choices.some((choice) => choice !== undefined && choice !== 'keep-split');
}

export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
