/** Variables that must not be lost on the way, and warnings about those that may be. */
import { diagnose } from '../../diagnostics/diagnose.js';
import { ask } from '../../diagnostics/questions.js';
import { append, groupBy } from '../../graph/lists.js';
import type { JsonPointer, NodeIndex } from '../ir/ids.js';
import { adviseOnTools, type Inquiry } from '../ir/inquiry.js';
import type { Settled } from '../ir/options.js';
import type { Diagnostic } from '../ir/result.js';
import {
  type Crossing,
  canBeArgument,
  foundAmong,
  isAlias,
  typesOf,
  type Variable,
} from '../ir/variables.js';
import type { WorkflowNode } from '../ir/workflow.js';
import type { Planned } from './plans.js';
import type { Squad } from './supply.js';

const none: ReadonlySet<never> = new Set();
const unreached = { texts: none, conditions: none, globals: none, globalPrompt: false };

/** Asks about variables that cross and are declared critical, or feed a request that changes something. */
export function askAboutPlans(squad: Squad): Inquiry[] {
  const { graph, flow, options, crossings } = squad;
  const { workflow, order } = graph;
  const { answers = {} } = options.answers;
  const crossing = new Set([...crossings.values()].flat().map(({ variable }) => variable));
  const changes = listChanges(squad);
  const advise = adviseOnTools(workflow, order);
  return [...flow.variables.values()].flatMap((variable): Inquiry[] => {
    const { name, captures } = variable;
    const declared = options.criticalVariables.has(name);
    const requests = changes.get(name) ?? [];
    if (!crossing.has(variable) || (!declared && requests.length === 0)) return [];
    // What a handoff derives nobody can demand from the model.
    const canDemand = canBeArgument(name) && !captures.some(isAlias);
    const { proposal, objection } = advise([name]);
    const question = ask('critical-variable', name, {
      at: [...captures.map(({ capture }) => capture), ...requests].map(({ at }) => at),
      args: { variable: name, declared, requests },
      target: options.target,
      without: canDemand ? null : 'argument',
      ...proposal,
    });
    // What is an argument cannot be missing, so there is nothing to ask; a human who wants a tool to
    // set it all the same may say so.
    const { id } = question;
    const isToolWanted = Object.hasOwn(answers, id) && answers[id]!.choice === 'tool';
    if (canDemand && options.pass === 'arguments' && !isToolWanted) return [];
    const subject = { of: 'variable', name, unreached } as const;
    return [{ question, subject, objection, assumed: { choice: 'best-effort' } }];
  });
}

/**
 * For each variable the requests that change something with a value that has crossed, in walk order;
 * what their own assistant finds out the model gives them as it calls them.
 */
function listChanges({ graph, supplies }: Squad): Map<string, WorkflowNode[]> {
  const changes = new Map<string, Set<WorkflowNode>>();
  for (const { tool, kind, use } of [...supplies.values()].flatMap(({ reads }) => reads)) {
    const method = tool?.node.request?.method?.value ?? 'GET';
    if (method === 'GET' || kind === 'filled') continue;
    changes.set(use.name, (changes.get(use.name) ?? new Set()).add(tool!.node));
  }
  const { rank } = graph;
  const inOrder = (nodes: Iterable<WorkflowNode>) =>
    [...nodes].sort((one, other) => rank[one.index]! - rank[other.index]!);
  return new Map(Array.from(changes, ([name, nodes]) => [name, inOrder(nodes)]));
}

/** Says which requests have to have a critical variable that their own assistant finds out. */
export function tellOfFilled({ supplies, options }: Squad): Diagnostic[] {
  const reads = [...supplies.values()].flatMap((supply) => supply.reads);
  const critical = reads.filter(
    ({ kind, use }) => kind === 'filled' && options.criticalVariables.has(use.name),
  );
  return Array.from(
    groupBy(critical, ({ use }) => use.name),
    ([variable, own]) => {
      const tools = new Set(own.map(({ tool }) => tool!.node));
      const [at = '', ...related] = new Set(own.flatMap(({ from }) => from));
      const nodes = Array.from(tools, ({ id }) => id);
      return diagnose('data/critical-filled', at, { variable, nodes }, { related });
    },
  );
}

/** What is to be said about the plans as they are. */
export function warnAboutPlans({ members, crossings, options }: Planned): Diagnostic[] {
  const byVariable = new Map<Variable, Crossing[]>();
  for (const way of members.flatMap(({ handoffs }) => handoffs)) {
    for (const it of crossings.get(way) ?? []) append(byVariable, it.variable, it);
  }
  return [...byVariable].flatMap(([variable, all]) => warnAboutVariable(variable, all, options));
}

function warnAboutVariable(
  variable: Variable,
  crossings: readonly Crossing[],
  { pass, context, criticalVariables }: Settled,
): Diagnostic[] {
  const { name, captures, responses } = variable;
  const places = new Set<JsonPointer>();
  for (const it of crossings) for (const { capture } of it.captures) places.add(capture.at);
  const [at = '', ...related] = places;
  const args = { variable: name };
  const place = { related };
  const hasOthers = captures.length + responses.length > 1;
  const isMixed = crossings.some(({ mixed }) => mixed);
  const found = crossings.map(foundAmong);
  const types = found.map(typesOf).find((each) => each.length > 1);
  const told: Diagnostic[] = [];
  if (isMixed) told.push(diagnose('data/mixed-source', at, args, place));
  if (types) told.push(diagnose('data/type-conflict', at, { ...args, types }, place));
  if (context.type !== 'all' && hasOthers && crossings.some(({ missable }) => missable)) {
    told.push(diagnose('data/may-overwrite', at, { ...args, context: context.type }, place));
  }
  const demanded = crossings.filter((_, index) => found[index]!.length > 0);
  if (pass === 'plan' || demanded.length === 0) return told;
  // Where the variable must never be missing, it is right that the handoff waits for it.
  const waits = !criticalVariables.has(name) && demanded.some(({ missable }) => missable);
  if (!canBeArgument(name)) told.push(diagnose('lower/not-an-argument', at, args, place));
  else if (waits) told.push(diagnose('data/may-block', at, args, place));
  return told;
}

/** Asks about each node that reads what the platform evaluates before the value is there. */
export function askAboutEarlyReads(squad: Squad): Inquiry[] {
  const { graph, members, supplies, options } = squad;
  const early = members.flatMap((member) => {
    const reads = supplies.get(member)!.reads.filter(({ kind }) => kind === 'early');
    return reads.map((it) => ({ ...it, member }));
  });
  const byNode = groupBy(early, ({ place }) => place?.node ?? null);
  return Array.from(byNode, ([node, reads]): Inquiry => {
    const from = [...new Set(reads.flatMap(({ setters }) => setters))];
    const isOne = reads.every(({ member }) => member === reads[0]!.member);
    const canSplit = isOne && node !== null && canStandApart(squad, node, from);
    const reading = node === null ? null : graph.workflow.nodes[node]!;
    const question = ask('read-too-early', reading?.id ?? 'at any time', {
      at: [...new Set(reads.map(({ text }) => text.at))],
      args: { node: reading, variables: [...new Set(reads.map(({ use }) => use.name))] },
      target: options.target,
      ...(canSplit ? { proposal: 'keep-split' } : { without: 'keep-split' }),
    });
    return { question, subject: { of: 'read', node, from }, assumed: { choice: 'accept' } };
  });
}

/**
 * Whether a node that reads can be entered by a handoff behind the nodes that set what it reads. A tool
 * can at the head of what talks: its only successor, which nothing else leads to.
 */
function canStandApart({ graph, flow }: Squad, node: NodeIndex, from: readonly NodeIndex[]) {
  const { workflow, successors, predecessors } = graph;
  const roleOf = (it: NodeIndex) => workflow.nodes[it]!.role;
  let head = node;
  while (roleOf(head) === 'act') {
    const next = new Set(successors[head]!.filter((it) => roleOf(it) !== 'exit'));
    const [only = graph.start] = next;
    const isEntered = only === graph.start || workflow.nodes[only]!.global !== null;
    if (next.size > 1 || isEntered || new Set(predecessors[only]).size > 1) return false;
    head = only;
  }
  // A tool that follows the node belongs to whoever calls it.
  const isOther = (it: NodeIndex) =>
    roleOf(it) === 'talk' || flow.placeOf(it) !== flow.placeOf(node);
  return !from.includes(node) && from.every(isOther);
}
