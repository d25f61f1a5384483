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
  toolsOf,
  valueAt,
} from '../simulator/squad.js';
import { nodeOf, type SourceEdge } from '../simulator/workflow.js';
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
  const equals = (node: number): number[] =>
    [...first.keys()].filter((other) => first.get(other) === first.get(node));
  const all = Array.from({ length: tracks.memberCount }, (_, member) => member);
  const transfers = (member: number): JsonPointer[] =>
    toolsOf(tracks, member, 'transferCall').map((at) => `${at}/destinations/0`);
  const quoted = (from: readonly JsonPointer[], places: readonly JsonPointer[]): boolean =>
    quotations.some((each) => from.includes(each.from) && places.includes(each.at));
  const missing = (text: unknown, member: number, where: string) => () =>
    `${JSON.stringify(text)} is not in ${where} of member ${member}`;

  for (const index of source.reachable) {
    const node = nodeOf(source, index);
    for (const member of ownersOf(tracks, index)) {
      const prompt = promptAt(tracks, member);
      const opening = `${assistantAt(tracks, member)}/firstMessage`;
      const messages = transfers(member).map((at) => `${at}/message`);
      const captures = (node.extractVariables ?? []).flatMap((capture, number) =>
        (['name', 'description'] as const).map(
          (key) => [`extractVariables/${number}/${key}`, capture[key], [prompt]] as const,
        ),
      );
      const texts: readonly (readonly [string, string | undefined, readonly string[]])[] = [
        ['systemPrompt', node.systemPrompt, [prompt]],
        ['firstMessage', node.firstMessage, [prompt, opening]],
        ['transferPlan/message', node.transferPlan?.message, messages],
        ...captures,
      ];
      for (const [field, text, places] of texts) {
        if (text === undefined || text === '') continue;
        const from = equals(index).map((other) => `/nodes/${other}/${field}`);
        demand(quoted(from, places), missing(text, member, `the ${field}`));
      }
    }
    if (!node.isGlobal) continue;
    // A global node can be entered from anywhere.
    for (const member of all) {
      const stands = quoted([`/nodes/${index}/condition`], [promptAt(tracks, member)]);
      const says = saidCondition(node.condition);
      demand(stands || says === undefined, missing(says, member, 'the prompt'));
      const message = node.transferPlan?.message;
      const messages = transfers(member).map((at) => valueAt(output, `${at}/message`));
      demand(
        message === undefined || messages.includes(message),
        missing(message, member, 'the transfers'),
      );
    }
  }

  for (const edge of source.edges) {
    const { condition, from, to, index } = edge;
    if (condition === undefined) continue;
    /** Edges from equals to equals with the same condition are the same step. */
    const isSameStep = (other: SourceEdge): boolean =>
      other.condition === condition &&
      equals(from).includes(other.from) &&
      equals(to).includes(other.to);
    const own = source.edges.filter(isSameStep).map((each) => `/edges/${each.index}/condition`);
    for (const member of ownersOf(tracks, from)) {
      const places = tracks.placesOf('edge', `/edges/${index}`);
      const here = places.filter((at) => membersOf(tracks, [at]).includes(member));
      demand(here.length > 0, () => `edge ${index} has no place in member ${member}`);
      demand(quoted(own, [promptAt(tracks, member)]), missing(condition, member, 'the prompt'));
      // The condition describes the handoff or the transfer that the edge became. Of conditions of
      // one destination that read the same, one stands there.
      for (const at of here.filter((place) => place !== promptAt(tracks, member))) {
        const described = [`${at}/description`, `${at}/destinations/0/description`];
        const isDescribed = quotations.some(
          (each) => each.text === condition && described.includes(each.at),
        );
        const end = nodeOf(source, to);
        demand(isDescribed, missing(condition, member, at));
        demand(
          end.type === 'transferCall' || !isExit(end),
          () => `the end by edge ${index} is not in the prompt: ${at}`,
        );
      }
    }
  }

  const { globalPrompt } = workflow;
  for (const member of globalPrompt ? all : []) {
    const opens = quotations.some(
      ({ from, at, start }) =>
        from === '/globalPrompt' && at === promptAt(tracks, member) && start === 0,
    );
    demand(opens, missing(globalPrompt, member, 'the beginning of the prompt'));
  }
}
