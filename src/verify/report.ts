/**
 * The results of the check: the nine items of spec/3 with their evidence, diagnostics, and a call
 * that shows each fault.
 *
 * A difference is shown by the shortest call to its place, a lost variable by a call that reads it,
 * any other fact by the shortest call to the node or the assistant that it is about.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { Answer, QuestionKind } from '../compiler/ir/options.js';
import type {
  ChecklistItem,
  Diagnostic,
  Evidence,
  Question,
  Verification,
  Walk,
  WalkStep,
} from '../compiler/ir/result.js';
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
import type { Comparison } from './comparison.js';
import { doubt, type Finding, fact, fault } from './finding.js';
import { checkEntry, checkGrouping } from './items/assistants.js';
import { checkCallers, checkNames, checkShape } from './items/document.js';
import { checkEndings } from './items/endings.js';
import { checkHandoffs } from './items/handoffs.js';
import { checkPlans } from './items/plans.js';
import { checkSettings } from './items/settings.js';
import { checkTools } from './items/tools.js';
import { verdictOf } from './verdict.js';
import type { Pair as Visit } from './walk/find.js';

interface Item {
  readonly check: (comparison: Comparison) => readonly Finding[];
  /** The text if there is nothing to check. */
  readonly nothing?: () => string;
  /** The questions that it depends on: while one of them is open, it is not decided. */
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
function judgeItems(comparison: Comparison): Items {
  const { differences, open, decisions } = comparison;
  // Answers that keep stages apart.
  const waiving = decisions.find(({ choice }) => /^(?:keep-split|group)$/.test(choice));
  const doubts: Finding[] = [];
  const checklist = items.map(({ check, nothing, asks = [] }, index) => {
    const item = index + 1;
    const found = check(comparison);
    doubts.push(...found.filter((it) => it.decided === false && it.isPart !== true));
    const own = found.length === 0 && nothing !== undefined ? [fact(nothing(), [], [])] : found;
    // Item 6 already contains the differences about the end of calls.
    const said = differences.filter((it) => it.item === item && item !== 6);
    const facts = [...own, ...said.map((it) => fault(it.text, it.source, it.output))];
    const unanswered = open
      .filter(({ kind }) => asks.includes(kind))
      .map(({ id, at }) => doubt(ofQuestions.open(id), at, []));
    const all = [...facts, ...unanswered];
    const isOpen = all.some((it) => it.decided === false);
    const fails = all.some((it) => !it.holds && it.decided !== false && it.excused !== true);
    const [holds, decided] = [!fails && !isOpen, fails || !isOpen];
    const evidence = all.map(evidenceOf);
    const waivedBy = waiving?.inquiry.question.id;
    const waived = waivedBy === undefined || item !== 2 || !holds ? {} : { waivedBy };
    return { item, title: itemTitles[index]!, holds, decided, ...waived, evidence };
  });
  return { checklist, doubts };
}

interface Items {
  readonly checklist: readonly ChecklistItem[];
  /** What is not decided, apart from open questions and parts of other doubts. */
  readonly doubts: readonly Finding[];
}

function evidenceOf({ holds, decided, text, source, output }: Finding): Evidence {
  return { holds, ...(decided === false && { decided }), text, source, output };
}

/** Whether the fact shows that an item fails. */
const isFault = ({ holds, decided }: Evidence) => !holds && decided !== false;

/** What a squad is under some assumptions. */
export interface Judged {
  readonly checklist: readonly ChecklistItem[];
  readonly fails: boolean;
  /** What fails in words, with the item. */
  readonly faults: ReadonlyMap<string, number | null>;
  readonly open: readonly Question[];
  /** The answers assumed for the open questions. */
  readonly assumptions: ReadonlyMap<string, Answer>;
  /** The verification; of an undecided squad, `isRefuted` is false. */
  readonly conclude: (open: readonly Question[], isRefuted: boolean) => Verification;
}

export function judge(comparison: Comparison): Judged {
  const judged = judgeItems(comparison);
  const { checklist } = judged;
  const { dialogue, open, differences } = comparison;
  const diagnostics = listDiagnostics(comparison, judged);
  const failing = checklist.flatMap(({ item, holds, evidence }) =>
    holds ? [] : evidence.filter(isFault).map(({ text }) => [text, item] as const),
  );
  const others = diagnostics.filter(
    ({ code, severity }) =>
      severity === 'error' && code !== 'check/item-fails' && code !== 'check/walk',
  );
  return {
    checklist,
    fails: diagnostics.some(({ severity }) => severity === 'error'),
    faults: new Map([
      ...others.map(({ message }) => [message, null] as const),
      ...differences.map(({ text, item = null }) => [text, item] as const),
      ...failing,
    ]),
    open,
    assumptions: dialogue.assumed,
    conclude: (questions, isRefuted) =>
      questions === open
        ? finish(comparison, checklist, diagnostics, isRefuted)
        : conclude({ ...comparison, open: questions }, isRefuted),
  };
}

function conclude(comparison: Comparison, isRefuted: boolean): Verification {
  const judged = judgeItems(comparison);
  return finish(comparison, judged.checklist, listDiagnostics(comparison, judged), isRefuted);
}

/** What only an assumption makes wrong is not decided. */
function finish(
  comparison: Comparison,
  judged: readonly ChecklistItem[],
  found: readonly Diagnostic[],
  isRefuted: boolean,
): Verification {
  const checklist = isRefuted ? judged : judged.map(withoutFaults);
  const diagnostics = isRefuted ? found : found.filter(({ severity }) => severity !== 'error');
  const counterexamples = isRefuted ? listCounterexamples(comparison, checklist) : [];
  return verdictOf({ checklist, counterexamples, diagnostics });
}

function withoutFaults(item: ChecklistItem): ChecklistItem {
  if (item.holds || !item.decided) return item;
  const evidence = item.evidence.map((it) => (it.holds ? it : { ...it, decided: false as const }));
  return { ...item, decided: false, evidence };
}

/** The checklist while these questions are open. */
export function judgeDraft(comparison: Comparison): readonly ChecklistItem[] {
  return judgeItems(comparison).checklist;
}

/** The items that depend on a question. */
export function itemsOf({ kind }: Question): readonly number[] {
  return items.flatMap(({ asks }, index) => (asks?.includes(kind) ? [index + 1] : []));
}

function listDiagnostics(comparison: Comparison, { checklist, doubts }: Items): Diagnostic[] {
  const { document, dialogue, open, differences, graph, squad, notPlaced } = comparison;
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
    ...listFailing(comparison, checklist),
    ...doubts.map(({ text, source, output: [at] }) => {
      const where = at === undefined ? {} : inSquad;
      const [first = '', ...related] = at === undefined ? source : [at, ...source];
      return diagnose('check/undecided', first, { text }, { related, ...where });
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
    ...checkSettings(comparison).map(({ text, effect, source, output: [at = ''] }) =>
      diagnose(codeOf(effect), at, { text }, { related: source, ...inSquad }),
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
    ...squad.members.flatMap(({ index, called, promptAt }) => {
      const args = { assistant: called, reasons: comparison.doubts[index]!.join('; ') };
      return args.reasons === '' ? [] : [diagnose('check/not-decided', promptAt, args, inSquad)];
    }),
  ];
}

/**
 * A finding for each item that fails, about its first fault. What is reported at its place by another
 * item or by a call is not repeated.
 */
function listFailing(
  { differences, graph, squad, notPlaced }: Comparison,
  checklist: readonly ChecklistItem[],
): Diagnostic[] {
  const isUnseen = squad.members.some(({ unseen }) => unseen);
  const told = new Set(isUnseen ? [] : [...notPlaced.keys()].map((it) => graph.nodeAt(it).at));
  const walks = new Set(differences.map(({ text }) => text));
  // A member lacks several things; any other place has one fault.
  const placeOf = ({ source: [from = ''], output: [at] }: Evidence) =>
    at === undefined || /\/members\/\d+$/.test(at) ? `${at ?? ''}${from}` : at;
  return checklist.flatMap(({ item, title, holds, decided, evidence }) => {
    if (holds || !decided) return [];
    const faults = evidence.filter((it) => isFault(it) && !walks.has(it.text));
    const fresh = faults.find((it) => !told.has(placeOf(it)));
    for (const it of faults) told.add(placeOf(it));
    if (fresh === undefined) return [];
    const { text, source, output } = fresh;
    const [at = '', ...related] = [...output.slice(0, 1), ...source];
    const where = output.length === 0 ? { related } : { related, in: 'squad' as const };
    return [diagnose('check/item-fails', at, { item, title, text }, where)];
  });
}

function codeOf(effect: Finding['effect']) {
  if (effect === undefined) return 'check/setting-differs';
  return effect === 'outside' ? 'check/setting-added' : 'check/setting-open';
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

function listCounterexamples(comparison: Comparison, checklist: readonly ChecklistItem[]): Walk[] {
  const findVisit = createVisitFinder(comparison);
  const lost = listLostVariables(comparison);
  /** A difference and an item of the checklist may report the same fault. */
  const keyOf = ({ source: [at = ''], output }: Pick<Evidence, 'source' | 'output'>) =>
    `${at} ${output.map((it) => memberAt(it) ?? '').join(' ')}`;
  const { differences } = comparison;
  const shown = new Set([...differences, ...lost].map(keyOf));
  // A call need not show what an answer excuses.
  const failing = checklist.flatMap(({ holds, evidence }) =>
    holds ? [] : evidence.filter(isFault),
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
