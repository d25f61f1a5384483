/** Asks about variables that must not be missing, and about reads that come too early. */
import { ask } from '../../diagnostics/questions.js';
import { groupBy } from '../../graph/lists.js';
import { computeComponents } from '../../graph/partitions.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import { adviseOnTools, type Inquiry } from '../ir/inquiry.js';
import { canBeArgument, isAlias } from '../ir/variables.js';
import type { WorkflowNode } from '../ir/workflow.js';
import type { Squad } from './supply.js';

const none: ReadonlySet<never> = new Set();
const unreached = { texts: none, conditions: none, globals: none, globalPrompt: false };

/** Asks about crossing variables that are critical or feed a request that changes something. */
export function askAboutPlans(squad: Squad): Inquiry[] {
  const { graph, variables, options, members } = squad;
  const { workflow, order } = graph;
  const { answers = {} } = options.answers;
  const crossings = members.flatMap((it) => it.handoffs.flatMap((handoff) => handoff.crossings));
  const crossing = new Set(crossings.map(({ variable }) => variable));
  const changes = listChanges(squad);
  const advise = adviseOnTools(workflow, order);
  return [...variables.values()].flatMap((variable): Inquiry[] => {
    const { name, captures } = variable;
    const declared = options.criticalVariables.has(name);
    const requests = changes.get(name) ?? [];
    if (!crossing.has(variable) || (!declared && requests.length === 0)) return [];
    // The model cannot pass what the handoff derives.
    const canDemand = canBeArgument(name) && !captures.some(isAlias);
    const { proposal, objection } = advise([name]);
    const inquiry = ask('critical-variable', name, {
      at: [...captures.map(({ capture }) => capture), ...requests].map(({ at }) => at),
      args: { variable: name, declared, requests },
      subject: { of: 'variable', name, unreached },
      without: canDemand ? null : 'argument',
      proposal,
      objection,
      assumed: { choice: 'best-effort' },
    });
    // An argument cannot be missing, so there is nothing to ask, unless an answer says that a tool
    // sets it.
    const { id } = inquiry.question;
    const isToolWanted = Object.hasOwn(answers, id) && answers[id]!.choice === 'tool';
    if (canDemand && options.pass === 'arguments' && !isToolWanted) return [];
    return [inquiry];
  });
}

/**
 * For each variable the requests that change something with a value that has crossed, in walk
 * order. If their own assistant captures it, the model fills it in when it calls them.
 */
function listChanges({ graph, members }: Squad): Map<string, WorkflowNode[]> {
  const changes = new Map<string, Set<WorkflowNode>>();
  for (const { tool, kind, use } of members.flatMap(({ reads }) => reads)) {
    const method = tool?.node.request?.method?.value ?? 'GET';
    if (method === 'GET' || kind === 'filled') continue;
    changes.set(use.name, (changes.get(use.name) ?? new Set()).add(tool!.node));
  }
  const { rank } = graph;
  const inOrder = (nodes: Iterable<WorkflowNode>) =>
    [...nodes].sort((one, other) => rank[one.index]! - rank[other.index]!);
  return new Map(Array.from(changes, ([name, nodes]) => [name, inOrder(nodes)]));
}

/** Asks about each node that reads a text which the platform evaluates before the value exists. */
export function askAboutEarlyReads(squad: Squad): Inquiry[] {
  const { graph, members } = squad;
  const early = members.flatMap((member) => {
    const reads = member.reads.filter(({ kind }) => kind === 'early');
    return reads.map((it) => ({ ...it, member }));
  });
  const { of } = computeComponents(graph.successors);
  const byNode = groupBy(early, ({ place }) => place?.node ?? null);
  return Array.from(byNode, ([node, reads]) => {
    const from = [...new Set(reads.flatMap(({ setters }) => setters))];
    const isOne = reads.every(({ member }) => member === reads[0]!.member);
    const canSplit = isOne && node !== null && canStandApart(graph, of, node, from);
    const reading = node === null ? null : graph.workflow.nodes[node]!;
    return ask('read-too-early', reading?.id ?? 'at any time', {
      at: [...new Set(reads.map(({ text }) => text.at))],
      args: { node: reading, variables: [...new Set(reads.map(({ use }) => use.name))] },
      subject: { of: 'read', node, from },
      ...(canSplit ? { proposal: { choice: 'keep-split' } } : { without: 'keep-split' }),
      assumed: { choice: 'accept' },
    });
  });
}

/**
 * Returns true if a node that reads can be entered by a handoff after the nodes that set what it
 * reads. A tool can be at the head of a talk node: its only successor, with no other predecessor.
 */
function canStandApart(
  graph: FlowGraph,
  componentOf: readonly number[],
  node: NodeIndex,
  from: readonly NodeIndex[],
) {
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
  // A tool that follows the node belongs to its caller.
  const isOther = (it: NodeIndex) => roleOf(it) === 'talk' || componentOf[it] !== componentOf[node];
  return !from.includes(node) && from.every(isOther);
}
