/**
 * The assistants before anything is written: their names, nodes and transitions, and the tools they
 * call.
 *
 * In: the graph with answers applied, its regions, the names that the options give. Out: legal,
 * unique names, with an info for each that differs from the wanted one; and a member for each
 * region. Every later step of the lowering uses transitions: the prompt lists them, handoffs and
 * transfers carry them out, guards refuse them. A condition stands word for word. Without a
 * condition the sentence is squadc's own: after what the assistant collects, or when it is done.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { groupBy } from '../../graph/lists.js';
import { child, type JsonPointer } from '../../text/pointer.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { EdgeIndex, NodeIndex, RegionIndex } from '../ir/ids.js';
import {
  createAssistantNames,
  createToolNames,
  isGenerated,
  type NameGiver,
  nameByWords,
  toToolName,
} from '../ir/names.js';
import type { Settled } from '../ir/options.js';
import { type When, whenReady } from '../ir/prompt.js';
import { fromOption, fromSource, synthesized, type Traced, traced } from '../ir/provenance.js';
import type { Region, RegionMap, Step } from '../ir/region-map.js';
import type { Diagnostic } from '../ir/result.js';
import {
  type Crossing,
  type Flow,
  handoffKey,
  hasGap,
  type Place,
  type Variables,
} from '../ir/variables.js';
import {
  type Condition,
  functionOf,
  onlySays,
  type ToolCall,
  type WorkflowNode,
} from '../ir/workflow.js';
import { targets } from '../targets.js';

/** One assistant. */
export interface Member {
  readonly region: Region;
  readonly name: Traced<string>;
  readonly nodes: readonly WorkflowNode[];
  /** The id of a saved assistant. */
  readonly savedAs: Traced<string> | null;
  readonly version: Traced<string> | null;
  /** The nodes whose lines the assistant opens with, in order; the last is its first step. */
  readonly opening: readonly WorkflowNode[];
  /** The steps out of its nodes, then the transitions to global nodes from all others. */
  readonly transitions: readonly Transition[];
  readonly handoffs: readonly Transition[];
  /** Tool calls of the nodes; the first node makes those that conditions of global nodes need. */
  readonly calls: readonly { readonly by: WorkflowNode; readonly call: ToolCall }[];
  readonly flow: Flow;
}

/** A transition from a node, or to a global node. */
export interface Transition {
  readonly kind: Step['kind'];
  /** The node that it leaves; null for one to a global node, which can happen at any time. */
  readonly from: WorkflowNode | null;
  readonly to: WorkflowNode;
  /** The region that the call is in afterwards. */
  readonly region: RegionIndex;
  readonly edge: EdgeIndex | null;
  /** The place of the edge, or of the global node. */
  readonly at: JsonPointer;
  readonly condition: Condition | null;
  readonly when: When;
  /** What a handoff carries. */
  readonly crossings: readonly Crossing[];
}

/** Where the condition of a transition is read. */
export function placeOf({ from }: Transition): Place {
  return from === null ? null : { node: from.index, isLeft: true };
}

/** The squad as far as it is known before anything is written. */
export interface Planned<M extends Member = Member> {
  readonly graph: FlowGraph;
  readonly variables: Variables;
  readonly map: RegionMap;
  readonly options: Settled;
  readonly names: Names;
  readonly members: readonly M[];
  /** Variables that are set when the call starts. */
  readonly supplied: ReadonlySet<string>;
  /** Variables whose captured value can be unknown when the call is over. */
  readonly lost: ReadonlySet<string>;
}

export function planSquad(
  facts: Pick<Planned, 'graph' | 'variables' | 'supplied' | 'lost'>,
  map: RegionMap,
  flows: readonly Flow[],
  options: Settled,
): Planned {
  const { graph } = facts;
  const { regions } = map;
  const names = nameAll(graph, map, options);
  const { nodes } = graph.workflow;
  const globals = graph.globals.map((it) => nodes[it]!);
  const needed = globals.flatMap(({ global }) => global!.condition?.call ?? []);
  // A global tool that every assistant holds has no region of its own.
  const owned = regions.flatMap(({ index, entries }) => entries.map((it) => [it, index] as const));
  const homes = new Map(owned);
  const members = regions.map((region): Member => {
    const { index } = region;
    const [name, flow] = [names.assistants[index]!, flows[index]!];
    const own = region.nodes.map((it) => nodes[it]!);
    const [first] = own;
    const anyTime = globals.flatMap((to): Transition[] => {
      const home = homes.get(to.index) ?? index;
      const kind = to.role === 'exit' ? 'exit' : home === index ? 'inner' : 'handoff';
      // In an assistant that is nothing but the global node, no other step leads back to it.
      if (kind === 'inner' && own.length === 1) return [];
      const condition = to.global!.condition!;
      const when = { kind: 'condition', text: condition } as const;
      const crossings = flow.crossings.get(handoffKey(null, to.index)) ?? [];
      const place = { region: home, edge: null, at: to.at };
      return [{ kind, from: null, to, ...place, condition, when, crossings }];
    });
    const transitions = [...listSteps(graph, region, name.value, flow), ...anyTime];
    const saved = own.find(({ assistant }) => assistant?.savedAs)?.assistant;
    return {
      region,
      name,
      nodes: own,
      savedAs: saved?.savedAs ?? null,
      version: saved?.version ?? null,
      opening: region.entries.length === 1 ? listOpening(first!, transitions) : [],
      transitions,
      handoffs: transitions.filter(({ kind }) => kind === 'handoff'),
      calls: [
        ...own.flatMap((by) => by.calls.map((call) => ({ by, call }))),
        ...needed.map((call) => ({ by: first!, call })),
      ],
      flow,
    };
  });
  return { ...facts, map, options, names, members };
}

/**
 * The only entry. If that says a line and moves on: the nodes up to a talk node with its own line.
 * If a tool or an exit comes first, or the talk node has no line, the model says the lines.
 */
function listOpening(entry: WorkflowNode, transitions: readonly Transition[]) {
  const opening = new Set<WorkflowNode>();
  for (let node = entry; !opening.has(node); ) {
    opening.add(node);
    if (!onlySays(node)) {
      const isSpoken = node.role === 'talk' && node.firstMessage !== null;
      return opening.size === 1 || isSpoken ? [...opening] : [];
    }
    const left = node;
    const transition = transitions.find(({ from }) => from === left)!;
    if (transition.kind === 'inner') node = transition.to;
  }
  return [];
}

function listSteps(
  { workflow: { nodes, edges } }: FlowGraph,
  region: Region,
  name: string,
  flow: Flow,
): Transition[] {
  const leaving = groupBy(region.steps, ({ from }) => from);
  // Derived variables are not collected.
  const captures = region.nodes.flatMap((node) => nodes[node]!.captures.filter((it) => !it.alias));
  const names = [...new Set(captures.map((it) => it.name))];
  const whenDone = ({ kind, from, to, edge }: Step): When => {
    const beside = leaving.get(from)!.flatMap((it) => edges[it.edge]!.condition ?? []);
    const isAsked = (it: string) => !hasGap(flow, it, 'never asked for', from);
    const isDescribed = kind !== 'inner' || nodes[to]!.request !== null;
    const collected = kind === 'exit' || !isDescribed ? [] : names.filter(isAsked);
    const text = isDescribed ? whenReady(edges[edge]!.at, name, collected) : null;
    return { kind: 'done', beside, text };
  };
  return region.steps.map((step): Transition => {
    const { kind, from, to, edge } = step;
    const { condition, at } = edges[edge]!;
    return {
      kind,
      from: nodes[from]!,
      to: nodes[to]!,
      region: step.kind === 'handoff' ? step.region : region.index,
      edge,
      at,
      condition,
      when: condition === null ? whenDone(step) : { kind: 'condition', text: condition },
      crossings: flow.crossings.get(handoffKey(from, to)) ?? [],
    };
  });
}

export function endsCall({ type }: WorkflowNode): boolean {
  return type === 'endCall' || type === 'hangup';
}

/** The name in prompts of a tool that an answer asked for. */
export function callName({ node, tool }: ToolCall, tools: Names['tools']): string {
  const own = node === null ? undefined : tools.get(node);
  return own?.value ?? toToolName(tool);
}

export type Names = ReturnType<typeof nameAll>;

/** The names of assistants, in order, and of tools, by the node that calls them. */
function nameAll(
  { workflow: { nodes, secrets }, order }: FlowGraph,
  { regions, representative }: RegionMap,
  { target, names }: Settled,
) {
  const diagnostics: Diagnostic[] = [];
  /** Gives the wanted name or a similar one, and reports how it differs from the source's. */
  const giveName = (
    give: NameGiver,
    wanted: Traced<string>,
    at: JsonPointer,
    from = wanted.value,
  ): Traced<string> => {
    const { name, reason: change } = give(wanted.value);
    const reason = from === wanted.value ? change : 'generated';
    if (reason === null) return wanted;
    diagnostics.push(diagnose('lower/renamed', at, { from, to: name, reason }));
    return traced(name, synthesized(`name-${reason}`, [at]));
  };
  const words = nameByWords(nodes, secrets);

  const isTalk = (node: NodeIndex) => nodes[node]!.role === 'talk';
  const named = regions.map((region) => nodes[region.nodes.find(isTalk) ?? region.nodes[0]!]!);
  const giveAssistant = createAssistantNames();
  // In the shape of spec/3 nothing can be added to a saved assistant, not even a name, so its id is
  // its name. The same id in two places is an error; the second gets another name, so that all
  // errors are reported at once.
  const saved = new Map<string, WorkflowNode>();
  for (const node of targets[target].extendsSaved ? [] : named) {
    const id = node.assistant?.savedAs?.value;
    if (id !== undefined && !saved.has(id)) saved.set(id, node);
  }
  for (const id of saved.keys()) giveAssistant(id);
  const unused = new Set(names.keys());
  const assistants = named.map((node) => {
    const { id, name, at, nameAt, assistant } = node;
    if (saved.get(assistant?.savedAs?.value ?? '') === node) return assistant!.savedAs!;
    unused.delete(id);
    const option = names.get(id);
    const ofSource = nameAt === at ? synthesized('made-up-id', [at]) : fromSource(nameAt);
    const origin = option === undefined ? ofSource : fromOption('names');
    const own = option ?? name ?? id;
    const wanted = option ?? words.get(node) ?? own;
    return giveName(giveAssistant, traced(wanted, origin), nameAt, own);
  });
  for (const id of unused) {
    const at = child('/names', id);
    diagnostics.push(diagnose('api/unknown-node', at, { id, option: 'names' }, { in: 'options' }));
  }

  const giveTool = createToolNames();
  // A tool that an answer names keeps its name, because someone provides it; so does a given one.
  const calls = nodes.flatMap((it) => [...it.calls, it.global?.condition?.call ?? []].flat());
  const given = order.flatMap((it) => nodes[it]!.tools).filter(({ value }) => value !== null);
  const kept = [
    ...calls.flatMap(({ node, tool }) => (node === null ? tool : [])),
    ...given.map(({ name }) => name),
  ];
  for (const name of new Set(kept)) giveTool(toToolName(name));
  const tools = new Map<NodeIndex, Traced<string>>();
  for (const node of order.map((it) => nodes[it]!).filter(({ role }) => role === 'act')) {
    const { index, request, name, id, nameAt } = node;
    for (const tool of node.tools) {
      if (functionOf(tool) !== null) continue;
      diagnostics.push(diagnose('shape/unnamed-tool', tool.at, { node: id }));
    }
    if (request === null) continue;
    const { toolName } = request;
    const at = toolName?.origin.kind === 'source' ? toolName.origin.at : nameAt;
    const own = toolName?.value ?? name ?? id;
    const wanted = isGenerated(own) ? (words.get(node) ?? own) : own;
    // The representative comes first in walk order, so it has its name already.
    const known = tools.get(representative[index]!);
    tools.set(index, known ?? giveName(giveTool, traced(wanted, fromSource(at)), at, own));
  }
  return { assistants, tools, diagnostics };
}
