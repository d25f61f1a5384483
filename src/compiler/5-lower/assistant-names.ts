/** Names of the assistants and of the tools: legal, and no two the same. */
import { diagnose } from '../../diagnostics/diagnose.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import { child, type JsonPointer, type NodeIndex } from '../ir/ids.js';
import type { Settled } from '../ir/options.js';
import {
  fromOption,
  fromSource,
  type Origin,
  synthesized,
  type Traced,
  traced,
} from '../ir/provenance.js';
import type { Region, RegionMap } from '../ir/region-map.js';
import type { Diagnostic } from '../ir/result.js';
import type { Request, WorkflowNode } from '../ir/workflow.js';
import { createAssistantNames, createToolNames, type NameGiver } from '../names/legal-names.js';
import type { Features } from './features.js';
import { firstTalk } from './first-talk.js';
import { nameOfGiven } from './given-tools.js';

export interface Names {
  readonly assistants: readonly Traced<string>[];
  /** By the node that calls the tool: request nodes and tool nodes. */
  readonly tools: ReadonlyMap<NodeIndex, Traced<string>>;
  readonly renames: readonly { readonly at: string; readonly from: string; readonly to: string }[];
  readonly diagnostics: readonly Diagnostic[];
}

const noTools: Names['tools'] = new Map();

interface Naming {
  readonly renames: { readonly at: string; readonly from: string; readonly to: string }[];
  readonly diagnostics: Diagnostic[];
}

export function nameAll(
  graph: FlowGraph,
  map: RegionMap,
  features: Features,
  options: Settled,
): Names {
  const naming: Naming = { renames: [], diagnostics: [] };
  const nodes = map.regions.map((region) => namingNode(graph, region));
  const assistants = nameAssistants(nodes, options, naming);
  const tools = features.tools ? nameTools(graph, map, naming) : noTools;
  return { assistants, tools, ...naming };
}

/** The assistants, by the nodes that they are named after. */
function nameAssistants(
  nodes: readonly WorkflowNode[],
  options: Settled,
  naming: Naming,
): readonly Traced<string>[] {
  const give = createAssistantNames();
  const fixed = options.target === 'squad' ? fixNames(nodes, give) : noNames;
  const names = nodes.map((node, index) => {
    const unchanged = fixed.get(index);
    if (unchanged !== undefined) return unchanged;
    const option = options.names.get(node.id);
    const origin = option === undefined ? null : fromOption('names');
    return giveName(give, option ?? node.name ?? node.id, node.nameAt, origin, naming);
  });
  if (options.names.size > 0) {
    const named = nodes.filter((_, index) => !fixed.has(index));
    reportUnused(options.names, new Set(named.map(({ id }) => id)), naming);
  }
  return names;
}

function reportUnused(
  names: Settled['names'],
  named: ReadonlySet<string>,
  { diagnostics }: Naming,
): void {
  for (const id of names.keys()) {
    if (named.has(id)) continue;
    const at = child('/names', id);
    diagnostics.push(diagnose('api/unknown-node', at, { id, option: 'names' }, { in: 'options' }));
  }
}

/**
 * In the shape of spec/3 nothing can be added to a saved assistant, a name neither; there it is
 * called by what its member and the destinations to it hold. One id in two places is an error; the
 * second has another name, so that all is told at once.
 */
function fixNames(
  nodes: readonly WorkflowNode[],
  give: NameGiver,
): ReadonlyMap<number, Traced<string>> {
  const fixed = new Map<number, Traced<string>>();
  const taken = new Set<string>();
  nodes.forEach(({ assistant }, index) => {
    const name = assistant?.savedAs ?? null;
    if (name === null || taken.has(name.value)) return;
    taken.add(name.value);
    give(name.value);
    fixed.set(index, name);
  });
  return fixed;
}

const noNames: ReadonlyMap<number, Traced<string>> = new Map();

/** Gives the wanted name or one like it; `origin` is the wanted one's where no place is. */
function giveName(
  give: NameGiver,
  wanted: string,
  at: JsonPointer,
  origin: Origin | null,
  { renames, diagnostics }: Naming,
): Traced<string> {
  const { name, reason } = give(wanted);
  if (reason === null) return traced(name, origin ?? fromSource(at));
  renames.push({ at, from: wanted, to: name });
  diagnostics.push(diagnose('lower/renamed', at, { from: wanted, to: name, reason }));
  return traced(name, synthesized(`name-${reason}`, [at]));
}

/** The first talk node; a tool-only start has none and is named after itself. */
function namingNode({ workflow: { nodes } }: FlowGraph, region: Region): WorkflowNode {
  return firstTalk(nodes, region) ?? nodes[region.first]!;
}

function nameTools(
  graph: FlowGraph,
  map: RegionMap,
  naming: Naming,
): Map<NodeIndex, Traced<string>> {
  const give = createToolNames();
  for (const tool of listFixedNames(graph)) give(tool);
  const tools = new Map<NodeIndex, Traced<string>>();
  for (const index of graph.order) {
    const node = graph.workflow.nodes[index]!;
    if (node.role !== 'act') continue;
    const [called] = node.tools;
    if (called !== undefined) {
      tools.set(index, traced(nameOfGiven(called), fromSource(called.at)));
    }
    if (node.request === null) continue;
    // The representative stands first in walk order, so its name is there by now.
    const shared = tools.get(map.representative[index]! as NodeIndex);
    tools.set(index, shared ?? nameRequest(give, node, node.request, naming));
  }
  return tools;
}

/** A tool that an answer names keeps its name, for somebody provides it; so does a given one. */
function listFixedNames({ workflow, order }: FlowGraph): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { calls } of workflow.nodes) {
    for (const { node, tool } of calls) if (node === null) names.add(tool);
  }
  for (const index of order) {
    for (const { value, name } of workflow.nodes[index]!.tools) if (value !== null) names.add(name);
  }
  return names;
}

function nameRequest(
  give: NameGiver,
  { name, id, nameAt }: WorkflowNode,
  { toolName }: Request,
  naming: Naming,
): Traced<string> {
  const at = toolName?.origin.kind === 'source' ? toolName.origin.at : nameAt;
  return giveName(give, toolName?.value ?? name ?? id, at, null, naming);
}
