/**
 * The results of the check: the nine items of spec/3 with their evidence, diagnostics, and a call
 * that shows each fault.
 *
 * A difference is shown by the shortest call to its place, a lost variable by a call that reads it,
 * any other fact by the shortest call to the node or the assistant that it is about.
 */
import type { Answer } from '../compiler/ir/options.js';
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
import { type ArgsOf, type Code, diagnose } from '../diagnostics/diagnose.js';
import { groupBy } from '../graph/lists.js';
import { kinds } from '../schemas/questions.generated.js';
import type { JsonPointer } from '../text/pointer.js';
import type { Comparison } from './comparison.js';
import { doubt, type Finding, fact, fault } from './finding.js';
import { checkEntry, checkGrouping } from './items/assistants.js';
import { checkCallers, checkEndings, checkNames, checkShape } from './items/document.js';
import { checkHandoffs } from './items/handoffs.js';
import { checkPlans } from './items/plans.js';
import { checkSettings } from './items/settings.js';
import { checkTools } from './items/tools.js';
import { freshLosses } from './losses.js';
import { callTo, type Step, type Pair as Visit } from './walk/find.js';

interface Item {
  readonly check: (comparison: Comparison) => readonly Finding[];
  /** The text if there is nothing to check. */
  readonly nothing?: () => string;
}

/** In the order of spec/3. */
const items: readonly Item[] = [
  { check: checkEntry },
  { check: checkGrouping },
  { check: checkHandoffs, nothing: ofHandoffs.none },
  { check: checkPlans, nothing: ofVariables.none },
  { check: checkTools, nothing: ofTools.none },
  { check: checkEndings, nothing: ofEndings.none },
  { check: checkNames },
  { check: checkShape },
  { check: checkCallers },
];

/**
 * Judges the items, each from the input alone: one holds if all its evidence does, or if an answer
 * waives the rest.
 */
export function judgeItems(comparison: Comparison): Items {
  const { differences, open, decisions } = comparison;
  // Answers that keep stages apart.
  const waiving = decisions.find(({ choice }) => /^(?:keep-split|group)$/.test(choice));
  const doubts: Finding[] = [];
  const checklist = items.map(({ check, nothing }, index) => {
    const item = index + 1;
    const found = check(comparison);
    doubts.push(...found.filter((it) => it.decided === false && it.isPart !== true));
    const own = found.length === 0 && nothing !== undefined ? [fact(nothing(), [], [])] : found;
    // Item 6 already contains the differences about the end of calls.
    const said = differences.filter((it) => it.item === item && item !== 6);
    const unanswered = open.filter((question) => itemOf(question) === item);
    const all: readonly Finding[] = [
      ...own,
      ...said.map((it) => fault(it.text, it.source, it.output)),
      ...unanswered.map(({ id, at }) => doubt(ofQuestions.open(id), at, [])),
    ];
    const fails = all.some((it) => isFault(it) && it.excused !== true);
    const decided = fails || all.every((it) => it.decided !== false);
    const holds = !fails && decided;
    const waivedBy = item === 2 && holds ? waiving?.inquiry.question.id : undefined;
    const evidence = all.map(evidenceOf);
    const waived = waivedBy === undefined ? {} : { waivedBy };
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
  readonly fails: boolean;
  /** What fails in words, with the item. */
  readonly faults: ReadonlyMap<string, number | null>;
  readonly open: readonly Question[];
  /** The answers assumed for the open questions. */
  readonly assumptions: ReadonlyMap<string, Answer>;
  /** The verification; of an undecided squad, `isRefuted` is false. */
  readonly conclude: (open: readonly Question[], isRefuted: boolean) => Verification;
}

export function judge(given: Comparison, losses: readonly Finding[] = []): Judged {
  const judged = judgeItems(given);
  const known = [...given.differences, ...listFaults(judged.checklist)];
  // A loss at a place that nothing else is about is a difference.
  const differences = [...given.differences, ...freshLosses(losses, known)];
  const comparison: Comparison = { ...given, differences };
  const { dialogue, open } = given;
  const diagnostics = listDiagnostics(comparison, judged);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const others = errors.filter(({ code }) => !/^check\/(?:item-fails|walk)$/.test(code));
  return {
    fails: errors.length > 0,
    faults: new Map([
      ...others.map(({ message }) => [message, null] as const),
      ...differences.map(({ text, item = null }) => [text, item] as const),
      ...listFaults(judged.checklist).map(({ text, item }) => [text, item] as const),
    ]),
    open,
    assumptions: dialogue.assumed,
    conclude: (questions, isRefuted) => {
      if (questions !== open) {
        return judge({ ...given, open: questions }, losses).conclude(questions, isRefuted);
      }
      // What only an assumption makes wrong is not decided.
      const checklist = isRefuted ? judged.checklist : judged.checklist.map(withoutFaults);
      const counterexamples = isRefuted ? listCounterexamples(comparison, checklist) : [];
      const said = diagnostics.filter((it) => isRefuted || it.severity !== 'error');
      return verdictOf({ checklist, counterexamples, diagnostics: said });
    },
  };
}

function withoutFaults(item: ChecklistItem): ChecklistItem {
  if (item.holds || !item.decided) return item;
  const evidence = item.evidence.map((it) => (it.holds ? it : { ...it, decided: false as const }));
  return { ...item, decided: false, evidence };
}

/** The evidence of each item that fails against it, also where an answer excuses it. */
function listFaults(checklist: readonly ChecklistItem[]) {
  return checklist.flatMap(({ item, holds, evidence }) =>
    holds ? [] : evidence.filter(isFault).map((it) => ({ ...it, item })),
  );
}

/** The item that is not decided while the question is open. */
export function itemOf({ kind }: Pick<Question, 'kind'>): number {
  return kinds[kind].item;
}

const inSquad = { in: 'squad' } as const;

/** A finding at its place in the squad, else at that in the source. */
function report<C extends Code>(code: C, { source, output }: Places, args: ArgsOf<C>) {
  const [at = '', ...related] = [...output.slice(0, 1), ...source];
  return diagnose(code, at, args, { related, ...(output.length > 0 && inSquad) });
}

function listDiagnostics(comparison: Comparison, { checklist, doubts }: Items): Diagnostic[] {
  const { faults, dialogue, open, differences, graph, squad, notPlaced } = comparison;
  const findVisit = createVisitFinder(comparison);
  return [
    ...dialogue.diagnostics,
    ...open.map(({ id: question, kind, at: [at = '', ...related] }) =>
      diagnose('check/open-question', at, { question, item: itemOf({ kind }) }, { related }),
    ),
    ...listFailing(comparison, checklist),
    ...doubts.map((it) => report('check/undecided', it, { text: it.text })),
    ...differences.map((it) => {
      const walk = shortWalk(comparison, findVisit(it));
      return report('check/walk', it, { walk, text: it.text });
    }),
    ...checkSettings(comparison).map((it) => report(codeOf(it.effect), it, { text: it.text })),
    ...Array.from(notPlaced, ([index, nearest]) => {
      const { id: node, at } = graph.nodeAt(index);
      const near = nearest === null ? null : squad.members[nearest]!.called;
      return diagnose('check/not-placed', at, { node, near });
    }),
    ...squad.members.flatMap(({ assistantId, at }) =>
      assistantId === null
        ? []
        : diagnose('check/not-seen', `${at}/assistantId`, { assistantId }, inSquad),
    ),
    ...faults.settings.map((it) => diagnose('check/setting-unknown', it.at, it, inSquad)),
    ...squad.members.flatMap(({ index, called, promptAt }) => {
      const args = { assistant: called, reasons: comparison.doubts[index]!.join('; ') };
      return args.reasons === '' ? [] : diagnose('check/not-decided', promptAt, args, inSquad);
    }),
  ];
}

/**
 * A finding for each item that fails, about its first fault. What is reported at its place by another
 * item or by a call is not repeated.
 */
function listFailing(
  { differences, graph, notPlaced }: Comparison,
  checklist: readonly ChecklistItem[],
): Diagnostic[] {
  const told = new Set(Array.from(notPlaced.keys(), (it) => graph.nodeAt(it).at));
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
    return [report('check/item-fails', fresh, { item, title, text: fresh.text })];
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

type Places = Pick<Evidence, 'source' | 'output'>;

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
  return ({ source, output }: Places): Position => {
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

function callOf({ visit, edge }: Position): Step[] {
  const call = callTo(visit);
  return edge === null ? call : [...call, { node: edge.to, edge }];
}

/** The ids of a call; of a long call the start and the end, with an ellipsis between. */
function shortWalk({ graph }: Comparison, position: Position): string[] {
  const ids = callOf(position).map(({ node }) => graph.nodeAt(node).id);
  return ids.length <= 8 ? ids : [...ids.slice(0, 1), '…', ...ids.slice(-8)];
}

/** The most steps listed in all: if everything differs, the shortest calls are enough. */
const maxSteps = 100_000;

function listCounterexamples(comparison: Comparison, checklist: readonly ChecklistItem[]): Walk[] {
  const { differences, values, graph } = comparison;
  const findVisit = createVisitFinder(comparison);
  const stepTo = ({ node, edge }: Step): WalkStep => {
    const { id, at } = graph.nodeAt(node);
    return { node: id, at, via: edge?.at ?? null };
  };
  // The calls that show reads with another value.
  const lost = values.map(({ call, text, source, output }): Walk => {
    return { steps: call.map(stepTo), text, source, output };
  });
  /** A difference and an item of the checklist may report the same fault. */
  const keyOf = ({ source: [at = ''], output }: Places) =>
    `${at} ${output.map((it) => memberAt(it) ?? '').join(' ')}`;
  const shown = new Set([...differences, ...lost].map(keyOf));
  // A call need not show what an answer excuses.
  const failing = listFaults(checklist).filter((it) => !shown.has(keyOf(it)));
  const found = [...differences, ...failing]
    .map((finding) => ({ finding, position: findVisit(finding) }))
    .sort((one, other) => depthOf(one.position) - depthOf(other.position));
  const calls: Walk[] = [];
  let left = maxSteps;
  for (const { position, finding } of found) {
    if (position.visit === null) continue;
    left -= depthOf(position);
    if (left < 0) break;
    const steps = callOf(position).map(stepTo);
    const { text, source, output } = finding;
    calls.push({ steps, text, source, output });
  }
  return [...calls, ...lost].sort((one, other) => one.steps.length - other.steps.length);
}

const depthOf = ({ visit }: Position) => visit?.depth ?? 0;

/** What the documents do not show. */
const openCodes: ReadonlySet<string> = new Set([
  ...['check/open-question', 'check/not-decided', 'check/not-seen'],
  ...['check/setting-unknown', 'check/setting-open', 'check/undecided'],
]);

/** Adds the verdict. Anything wrong decides; without it, anything that is not shown. */
export function verdictOf(
  found: Pick<Verification, 'checklist' | 'counterexamples' | 'diagnostics'>,
): Verification {
  const { checklist, diagnostics } = found;
  const fails = diagnostics.some(({ severity }) => severity === 'error');
  const undecided = diagnostics.flatMap(({ code, at, related, in: document, message, help }) => {
    const isInSquad = document === 'squad';
    const place = { at: isInSquad ? [at] : [at, ...related], ...(isInSquad && { in: document }) };
    return openCodes.has(code) ? [{ ...place, text: `${message} ${help}` }] : [];
  });
  const isOpen = undecided.length > 0 || checklist.some(({ decided }) => !decided);
  const verdict = fails ? 'fails' : isOpen ? 'undecided' : 'holds';
  return { verdict, holds: verdict === 'holds', ...found, undecided };
}
