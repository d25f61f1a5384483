/**
 * Laws of the ledger and the source map: everything is accounted for on both sides, and no word is
 * lost: each text of the source stands in the squad, in its place.
 *
 * Searching would find a text that looks like a part of another wherever that one stands. So
 * nothing is searched for: the source map tells where each text stands, every text has to have a
 * place of its own, and no two places overlap.
 */
import type { LedgerEntry, LedgerKind, SourceMapEntry } from '../compiler/ir/result.js';
import { withoutRaw } from '../compiler/ir/tokens.js';
import {
  assistantAt,
  membersOf,
  ownersOf,
  promptAt,
  type Quotation,
  quotationsIn,
  type Tracks,
  toolsOf,
} from '../simulator/squad.js';
import { edgesOf, nodeOf } from '../simulator/walks.js';
import type { Json } from '../text/json.js';
import { child, type JsonPointer, valueAt } from '../text/pointer.js';
import { compileAnswered, demand, type LawOptions, representatives, trackAnswered } from './law.js';
import type { SpecWorkflow } from './spec-workflow.js';

/** The quotations of the source; throws if one is not its text, or if two overlap. */
export function readQuotations(
  document: unknown,
  output: Json,
  sourceMap: readonly SourceMapEntry[],
): Quotation[] {
  const ends = new Map<JsonPointer, number>();
  for (const { output: at, range } of sourceMap.toSorted((a, b) => startOf(a) - startOf(b))) {
    const [start, end] = range ?? [0, 0];
    const whole = valueAt(output, at);
    const isThere = !range || (typeof whole === 'string' && start <= end && end <= whole.length);
    demand(isThere, () => `${at} has no characters ${start} to ${end}`);
    demand((ends.get(at) ?? 0) <= start, () => `ranges of ${at} overlap at ${start}`);
    ends.set(at, end);
  }
  const ofSource = sourceMap.filter(({ origin }) => origin.kind === 'source');
  return quotationsIn(output, ofSource).flatMap((quotation) => {
    const { from, text: quoted, whole, at, start } = quotation;
    const written = valueAt(document, from);
    if (typeof written !== 'string' && quoted === whole) return [];
    // The marks that keep the platform from rendering a part of the text do not count.
    const text = quoted === written ? quoted : withoutRaw(quoted);
    demand(text === written, () => {
      const texts = `${JSON.stringify(text)}, not ${JSON.stringify(written)}`;
      return `${at} has at ${start} ${texts} of ${from}`;
    });
    return [{ ...quotation, text }];
  });
}

const startOf = ({ range }: SourceMapEntry) => range?.[0] ?? 0;

/**
 * Prompts, lines, captures, conditions and messages stand word for word in the assistant that owns
 * them, each in a place of its own. Texts of nodes that behave the same stand there once.
 */
export function textsStandWordForWord(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { settlement, output, tracks, graph } = trackAnswered(workflow, options);
  const quotations = readQuotations(workflow, output, settlement.result.sourceMap);
  const first = representatives(graph);
  const areEqual = (one: number, other: number) => first.get(one) === first.get(other);
  const all = [...Array(tracks.memberCount).keys()];
  const isQuoted = (from: readonly JsonPointer[], places: readonly JsonPointer[]): boolean =>
    quotations.some((each) => from.includes(each.from) && places.includes(each.at));
  const demandText = (isThere: boolean, text: unknown, member: number, where: string): void =>
    demand(isThere, () => `${JSON.stringify(text)} is not in ${where} of member ${member}`);

  for (const index of graph.order) {
    const node = workflow.nodes[index]!;
    const equals = [...first.keys()].filter((other) => areEqual(index, other));
    const captures = (node.extractVariables ?? []).flatMap((_, at) =>
      ['name', 'description'].map((key) => `extractVariables/${at}/${key}`),
    );
    const fields = ['systemPrompt', 'firstMessage', 'transferPlan/message', ...captures];
    for (const field of fields) {
      const text = valueAt(workflow, `/nodes/${index}/${field}`);
      if (text === undefined || text === '') continue;
      const from = equals.map((other) => `/nodes/${other}/${field}`);
      for (const member of ownersOf(tracks, index)) {
        demandText(isQuoted(from, placesFor(field, tracks, member)), text, member, `the ${field}`);
      }
    }
    // A global node can be entered from every other node.
    const isLeft = (other: number) => other !== index && nodeOf(graph, other).role !== 'exit';
    const leading = new Set(graph.order.filter(isLeft).flatMap((it) => ownersOf(tracks, it)));
    for (const member of node.isGlobal ? leading : []) {
      const condition = nodeOf(graph, index).global?.condition;
      const says = condition?.value;
      const prompt = promptAt(tracks, member);
      // A text of an answer is not a quotation of the source.
      const stands =
        condition?.changedBy === undefined
          ? isQuoted([`/nodes/${index}/condition`], [prompt])
          : String(valueAt(output, prompt)).includes(condition.value);
      demandText(stands || says === undefined, says, member, 'the prompt');
      const message = node.transferPlan?.message;
      const messages = placesFor('transferPlan/message', tracks, member);
      const isSpoken =
        messages.some((at) => valueAt(output, at) === message) ||
        isQuoted([`/nodes/${index}/transferPlan/message`], messages);
      demandText(isSpoken || message === undefined, message, member, 'the transfers');
    }
  }

  const edges = edgesOf(graph).flatMap(({ condition, from, to, index }) => {
    return condition === null ? [] : [{ condition: condition.value, from, to, index }];
  });
  for (const { condition, from, to, index } of edges) {
    // Edges between equal nodes with the same condition are the same step.
    const own = edges
      .filter((each) => each.condition === condition)
      .filter((each) => areEqual(each.from, from) && areEqual(each.to, to))
      .map((each) => `/edges/${each.index}/condition`);
    for (const member of ownersOf(tracks, from)) {
      const prompt = promptAt(tracks, member);
      const places = tracks.placesOf('edge', `/edges/${index}`);
      const here = places.filter((at) => membersOf(tracks, [at]).includes(member));
      demand(here.length > 0, () => `edge ${index} has no place in member ${member}`);
      demandText(isQuoted(own, [prompt]), condition, member, 'the prompt');
      // The condition describes the handoff or the transfer that the edge became. Equal conditions
      // of one destination stand there once.
      for (const at of here.filter((place) => place !== prompt)) {
        const described = [`${at}/description`, `${at}/destinations/0/description`];
        const isDescribed = quotations.some(
          (each) => each.text === condition && described.includes(each.at),
        );
        demandText(isDescribed, condition, member, at);
        const { type } = nodeOf(graph, to);
        const isPlace = type !== 'endCall' && type !== 'hangup';
        demand(isPlace, () => `the end by edge ${index} is not in the prompt: ${at}`);
      }
    }
  }

  for (const member of workflow.globalPrompt ? all : []) {
    const isOpening = quotations.some(
      ({ from, at, start }) =>
        from === '/globalPrompt' && at === promptAt(tracks, member) && start === 0,
    );
    demandText(isOpening, workflow.globalPrompt, member, 'the beginning of the prompt');
  }
}

/** Where a text of a node may stand in a member that owns the node. */
function placesFor(field: string, tracks: Tracks, member: number): JsonPointer[] {
  const prompt = promptAt(tracks, member);
  if (field === 'firstMessage') return [prompt, `${assistantAt(tracks, member)}/firstMessage`];
  if (field !== 'transferPlan/message') return [prompt];
  const transfers = toolsOf(tracks, member, 'transferCall');
  // The model says what the platform cannot render, so it stands in the prompt.
  return [...transfers.map((at) => `${at}/destinations/0/message`), prompt];
}

/** Each item of the source has one entry in the ledger; converted items are in the squad. */
export function ledgerConserves(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { settlement, output } = compileAnswered(workflow, options);
  const { ledger } = settlement.result;
  for (const [kind, at] of accountable(workflow)) demandOneEntry(ledger, kind, at);
  for (const { kind, at, status, outputs } of ledger) {
    const isKnown = valueAt(workflow, at) !== undefined;
    demand(isKnown, () => `the ledger's ${kind} ${at} is not in the source`);
    demand(status !== 'converted' || outputs.length > 0, () => `${kind} ${at} became nothing`);
    demand(status !== 'needs-answer', () => `${kind} ${at} still needs an answer`);
    const lost = outputs.find((place) => valueAt(output, place) === undefined);
    demand(lost === undefined, () => `${kind} ${at} became ${lost}, which is not in the output`);
  }
}

/** Throws unless the ledger has one entry for the item. */
export function demandOneEntry(
  ledger: readonly LedgerEntry[],
  kind: LedgerKind,
  at: JsonPointer,
): void {
  const { length } = ledger.filter((entry) => entry.kind === kind && entry.at === at);
  demand(length === 1, () => `${kind} ${at} has ${length} entries in the ledger`);
}

/** Parts of nodes, edges and the workflow that must be in the ledger unless they are empty. */
const accountableAt: readonly (readonly [LedgerKind, place: RegExp])[] = [
  ['node', /^\/nodes\/\d+$/],
  ['line', /^\/nodes\/\d+\/firstMessage$/],
  ['instruction', /^\/nodes\/\d+\/systemPrompt$/],
  ['transfer-message', /^\/nodes\/\d+\/transferPlan\/message$/],
  ['variable', /^\/nodes\/\d+\/(?:extract|response)Variables\/\d+$/],
  ['edge', /^\/edges\/\d+$/],
  ['condition', /^\/(?:nodes|edges)\/\d+\/condition$/],
  ['field', /^(?:\/(?:nodes|edges)\/\d+)?\/note$/],
];

/** Kind and place of everything that must be in the ledger. */
function accountable(workflow: SpecWorkflow): (readonly [LedgerKind, JsonPointer])[] {
  return placesIn(workflow).flatMap((at) => {
    const value = valueAt(workflow, at);
    const [kind] = accountableAt.find(([, place]) => place.test(at)) ?? [];
    const isBlank = kind === 'condition' && String(value).trim() === '';
    const isSilent = value === undefined || value === '' || isBlank;
    return kind === undefined || isSilent ? [] : [[kind, at]];
  });
}

/** Every value of the squad has an origin, and quotations match the source. */
export function sourceMapCovers(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { settlement, output } = compileAnswered(workflow, options);
  const { sourceMap } = settlement.result;
  readQuotations(workflow, output, sourceMap);
  const places = new Set(sourceMap.map((entry) => entry.output));
  const lost = [...places].find((place) => valueAt(output, place) === undefined);
  demand(lost === undefined, () => `no ${lost} in the output`);
  /** Whether the place, or one around it, has an origin; the whole document does not count. */
  const isCovered = (at: string): boolean =>
    at !== '' && (places.has(at) || isCovered(at.slice(0, at.lastIndexOf('/'))));
  const all = placesIn(output);
  const holders = new Set(all.map((at) => at.slice(0, at.lastIndexOf('/'))));
  for (const leaf of all.filter((at) => !holders.has(at)))
    demand(isCovered(leaf), () => `${leaf} has no origin`);
}

/** The places of all values within a value. */
function placesIn(value: unknown, at = ''): JsonPointer[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const place = child(at, key);
    return [place, ...placesIn(part, place)];
  });
}
