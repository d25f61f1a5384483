/** Variables that must not be lost on the way, and warnings about those that may be. */

import { diagnose } from '../../diagnostics/diagnose.js';
import { ask } from '../../diagnostics/questions.js';
import { append } from '../graph/lists.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { Inquiry } from '../ir/inquiry.js';
import type { Json } from '../ir/json.js';
import type { Settled } from '../ir/options.js';
import type { RegionMap } from '../ir/region-map.js';
import type { Diagnostic } from '../ir/result.js';
import type { Variable } from '../ir/variable-flow.js';
import type { WorkflowNode } from '../ir/workflow.js';
import { findSetter, objectToTool } from '../names/find-request.js';
import { canBeArgument, isSettled } from './arguments.js';
import { foundAmong } from './derivations.js';
import { typesOf } from './plan-properties.js';
import type { Crossing, Plans } from './plans.js';

const changing: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE'];

export function askAboutPlans(graph: FlowGraph, plans: Plans, options: Settled): Inquiry[] {
  const changes = listChanges(graph);
  return plans.variables.flatMap((variable) => {
    const declared = options.criticalVariables.has(variable.name);
    const requests = changes.get(variable.name) ?? [];
    if (!declared && requests.length === 0) return [];
    const { name } = variable;
    const setter = findSetter(graph.workflow, graph.order, [name]);
    const question = ask('critical-variable', name, {
      at: [...variable.captures.map(({ capture }) => capture.at), ...requests.map(({ at }) => at)],
      args: { variable: name, declared, requests: requests.map(({ id }) => id) },
      target: options.target,
      without: canBeArgument(name) && !isDerived(variable) ? null : 'argument',
      ...(setter === null ? {} : { proposal: 'tool', proposalValue: { tool: setter } }),
    });
    if (!isDerived(variable) && isSettled(name, question, options)) return [];
    return [
      {
        question,
        subject: { of: 'variable' as const, name, unreached: noReads },
        allowed: new Map(),
        objection: (choice: string, value: Json) =>
          choice === 'tool' ? objectToTool(graph.workflow, graph.order, [name], value) : null,
        assumed: { choice: 'best-effort' },
      },
    ];
  });
}

/** Whether a handoff may derive it: that nobody can demand from the model. */
function isDerived({ captures }: Variable): boolean {
  return captures.some(({ capture }) => capture.alias !== undefined);
}

const noReads = {
  texts: new Set<never>(),
  conditions: new Set<never>(),
  globals: new Set<never>(),
  globalPrompt: false,
};

/** For each variable the reachable requests that change something with it, in walk order. */
function listChanges(graph: FlowGraph): Map<string, WorkflowNode[]> {
  const changes = new Map<string, WorkflowNode[]>();
  for (const index of graph.order) {
    const node = graph.workflow.nodes[index]!;
    if (!changing.includes(node.request?.method?.value ?? '')) continue;
    const names = node.request!.texts.flatMap((text) => text.uses.map((use) => use.name));
    for (const name of new Set(names)) append(changes, name, node);
  }
  return changes;
}

/** What is to be said about the plans as they are. */
export function warnAboutPlans(
  graph: FlowGraph,
  map: RegionMap,
  plans: Plans,
  options: Settled,
): Diagnostic[] {
  const crossings = map.regions.flatMap((region) => [
    ...region.steps.flatMap((step) => plans.ofStep(step)),
    ...graph.globals.flatMap((global) => plans.ofGlobal(region.index, global)),
  ]);
  const byVariable = new Map<Variable, Crossing[]>();
  for (const crossing of crossings) {
    append(byVariable, crossing.variable, crossing);
  }
  return [...byVariable].flatMap(([variable, list]) => warnAboutVariable(variable, list, options));
}

function warnAboutVariable(
  variable: Variable,
  crossings: readonly Crossing[],
  options: Settled,
): Diagnostic[] {
  const places = [
    ...new Set(crossings.flatMap((it) => it.captures.map(({ capture }) => capture.at))),
  ];
  const [at = '', ...related] = places;
  const { name } = variable;
  const found = crossings.map((it) => foundAmong(variable, it.captures));
  const conflict = found.map(typesOf).find((types) => types.length > 1);
  const hasOthers = variable.captures.length + variable.responses.length > 1;
  const mayLose = options.context.type !== 'all' && hasOthers;
  return [
    ...(crossings.some((it) => it.mixed)
      ? [diagnose('data/mixed-source', at, { variable: name }, { related })]
      : []),
    ...(conflict === undefined
      ? []
      : [diagnose('data/type-conflict', at, { variable: name, types: conflict }, { related })]),
    ...(mayLose && crossings.some((it) => it.missable)
      ? [
          diagnose(
            'data/may-overwrite',
            at,
            { variable: name, context: options.context.type },
            { related },
          ),
        ]
      : []),
    ...warnAboutArgument(
      name,
      { at, related },
      crossings.filter((_, index) => found[index]!.length > 0),
      options,
    ),
  ];
}

/** What a handoff cannot demand, and what it demands where a call may not have it. */
function warnAboutArgument(
  variable: string,
  { at, related }: Pick<Diagnostic, 'at' | 'related'>,
  crossings: readonly Crossing[],
  { pass, criticalVariables }: Settled,
): Diagnostic[] {
  if (pass === 'extraction' || crossings.length === 0) return [];
  if (!canBeArgument(variable)) {
    return [diagnose('lower/not-an-argument', at, { variable }, { related })];
  }
  // Where the variable must never be missing, it is right that the handoff waits for it.
  const waits = !criticalVariables.has(variable) && crossings.some(({ missable }) => missable);
  return waits ? [diagnose('data/may-block', at, { variable }, { related })] : [];
}
