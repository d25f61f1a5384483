/**
 * Names of the assistants and of the tools: legal, and no two the same.
 *
 * In: the regions, and the names that the options ask for. Out: the names with their origins, and an
 * info for each that is not the one that the source or an option asked for.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import { child, type JsonPointer, type NodeIndex } from '../ir/ids.js';
import { createAssistantNames, createToolNames, type NameGiver, toToolName } from '../ir/names.js';
import type { Settled } from '../ir/options.js';
import { fromOption, fromSource, synthesized, type Traced, traced } from '../ir/provenance.js';
import type { Region, RegionMap } from '../ir/region-map.js';
import type { Diagnostic } from '../ir/result.js';
import type { GivenTool, ToolCall, WorkflowNode } from '../ir/workflow.js';

export interface Names {
  readonly assistants: readonly Traced<string>[];
  /** By the node that calls the tool: request nodes and tool nodes. */
  readonly tools: ReadonlyMap<NodeIndex, Traced<string>>;
  readonly diagnostics: readonly Diagnostic[];
}

export function nameAll(graph: FlowGraph, map: RegionMap, options: Settled): Names {
  const { nodes } = graph.workflow;
  const named = map.regions.map((region) => firstTalk(nodes, region) ?? nodes[region.first]!);
  const diagnostics: Diagnostic[] = [];
  const assistants = nameAssistants(named, options, diagnostics);
  return { assistants, tools: nameTools(graph, map, diagnostics), diagnostics };
}

/** The first talk node, which gives an assistant its name and its settings; null where there is none. */
export function firstTalk(nodes: readonly WorkflowNode[], region: Region): WorkflowNode | null {
  const index = region.nodes.find((it) => nodes[it]!.role === 'talk');
  return index === undefined ? null : nodes[index]!;
}

/** What the prompt calls a tool that an answer asked for. */
export function callName({ node, tool }: ToolCall, tools: Names['tools']): string {
  const own = node === null ? undefined : tools.get(node);
  return own?.value ?? toToolName(tool);
}

/** The assistants, by the nodes that they are named after. */
function nameAssistants(
  nodes: readonly WorkflowNode[],
  { target, names }: Settled,
  diagnostics: Diagnostic[],
): readonly Traced<string>[] {
  const give = createAssistantNames();
  const fixed = target === 'squad' ? fixNames(nodes, give) : new Map<WorkflowNode, never>();
  const unused = new Set(names.keys());
  const assistants = nodes.map((node) => {
    const unchanged = fixed.get(node);
    if (unchanged !== undefined) return unchanged;
    unused.delete(node.id);
    const option = names.get(node.id);
    const wanted =
      option === undefined
        ? traced(node.name ?? node.id, fromSource(node.nameAt))
        : traced(option, fromOption('names'));
    return giveName(give, wanted, node.nameAt, diagnostics);
  });
  for (const id of unused) {
    const at = child('/names', id);
    diagnostics.push(diagnose('api/unknown-node', at, { id, option: 'names' }, { in: 'options' }));
  }
  return assistants;
}

/**
 * In the shape of spec/3 nothing can be added to a saved assistant, a name neither; there it is
 * called by what its member and the destinations to it hold. One id in two places is an error; the
 * second has another name, so that all is told at once.
 */
function fixNames(nodes: readonly WorkflowNode[], give: NameGiver) {
  const byId = new Map<string, WorkflowNode>();
  for (const node of nodes) {
    const id = node.assistant?.savedAs?.value;
    if (id === undefined || byId.has(id)) continue;
    byId.set(id, node);
    give(id);
  }
  return new Map([...byId.values()].map((node) => [node, node.assistant!.savedAs!]));
}

/** Gives the wanted name or one like it, and says so. */
function giveName(
  give: NameGiver,
  wanted: Traced<string>,
  at: JsonPointer,
  diagnostics: Diagnostic[],
): Traced<string> {
  const { name, reason } = give(wanted.value);
  if (reason === null) return wanted;
  diagnostics.push(diagnose('lower/renamed', at, { from: wanted.value, to: name, reason }));
  return traced(name, synthesized(`name-${reason}`, [at]));
}

function nameTools(
  graph: FlowGraph,
  { representative }: RegionMap,
  diagnostics: Diagnostic[],
): Names['tools'] {
  const { nodes } = graph.workflow;
  const give = createToolNames();
  for (const name of listFixedNames(graph)) give(name);
  const tools = new Map<NodeIndex, Traced<string>>();
  for (const index of graph.order) {
    const { role, tools: called, request, name, id, nameAt } = nodes[index]!;
    if (role !== 'act') continue;
    const [tool] = called;
    if (tool !== undefined) tools.set(index, traced(nameOfGiven(tool), fromSource(tool.at)));
    if (request === null) continue;
    // The representative stands first in walk order, so its name is there by now.
    const shared = tools.get(representative[index]! as NodeIndex);
    const { toolName } = request;
    const at = toolName?.origin.kind === 'source' ? toolName.origin.at : nameAt;
    const wanted = traced(toolName?.value ?? name ?? id, fromSource(at));
    tools.set(index, shared ?? giveName(give, wanted, at, diagnostics));
  }
  return tools;
}

function nameOfGiven({ name, value }: GivenTool): string {
  return value === null ? toToolName(name) : name;
}

/** A tool that an answer names keeps its name, for somebody provides it; so does a given one. */
function listFixedNames({ workflow, order }: FlowGraph): ReadonlySet<string> {
  const calls = workflow.nodes.flatMap((node) => node.calls);
  const given = order.flatMap((index) => workflow.nodes[index]!.tools);
  return new Set([
    ...calls.filter(({ node }) => node === null).map(({ tool }) => tool),
    ...given.filter(({ value }) => value !== null).map(({ name }) => name),
  ]);
}
