/**
 * What follows for each member from the nodes that it owns: what it has surely captured when a node
 * is left, which lines the model says for its tools, and which values it fills in.
 */

import { plain, unraw } from '../../call/prompt.js';
import type { Member, Squad } from '../../call/squad.js';
import { type Reading, transfersOf } from '../../call/vocabulary.js';
import type { NodeIndex } from '../../compiler/ir/ids.js';
import { describeWhen, whenReady } from '../../compiler/ir/prompt.js';
import { linesBesideEnd, linesOfTool, startLineOf } from '../../compiler/ir/texts.js';
import { destinationKey } from '../../compiler/ir/tool.js';
import type * as ir from '../../compiler/ir/workflow.js';
import { givenToolKey } from '../../compiler/ir/workflow.js';
import { ofDifferences } from '../../diagnostics/checklist.js';
import { groupBy } from '../../graph/lists.js';
import { flood } from '../../graph/walks.js';
import { type FilledProperty, propertyOf } from '../expected/requests.js';
import { memo, type SourceGraph } from '../expected/source.js';
import { type Finding, fault } from '../finding.js';
import type { Spot } from './crossing.js';
import type { Pair, Placed } from './find.js';
import type { Read } from './reads.js';
import { saidAtExit, saysStart } from './step.js';

export interface MemberFacts {
  /** In the order of its steps. */
  readonly nodes: readonly NodeIndex[];
  /** What stands for the condition of a transition without one, beside those of the others. */
  readonly whenDone: (edge: ir.WorkflowEdge, beside: readonly ir.Condition[]) => ir.Text;
  /** What its prompt calls the tool of a node; null if it does not say. */
  readonly calledAs: (node: NodeIndex) => string | null;
  /** True for a line that the model says, because the platform would lack its values. */
  readonly isTold: (line: ir.Text) => boolean;
  /** What the model fills in when it calls a tool. */
  readonly filledFor: (tool: ir.Request | ir.GivenTool) => readonly FilledProperty[];
}

type SquadFacts = Pick<Placed, 'pairs' | 'nodesOf' | 'owners'> & {
  readonly graph: SourceGraph;
  readonly squad: Squad;
  readonly spots: readonly Spot[];
  readonly reads: readonly Read[];
  readonly critical: ReadonlySet<string>;
  readonly readings: readonly Reading[];
};

export function listMemberFacts(facts: SquadFacts): MemberFacts[] {
  const { graph, squad, spots, pairs, reads, nodesOf, owners, critical, readings } = facts;
  const pairsOf = groupBy(pairs, ({ member }) => member);
  const readsOf = groupBy(reads, ({ spot }) => spot.member);
  const isRead = (index: number) => readings[index]!.prompt !== null;
  const steps = spots.flatMap((it) => it.steps);
  const entered = new Set(steps.flatMap((it) => (it.isHandoff ? it.to : [])));
  return squad.members.map(({ index, called }): MemberFacts => {
    const own = pairsOf.get(index) ?? [];
    const moves = own.flatMap((it) => it.moves);
    const ends = moves.map(({ node }) => graph.nodeAt(node));
    const nodes = inStepOrder(own, nodesOf[index]!);
    const entering = own.filter((it) => it.parent === null || entered.has(it.index));
    const entries = entering.map((it) => it.index);
    const inner = (spot: number) =>
      spots[spot]!.steps.flatMap(({ to, isHandoff }) => (isHandoff ? [] : to));
    /** The nodes that some walk reaches without a visit of the gates, or is at. */
    const without = (gates: ReadonlySet<NodeIndex>) => {
      const isGate = (spot: number) => gates.has(pairs[spot]!.node);
      const open = [...flood(entries, inner, isGate)].filter((it) => !isGate(it));
      return new Set(open.map((it) => pairs[it]!.node));
    };
    const captures = nodes.flatMap((node) =>
      graph.nodeAt(node).captures.map((capture) => ({ name: capture.name, node, capture })),
    );
    const sites = groupBy(captures, ({ name }) => name);
    const isFound = ({ capture }: (typeof captures)[number]) => !capture.alias;
    const missing = memo((name: string) => {
      const finding = sites.get(name)!.filter(isFound);
      return without(new Set(finding.map(({ node }) => node)));
    });
    const found = [...sites].filter(([, all]) => all.some(isFound));
    const said = new Set([
      ...own.flatMap((pair) => linesTold(graph, pair)),
      ...(isRead(index) ? [] : messagesTold(graph, squad.members[index]!, own)),
      ...messagesThatDiffer(ends),
      ...linesBesideEnd(ends, nodes.map(graph.nodeAt), squad.shape.hasFunctions).map(plain),
    ]);
    const calls = new Map(
      moves.flatMap(({ condition, branch }): [NodeIndex, string][] => {
        const node = condition?.call?.node ?? null;
        return node === null || !branch?.call ? [] : [[owners.standsFor(node), branch.call]];
      }),
    );
    for (const { node, step } of own) {
      // A step calls its own tool first, then those that answers want.
      const { role, calls: wanted } = graph.nodeAt(node);
      const asked = wanted.filter(({ moment }) => moment === 'captured').map((it) => it.node);
      const called = role === 'act' ? [node, ...asked] : asked;
      for (const [at, name] of step?.calls.entries() ?? [])
        if (called[at] != null) calls.set(owners.standsFor(called[at]), name);
    }
    const filling = (readsOf.get(index) ?? []).filter(({ kind }) => kind === 'filled');
    const filled = groupBy(filling, ({ tool }) => keyOf(tool!));
    return {
      nodes,
      whenDone: ({ from, to, at }, beside) => {
        const isLost = (name: string) => missing(name).has(owners.standsFor(from));
        const isExit = graph.nodeAt(to).role === 'exit';
        const collected = found.flatMap(([name]) => (isExit || isLost(name) ? [] : name));
        return describeWhen({ kind: 'done', text: whenReady(at, called, collected), beside })!;
      },
      calledAs: (node) => calls.get(node) ?? null,
      isTold: (line) => said.has(plain(line)),
      filledFor: (tool) => {
        const uses = groupBy(filled.get(keyOf(tool)) ?? [], ({ use }) => use.name);
        const callers = nodes.filter((node) => {
          const { request, tools } = graph.nodeAt(node);
          return [request ?? [], tools].flat().some((it) => keyOf(it) === keyOf(tool));
        });
        return Array.from(uses, ([name, all]): FilledProperty => {
          const gates = sites.get(name)!;
          const open = without(new Set(gates.map(({ node }) => node)));
          const asked = gates.filter(isFound).map(({ capture }) => capture);
          return {
            name,
            schema: propertyOf(asked),
            isOnly: all.filter((it) => it.tool === all[0]!.tool).length === 1,
            isRequired: critical.has(name) || callers.every((node) => !open.has(node)),
          };
        });
      },
    };
  });
}

/** Equal tools of several nodes have one key. */
function keyOf(tool: ir.Request | ir.GivenTool): ir.Request | string {
  return 'statics' in tool ? tool : givenToolKey(tool);
}

function inStepOrder(pairs: readonly Pair[], nodes: readonly NodeIndex[]): readonly NodeIndex[] {
  const places = new Map<NodeIndex, number>();
  for (const { node, step, isPassing } of pairs) {
    const at = isPassing ? -1 : (step?.at ?? 0);
    places.set(node, Math.min(places.get(node) ?? at, at));
  }
  return nodes.toSorted((one, other) => places.get(one)! - places.get(other)!);
}

/** The lines of tools and transfers that the model says at a pair. */
function linesTold(graph: SourceGraph, { node, step, moves }: Pair): string[] {
  const own = graph.nodeAt(node);
  const start = step !== null && saysStart(own, step) ? [plain(startLineOf(own)!)] : [];
  const ends = moves.flatMap((it) => (it.branch === null || it.to !== null ? [] : it));
  return [...start, ...ends.flatMap((it) => saidAtExit(graph.nodeAt(it.node), it.branch!))];
}

/** The messages of a number that has several, of which its destination can say only one. */
function messagesThatDiffer(exits: readonly ir.WorkflowNode[]): string[] {
  const byEnd = groupBy(exits.flatMap(transfersOf), destinationKey);
  return [...byEnd.values()].flatMap((same) => {
    const messages = new Set(same.map(({ message }) => message && plain(message)));
    return messages.size < 2 ? [] : [...messages].flatMap((it) => it || []);
  });
}

/** The lines of tools and transfers that prose says, because the tools themselves are silent. */
function messagesTold(graph: SourceGraph, { prompt, tools }: Member, pairs: readonly Pair[]) {
  const ends = pairs.flatMap(({ moves }) => moves.map(({ node }) => graph.nodeAt(node)));
  const starts = pairs.map(({ node }) => startLineOf(graph.nodeAt(node)));
  const messages = ends.flatMap(linesOfTool);
  const made = JSON.stringify(tools.map(({ value }) => value));
  const said = [...starts, ...messages].flatMap((text) => (text === null ? [] : plain(text)));
  const shown = unraw(prompt).plain;
  return said.filter((words) => shown.includes(words) && !made.includes(JSON.stringify(words)));
}

/** What the model says for a tool once, it says wherever the tool is used. */
export function checkToldLines(
  graph: SourceGraph,
  { members }: Squad,
  pairs: readonly Pair[],
  facts: readonly MemberFacts[],
): Finding[] {
  return pairs.flatMap((pair): Finding[] => {
    const { isTold } = facts[pair.member]!;
    const { called, promptAt } = members[pair.member]!;
    const own = graph.nodeAt(pair.node);
    const start = startLineOf(own);
    const isLost =
      pair.step !== null && start !== null && isTold(start) && !saysStart(own, pair.step);
    const messages = pair.moves.flatMap(({ node, branch, to }) => {
      if (branch === null || to !== null) return [];
      const exit = graph.nodeAt(node);
      const said = saidAtExit(exit, branch);
      return linesOfTool(exit).filter((it) => isTold(it) && !said.includes(plain(it)));
    });
    return [...(isLost ? [start] : []), ...messages].map((text) =>
      fault(ofDifferences.textLost(called, plain(text)), [text], [promptAt], 5),
    );
  });
}
