/**
 * What the check has to say: the nine items of spec/3 with their evidence, diagnostics, and for
 * everything that is wrong a call that shows it.
 *
 * A difference is shown by the shortest call to where it stands, a variable that is lost by the call
 * that reads it, any other fact by the shortest call to the node or the assistant that it is about.
 */
import type { JsonPointer, NodeIndex } from '../compiler/ir/ids.js';
import type { ChecklistItem, Diagnostic, Evidence, Walk, WalkStep } from '../compiler/ir/result.js';
import type { WorkflowEdge } from '../compiler/ir/workflow.js';
import { ofVariables } from '../diagnostics/checklist.js';
import { diagnose } from '../diagnostics/diagnose.js';
import { checkEntry, checkGrouping } from './assistants.js';
import type { Comparison } from './comparison.js';
import { checkCallers, checkNames, checkShape } from './document.js';
import { type Finding, finding, judge } from './findings.js';
import { checkEndings, checkHandoffs } from './handoffs.js';
import type { Visit } from './owners.js';
import { checkPlans, listCarried, listCrossing } from './plans.js';
import { checkSettings, listUnknown } from './settings.js';
import { itemOf } from './settle.js';
import { checkTools } from './tools.js';
import { witnessOf } from './witness.js';

const checks: readonly ((comparison: Comparison) => Finding[])[] = [
  checkEntry,
  checkGrouping,
  checkHandoffs,
  checkPlans,
  checkTools,
  checkEndings,
  checkNames,
  checkShape,
  checkCallers,
];

/** Judges the items, in the order of spec/3, each from the input alone. */
export function judgeItems(comparison: Comparison): ChecklistItem[] {
  const { differences, open, waivers } = comparison;
  return checks.map((check, index) => {
    const item = index + 1;
    const said = item === 6 ? [] : differences.filter((it) => it.item === item);
    const facts = said.map(({ text, source, output }) => finding(false, text, source, output));
    return judge(item, [...check(comparison), ...facts], open, item === 2 ? waivers[0] : undefined);
  });
}

export function listDiagnostics(
  comparison: Comparison,
  checklist: readonly ChecklistItem[],
  aboutAnswers: readonly Diagnostic[],
): Diagnostic[] {
  const { open, differences, squad, match } = comparison;
  const visits = indexVisits(comparison);
  return [
    ...aboutAnswers,
    ...open.map(({ id, kind, at: [at = '', ...related] }) =>
      diagnose('check/open-question', at, { question: id, item: itemOf[kind] }, { related }),
    ),
    ...checklist.filter(({ holds }) => !holds).map(describeItem),
    ...differences.map(({ text, source, output, member, node, edge }) => {
      const walk = shortWalk(comparison, visits.at(member, node), edge);
      return diagnose(
        'check/walk',
        output[0] ?? '',
        { walk, text },
        { related: source, in: 'squad' },
      );
    }),
    ...checkSettings(comparison).map(({ text, source, output: [at = ''] }) =>
      diagnose('check/setting-differs', at, { text }, { related: source, in: 'squad' }),
    ),
    ...listPlacements(comparison),
    ...squad.members.flatMap(({ assistantId, at }) =>
      assistantId === null
        ? []
        : [diagnose('check/not-seen', `${at}/assistantId`, { assistantId }, { in: 'squad' })],
    ),
    ...listUnknown(comparison).map((at) => {
      const setting = at.slice(at.lastIndexOf('/') + 1);
      return diagnose('check/setting-unknown', at, { setting }, { in: 'squad' });
    }),
    ...squad.members
      .filter(({ index }) => match.undecided.has(index))
      .map(({ called, promptAt }) =>
        diagnose('check/not-decided', promptAt, { assistant: called }, { in: 'squad' }),
      ),
  ];
}

function describeItem({ item, title, evidence }: ChecklistItem): Diagnostic {
  const {
    text = '',
    source = [],
    output: [place] = [],
  } = evidence.find(({ holds }) => !holds) ?? {};
  const args = { item, title, text };
  return place === undefined
    ? diagnose('check/item-fails', source[0] ?? '', args, { related: source.slice(1) })
    : diagnose('check/item-fails', place, args, { related: source, in: 'squad' });
}

function listPlacements({ graph, match, squad }: Comparison): Diagnostic[] {
  // What no assistant seems to own may be what a saved one does.
  const isUnseen = squad.members.some(({ unseen }) => unseen);
  const calledAt = (member: number | null) =>
    member === null ? null : squad.members[member]!.called;
  return [
    ...(isUnseen ? [] : [...match.notPlaced]).map(([node, near]) => {
      const { id, at } = graph.nodeAt(node);
      return diagnose('check/not-placed', at, { node: id, near: calledAt(near) });
    }),
    ...match.likened.map(({ node, member }) => {
      const { id, at } = graph.nodeAt(node);
      const because = 'the way to it leads there';
      const args = { node: id, assistant: calledAt(member)!, because };
      return diagnose('check/placed-by-likeness', at, args);
    }),
  ];
}

/** The visits of a walk through both documents, by what they come to; the first is the nearest. */
interface Visits {
  readonly at: (member: number, node: NodeIndex | null) => Visit | null;
  /** The first visit of one of these nodes in one of these members, else in one of the members. */
  readonly near: (members: ReadonlySet<number>, nodes: ReadonlySet<NodeIndex>) => Visit | null;
}

function indexVisits({ match: { visits } }: Comparison): Visits {
  const byMember = new Map<number, Visit>();
  const byNode = new Map<NodeIndex, Visit[]>();
  for (const visit of visits) {
    if (!byMember.has(visit.member)) byMember.set(visit.member, visit);
    const known = byNode.get(visit.node);
    if (known === undefined) byNode.set(visit.node, [visit]);
    else known.push(visit);
  }
  const first = (found: readonly (Visit | undefined)[]) =>
    found.filter((it) => it !== undefined).sort((one, other) => one.depth - other.depth)[0] ?? null;
  return {
    at: (member, node) => {
      const there =
        node === null ? undefined : byNode.get(node)?.find((it) => it.member === member);
      return there ?? byMember.get(member) ?? null;
    },
    near: (members, nodes) => {
      const all = [...nodes].flatMap((node) => byNode.get(node) ?? []);
      const there = members.size === 0 ? all : all.filter((it) => members.has(it.member));
      return first(there) ?? first([...members].map((it) => byMember.get(it)));
    },
  };
}

/** The shortest call to the visit, and one step further where there is a way. */
function stepsTo(
  { graph }: Comparison,
  visit: Visit | null,
  edge: WorkflowEdge | null,
): WalkStep[] {
  const steps: WalkStep[] = [];
  const step = (index: NodeIndex, via: WorkflowEdge | null): void => {
    const { id, at } = graph.nodeAt(index);
    steps.push({ node: id, at, via: via?.at ?? null });
  };
  if (edge !== null) step(edge.to, edge);
  for (let at = visit; at !== null; at = at.parent) step(at.node, at.edge);
  return steps.reverse();
}

/** The ids of a call; of a long one the start and the end, with what is between left out. */
function shortWalk(
  comparison: Comparison,
  visit: Visit | null,
  edge: WorkflowEdge | null,
): string[] {
  const { graph } = comparison;
  const ids = edge === null ? [] : [graph.nodeAt(edge.to).id];
  let at = visit;
  for (; at !== null && ids.length < 8; at = at.parent) ids.push(graph.nodeAt(at.node).id);
  if (at !== null) ids.push('…', graph.nodeAt(graph.start).id);
  return ids.reverse();
}

/** So many steps are shown in all: where everything differs, the shortest calls say enough. */
const most = 100_000;

export function listCounterexamples(
  comparison: Comparison,
  checklist: readonly ChecklistItem[],
): Walk[] {
  const { differences, owners } = comparison;
  const visits = indexVisits(comparison);
  const different = differences.map(({ member, node, edge, text, source, output }) => {
    return { visit: visits.at(member, node), edge, text, source, output };
  });
  const lost = listLostVariables(comparison);
  const shown = new Set([...different, ...lost].map(keyOf));
  const facts = checklist
    .flatMap(({ evidence }) => evidence.filter((it) => !it.holds && !shown.has(keyOf(it))))
    .map((fact) => {
      const members = new Set(fact.output.flatMap((at) => memberAt(at) ?? []));
      const nodes = fact.source.flatMap((at) => nodeAt(comparison, at) ?? []).map(owners.standsFor);
      return { visit: visits.near(members, new Set(nodes)), edge: null, ...fact };
    });
  const found = [...different, ...facts]
    .filter(({ visit }) => visit !== null)
    .sort((one, other) => one.visit!.depth - other.visit!.depth);
  const calls: Walk[] = [];
  let left = most;
  for (const { visit, edge, text, source, output } of found) {
    left -= visit!.depth;
    if (left < 0) break;
    calls.push({ steps: stepsTo(comparison, visit, edge), text, source, output });
  }
  return [...calls, ...lost].sort((one, other) => one.steps.length - other.steps.length);
}

/** A difference and an item of the checklist may tell the same fault. */
function keyOf({ source: [at = ''], output }: Pick<Evidence, 'source' | 'output'>): string {
  return `${at} ${output.map((it) => memberAt(it) ?? '').join(' ')}`;
}

function memberAt(at: JsonPointer): number | null {
  const found = /^(?:\/squad)?\/members\/(\d+)(?:\/|$)/.exec(at);
  return found === null ? null : Number(found[1]);
}

/** The node that a place of the source is in, or that the edge there leaves. */
function nodeAt({ graph }: Comparison, at: JsonPointer): NodeIndex | null {
  const [, list, index] = /^\/(nodes|edges)\/(\d+)(?:\/|$)/.exec(at) ?? [];
  const { nodes, edges } = graph.workflow;
  if (list === 'edges') return edges[Number(index)]?.from ?? null;
  return list === 'nodes' ? (nodes[Number(index)]?.index ?? null) : null;
}

/** For each variable that a destination should carry and does not, the shortest call to its read. */
function listLostVariables(comparison: Comparison): Walk[] {
  const { graph, squad, owners, standing, variables } = comparison;
  return squad.destinations.flatMap((destination) => {
    const passages = standing.get(destination) ?? [];
    const carried = listCarried(destination);
    const missing = [...listCrossing(comparison, passages)].filter((name) => !carried.has(name));
    return missing.flatMap((name): Walk[] => {
      const variable = variables.get(name);
      const witness = variable === undefined ? null : witnessOf(graph, owners, variable, passages);
      if (witness === null) return [];
      const steps = witness.steps.map(({ node, edge }): WalkStep => {
        const { id, at } = graph.nodeAt(node);
        return { node: id, at, via: edge === null ? null : graph.workflow.edges[edge]!.at };
      });
      const { called } = squad.members[destination.member]!;
      const text = ofVariables.lacks(called, destination.target ?? '', [name]);
      const source = variable!.captures.map(({ capture }) => capture.at);
      return [{ steps, text, source, output: [destination.at] }];
    });
  });
}
