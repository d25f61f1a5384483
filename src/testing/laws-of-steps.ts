/**
 * Laws of workflows with one thing more: a capture, or a node that becomes one more step.
 *
 * What is expected of the squad is said without the words and numbers that the compiler writes: the
 * squad without what is new is the squad as it was, and what is new stands there once. The wording
 * around it is what `verify` expects: it has to accept the new squad.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import { isTalk, type SpecNode, type SpecWorkflow } from '../simulator/spec-workflow.js';
import { ownersOf, valueAt } from '../simulator/squad.js';
import { nodeOf, reach, type Source } from '../simulator/workflow.js';
import { readAnswered, readTracks } from './answered.js';
import {
  type Compiled,
  compileAnswered,
  compileChanged,
  demand,
  demandFindings,
  demandSame,
  demandVerified,
  freshName,
  type LawOptions,
} from './law.js';
import { wheel } from './pick.js';
import { referenceGrouping, representatives } from './reference-grouping.js';

/**
 * A talk node captures one variable more, which nothing reads. Expected: its assistant is told to
 * find it out, and one warning about a capture that is not used; no plan changes, nothing else does.
 */
export function captureAdded(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const compiled = compileAnswered(workflow, options);
  const source = readAnswered(workflow, compiled.settlement);
  const talking = lonelyNodes(source, compiled).filter((node) => isTalk(nodeOf(source, node)));
  if (talking.length === 0) return;
  const index = wheel(talking, options.numbers?.[0] ?? 0);
  const node = workflow.nodes[index]!;
  const name = freshName('spare', workflow);
  const before = node.extractVariables ?? [];
  const capture = { name, type: 'string' as const, description: `the ${name}` };
  const nodes = workflow.nodes.with(index, { ...node, extractVariables: [...before, capture] });
  const place = `/nodes/${index}/extractVariables/${before.length}`;
  const changed = { ...workflow, nodes };
  const after = demandAdded(changed, compiled, options, 2, ({ from, text }) =>
    from.startsWith(`${place}/`) || text === name ? null : text,
  );
  demandFindings(compiled, after, ['data/unused-capture']);
}

/**
 * A node with an instruction is put on an edge between two talk nodes of one assistant, outside of
 * cycles, where the definition gives the same assistants with the node in one of them. The condition
 * stays on the way to the new node, and an edge without one leads on. Expected: the same squad, in
 * which one assistant has the instruction as well.
 */
export function insertedStepAdded(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const compiled = compileAnswered(workflow, options);
  const { settlement } = compiled;
  const tracks = readTracks(workflow, settlement);
  const { source } = tracks;
  const lonely = lonelyNodes(source, compiled).filter((node) => isTalk(nodeOf(source, node)));
  const { boundary = 'branch' } = options.compile ?? {};
  const id = freshName('inserted', workflow);
  const groupsOf = (each: SpecWorkflow): string =>
    JSON.stringify(
      referenceGrouping(each, { settlement, boundary })
        ?.map((ids) => ids.filter((one) => one !== id).sort())
        .sort(),
    );
  const groups = groupsOf(workflow);
  const inner = source.edges.filter(
    ({ from, to }) =>
      lonely.includes(from) &&
      lonely.includes(to) &&
      ownersOf(tracks, from).join() === ownersOf(tracks, to).join() &&
      !reach([to], source.edges).has(from),
  );
  const changed = firstOf(inner, options.numbers, ({ index, from, to }) => {
    const systemPrompt = `Do the work of ${id}.`;
    const settings = settingsOf(workflow.nodes[from]!);
    const node: SpecNode = { ...settings, id, type: 'conversation', systemPrompt };
    const ends = workflow.edges[index]!;
    // Copies of the edge go where it goes.
    const edges = workflow.edges.map((edge) =>
      edge.from === ends.from && edge.to === ends.to ? { ...edge, to: id } : edge,
    );
    const onward = { from: id, to: workflow.nodes[to]!.id };
    const after = { ...workflow, nodes: [...workflow.nodes, node], edges: [...edges, onward] };
    const isStep = groupsOf(after) === groups;
    return isStep && keepsOrder(source, readAnswered(after, settlement)) ? after : null;
  });
  if (changed === null) return;
  const place = `/nodes/${workflow.nodes.length}/systemPrompt`;
  demandAdded(changed, compiled, options, 1, ({ from, text }) => (from === place ? null : text));
}

/**
 * A talk node outside of cycles is cut in two: the first keeps its id, its line, the first part of
 * its instruction and its captures; the second has the other part and the ways on; an edge without
 * condition joins them. Expected: the same assistants, which say the same; nothing else changes.
 */
export function splitStepAdded(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const compiled = compileAnswered(workflow, options);
  const source = readAnswered(workflow, compiled.settlement);
  const id = freshName('second', workflow);
  const place = `/nodes/${workflow.nodes.length}/systemPrompt`;
  const number = options.numbers?.[0] ?? 0;
  const candidates = lonelyNodes(source, compiled).filter((index) => canBeSplit(source, index));
  const found = firstOf(candidates, options.numbers, (index) => {
    const whole = workflow.nodes[index]!;
    const letters = [...(whole.systemPrompt ?? '')];
    const at = 1 + (number % (letters.length - 1));
    const [start, end] = [letters.slice(0, at).join(''), letters.slice(at).join('')];
    const second = { ...settingsOf(whole), id, type: 'conversation' as const, systemPrompt: end };
    const onward = workflow.edges.map((edge) =>
      edge.from === whole.id ? { ...edge, from: id } : edge,
    );
    const changed: SpecWorkflow = {
      ...workflow,
      nodes: [...workflow.nodes.with(index, { ...whole, systemPrompt: start }), second],
      edges: [...onward, { from: whole.id, to: id }],
    };
    const after = readAnswered(changed, compiled.settlement);
    // The parts of a node, which can read like other nodes, still behave as no other does.
    const alone = lonelyNodes(after, compiled);
    const fits = alone.includes(index) && alone.includes(workflow.nodes.length);
    return fits && keepsOrder(source, after) ? { changed, index, end } : null;
  });
  if (found === null) return;
  demandAdded(found.changed, compiled, options, 1, ({ from, text }) => {
    if (from === place) return null;
    return from === `/nodes/${found.index}/systemPrompt` ? text + found.end : text;
  });
}

/** A quoted text, and where it comes from. */
interface Piece {
  readonly from: JsonPointer;
  readonly text: string;
}

/** Throws unless the changed workflow gives the same squad but for what `without` takes out of it. */
function demandAdded(
  changed: SpecWorkflow,
  before: Compiled,
  options: LawOptions,
  count: number,
  without: (piece: Piece) => string | null,
): Compiled {
  const after = compileChanged(changed, before, options);
  let left = 0;
  const counting = (piece: Piece): string | null => {
    const text = without(piece);
    if (text === null) left += 1;
    return text;
  };
  const own = outline(before, ({ text }) => text);
  demandSame('the squad', own, outline(after, counting));
  demand(left >= count, () => `of ${count} new texts, ${left} stand in the squad`);
  demandVerified(changed, after);
  return after;
}

/**
 * The squad without the compiler's own words: each text that has pieces is the list of the texts that
 * it quotes, in an order of their own, as is every list of tools and destinations.
 */
function outline(
  { output, settlement }: Compiled,
  textOf: (piece: Piece) => string | null,
): unknown {
  const quoted = new Map<JsonPointer, string[]>();
  for (const { output: at, range, origin } of settlement.result.sourceMap) {
    const whole = valueAt(output, at);
    const isWhole = range === undefined && origin.kind !== 'synthesized';
    if (typeof whole !== 'string' || isWhole) continue;
    const texts = quoted.get(at) ?? [];
    quoted.set(at, texts);
    if (origin.kind === 'synthesized') continue;
    const from = origin.kind === 'source' ? origin.at : '';
    const text = textOf({ from, text: whole.slice(...(range ?? [0])) });
    if (text !== null) texts.push(text);
  }
  const within = (value: unknown, at: JsonPointer): unknown => {
    if (typeof value === 'string') return quoted.get(at)?.sort() ?? value;
    if (typeof value !== 'object' || value === null) return value;
    const parts = Object.entries(value).map(([key, part]) => [key, within(part, `${at}/${key}`)]);
    if (!Array.isArray(value)) return Object.fromEntries(parts);
    const list = parts.map(([, part]) => part);
    if (!/\/(?:tools|destinations)$/.test(at)) return list;
    return list.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  };
  return within(output, '');
}

/** What the first fitting candidate gives, in an order that the numbers choose. */
function firstOf<T, U>(
  candidates: readonly T[],
  [number = 0]: readonly number[] = [],
  attempt: (candidate: T) => U | null,
): U | null {
  const from = number % Math.max(1, candidates.length);
  for (const each of [...candidates.slice(from), ...candidates.slice(0, from)]) {
    const found = attempt(each);
    if (found !== null) return found;
  }
  return null;
}

/** What shapes an assistant, so that the node more wants the same. */
function settingsOf({ model, voice, transcriber }: SpecNode): Partial<SpecNode> {
  const settings = { model, voice, transcriber };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

/** Whether walks come to the nodes in the order in which they came before. */
function keepsOrder(before: Source, after: Source): boolean {
  const order = ({ start, globals, edges }: Source): string => {
    const found = new Set([start, ...globals].flatMap((root) => [...reach([root], edges)]));
    return [...found].filter((node) => node < before.workflow.nodes.length).join();
  };
  return order(before) === order(after);
}

/** The nodes that behave as no other does. */
function lonelyNodes(source: Source, { settlement }: Compiled): number[] {
  const first = representatives(source, settlement);
  const all = [...first.values()];
  return [...first.keys()].filter(
    (node) => all.filter((one) => one === first.get(node)).length < 2,
  );
}

/** Talk nodes with an instruction, on no cycle, that read nothing whose place in the walk matters. */
function canBeSplit(source: Source, index: number): boolean {
  const node = nodeOf(source, index);
  const { systemPrompt = '', firstMessage = '', extractVariables = [] } = node;
  const ways = source.edges.filter(({ from }) => from === index);
  const after = ways.map(({ to }) => to);
  const isTemplate = (text: string): boolean => /\{\{|\{%|==/.test(text);
  return (
    isTalk(node) &&
    [...systemPrompt].length > 1 &&
    !reach(after, source.edges).has(index) &&
    !isTemplate(systemPrompt) &&
    !(extractVariables.length > 0 && isTemplate(firstMessage)) &&
    !ways.some(({ condition = '' }) => isTemplate(condition))
  );
}
