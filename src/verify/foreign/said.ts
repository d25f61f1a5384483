/**
 * What a prompt that squadc did not write has to say, by the nodes that its assistant owns.
 *
 * In: the pairs of the walk. Out, for each such assistant: its lines, instructions, captures and
 * calls, and the moves from there, with the names that the squad has for them.
 */

import type { Destination, Member } from '../../call/squad.js';
import { numbersOf, transfersOf } from '../../call/vocabulary.js';
import type { HandoffCall } from '../../compiler/ir/prompt.js';
import { linesOfTool, startLineOf } from '../../compiler/ir/texts.js';
import {
  type Capture,
  type Condition,
  onlySays,
  type Text,
  type WorkflowEdge,
  type WorkflowNode,
} from '../../compiler/ir/workflow.js';
import { elements } from '../../text/parts.js';
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

export interface SaidStep {
  readonly node: WorkflowNode;
  readonly lines: readonly Text[];
  readonly instructions: Text | null;
  readonly captures: readonly Capture[];
  readonly calls: readonly string[];
  readonly branches: readonly SaidBranch[];
}

export interface SaidBranch {
  /** Null for a step to a global node. */
  readonly edge: WorkflowEdge | null;
  readonly condition: Condition | null;
  readonly action:
    | { readonly kind: 'go' }
    | { readonly kind: 'hand-off'; readonly to: string; readonly by: HandoffCall | null }
    | {
        readonly kind: 'end' | 'transfer';
        readonly lines: readonly Text[];
        readonly instructions: Text | null;
        readonly to: readonly string[];
      };
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
  const known = new Set<number>();
  const steps = pairs.flatMap(({ node: index, moves }): SaidStep[] => {
    if (known.has(index)) return [];
    known.add(index);
    const node = graph.nodeAt(index);
    const start = startLineOf(node);
    const line = isOpened.has(node) ? null : node.firstMessage;
    const asked = node.calls.filter(({ moment }) => moment === 'captured');
    const called = [...(node.role === 'act' ? input.names(member.index, node) : [])];
    return [
      {
        node,
        lines: [line ?? [], start !== null && isTold(start) ? start : []].flat(),
        instructions: node.systemPrompt,
        captures: node.captures,
        calls: [...called, ...asked.flatMap((call) => input.names(member.index, call))],
        branches: moves.map((move) => branchOf(input, move)),
      },
    ];
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

function branchOf({ graph, member, facts, destinationOf }: Input, move: Move): SaidBranch {
  const { edge, condition, node: index, to: place } = move;
  const node = graph.nodeAt(index);
  if (node.role !== 'exit') {
    const destination = destinationOf(move);
    if (destination === null || place?.member === member.index) {
      return { edge, condition, action: { kind: 'go' } };
    }
    const { tool, target } = destination;
    const isShared = elements(tool?.value['destinations']).length > 1;
    const by = tool?.name ? { name: tool.name, isShared } : null;
    return { edge, condition, action: { kind: 'hand-off', to: target ?? '', by } };
  }
  const transfers = transfersOf(node);
  const told = linesOfTool(node).filter(facts.isTold);
  const kind = node.type === 'transferCall' ? 'transfer' : 'end';
  const lines = [node.lineBy === null ? (node.firstMessage ?? []) : [], told].flat();
  const to = transfers.flatMap(numbersOf);
  return { edge, condition, action: { kind, lines, instructions: node.systemPrompt, to } };
}
