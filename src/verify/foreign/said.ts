/**
 * What a prompt that squadc did not write has to say, by the nodes that its assistant owns.
 *
 * In: the pairs of the walk. Out, for each such assistant: its lines, instructions, captures and
 * calls, and the moves from there, with the names that the squad has for them.
 */

import type { Destination, Member } from '../../call/squad.js';
import { numbersOf, transfersOf } from '../../call/vocabulary.js';
import { linesOfTool, startLineOf } from '../../compiler/ir/texts.js';
import { onlySays, type Text, type WorkflowNode } from '../../compiler/ir/workflow.js';
import { groupBy } from '../../graph/lists.js';
import { type Owners, outgoing, type SourceGraph } from '../expected/source.js';
import type { Move, Pair } from '../walk/find.js';
import type { MemberFacts } from '../walk/members.js';
import type { CallNames } from '../walk/prompts.js';

export interface Saying {
  readonly globalPrompt: Text | null;
  /** The nodes whose lines the first message says. */
  readonly opened: readonly WorkflowNode[];
  readonly steps: readonly SaidStep[];
}

/** A node, and the lines that the prompt says for it before its instructions. */
export interface SaidNode {
  readonly node: WorkflowNode;
  readonly lines: readonly Text[];
}

export interface SaidStep extends SaidNode {
  readonly calls: readonly string[];
  readonly branches: readonly SaidBranch[];
}

export interface SaidBranch extends Pick<Move, 'edge' | 'condition'> {
  readonly action:
    | { readonly kind: 'go' }
    /** The names that say where it leads: of the assistant, and of the function. */
    | { readonly kind: 'hand-off'; readonly to: readonly string[] }
    | (SaidNode & { readonly kind: 'end' | 'transfer'; readonly to: readonly string[] });
}

interface Input {
  readonly graph: SourceGraph;
  readonly owners: Owners;
  readonly member: Member;
  readonly pairs: readonly Pair[];
  readonly facts: MemberFacts;
  readonly names: CallNames;
  readonly destinationOf: (move: Move) => Destination | null;
}

export function sayingOf(input: Input): Saying {
  const { graph, member, pairs } = input;
  const { isTold } = input.facts;
  const entered = pairs.filter(({ parent }) => parent === null || parent.member !== member.index);
  const entries = new Set(entered.map(({ node }) => node));
  const [first] = entered;
  const opened = entries.size === 1 ? openingFrom(input, graph.nodeAt(first!.node)) : [];
  const isOpened = new Set(opened);
  const byNode = groupBy(pairs, ({ node }) => node);
  const steps = Array.from(byNode, ([index, [first]]): SaidStep => {
    const node = graph.nodeAt(index);
    const start = startLineOf(node);
    const line = isOpened.has(node) ? null : node.firstMessage;
    const asked = node.calls.filter(({ moment }) => moment === 'captured');
    const calls = [node.role === 'act' ? node : [], asked].flat();
    return {
      node,
      lines: [line ?? [], start !== null && isTold(start) ? start : []].flat(),
      calls: calls.flatMap((it) => input.names(member.index, it)),
      branches: first!.moves.map((move) => ({ ...move, action: actionOf(input, move) })),
    };
  });
  return { globalPrompt: graph.workflow.globalPrompt, opened, steps };
}

/** The nodes whose lines an assistant opens with: up to the first that talks. */
function openingFrom({ graph, owners, member }: Input, first: WorkflowNode): WorkflowNode[] {
  const lines: WorkflowNode[] = [];
  let at = first;
  while (onlySays(at) && !lines.includes(at)) {
    lines.push(at);
    const [only] = outgoing(graph, owners.standsFor, at.index);
    at = graph.nodeAt(owners.standsFor(only!.to));
    if (!owners.of(at.index).has(member.index)) return [];
  }
  return at.firstMessage === null || lines.includes(at) ? [] : [...lines, at];
}

function actionOf(
  { graph, member, facts, destinationOf }: Input,
  move: Move,
): SaidBranch['action'] {
  const node = graph.nodeAt(move.node);
  if (node.role !== 'exit') {
    const destination = destinationOf(move);
    if (destination === null || move.to?.member === member.index) return { kind: 'go' };
    const { tool, target } = destination;
    return { kind: 'hand-off', to: [target ?? '', tool?.name || target || ''] };
  }
  const told = linesOfTool(node).filter(facts.isTold);
  const lines = [node.lineBy === null ? (node.firstMessage ?? []) : [], told].flat();
  const kind = node.type === 'transferCall' ? 'transfer' : 'end';
  return { kind, node, lines, to: transfersOf(node).flatMap(numbersOf) };
}
