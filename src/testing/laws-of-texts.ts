/** The law that no word is lost: each text of the source stands in the squad, where it belongs. */
import type { JsonPointer } from '../compiler/ir/ids.js';
import { demand } from './demand.js';
import { type Ground, type LawOptions, stand, textAt } from './law-ground.js';
import { naiveRepresentatives } from './naive-equality.js';
import { type Quotation, readQuotations } from './quotations.js';
import { nodeOf, type SourceEdge } from './source.js';
import { isExit, type SpecWorkflow, said, saidCondition } from './spec-workflow.js';
import { assistantAt, memberCount, memberOf, ownersOf, promptAt, toolsOf } from './squad-tracks.js';

/**
 * Prompts, lines, captures, conditions and messages stand word for word with the assistant that
 * owns them, each in a place of its own. What nodes that behave the same say stands there once.
 */
export function textsStandWordForWord(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const search = prepare(workflow, stand(workflow, options));
  const { tracks } = search.ground;
  for (const index of tracks.source.reachable) {
    for (const member of ownersOf(tracks, index)) nodeTexts(search, index, member);
    if (nodeOf(tracks.source, index).isGlobal) globalTexts(search, index);
  }
  for (const edge of tracks.source.edges) edgeText(search, edge);
  const globalPrompt = said(workflow.globalPrompt);
  for (const member of members(search.ground)) {
    if (globalPrompt === undefined) break;
    const opens = quoted(search, ['/globalPrompt']).some(
      ({ at, start }) => at === promptAt(tracks, member) && start === 0,
    );
    demand(opens, () => missing(globalPrompt, member, 'the beginning of the prompt'));
  }
}

interface Search {
  readonly ground: Ground;
  readonly quotations: ReadonlyMap<JsonPointer, readonly Quotation[]>;
  /** The nodes that behave the same as this one, itself included. */
  readonly equals: (node: number) => readonly number[];
}

function prepare(workflow: SpecWorkflow, ground: Ground): Search {
  const { settlement, tracks, output } = ground;
  const first = naiveRepresentatives(tracks.source, settlement);
  const nodes = [...first.keys()];
  return {
    ground,
    quotations: readQuotations(workflow, output, settlement.result.sourceMap),
    equals: (node) => nodes.filter((other) => first.get(other) === first.get(node)),
  };
}

function quoted({ quotations }: Search, from: readonly JsonPointer[]): Quotation[] {
  return from.flatMap((at) => quotations.get(at) ?? []);
}

function nodeTexts(search: Search, index: number, member: number): void {
  const { tracks } = search.ground;
  const {
    firstMessage,
    systemPrompt,
    transferPlan,
    extractVariables = [],
    type,
  } = nodeOf(tracks.source, index);
  const prompt = promptAt(tracks, member);
  const need = (
    text: string | undefined,
    field: string,
    isRight: (quotation: Quotation) => boolean,
  ): void => {
    if (said(text) === undefined) return;
    const from = search.equals(index).map((node) => `/nodes/${node}/${field}`);
    demand(quoted(search, from).some(isRight), () => missing(text, member, `the ${field} there`));
  };
  need(systemPrompt, 'systemPrompt', ({ at }) => at === prompt);
  need(firstMessage, 'firstMessage', (quotation) => isSaid(search, quotation, member));
  if (type === 'transferCall') {
    const messages = transfers(search.ground, member).map((at) => `${at}/message`);
    need(transferPlan?.message, 'transferPlan/message', ({ at }) => messages.includes(at));
  }
  for (const [number, { name, description }] of extractVariables.entries()) {
    const field = `extractVariables/${number}`;
    need(name, `${field}/name`, ({ at, start, within }) => {
      return at === prompt && within.slice(0, start).endsWith('\n- find out ');
    });
    need(description, `${field}/description`, ({ at }) => at === prompt);
  }
}

/** Spoken by the assistant itself, or a line of its prompt. */
function isSaid(
  { ground }: Search,
  { at, start, end, within }: Quotation,
  member: number,
): boolean {
  if (at === `${assistantAt(ground.tracks, member)}/firstMessage`) return true;
  const isLine = within.slice(0, start).endsWith('Say: "') && within.startsWith('"\n', end);
  return at === promptAt(ground.tracks, member) && isLine;
}

/** A global's condition stands in every prompt: it can be entered from anywhere. */
function globalTexts(search: Search, index: number): void {
  const { ground } = search;
  const { condition, type, transferPlan } = nodeOf(ground.tracks.source, index);
  for (const member of members(ground)) {
    const prompt = promptAt(ground.tracks, member);
    if (saidCondition(condition) !== undefined) {
      const stands = quoted(search, [`/nodes/${index}/condition`]).some(({ at }) => at === prompt);
      demand(stands, () => missing(condition, member, `the ways to a global ${type}`));
    }
    if (type !== 'transferCall' || transferPlan === undefined) continue;
    const messages = transfers(ground, member).map((at) => textAt(ground, `${at}/message`));
    demand(messages.includes(transferPlan.message), () =>
      missing(transferPlan.message, member, 'the global transfers'),
    );
  }
}

/**
 * A condition stands in the prompt of its assistant, and describes the handoff or the transfer that
 * it became. Of conditions of one destination that read the same, one stands there.
 */
function edgeText(search: Search, edge: SourceEdge): void {
  const { condition, from, to, index } = edge;
  if (condition === undefined) return;
  const { tracks } = search.ground;
  const outputs = tracks.entry('edge', `/edges/${index}`)?.outputs ?? [];
  const own = quoted(search, conditionsLike(search, edge));
  const texts = [...search.quotations.values()].flat().filter(({ text }) => text === condition);
  for (const member of ownersOf(tracks, from)) {
    const here = outputs.filter((at) => memberOf(tracks, at) === member);
    demand(here.length > 0, () => `edge ${index} has no place in member ${member}`);
    const inPrompt = own.some(({ at }) => at === promptAt(tracks, member));
    demand(inPrompt, () => missing(condition, member, 'the prompt'));
    for (const at of here) {
      if (isContent(at)) continue;
      const places = [`${at}/description`, `${at}/destinations/0/description`];
      const describes = texts.some((quotation) => places.includes(quotation.at));
      demand(describes, () => missing(condition, member, at));
    }
    const end = nodeOf(tracks.source, to);
    demand(end.type === 'transferCall' || !isExit(end) || here.every(isContent), () => {
      return `the way to the end by edge ${index} is not in the prompt: ${here.join()}`;
    });
  }
}

/** The places of the conditions of this edge and of the edges that are the same step. */
function conditionsLike({ ground, equals }: Search, edge: SourceEdge): JsonPointer[] {
  const [from, to] = [equals(edge.from), equals(edge.to)];
  return ground.tracks.source.edges
    .filter((other) => other.condition === edge.condition)
    .filter((other) => from.includes(other.from) && to.includes(other.to))
    .map(({ index }) => `/edges/${index}/condition`);
}

function isContent(at: string): boolean {
  return at.endsWith('/messages/0/content');
}

function members({ tracks }: Ground): number[] {
  return Array.from({ length: memberCount(tracks) }, (_, member) => member);
}

function transfers({ tracks }: Ground, member: number): string[] {
  return toolsOf(tracks, member, 'transferCall').map((at) => `${at}/destinations/0`);
}

function missing(text: string | undefined, member: number, where: string): string {
  return `${JSON.stringify(text)} is not in ${where} of member ${member}`;
}
