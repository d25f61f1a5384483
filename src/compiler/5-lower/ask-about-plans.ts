/** Variables that must not be lost on the way, and warnings about those that may be. */

import { diagnose } from '../../diagnostics/diagnose.js';
import { ask } from '../../diagnostics/questions.js';
import { append } from '../../graph/lists.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import { createFindSetter, type Inquiry, objectToTool } from '../ir/inquiry.js';
import type { Json } from '../ir/json.js';
import type { Settled } from '../ir/options.js';
import type { RegionMap } from '../ir/region-map.js';
import type { Diagnostic, Question } from '../ir/result.js';
import {
  type Crossing,
  canBeArgument,
  foundAmong,
  type Plans,
  typesOf,
  type Variable,
} from '../ir/variables.js';
import type { WorkflowNode } from '../ir/workflow.js';

const changing: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE'];

export function askAboutPlans(graph: FlowGraph, plans: Plans, options: Settled): Inquiry[] {
  if (plans.variables.length === 0) return [];
  const changes = listChanges(graph);
  const findSetter = createFindSetter(graph.workflow, graph.order);
  if (changes.size + options.criticalVariables.size === 0) return [];
  return plans.variables.flatMap((variable) => {
    const declared = options.criticalVariables.has(variable.name);
    const requests = changes.get(variable.name) ?? [];
    if (!declared && requests.length === 0) return [];
    const { name } = variable;
    const setter = findSetter([name]);
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

/**
 * Whether the options have settled how a critical variable crosses. What is an argument cannot be
 * missing, so there is nothing to ask; a human who wants a tool to set it all the same may say so.
 */
function isSettled(variable: string, { id }: Question, options: Settled): boolean {
  if (options.pass === 'extraction' || !canBeArgument(variable)) return false;
  const { answers = {} } = options.answers;
  return !(Object.hasOwn(answers, id) && answers[id]?.choice === 'tool');
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
    if (node.request === null || !changing.includes(node.request.method?.value ?? '')) continue;
    const names = node.request.texts.flatMap((text) => text.uses.map((use) => use.name));
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
  const doubtful = new Set(plans.variables.filter((it) => isDoubtful(graph, it, options)));
  if (doubtful.size === 0) return [];
  const byVariable = new Map<Variable, Crossing[]>();
  const note = (crossings: readonly Crossing[]): void => {
    for (const crossing of crossings) {
      if (doubtful.has(crossing.variable)) append(byVariable, crossing.variable, crossing);
    }
  };
  for (const region of map.regions) {
    for (const step of region.steps) if (step.kind === 'handoff') note(plans.ofStep(step));
    for (const global of graph.globals) note(plans.ofGlobal(region.index, global));
  }
  return Array.from(byVariable, ([variable, crossings]) =>
    warnAboutVariable(variable, crossings, options),
  ).flat();
}

/**
 * Whether there can be anything to say: most variables are set in one place, and by no tool. On the
 * way to a global node a tool that its condition needs can set them.
 */
function isDoubtful({ globals }: FlowGraph, variable: Variable, { pass }: Settled): boolean {
  if (globals.length > 0 || pass !== 'extraction') return true;
  return hasOtherSources(variable) || variable.offers.length > 0;
}

function hasOtherSources({ captures, responses }: Variable): boolean {
  return captures.length + responses.length > 1;
}

function warnAboutVariable(
  variable: Variable,
  crossings: readonly Crossing[],
  options: Settled,
): readonly Diagnostic[] {
  const { name } = variable;
  const hasOthers = hasOtherSources(variable);
  const isMixed = crossings.some((it) => it.mixed);
  if (!hasOthers && !isMixed && options.pass === 'extraction') return [];
  const places = new Set(crossings.flatMap((it) => it.captures.map(({ capture }) => capture.at)));
  const [at = '', ...related] = places;
  const found = crossings.map((it) => foundAmong(it));
  const types = found.map(typesOf).find((each) => each.length > 1);
  const { type } = options.context;
  const mayLose = type !== 'all' && hasOthers && crossings.some((it) => it.missable);
  const told: Diagnostic[] = [];
  if (isMixed) told.push(diagnose('data/mixed-source', at, { variable: name }, { related }));
  if (types !== undefined) {
    told.push(diagnose('data/type-conflict', at, { variable: name, types }, { related }));
  }
  if (mayLose) {
    told.push(diagnose('data/may-overwrite', at, { variable: name, context: type }, { related }));
  }
  const demanded = crossings.filter((_, index) => found[index]!.length > 0);
  return [...told, ...warnAboutArgument(name, { at, related }, demanded, options)];
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
