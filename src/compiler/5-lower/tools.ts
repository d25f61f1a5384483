/**
 * The tools of one assistant, in the order in which a walk comes to them.
 *
 * In: an assistant. Out: each tool once, by the first node that has it. A tool in the platform's own
 * words stands as the source has it; only what a guard demands is added, where the source itself says
 * nothing of when the platform refuses it.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { groupBy } from '../../graph/lists.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { JsonPointer, NodeIndex } from '../ir/ids.js';
import { toLegalName, toToolName } from '../ir/names.js';
import { fromAnswer, fromSource, type Traced, traced } from '../ir/provenance.js';
import type { Region } from '../ir/region-map.js';
import type { Diagnostic } from '../ir/result.js';
import type { OtherToolIr, ToolIr } from '../ir/squad-ir.js';
import { withFields } from '../ir/template.js';
import {
  confirmingTool,
  endCallTool,
  rejectionPlan,
  requestTool,
  transferTool,
} from '../ir/tool.js';
import { describe } from '../ir/wording.js';
import { type GivenTool, givenToolKey } from '../ir/workflow.js';
import { listToolWays, refusalsOf, type ToolWay, type ToolWays } from './guards.js';
import { type Handoffs, handoffsOf, handoffsToGlobals, nameHandoffs } from './handoffs.js';
import { endsCall, listCalls, type Member, type Squad, whenCalledFor } from './members.js';

export function toolsOf(squad: Squad, member: Member): readonly ToolIr[] {
  const { graph, map } = squad;
  const { region } = member;
  const ways = listToolWays(graph, map, region);
  const given = listHoldings(graph, region).flatMap((it) => givenTool(graph, it, ways));
  const others = [...requestTools(squad, member, ways), ...confirmingTools(squad, member)];
  const called = groupBy([...given, ...others], ({ by }) => by);
  const transfers = groupBy(transferTools(squad, member, ways), ({ by }) => by);
  const tools = [
    ...region.nodes.flatMap((node): (OtherToolIr | Handoffs)[] => [
      ...toolsIn(called.get(node)),
      ...handoffsOf(squad, member, node),
      ...toolsIn(transfers.get(node)),
    ]),
    ...handoffsToGlobals(squad, member),
    ...toolsIn(transfers.get(null)),
  ];
  return nameHandoffs(squad, [...tools, ...endTool(squad, region, ways, given)]);
}

/** A tool, and the node by which the assistant has it; null where no node leads to it. */
interface Owned {
  readonly by: NodeIndex | null;
  readonly tool: OtherToolIr;
}

function toolsIn(owned: readonly Owned[] = []): readonly OtherToolIr[] {
  return owned.map(({ tool }) => tool);
}

const plain = { edges: [] } as const;

/** A tool in the platform's own words, and the nodes of the assistant that have it, in walk order. */
interface Holding {
  readonly tool: GivenTool;
  readonly nodes: readonly NodeIndex[];
}

function listHoldings({ workflow }: FlowGraph, { nodes }: Region): readonly Holding[] {
  const all = nodes.flatMap((node) => workflow.nodes[node]!.tools.map((tool) => ({ node, tool })));
  return [...groupBy(all, ({ tool }) => givenToolKey(tool)).values()].map((same) => ({
    tool: same[0]!.tool,
    nodes: same.map(({ node }) => node),
  }));
}

/** The ids of the tools that the platform keeps. */
export function listSavedTools(graph: FlowGraph, region: Region): Traced<string>[] {
  return listHoldings(graph, region).flatMap(({ tool }) => tool.savedAs ?? []);
}

function givenTool({ workflow }: FlowGraph, { tool, nodes }: Holding, ways: ToolWays): Owned[] {
  const { value, name, at } = tool;
  if (value === null) return [];
  const node = nodes[0]!;
  // A tool that a talk node offers may be called at any time.
  const isCalled = nodes.every((it) => workflow.nodes[it]!.role === 'act');
  const refuses = isCalled && !Object.hasOwn(value.value, 'rejectionPlan');
  const plan = refuses ? planFor(nodes.flatMap(ways.to)) : [];
  const template = plan.length === 0 ? value : withFields(value, plan);
  const named = traced(name, fromSource(at));
  return [{ by: node, tool: { ...plain, kind: 'given', node, name: named, template } }];
}

function planFor(ways: readonly ToolWay[]) {
  return rejectionPlan(refusalsOf(ways.map(({ condition }) => condition)));
}

/** Each request once, by the node itself or the first that calls its tool. */
function requestTools(squad: Squad, { region }: Member, ways: ToolWays): Owned[] {
  const { graph, map, options, names } = squad;
  const requests = new Map<NodeIndex, NodeIndex>();
  const take = (request: NodeIndex, by: NodeIndex): void => {
    if (!requests.has(request)) requests.set(request, by);
  };
  for (const index of region.nodes) {
    if (graph.workflow.nodes[index]!.request !== null) take(index, index);
    for (const { node } of listCalls(graph, region, index)) {
      if (node !== null) take(map.representative[node]! as NodeIndex, index);
    }
  }
  return Array.from(requests, ([index, by]): Owned => {
    const node = graph.workflow.nodes[index]!;
    const request = node.request!;
    // One that can be called at any time says when.
    const when = node.global && whenCalledFor(node, toLegalName(node.name ?? node.id)).text;
    const said = [request.description, when].filter((it) => it !== null);
    const name = names.tools.get(index)!;
    const description = said.length === 0 ? null : describe(said);
    const tool = requestTool(request, options.target, { name, description });
    const template = withFields(tool, planFor(ways.to(index)));
    return { by, tool: { ...plain, kind: 'request', node: index, name, template } };
  });
}

/** A model cannot have two tools of one name, so calls of one tool are one tool. */
function confirmingTools(squad: Squad, { region }: Member): Owned[] {
  const { graph, options, captures } = squad;
  const calls = region.nodes.flatMap((by) =>
    listCalls(graph, region, by).map((call) => ({ by, call })),
  );
  const asked = calls.filter(({ call }) => call.node === null);
  return Array.from(
    groupBy(asked, ({ call }) => toToolName(call.tool)),
    ([name, same]): Owned => {
      const together = same.map(({ call }) => call);
      const captureOf = (variable: string) => captures.get(variable);
      const template = confirmingTool(name, together, captureOf, options.target);
      const named = traced(name, fromAnswer(together[0]!.question));
      return {
        by: same[0]!.by,
        tool: { ...plain, kind: 'function', node: null, name: named, template },
      };
    },
  );
}

/** One tool per transfer node; under null the global ones that no node leads to. */
function transferTools(squad: Squad, { moves }: Member, ways: ToolWays): Owned[] {
  const { graph, options } = squad;
  const { nodes } = graph.workflow;
  const isTransfer = (node: NodeIndex) => nodes[node]!.transfer !== null;
  const leaving = [...moves.values()].flat().filter(({ step }) => isTransfer(step.to));
  const byExit = groupBy(leaving, ({ step }) => step.to);
  const globals = graph.globals.filter((node) => isTransfer(node) && !byExit.has(node));
  return [...byExit, ...globals.map((node) => [node, []] as const)].map(([exit, same]): Owned => {
    const node = nodes[exit]!;
    const said = same.flatMap(({ when }) => (when.kind === 'done' ? [] : [when.text]));
    const called = node.global && whenCalledFor(node, toLegalName(node.name ?? node.id)).text;
    const texts = called === null ? said : [...said, called];
    // Where several destinations are, what the source says of each tells them apart.
    const tool = transferTool(node.transfer!, options.target, (purpose) =>
      describe(purpose === null ? texts : [...texts, purpose]),
    );
    return {
      by: same[0]?.step.from ?? null,
      tool: {
        kind: 'transfer',
        node: exit,
        name: null,
        template: withFields(tool, planFor(ways.to(exit))),
        edges: same.map(({ step }) => step.edge),
      },
    };
  });
}

/** The platform knows one tool that ends the call; the source may bring its own. */
function endTool(
  { graph, options }: Squad,
  { steps }: Region,
  ways: ToolWays,
  given: readonly Owned[],
): OtherToolIr[] {
  const { nodes } = graph.workflow;
  const ends = [...steps.map(({ to }) => to), ...graph.globals].some((it) => endsCall(nodes[it]!));
  if (!ends || options.target === 'squad') return [];
  const isEnd = ({ tool: { template } }: Owned) =>
    'value' in template && template.value['type'] === 'endCall';
  if (given.some(isEnd)) return [];
  const template = withFields(endCallTool(), planFor(ways.toEnd));
  return [{ ...plain, kind: 'end', node: null, name: null, template }];
}

/** A model can tell tools of one name apart by nothing, unless they are one. */
export function findSharedNames(graph: FlowGraph, regions: readonly Region[]): Diagnostic[] {
  const found = regions.flatMap((region) => findSharedIn(graph, region));
  return [...new Map(found.map((it) => [JSON.stringify([it.at, it.related]), it])).values()];
}

function findSharedIn(graph: FlowGraph, region: Region): Diagnostic[] {
  const asked = region.nodes.flatMap((node) => listCalls(graph, region, node));
  const earlier = new Map<string, JsonPointer>();
  for (const { node, tool, at } of asked) if (node === null) earlier.set(toToolName(tool), at);
  return listHoldings(graph, region).flatMap(({ tool: { name, at, value } }) => {
    // Where a transfer leads, its description says; a squad has several of them side by side.
    if (value === null || name === 'transferCall') return [];
    const other = earlier.get(name);
    earlier.set(name, other ?? at);
    if (other === undefined) return [];
    return [diagnose('lower/tools-of-one-name', at, { tool: name }, { related: [other] })];
  });
}
