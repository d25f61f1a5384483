/**
 * The results of the check: the nine items of spec/3 with their evidence, diagnostics, and a call
 * that shows each fault.
 *
 * A difference is shown by the shortest call to its place, a lost variable by a call that reads it,
 * any other fact by the shortest call to the node or the assistant that it is about.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { QuestionKind } from '../compiler/ir/options.js';
import type { ChecklistItem, Diagnostic, Evidence, Walk, WalkStep } from '../compiler/ir/result.js';
import type { WorkflowEdge, WorkflowNode } from '../compiler/ir/workflow.js';
import {
  itemTitles,
  ofEndings,
  ofHandoffs,
  ofQuestions,
  ofTools,
  ofVariables,
} from '../diagnostics/checklist.js';
import { diagnose } from '../diagnostics/diagnose.js';
import { faultsOfSquad } from '../diagnostics/schema-fault.js';
import { groupBy } from '../graph/lists.js';
import type { JsonPointer } from '../text/pointer.js';
import { checkEntry, checkGrouping } from './assistants.js';
import { type Comparison, type Finding, fact, fault } from './comparison.js';
import { checkCallers, checkNames, checkShape } from './document.js';
import { checkEndings, checkHandoffs, checkPlans } from './handoffs.js';
import type { Pair as Visit } from './place.js';
import { checkSettings } from './settings.js';
import { checkTools } from './tools.js';

interface Item {
  readonly check: (comparison: Comparison) => readonly Finding[];
  /** The text if there is nothing to check. */
  readonly nothing?: () => string;
  /** The questions that it depends on: while one of them is open, it does not hold. */
  readonly asks?: readonly QuestionKind[];
}

const ofData: readonly QuestionKind[] = [
  'critical-variable',
  'read-too-early',
  'undefined-variable',
];
const ofCalls: readonly QuestionKind[] = [
  'missing-destination',
  'missing-endpoint',
  'missing-auth',
];

/** In the order of spec/3. */
const items: readonly Item[] = [
  { check: checkEntry, asks: ['ambiguous-start', 'missing-edges'] },
  { check: checkGrouping, asks: ['cyclic-stages', 'global-returns', 'conflicting-settings'] },
  {
    check: checkHandoffs,
    nothing: ofHandoffs.none,
    asks: ['logical-condition', 'missing-condition'],
  },
  { check: checkPlans, nothing: ofVariables.none, asks: ofData },
  { check: checkTools, nothing: ofTools.none, asks: ofCalls },
  { check: checkEndings, nothing: ofEndings.none },
  { check: checkNames },
  { check: checkShape },
  { check: checkCallers },
];

/**
 * Judges the items, each from the input alone: one holds if all its evidence does, or if an answer
 * waives the rest.
 */
export function judgeItems(comparison: Comparison): ChecklistItem[] {
  const { differences, open, grouping } = comparison;
  // Answers that keep stages apart.
  const waiving = grouping.decisions.find(({ choice }) => /^(?:keep-split|group)$/.test(choice));
  return items.map(({ check, nothing, asks = [] }, index) => {
    const item = index + 1;
    const found = check(comparison);
    const own = found.length === 0 && nothing !== undefined ? [fact(nothing(), [], [])] : found;
    // Item 6 already contains the differences about the end of calls.
    const said = differences.filter((it) => it.item === item && item !== 6);
    const facts = [...own, ...said.map((it) => fault(it.text, it.source, it.output))];
    const unanswered = open
      .filter(({ kind }) => asks.includes(kind))
      .map(({ id, at }) => fault(ofQuestions.open(id), at, []));
    const holds = unanswered.length === 0 && facts.every((it) => it.holds || it.excused === true);
    const evidence = [...facts, ...unanswered].map(evidenceOf);
    const waivedBy = waiving?.inquiry.question.id;
    const waived = waivedBy === undefined || item !== 2 || !holds ? {} : { waivedBy };
    return { item, title: itemTitles[index]!, holds, ...waived, evidence };
  });
}

function evidenceOf({ holds, text, source, output }: Finding): Evidence {
  return { holds, text, source, output };
}

export function listDiagnostics(
  comparison: Comparison,
  checklist: readonly ChecklistItem[],
): Diagnostic[] {
  const { document, dialogue, open, differences, graph, squad, notPlaced, undecided } = comparison;
  const findVisit = createVisitFinder(comparison);
  const inSquad = { in: 'squad' } as const;
  // A node that no assistant seems to own may belong to a saved one.
  const isUnseen = squad.members.some(({ unseen }) => unseen);
  return [
    ...dialogue.diagnostics,
    ...open.map(({ id, kind, at: [at = '', ...related] }) => {
      const item = items.findIndex(({ asks }) => asks?.includes(kind)) + 1;
      return diagnose('check/open-question', at, { question: id, item }, { related });
    }),
    ...checklist.flatMap(({ item, title, evidence, holds }) => {
      const {
        text = '',
        source = [],
        output: [place] = [],
      } = evidence.find((it) => !it.holds) ?? {};
      const [at = '', ...related] = place === undefined ? source : [place, ...source];
      const where = place === undefined ? { related } : { related, ...inSquad };
      return holds ? [] : [diagnose('check/item-fails', at, { item, title, text }, where)];
    }),
    ...differences.map((it) => {
      const {
        text,
        source,
        output: [at = ''],
      } = it;
      const walk = shortWalk(comparison, findVisit(it));
      return diagnose('check/walk', at, { walk, text }, { related: source, ...inSquad });
    }),
    ...checkSettings(comparison).map(({ text, source, output: [at = ''] }) =>
      diagnose('check/setting-differs', at, { text }, { related: source, ...inSquad }),
    ),
    ...(isUnseen ? [] : [...notPlaced]).map(([index, nearest]) => {
      const { id: node, at } = graph.nodeAt(index);
      const near = nearest === null ? null : squad.members[nearest]!.called;
      return diagnose('check/not-placed', at, { node, near });
    }),
    ...squad.members.flatMap(({ assistantId, at }) =>
      assistantId === null
        ? []
        : [diagnose('check/not-seen', `${at}/assistantId`, { assistantId }, inSquad)],
    ),
    ...faultsOfSquad(document, squad.wrapped ? 'squad' : 'vapi').settings.map((it) =>
      diagnose('check/setting-unknown', it.at, it, inSquad),
    ),
    ...undecided.map((member) => {
      const { called, promptAt } = squad.members[member]!;
      return diagnose('check/not-decided', promptAt, { assistant: called }, inSquad);
    }),
  ];
}

/** Where a call shows a finding: after a visit, or one step further along an edge. */
interface Position {
  readonly visit: Visit | null;
  readonly edge: WorkflowEdge | null;
}

/**
 * The first visit of one of the nodes that a finding is about in one of its members, else the first
 * visit of one of the members. A finding about an edge is about the node that it leaves.
 */
function createVisitFinder({ graph, visits, owners }: Comparison) {
  const { nodes, edges } = graph.workflow;
  const byMember = new Map(visits.toReversed().map((it) => [it.member, it]));
  const byNode = groupBy(visits, ({ node }) => node);
  const about = new Map<JsonPointer, WorkflowNode | WorkflowEdge>(
    [...nodes, ...edges].map((it) => [it.at, it]),
  );
  const partAt = (place: JsonPointer) => {
    let at = place;
    while (at !== '' && !about.has(at)) at = at.slice(0, at.lastIndexOf('/'));
    return about.get(at) ?? [];
  };
  return ({ source, output }: Pick<Evidence, 'source' | 'output'>): Position => {
    const parts = source.flatMap(partAt);
    const members = new Set(output.flatMap((at) => memberAt(at) ?? []));
    const all = parts.flatMap(
      (it) => byNode.get(owners.standsFor('from' in it ? it.from : it.index)) ?? [],
    );
    const there = members.size === 0 ? all : all.filter((it) => members.has(it.member));
    const near = there.length > 0 ? there : [...members].flatMap((it) => byMember.get(it) ?? []);
    const [visit = null] = near.sort((one, other) => one.depth - other.depth);
    const edge = parts.find((it) => 'from' in it && it.from === visit?.node);
    return { visit, edge: edge !== undefined && 'from' in edge ? edge : null };
  };
}

function memberAt(at: JsonPointer): number | null {
  const found = /^(?:\/squad)?\/members\/(\d+)(?:\/|$)/.exec(at);
  return found === null ? null : Number(found[1]);
}

/** The ids of a call; of a long call the start and the end, with an ellipsis between. */
function shortWalk({ graph }: Comparison, { visit, edge }: Position): string[] {
  const ids = edge === null ? [] : [graph.nodeAt(edge.to).id];
  let at = visit;
  for (; at !== null && ids.length < 8; at = at.parent) ids.push(graph.nodeAt(at.node).id);
  if (at !== null) ids.push('…', graph.nodeAt(graph.start).id);
  return ids.reverse();
}

function stepTo({ graph }: Comparison, index: NodeIndex, edge: WorkflowEdge | null): WalkStep {
  const { id, at } = graph.nodeAt(index);
  return { node: id, at, via: edge?.at ?? null };
}

/** The most steps listed in all: if everything differs, the shortest calls are enough. */
const maxSteps = 100_000;

export function listCounterexamples(
  comparison: Comparison,
  checklist: readonly ChecklistItem[],
): Walk[] {
  const findVisit = createVisitFinder(comparison);
  const lost = listLostVariables(comparison);
  /** A difference and an item of the checklist may report the same fault. */
  const keyOf = ({ source: [at = ''], output }: Pick<Evidence, 'source' | 'output'>) =>
    `${at} ${output.map((it) => memberAt(it) ?? '').join(' ')}`;
  const { differences } = comparison;
  const shown = new Set([...differences, ...lost].map(keyOf));
  // A call need not show what an answer excuses.
  const failing = checklist.flatMap(({ holds, evidence }) =>
    holds ? [] : evidence.filter((it) => !it.holds),
  );
  const found = [...differences, ...failing.filter((it) => !shown.has(keyOf(it)))]
    .map((it) => ({ ...findVisit(it), finding: it }))
    .sort((one, other) => (one.visit?.depth ?? 0) - (other.visit?.depth ?? 0));
  const calls: Walk[] = [];
  let left = maxSteps;
  for (const { visit, edge, finding } of found) {
    if (visit === null) continue;
    left -= visit.depth;
    if (left < 0) break;
    const steps = edge === null ? [] : [stepTo(comparison, edge.to, edge)];
    for (let at: Visit | null = visit; at !== null; at = at.parent) {
      steps.push(stepTo(comparison, at.node, at.edge));
    }
    const { text, source, output } = finding;
    calls.push({ steps: steps.reverse(), text, source, output });
  }
  return [...calls, ...lost].sort((one, other) => one.steps.length - other.steps.length);
}

/** The calls that show reads with another value. */
function listLostVariables(comparison: Comparison): Walk[] {
  return comparison.values.map(({ call, text, source, output }): Walk => {
    const steps = call.map(([{ node }, edge]) => stepTo(comparison, node, edge));
    return { steps, text, source, output };
  });
}
