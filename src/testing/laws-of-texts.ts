/**
 * The law that no word is lost: each text of the source stands in the squad, where it belongs.
 *
 * A text that looks like a part of another one is found by searching wherever that one stands. So
 * nothing is searched for: the source map says where each text stands, every text has to have a place
 * of its own, and no two places overlap.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import type { Json } from '../compiler/ir/json.js';
import type { SourceMapEntry } from '../compiler/ir/result.js';
import { isExit, type SpecWorkflow, saidCondition } from '../simulator/spec-workflow.js';
import {
  assistantAt,
  membersOf,
  ownersOf,
  promptAt,
  type Tracks,
  toolsOf,
  valueAt,
} from '../simulator/squad.js';
import { nodeOf } from '../simulator/workflow.js';
import { readTracks } from './answered.js';
import { compileAnswered, demand, type LawOptions } from './law.js';
import { representatives } from './reference-grouping.js';

/** A text of the source, and where it stands in the squad. */
interface Quotation {
  readonly from: JsonPointer;
  readonly text: string;
  readonly at: JsonPointer;
  readonly start: number;
}

/** The quotations of texts; throws where one is none, or two overlap. */
export function readQuotations(
  document: unknown,
  output: Json,
  sourceMap: readonly SourceMapEntry[],
): Quotation[] {
  const ends = new Map<JsonPointer, number>();
  const sorted = [...sourceMap].sort((a, b) => (a.range?.[0] ?? 0) - (b.range?.[0] ?? 0));
  return sorted.flatMap(({ output: at, range, origin }) => {
    const within = valueAt(output, at);
    const [start, end] = range ?? [0, String(within).length];
    if (range !== undefined) {
      const isThere = typeof within === 'string' && start <= end && end <= within.length;
      demand(isThere, () => `${at} has no characters ${start} to ${end}`);
      demand((ends.get(at) ?? 0) <= start, () => `ranges of ${at} overlap at ${start}`);
      ends.set(at, end);
    }
    if (origin.kind !== 'source' || typeof within !== 'string') return [];
    const text = valueAt(document as Json, origin.at);
    if (typeof text !== 'string' && range === undefined) return [];
    const found = within.slice(start, end);
    demand(found === text, () => {
      const texts = `${JSON.stringify(found)}, not ${JSON.stringify(text)}`;
      return `${at} ${start}–${end} is ${texts} of ${origin.at}`;
    });
    return [{ from: origin.at, text: found, at, start }];
  });
}

/**
 * Prompts, lines, captures, conditions and messages stand word for word with the assistant that
 * owns them, each in a place of its own. What nodes that behave the same say stands there once.
 */
export function textsStandWordForWord(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { settlement, output } = compileAnswered(workflow, options);
  const tracks = readTracks(workflow, settlement);
  const { source } = tracks;
  const quotations = readQuotations(workflow, output, settlement.result.sourceMap);
  const first = representatives(source, settlement);
  const areEqual = (one: number, other: number) => first.get(one) === first.get(other);
  const all = Array.from({ length: tracks.memberCount }, (_, member) => member);
  const isQuoted = (from: readonly JsonPointer[], places: readonly JsonPointer[]): boolean =>
    quotations.some((each) => from.includes(each.from) && places.includes(each.at));
  const demandText = (isThere: boolean, text: unknown, member: number, where: string): void =>
    demand(isThere, () => `${JSON.stringify(text)} is not in ${where} of member ${member}`);

  for (const index of source.reachable) {
    const node = nodeOf(source, index);
    const equals = [...first.keys()].filter((other) => areEqual(index, other));
    const captures = (node.extractVariables ?? []).flatMap((_, at) =>
      ['name', 'description'].map((key) => `extractVariables/${at}/${key}`),
    );
    const fields = ['systemPrompt', 'firstMessage', 'transferPlan/message', ...captures];
    for (const field of fields) {
      const text = valueAt(workflow as unknown as Json, `/nodes/${index}/${field}`);
      if (text === undefined || text === '') continue;
      const from = equals.map((other) => `/nodes/${other}/${field}`);
      for (const member of ownersOf(tracks, index)) {
        demandText(isQuoted(from, placesFor(field, tracks, member)), text, member, `the ${field}`);
      }
    }
    // A global node can be entered from anywhere.
    for (const member of node.isGlobal ? all : []) {
      const says = saidCondition(node.condition);
      const stands = isQuoted([`/nodes/${index}/condition`], [promptAt(tracks, member)]);
      demandText(stands || says === undefined, says, member, 'the prompt');
      const message = node.transferPlan?.message;
      const messages = placesFor('transferPlan/message', tracks, member);
      const isSpoken = messages.some((at) => valueAt(output, at) === message);
      demandText(isSpoken || message === undefined, message, member, 'the transfers');
    }
  }

  for (const { condition, from, to, index } of source.edges) {
    if (condition === undefined) continue;
    // Edges from equals to equals with the same condition are the same step.
    const own = source.edges
      .filter((each) => each.condition === condition)
      .filter((each) => areEqual(each.from, from) && areEqual(each.to, to))
      .map((each) => `/edges/${each.index}/condition`);
    const end = nodeOf(source, to);
    for (const member of ownersOf(tracks, from)) {
      const prompt = promptAt(tracks, member);
      const places = tracks.placesOf('edge', `/edges/${index}`);
      const here = places.filter((at) => membersOf(tracks, [at]).includes(member));
      demand(here.length > 0, () => `edge ${index} has no place in member ${member}`);
      demandText(isQuoted(own, [prompt]), condition, member, 'the prompt');
      // The condition describes the handoff or the transfer that the edge became. Of conditions of
      // one destination that read the same, one stands there.
      for (const at of here.filter((place) => place !== prompt)) {
        const described = [`${at}/description`, `${at}/destinations/0/description`];
        const isDescribed = quotations.some(
          (each) => each.text === condition && described.includes(each.at),
        );
        demandText(isDescribed, condition, member, at);
        const isPlace = end.type === 'transferCall' || !isExit(end);
        demand(isPlace, () => `the end by edge ${index} is not in the prompt: ${at}`);
      }
    }
  }

  const { globalPrompt } = workflow;
  for (const member of globalPrompt ? all : []) {
    const isOpening = quotations.some(
      ({ from, at, start }) =>
        from === '/globalPrompt' && at === promptAt(tracks, member) && start === 0,
    );
    demandText(isOpening, globalPrompt, member, 'the beginning of the prompt');
  }
}

/** Where a text of a node may stand with a member that owns the node. */
function placesFor(field: string, tracks: Tracks, member: number): JsonPointer[] {
  const prompt = promptAt(tracks, member);
  if (field === 'firstMessage') return [prompt, `${assistantAt(tracks, member)}/firstMessage`];
  if (field !== 'transferPlan/message') return [prompt];
  return toolsOf(tracks, member, 'transferCall').map((at) => `${at}/destinations/0/message`);
}
