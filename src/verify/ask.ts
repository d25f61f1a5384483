/**
 * What there is to ask about variables: reads that no definition reaches, and variables that must
 * not be lost on the way. Only the ids of the questions have to be the compiler's; whether an
 * answer is sensible was judged when it was compiled.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { Inquiry, UnreachedReads } from '../compiler/ir/inquiry.js';
import type { Settled } from '../compiler/ir/options.js';
import type { WorkflowNode } from '../compiler/ir/workflow.js';
import { ask } from '../diagnostics/questions.js';
import { canBeDemanded, isAskedAbout } from './demand.js';
import type { Grouping } from './grouping/group-nodes.js';
import { listEdgePassages, listGlobalPassages } from './passages.js';
import type { SourceGraph } from './source-graph.js';
import { computeCrossings } from './variables/crossings.js';
import type { Variable } from './variables/sites.js';

const none: Inquiry['allowed'] = new Map();
const noReads: UnreachedReads = {
  texts: new Set(),
  conditions: new Set(),
  globals: new Set(),
  globalPrompt: false,
};

export function askAboutUnset(
  graph: SourceGraph,
  unset: ReadonlyMap<string, UnreachedReads>,
  { target }: Settled,
): Inquiry[] {
  return [...unset].map(([name, unreached]) => {
    const { texts, conditions, globals } = unreached;
    const nodes = [...new Set([...texts, ...conditions, ...globals])].map(graph.nodeAt);
    return {
      question: ask('undefined-variable', name, {
        at: nodes.map(({ at }) => at),
        args: { variable: name, nodes: nodes.map(({ id }) => id), near: null },
        target,
      }),
      subject: { of: 'variable', name, unreached },
      allowed: none,
      assumed: { choice: 'caller' },
    };
  });
}

/**
 * Asks about variables that cross between the assistants and are declared critical, or feed a
 * request that changes something.
 */
export function askAboutCritical(
  graph: SourceGraph,
  all: ReadonlyMap<string, Variable>,
  grouping: Grouping,
  options: Settled,
): Inquiry[] {
  const changes = listChanges(graph);
  const isCritical = (name: string) => options.criticalVariables.has(name) || changes.has(name);
  if (options.criticalVariables.size + changes.size === 0) return [];
  const captured = [...all.values()].filter(
    ({ name, captures }) => isCritical(name) && captures.length > 0,
  );
  if (captured.length === 0) return [];
  const crossing = listCrossing(graph, all, grouping);
  return captured.flatMap(({ name, captures }) => {
    // What a handoff derives nobody can demand from the model.
    const isDerived = captures.some(({ capture }) => capture.alias !== undefined);
    if (!crossing.has(name) || !(isDerived || isAskedAbout(name, options))) return [];
    const requests = changes.get(name) ?? [];
    const places = [...captures.map(({ capture }) => capture.at), ...requests.map(({ at }) => at)];
    const declared = options.criticalVariables.has(name);
    const args = { variable: name, declared, requests: requests.map(({ id }) => id) };
    return [
      {
        question: ask('critical-variable', name, {
          at: places,
          args,
          target: options.target,
          without: canBeDemanded(name) && !isDerived ? null : 'argument',
        }),
        subject: { of: 'variable' as const, name, unreached: noReads },
        allowed: none,
        assumed: { choice: 'best-effort' },
      },
    ];
  });
}

/** By variable, the reachable requests that change something with it. */
function listChanges(graph: SourceGraph): Map<string, WorkflowNode[]> {
  const changes = new Map<string, WorkflowNode[]>();
  for (const index of graph.order) {
    const node = graph.nodeAt(index);
    const { request } = node;
    const method = request?.method?.value ?? 'GET';
    if (request === null || method === 'GET') continue;
    const names = request.texts.flatMap(({ uses }) => uses.map(({ name }) => name));
    for (const name of new Set(names)) {
      const known = changes.get(name);
      if (known === undefined) changes.set(name, [node]);
      else known.push(node);
    }
  }
  return changes;
}

/** The variables that would cross between the stages of the grouping. */
function listCrossing(
  graph: SourceGraph,
  variables: ReadonlyMap<string, Variable>,
  grouping: Grouping,
): ReadonlySet<string> {
  const { representative, stagesOf, stageCount } = grouping;
  const owners = {
    of: (node: NodeIndex) => new Set(stagesOf(node)),
    soleOwner: (node: NodeIndex) => {
      const [only, ...others] = stagesOf(node);
      return only === undefined || others.length > 0 ? null : only;
    },
    standsFor: (node: NodeIndex) => representative[node]! as NodeIndex,
  };
  const passages = [
    ...listEdgePassages(graph, owners),
    ...listGlobalPassages(graph, owners, stageCount),
  ];
  const crossings = computeCrossings(graph, variables, owners, passages);
  return new Set(passages.flatMap((it) => crossings.of(it).map(({ variable }) => variable.name)));
}
