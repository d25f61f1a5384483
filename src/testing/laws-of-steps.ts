/**
 * Laws of workflows with one thing more: a capture, or a node that becomes one more step.
 *
 * What is expected of the squad is said without the words and numbers that the compiler writes: the
 * squad without what is new is the squad as it was, and what is new stands there once. The wording
 * around it is what `verify` expects: it has to accept the new squad.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import type { Json } from '../compiler/ir/json.js';
import type { CompileResult } from '../compiler/ir/result.js';
import { isExit, isTalk, type SpecNode, type SpecWorkflow } from '../simulator/spec-workflow.js';
import { ownersOf, valueAt } from '../simulator/squad.js';
import { nodeOf, reach, type Source, type SourceEdge } from '../simulator/workflow.js';
import { readAnswered, readTracks } from './answered.js';
import { compileChanged, demandFindings, freshName } from './changed.js';
import { type Compiled, compileAnswered, demand, demandSame, type LawOptions } from './law.js';
import { demandVerified } from './laws-of-results.js';
import { nth, wheel } from './pick.js';
import { representatives } from './reference-grouping.js';

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
  const node = nth(workflow.nodes, index);
  const name = freshName('spare', workflow);
  const before = node.extractVariables ?? [];
  const capture = { name, type: 'string' as const, description: `the ${name}` };
  const nodes = workflow.nodes.with(index, { ...node, extractVariables: [...before, capture] });
  const place = `/nodes/${index}/extractVariables/${before.length}`;
  const changed = { ...workflow, nodes };
  const result = demandAdded(workflow, changed, compiled, options, (piece) =>
    piece.from.startsWith(`${place}/`) || piece.text === name ? null : piece.text,
  );
  demandFindings(compiled.settlement.result, result, ['data/unused-capture']);
}

/**
 * A node with an instruction is put on an edge between two talk nodes, which is the only way on from
 * the first, or from the cycle that it lies on, and the only way to the second, or to its cycle. The
 * condition stays on the way to the new node, and an edge without one leads on. Expected: the same
 * assistants, one of which has the instruction as well; nothing else changes.
 */
export function insertedStepAdded(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const compiled = compileAnswered(workflow, options);
  const source = readAnswered(workflow, compiled.settlement);
  const tracks = readTracks(workflow, compiled.settlement);
  const lonely = lonelyNodes(source, compiled);
  const chains = chainsOf(source)
    .filter(({ from, to }) => lonely.includes(from) && lonely.includes(to))
    .filter(({ from, to }) => ownersOf(tracks, from).join() === ownersOf(tracks, to).join());
  const id = freshName('inserted', workflow);
  const changed = firstOf(chains, options.numbers, ({ index, from, to }) => {
    const settings = settingsOf(nth(workflow.nodes, from));
    const node: SpecNode = { ...settings, id, type: 'conversation' };
    node.systemPrompt = `Do the work of ${id}.`;
    const ends = nth(workflow.edges, index);
    // Copies of the edge go where it goes.
    const edges = workflow.edges.map((edge) =>
      edge.from === ends.from && edge.to === ends.to ? { ...edge, to: id } : edge,
    );
    const onward = { from: id, to: nth(workflow.nodes, to).id };
    const after = { ...workflow, nodes: [...workflow.nodes, node], edges: [...edges, onward] };
    return keepsOrder(source, readAnswered(after, compiled.settlement)) ? after : null;
  });
  if (changed === null) return;
  const place = `/nodes/${workflow.nodes.length}/systemPrompt`;
  demandAdded(workflow, changed, compiled, options, ({ from, text }) =>
    from === place ? null : text,
  );
}

/**
 * A talk node outside of cycles is cut in two: the first keeps its id, its line, the first part of
 * its instruction and its captures; the second has the other part and the ways on; an edge without
 * condition joins them. Expected: the same assistants, which say the same; nothing else changes.
 */
export function splitStepAdded(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const compiled = compileAnswered(workflow, options);
  const source = readAnswered(workflow, compiled.settlement);
  const lonely = lonelyNodes(source, compiled);
  const id = freshName('second', workflow);
  const number = options.numbers?.[0] ?? 0;
  const candidates = lonely.filter((index) => canBeSplit(source, index));
  const found = firstOf(candidates, options.numbers, (index) => {
    const whole = nth(workflow.nodes, index);
    const letters = [...(whole.systemPrompt ?? '')];
    const at = 1 + (number % (letters.length - 1));
    const second: SpecNode = { ...settingsOf(whole), id, type: 'conversation' };
    second.systemPrompt = letters.slice(at).join('');
    const first = { ...whole, systemPrompt: letters.slice(0, at).join('') };
    const edges = workflow.edges.map((edge) =>
      edge.from === whole.id ? { ...edge, from: id } : edge,
    );
    const changed: SpecWorkflow = {
      ...workflow,
      nodes: [...workflow.nodes.with(index, first), second],
      edges: [...edges, { from: whole.id, to: id }],
    };
    const after = readAnswered(changed, compiled.settlement);
    // The parts of a node, which can read like other nodes, still behave as no other does.
    const alone = lonelyNodes(after, compiled);
    const fits = alone.includes(index) && alone.includes(workflow.nodes.length);
    return fits && keepsOrder(source, after) ? { changed, index, second } : null;
  });
  if (found === null) return;
  const place = `/nodes/${workflow.nodes.length}/systemPrompt`;
  demandAdded(workflow, found.changed, compiled, options, ({ from, text }) => {
    if (from === place) return null;
    return from === `/nodes/${found.index}/systemPrompt` ? text + found.second.systemPrompt : text;
  });
}

/** A quoted text, and where it comes from. */
interface Piece {
  readonly from: JsonPointer;
  readonly text: string;
}

/** Throws unless the changed workflow gives the same squad but for what `without` takes out of it. */
function demandAdded(
  workflow: SpecWorkflow,
  changed: SpecWorkflow,
  compiled: Compiled,
  options: LawOptions,
  without: (piece: Piece) => string | null,
): CompileResult {
  const result = compileChanged(changed, compiled, options);
  const { settlement, output } = compiled;
  let left = 0;
  const counting = (piece: Piece): string | null => {
    const text = without(piece);
    if (text === null) left += 1;
    return text;
  };
  const before = outline(output, settlement.result, ({ text }) => text);
  demandSame('the squad', before, outline(result.output, result, counting));
  const texts = changed.nodes.length > workflow.nodes.length ? 1 : 2;
  demand(left >= texts, () => `of ${texts} new texts, ${left} stand in the squad`);
  demandVerified(changed, result.output, result.options);
  return result;
}

/**
 * The squad without the compiler's own words: each text that has pieces is the list of the texts that
 * it quotes, in an order of their own, as is every list of tools and destinations.
 */
function outline(
  output: Json,
  { sourceMap }: CompileResult,
  textOf: (piece: Piece) => string | null,
): unknown {
  const quoted = new Map<JsonPointer, string[]>();
  for (const { output: at, range, origin } of sourceMap) {
    const whole = valueAt(output, at);
    if (typeof whole !== 'string' || (range === undefined && origin.kind !== 'synthesized'))
      continue;
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

/** Tries the candidates in an order that the numbers choose. */
function firstOf<T, U>(
  candidates: readonly T[],
  numbers: readonly number[] = [],
  attempt: (candidate: T) => U | null,
): U | null {
  const from = candidates.length > 0 ? (numbers[0] ?? 0) % candidates.length : 0;
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
  const order = ({ start, globals, edges }: Source): number[] => {
    const found = new Set<number>();
    for (const root of [start, ...globals]) {
      const queue = new Set(found.has(root) ? [] : [root]);
      for (const node of queue) {
        found.add(node);
        const ways = edges.filter(({ from }) => from === node);
        for (const { to } of ways) if (!found.has(to)) queue.add(to);
      }
    }
    return [...found].filter((node) => node < before.workflow.nodes.length);
  };
  return order(before).join() === order(after).join();
}

/** The nodes that behave as no other does. */
function lonelyNodes(source: Source, { settlement }: Compiled): number[] {
  const classes = [...representatives(source, settlement)];
  const isAlone = (first: number): boolean =>
    classes.filter(([, other]) => other === first).length === 1;
  return classes.filter(([, first]) => isAlone(first)).map(([node]) => node);
}

/** Edges that make talk nodes, each with the cycle that it lies on, a chain. */
function chainsOf(source: Source): SourceEdge[] {
  const { start, globals, edges, reachable } = source;
  const beyond = new Map([...reachable].map((node) => [node, reach([node], edges)]));
  const together = (a: number, b: number): boolean =>
    (beyond.get(a)?.has(b) && beyond.get(b)?.has(a)) ?? false;
  return edges.filter((edge) => {
    const { from, to } = edge;
    const isOther = (way: SourceEdge): boolean =>
      (together(way.from, from) && !together(way.to, from) && !isExit(nodeOf(source, way.to))) ||
      (together(way.to, to) && !together(way.from, to));
    return (
      isTalk(nodeOf(source, from)) &&
      isTalk(nodeOf(source, to)) &&
      !together(from, to) &&
      ![start, ...globals].some((node) => together(node, to)) &&
      !edges.some((way) => way !== edge && isOther(way))
    );
  });
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
