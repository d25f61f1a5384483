/**
 * The verifier: is this squad a faithful migration of this workflow?
 *
 *     workflow + answers ──settle──▶ expected: what a call can do, and the assistants it needs
 *                                         │
 *     squad ──────read─────────────▶ compare: nodes matched to members, then field by field
 *                                         │
 *                    nine items of the checklist, and calls that show what differs
 *
 * It knows the two documents, the options and the answers, but not how the squad was made. With the
 * compiler it shares facts (the reader, the wording, the templates of tools) and no decisions.
 */
import { readJson } from '../compiler/1-read/copy-json.js';
import { parseWorkflow } from '../compiler/1-read/parse-workflow.js';
import type { Dialogue } from '../compiler/2-ask/answers.js';
import { readOptions } from '../compiler/2-ask/options.js';
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { Settled, Target } from '../compiler/ir/options.js';
import type {
  ChecklistItem,
  Diagnostic,
  Verification,
  VerifyOptions,
} from '../compiler/ir/result.js';
import { hideInSentences, maskSecrets } from '../compiler/ir/secrets.js';
import { handoffFunction } from '../compiler/ir/wording.js';
import { functionOf, type Workflow, withToolNames } from '../compiler/ir/workflow.js';
import { ofLosses } from '../diagnostics/checklist.js';
import { diagnose } from '../diagnostics/diagnose.js';
import { isObject, type Json, type JsonObject } from '../text/json.js';
import { type Comparison, type Finding, fault, type Pairing } from './comparison.js';
import { conserve } from './conserve.js';
import { computeCrossings } from './expected/crossings.js';
import { type CallNames, expectPrompts, type HandoffWords } from './expected/prompts.js';
import { type Settlement, settle } from './expected/settle.js';
import { type Handoff, listHandoffs, type Owners, orderSteps } from './expected/source.js';
import { expectSupply } from './expected/supply.js';
import { expectTools, nameOfRequest, toolName } from './expected/tools.js';
import { groupHandoffs, matchDestinations } from './handoffs.js';
import { elements } from './json.js';
import { matchNodes } from './match.js';
import { comparePrompt } from './prompts.js';
import { judgeItems, listCounterexamples, listDiagnostics } from './report.js';
import { type Destination, readSquad, type Squad } from './squad.js';
import { pairTools } from './tools.js';

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
  const document = isJson && isObject(value) ? value : {};
  const { sourceMap: _, ...given } = options;
  // Unless the caller names the target, the shape of the document decides.
  const target = given.target ?? (isObject(document['squad']) ? 'squad' : 'vapi');
  const { options: settled, diagnostics: faults } = readOptions(given, target);
  const { workflow: source, diagnostics: found } = parseWorkflow(workflow);
  const errors = [...found, ...faults].filter(({ severity }) => severity === 'error');
  if (source === null || errors.length > 0) return unreadable(errors);
  const secrets = [...source.secrets, ...maskSecrets({ document, options: given }).texts];
  const named = withToolNames(source, settled);
  const plain = verifyParsed(named, workflow, document, settled, given.target ?? null);
  const verification = hideInSentences(plain, secrets);
  if (mistakenFor === null) return verification;
  const notSquad = diagnose('check/not-a-squad', '', { looksLike: mistakenFor }, { in: 'squad' });
  return { ...verification, holds: false, diagnostics: [notSquad, ...verification.diagnostics] };
}

/** Like `verify`, for a workflow that has been read from `raw`, and a document that is JSON. */
export function verifyParsed(
  source: Workflow,
  raw: unknown,
  document: JsonObject,
  options: Settled,
  stated: Target | null = options.target,
): Verification {
  const settlement = settle(source, options);
  if (!('graph' in settlement)) return unreadable([settlement]);
  const comparison = compare(settlement, document, options, stated);
  const checklist = judgeItems(comparison);
  const found = listDiagnostics(comparison, checklist);
  const losses = findLosses(raw, comparison, checklist, found);
  const diagnostics = [...found, ...losses.map(diagnoseLoss)];
  const holds = diagnostics.every(({ severity }) => severity !== 'error');
  const differences = [...comparison.differences, ...losses];
  const counterexamples = holds
    ? []
    : listCounterexamples({ ...comparison, differences }, checklist);
  return { holds, checklist, counterexamples, diagnostics };
}

/** What the squad lacks of the workflow as it was given, unless something else reports its place. */
function findLosses(
  raw: unknown,
  { document, options, open }: Comparison,
  checklist: readonly ChecklistItem[],
  found: readonly Diagnostic[],
): Finding[] {
  // Without these answers it is unknown what they replace.
  if (open.some(({ kind }) => kind === 'undefined-variable' || kind === 'conflicting-settings')) {
    return [];
  }
  const { model, memberOverrides } = options;
  const replaced = Object.keys({ ...(model && { model }), ...memberOverrides });
  const faults = found.filter(({ severity }) => severity === 'error');
  // What an answer excuses is no fault.
  const failing = checklist.filter(({ holds }) => !holds);
  const evidence = failing.flatMap((item) => item.evidence).filter(({ holds }) => !holds);
  const inSquad = [
    ...faults.flatMap((it) => (it.in === 'squad' ? it.at : [])),
    ...evidence.flatMap(({ output }) => output),
  ];
  const inSource = [
    ...faults.flatMap((it) => [...(it.in === undefined ? [it.at] : []), ...it.related]),
    ...evidence.flatMap(({ source }) => source),
  ];
  const isWithin = (one: string, other: string) => one === other || one.startsWith(`${other}/`);
  return conserve(raw, document, { ...options.answers, replaced }).flatMap((loss): Finding[] => {
    const { at, value } = loss;
    const reported = loss.in === 'squad' ? inSquad : inSource;
    const isKnown = reported.some((it) => it !== '' && (isWithin(at, it) || isWithin(it, at)));
    if (isKnown) return [];
    return loss.in === 'squad'
      ? [fault(ofLosses.stray(value), [], [at])]
      : [fault(ofLosses.lacks(value), [at], [])];
  });
}

function diagnoseLoss({ text, source: [at], output: [place] }: Finding): Diagnostic {
  return at === undefined
    ? diagnose('check/lost', place!, { text }, { in: 'squad' })
    : diagnose('check/lost', at, { text });
}

/**
 * The checklist of a draft: the assumptions for open questions count as answers, and the items of
 * these questions do not hold.
 */
export function checkDraft(
  source: Workflow,
  document: JsonObject,
  options: Settled,
  { assumed, open }: Pick<Dialogue, 'assumed' | 'open'>,
): readonly ChecklistItem[] {
  const answers = { ...Object.fromEntries(assumed), ...options.answers.answers };
  const settlement = settle(source, { ...options, answers: { ...options.answers, answers } });
  if (!('graph' in settlement)) return [];
  return judgeItems({ ...compare(settlement, document, options), open });
}

/** Nothing was checked, so nothing holds. */
function unreadable(diagnostics: readonly Diagnostic[]): Verification {
  return { holds: false, checklist: [], counterexamples: [], diagnostics };
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

/** Matches members to nodes, then compares expected and actual calls and texts. */
function compare(
  settlement: Settlement,
  document: JsonObject,
  options: Settled,
  stated: Target | null = options.target,
): Comparison {
  const { graph, variables, grouping, dialogue } = settlement;
  const named = graph.order.flatMap((it) => graph.nodeAt(it).assistant?.savedAs?.value ?? []);
  const squad = readSquad(document, new Set(named));
  const { members, wrapped } = squad;
  const match = matchNodes(graph, grouping, squad);
  const { owners } = match;
  const { standsFor } = owners;
  const all = listHandoffs(graph, owners, members.length);
  // Handoffs of a saved assistant are not visible, unless only the squad can make them.
  const handoffs = all.filter(({ member }) => !members[member]!.unseen);
  const crossings = computeCrossings(graph, variables, owners, handoffs);
  const steps = orderSteps(graph, squad, owners, all, match.nodesOf);
  const critical = options.criticalVariables;
  const matched = { ...settlement, squad, owners, handoffs: all, crossings, steps };
  const supplyOf = expectSupply({ ...matched, critical });
  const expectedTools = expectTools(graph, squad, owners, steps, handoffs, supplyOf);
  const pairings = members.map((it) => pairTools(it, expectedTools.of(it.index), wrapped));
  const names = nameCalls(pairings, standsFor);
  const called = new Map<string, HandoffWords>();
  const keyOf = ({ member, edge, to }: Handoff) => `${member} ${edge?.index ?? `to ${to}`}`;
  const handoffOf = (handoff: Handoff) => called.get(keyOf(handoff)) ?? null;
  const prompts = expectPrompts({ ...matched, names, handoffOf, supplyOf });
  const numberOf = (member: number, node: NodeIndex) => steps[member]!.numbers.get(node)!;
  const groups = groupHandoffs(handoffs, standsFor, prompts.sayWhen, numberOf, !squad.wrapped);
  const handoffsOf = matchDestinations(squad, groups, crossings);
  for (const [destination, implemented] of handoffsOf) {
    const words = wordsFor(squad, destination);
    for (const handoff of implemented) called.set(keyOf(handoff), words);
  }
  const seen = members.filter(({ unseen }) => !unseen);
  const differences = seen.flatMap((it) => comparePrompt(it, prompts.of(it.index)));
  const { open } = dialogue;
  const found = { pairings, expectedTools, groups, handoffsOf, differences };
  return { ...matched, ...match, ...found, handoffs, document, options, stated, open };
}

/** How a prompt mentions a handoff; an unnamed function is named after the assistant. */
function wordsFor({ wrapped }: Squad, { target, tool }: Destination): HandoffWords {
  const to = target ?? '';
  if (wrapped) return { to, by: null };
  const isShared = tool !== null && elements(tool.value['destinations']).length > 1;
  return { to, by: { name: tool?.name || handoffFunction([to]), isShared } };
}

/** A prompt calls a tool by its name, or by the expected one if it has none. */
function nameCalls(pairings: readonly Pairing[], standsFor: Owners['standsFor']): CallNames {
  const named = pairings.map(
    ({ pairs }) => new Map(pairs.map(([{ key }, tool]) => [key, tool.name])),
  );
  return (member, it) => {
    const nameOf = (key: string, wanted: string) => named[member]!.get(key) || wanted;
    if ('tool' in it) {
      if (it.node !== null) return [nameOf(`node ${standsFor(it.node)}`, it.tool)];
      return [nameOf(`custom ${toolName(it.tool)}`, toolName(it.tool))];
    }
    const { request, tools, index } = it;
    if (request !== null) return [nameOf(`node ${standsFor(index)}`, nameOfRequest(it))];
    return tools.flatMap((tool) => functionOf(tool) ?? []);
  };
}
