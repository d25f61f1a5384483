/** Names of the assistants and of the tools: legal, and no two the same. */
import { diagnose } from '../../diagnostics/diagnose.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import { child, type NodeIndex } from '../ir/ids.js';
import type { Settled } from '../ir/options.js';
import { fromOption, fromSource, synthesized, type Traced, traced } from '../ir/provenance.js';
import type { Region, RegionMap } from '../ir/region-map.js';
import type { Diagnostic } from '../ir/result.js';
import type { WorkflowNode } from '../ir/workflow.js';
import { createAssistantNames, createToolNames, type RenameReason } from '../names/legal-names.js';
import { nameOfGiven } from './given-tools.js';

export interface Names {
  readonly assistants: readonly Traced<string>[];
  /** By the node that calls the tool: request nodes and tool nodes. */
  readonly tools: ReadonlyMap<NodeIndex, Traced<string>>;
  readonly renames: readonly { readonly at: string; readonly from: string; readonly to: string }[];
  readonly diagnostics: readonly Diagnostic[];
}

export function nameAll(graph: FlowGraph, map: RegionMap, options: Settled): Names {
  const diagnostics: Diagnostic[] = [];
  const renames: { at: string; from: string; to: string }[] = [];
  const give = createAssistantNames();
  const used = new Set<string>();
  const naming = map.regions.map((region) => graph.workflow.nodes[namingNode(graph, region)]!);
  const taken = new Set<string>();
  const fixed = naming.map((node) => {
    const name = fixedName(node, options);
    // One id in two places is an error; the second has another name, so that all is told at once.
    if (name === null || taken.has(name.value)) return null;
    taken.add(name.value);
    give(name.value);
    return name;
  });
  const assistants = naming.map((node, region) => {
    const unchanged = fixed[region] ?? null;
    if (unchanged !== null) return unchanged;
    const option = options.names.get(node.id);
    if (option !== undefined) used.add(node.id);
    const wanted = option ?? node.name ?? node.id;
    const place = node.nameAt;
    const { name, reason } = give(wanted);
    if (reason === null) {
      return traced(name, option === undefined ? fromSource(place) : fromOption('names'));
    }
    renames.push({ at: place, from: wanted, to: name });
    diagnostics.push(diagnose('lower/renamed', place, { from: wanted, to: name, reason }));
    return traced(name, synthesized(`name-${reason}`, [place]));
  });
  for (const id of [...options.names.keys()].filter((it) => !used.has(it))) {
    const at = child('/names', id);
    diagnostics.push(diagnose('api/unknown-node', at, { id, option: 'names' }, { in: 'options' }));
  }
  const report = (at: string, from: string, to: string, reason: RenameReason): void => {
    renames.push({ at, from, to });
    diagnostics.push(diagnose('lower/renamed', at, { from, to, reason }));
  };
  return { assistants, tools: nameTools(graph, map, report), renames, diagnostics };
}

/**
 * In the shape of spec/3 nothing can be added to a saved assistant, a name neither; there it is
 * called by what its member and the destinations to it hold.
 */
function fixedName({ assistant }: WorkflowNode, { target }: Settled): Traced<string> | null {
  return target === 'squad' ? (assistant?.savedAs ?? null) : null;
}

/** The first talk node; a tool-only start has none and is named after itself. */
function namingNode(graph: FlowGraph, region: Region): NodeIndex {
  const isTalk = (node: NodeIndex) => graph.workflow.nodes[node]!.role === 'talk';
  return region.nodes.find(isTalk) ?? region.first;
}

type Report = (at: string, from: string, to: string, reason: RenameReason) => void;

function nameTools(
  graph: FlowGraph,
  map: RegionMap,
  report: Report,
): Map<NodeIndex, Traced<string>> {
  const give = createToolNames();
  // A tool that an answer names keeps its name; somebody provides it under that name.
  const provided = graph.workflow.nodes.flatMap(({ calls }) => calls);
  const wantedNames = provided.filter(({ node }) => node === null).map(({ tool }) => tool);
  // A given tool is carried with its name.
  const given = graph.order.flatMap((index) => graph.workflow.nodes[index]!.tools);
  const fixedNames = given.filter(({ value }) => value !== null).map(({ name }) => name);
  for (const tool of new Set([...wantedNames, ...fixedNames])) give(tool);
  const tools = new Map<NodeIndex, Traced<string>>();
  for (const index of graph.order) {
    const node = graph.workflow.nodes[index]!;
    const [called] = node.role === 'act' ? node.tools : [];
    if (called !== undefined) {
      tools.set(index, traced(nameOfGiven(called), fromSource(called.at)));
    }
    if (node.request === null) continue;
    // The representative stands first in walk order, so its name is there by now.
    const standsFor = map.representative[index]! as NodeIndex;
    const shared = tools.get(standsFor);
    if (shared !== undefined) {
      tools.set(index, shared);
      continue;
    }
    const given = node.request.toolName;
    const wanted = given?.value ?? node.name ?? node.id;
    const place = given?.origin.kind === 'source' ? given.origin.at : node.nameAt;
    const { name, reason } = give(wanted);
    const origin = reason === null ? fromSource(place) : synthesized(`name-${reason}`, [place]);
    if (reason !== null) report(place, wanted, name, reason);
    tools.set(index, traced(name, origin));
  }
  return tools;
}
