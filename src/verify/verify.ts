/**
 * The verifier: is this squad a faithful migration of this workflow?
 *
 *     raw workflow ────────conserve──────── raw squad      every value stands, no tag is added
 *     workflow ──expect──▶ graph         prompts ──lift──▶ steps
 *                            └──────walk──────┘            both at once, from the start
 *                                    │
 *                  nine items of the checklist, and calls that show what differs
 *
 * It knows the two documents, the options and the answers, but not how the squad was made.
 */
import { plain } from '../call/prompt.js';
import { type Destination, readSquad } from '../call/squad.js';
import { readPrompts } from '../call/vocabulary.js';
import { readJson } from '../compiler/1-read/copy-json.js';
import { parseWorkflow } from '../compiler/1-read/parse-workflow.js';
import { readOptions } from '../compiler/2-ask/options.js';
import type { NodeIndex } from '../compiler/ir/ids.js';
import { toToolName } from '../compiler/ir/names.js';
import type { Settled, Target } from '../compiler/ir/options.js';
import type {
  ChecklistItem,
  Diagnostic,
  Verification,
  VerifyOptions,
} from '../compiler/ir/result.js';
import { hideInSentences, maskSecrets } from '../compiler/ir/secrets.js';
import { builtInVariables } from '../compiler/ir/variables.js';
import type * as ir from '../compiler/ir/workflow.js';
import { functionOf, withToolNames } from '../compiler/ir/workflow.js';
import { targetOf } from '../compiler/targets.js';
import type { Dialogue } from '../diagnostics/answers.js';
import { diagnose } from '../diagnostics/diagnose.js';
import { faultsOfSquad } from '../diagnostics/schema-fault.js';
import { groupBy } from '../graph/lists.js';
import { isObject, type Json, type JsonObject } from '../text/json.js';
import { type Assumed, judgeEveryChoice } from './choices.js';
import type { Comparison, Pairing } from './comparison.js';
import { type Expected, expectGrouping, readEverywhere } from './expected/grouping.js';
import {
  type Handoff,
  listHandoffs,
  memo,
  type Owners,
  outgoing,
  type SourceGraph,
} from './expected/source.js';
import { expectTools, keyOfGiven, keyOfTool, nameOfRequest } from './expected/tools.js';
import { asCreated } from './foreign/platform-shape.js';
import { compareProse } from './foreign/prose.js';
import { groupHandoffs, matchDestinations } from './items/handoffs.js';
import { listCarried, uniteCrossings } from './items/plans.js';
import { pairTools } from './items/tools.js';
import { listLosses, type Raw } from './losses.js';
import { itemOf, judge, judgeItems, verdictOf } from './report.js';
import { spotsOfPairs, traceFlows } from './walk/crossing.js';
import type { Move } from './walk/find.js';
import { checkToldLines, listMemberFacts, type MemberFacts } from './walk/members.js';
import { placeNodes } from './walk/place.js';
import { type CallNames, checkOpenings, compareCalls } from './walk/prompts.js';
import { listReads } from './walk/reads.js';
import { compareValues } from './walk/values.js';

/**
 * Decides whether `squad` is a faithful migration of `workflow` (spec/3, "Validation checklist"):
 * the nine items, and whether every call of the workflow finds the same lines, instructions, tools,
 * transfers and variables in the squad, and the squad allows no handoff that the workflow does not.
 * Works on squads of both shapes, from any source. Without the answers that the squad was made
 * with, the items that depend on them do not hold. Pure; never throws on bad input.
 */
export function verify(
  workflow: unknown,
  squad: unknown,
  options: VerifyOptions = {},
): Verification {
  const { value = null, faults: ofSquad } = readJson(squad);
  // A text of a squad may be longer than those of a workflow: a prompt contains many of them.
  const isJson = ofSquad.every(({ code }) => code === 'shape/text-too-long');
  const mistakenFor = isJson ? identify(value) : 'something that is not JSON';
  const whole = isJson && isObject(value) ? value : {};
  const document = isObject(whole['squad']) ? whole : asCreated(whole);
  const { sourceMap: _, ...given } = options;
  // Unless the caller names the target, the shape of the document decides.
  const { options: settled, diagnostics: faults } = readOptions(given, targetOf(document));
  const { workflow: source, diagnostics: found } = parseWorkflow(workflow);
  const errors = [...found, ...faults].filter(({ severity }) => severity === 'error');
  const looksLike = mistakenFor ?? '';
  if (looksLike) errors.push(diagnose('check/not-a-squad', '', { looksLike }, { in: 'squad' }));
  if (source === null || errors.length > 0) return unreadable(errors);
  const secrets = [...source.secrets, ...maskSecrets({ document, options: given }).texts];
  const named = withToolNames(source, settled);
  const raw: Raw = { document: readJson(workflow).value ?? null, found };
  const plain = verifyParsed(named, document, settled, given.target ?? null, raw);
  return hideInSentences(plain, secrets);
}

/**
 * Like `verify`, for a workflow that has been read and a document that is JSON. The compiler does not
 * give the raw workflow with its own squads: an odd value that stands there otherwise is no bug.
 */
export function verifyParsed(
  source: ir.Workflow,
  document: JsonObject,
  options: Settled,
  stated: Target | null = options.target,
  raw: Raw | null = null,
): Verification {
  const expected = expectGrouping(source, options);
  if (!('graph' in expected)) return unreadable([expected]);
  const judgeWith = (assumed: Assumed) => {
    const isFirst = Object.keys(assumed).length === 0;
    const answered = isFirst ? options : withAnswers(options, assumed);
    const settled = isFirst ? expected : expectGrouping(source, answered);
    if (!('graph' in settled)) return null;
    const comparison = compare(settled, document, options, stated);
    const losses = raw ? listLosses(raw, source, { ...comparison, options: answered }) : [];
    return judge(comparison, losses);
  };
  const { judged, isRefuted } = judgeEveryChoice(judgeWith, itemOf)!;
  return judged.conclude(expected.dialogue.open, isRefuted);
}

function withAnswers(options: Settled, assumed: Assumed): Settled {
  const answers = { ...assumed, ...options.answers.answers };
  return { ...options, answers: { ...options.answers, answers } };
}

/**
 * The checklist of a draft: the assumptions for open questions count as answers, and the items of
 * these questions are not decided.
 */
export function checkDraft(
  source: ir.Workflow,
  document: JsonObject,
  options: Settled,
  { assumed, open }: Pick<Dialogue, 'assumed' | 'open'>,
): readonly ChecklistItem[] {
  const expected = expectGrouping(source, withAnswers(options, Object.fromEntries(assumed)));
  if (!('graph' in expected)) return [];
  return judgeItems({ ...compare(expected, document, options), open }).checklist;
}

/** Nothing was checked, so nothing holds. */
function unreadable(diagnostics: readonly Diagnostic[]): Verification {
  return verdictOf({ checklist: [], counterexamples: [], diagnostics });
}

/** What was passed instead of a squad; null for a document with members. */
function identify(document: Json): string | null {
  if (Array.isArray(document)) return 'a list';
  if (typeof document === 'string' && /^\s*<!doctype html/i.test(document)) return 'a web page';
  if (!isObject(document)) return document === null ? 'null' : `a ${typeof document}`;
  const { members } = isObject(document['squad']) ? document['squad'] : document;
  if (Array.isArray(members)) return null;
  const has = (key: string) => Object.hasOwn(document, key);
  if (has('status') && has('checklist')) return 'a result of squadc, which is not the squad itself';
  if (Array.isArray(document['nodes'])) return 'a workflow';
  return has('model') ? 'an assistant' : 'an object without members';
}

/** Walks both documents, then compares what is said, called and carried. */
function compare(
  expected: Expected,
  document: JsonObject,
  options: Settled,
  stated: Target | null = options.target,
): Comparison {
  const { graph, grouping, dialogue, supplied } = expected;
  const named = graph.order.flatMap((it) => graph.nodeAt(it).assistant?.savedAs?.value ?? []);
  const squad = readSquad(document, new Set(named));
  const { members, shape } = squad;
  const readings = readPrompts(graph, squad);
  const placed = placeNodes(graph, grouping.standsFor, squad, readings);
  const { owners, pairs } = placed;
  const { spots, stepOf } = spotsOfPairs(graph, pairs);
  const given = new Set([...supplied, ...builtInVariables]);
  const flows = traceFlows(graph, spots, readEverywhere(graph), given);
  const reads = listReads(graph, spots, flows);
  const critical = options.criticalVariables;
  const facts = listMemberFacts({ ...placed, graph, squad, spots, reads, critical, readings });
  const all = listHandoffs(graph, owners, members.length);
  // Handoffs of a saved assistant are not visible, unless only the squad can make them.
  const handoffs = all.filter(({ member }) => !members[member]!.unseen);
  const every = pairs.flatMap((pair) => pair.moves);
  const moves = groupBy(every, ({ from, edge, node }) => moveKey(from.member, edge, node));
  const movesOf = ({ member, edge, to }: Handoff) =>
    moves.get(moveKey(member, edge, owners.standsFor(to))) ?? [];
  const crossings = memo((handoff: Handoff) => {
    const crossing = movesOf(handoff).flatMap((it) => flows.crossings(stepOf.get(it)!));
    return uniteCrossings(graph, crossing);
  });
  const sayWhen = (handoff: Handoff) => whenOf(graph, owners, facts, handoff);
  const placeOf = ({ member, from }: Handoff) =>
    from === null ? Number.MAX_VALUE : facts[member]!.nodes.indexOf(owners.standsFor(from));
  const groups = groupHandoffs(handoffs, owners.standsFor, sayWhen, placeOf, shape.hasFunctions);
  const madeBy = (handoff: Handoff) =>
    shape.hasFunctions ? (movesOf(handoff)[0]?.destination ?? null) : null;
  const handoffsOf = matchDestinations(squad, groups, crossings, madeBy);
  const destinations = new Map<Move, Destination>();
  for (const [destination, implemented] of handoffsOf) {
    for (const move of implemented.flatMap(movesOf)) destinations.set(move, destination);
  }
  const destinationOf = (move: Move) => destinations.get(move) ?? move.destination;
  const { needed, homeless } = expectTools(graph, squad, owners, facts, handoffs);
  const pairings = members.map((it) => pairTools(it, needed[it.index]!.tools, squad.shape));
  const toolOf = (
    member: number,
    node: ir.WorkflowNode,
    tool: ir.Request | ir.GivenTool | null,
  ) => {
    const key =
      tool !== null && 'savedAs' in tool
        ? keyOfGiven(tool)
        : keyOfTool(graph.nodeAt(owners.standsFor(node.index)));
    return pairings[member]!.pairs.find(([want]) => want.key === key)?.[1] ?? null;
  };
  const { values, early } = compareValues({
    ...{ graph, readings, pairs, spots, stepOf, flows, facts, reads, given, toolOf },
    ...{ destinationOf, carriedBy: memo(listCarried), marksTokens: shape.marksTokens },
  });
  const lacking = new Set(
    [...handoffsOf].flatMap(([destination, own]) => {
      const carried = listCarried(destination);
      return own.flatMap(crossings).flatMap(({ name }) => (carried.has(name) ? [] : name));
    }),
  );
  const names = nameCalls(pairings, owners.standsFor);
  const differences = [
    ...placed.differences,
    ...checkOpenings({ graph, squad, readings, pairs, reads }),
    ...compareCalls({ graph, squad, readings, pairs, names, destinationOf }),
    ...checkToldLines(graph, squad, pairs, facts),
    ...early,
    ...values.filter(({ variable }) => !lacking.has(variable)),
  ];
  const prose = members.map((member) => {
    if (member.unseen || readings[member.index]!.prompt !== null) return null;
    const own = pairs.filter((pair) => pair.member === member.index);
    if (own.length === 0) return null;
    const input = { graph, owners, member, pairs: own, names, destinationOf };
    return compareProse({ ...input, facts: facts[member.index]! });
  });
  differences.push(...prose.flatMap((it) => it?.differences ?? []));
  return {
    ...{ ...expected, ...placed, squad, visits: pairs, steps: facts, crossings, handoffs },
    ...{ pairings, needed, homeless, groups, handoffsOf, differences, values },
    ...{ document, faults: faultsOfSquad(document, shape.name), options, stated },
    open: dialogue.open,
    doubts: prose.map((it) => it?.doubts ?? []),
  };
}

function moveKey(member: number, edge: ir.WorkflowEdge | null, to: NodeIndex): string {
  return edge === null ? `${member} to ${to}` : `${member} ${edge.index}`;
}

/** The condition of a handoff, or what stands for it. */
function whenOf(
  graph: SourceGraph,
  owners: Owners,
  facts: readonly MemberFacts[],
  { member, from, condition, edge }: Handoff,
): string {
  if (condition !== null) return plain(condition);
  const all = outgoing(graph, owners.standsFor, owners.standsFor(from!));
  const beside = all.flatMap((it) => it.condition ?? []);
  return facts[member]!.whenDone(edge!, beside).value;
}

/** A prompt calls a tool by its name, or by the expected one if it has none. */
function nameCalls(pairings: readonly Pairing[], standsFor: Owners['standsFor']): CallNames {
  const namesIn = ({ pairs }: Pairing) => new Map(pairs.map(([{ key }, it]) => [key, it.name]));
  const named = pairings.map(namesIn);
  return (member, it) => {
    const nameOf = (key: string, wanted: string) => named[member]!.get(key) || wanted;
    if ('tool' in it) {
      if (it.node !== null) return [nameOf(`node ${standsFor(it.node)}`, it.tool)];
      return [nameOf(`custom ${toToolName(it.tool)}`, toToolName(it.tool))];
    }
    const { request, tools, index } = it;
    if (request !== null) return [nameOf(`node ${standsFor(index)}`, nameOfRequest(it))];
    return tools.flatMap((tool) => functionOf(tool) ?? []);
  };
}
