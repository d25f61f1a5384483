/**
 * The content of an assistant's system message; its wording is in ir/wording.ts.
 *
 * Invariants: it contains every text of the region's nodes, a step for each node in walk order, and
 * a transition for each step of the region and each global node.
 */

import { groupBy } from '../../graph/lists.js';
import { type Action, type Branch, type When, writePrompt } from '../ir/prompt.js';
import { type Segment, traced } from '../ir/provenance.js';
import type { ToolIr } from '../ir/squad-ir.js';
import { startLineOf } from '../ir/texts.js';
import { markVerbatim } from '../ir/tokens.js';
import { type Condition, functionOf, type Text, type WorkflowNode } from '../ir/workflow.js';
import { callName, type Member, type Names, placeOf, type Transition } from './members.js';
import { hasTokens, inputFor, type Squad, type Supplied, say, unshownVariables } from './supply.js';
import { endToolName, handoffCalls } from './tools.js';

/** By entry, the handoffs from other assistants and the inner transitions to global nodes. */
export type Entering = ReadonlyMap<WorkflowNode, readonly Transition[]>;

export function listEntering(members: readonly Member[]): Entering {
  const leadsIn = ({ kind, from }: Transition) => kind === (from === null ? 'inner' : 'handoff');
  const all = members.flatMap(({ transitions }) => transitions.filter(leadsIn));
  return groupBy(all, ({ to }) => to);
}

export function promptOf(
  squad: Squad,
  member: Supplied,
  entering: Entering,
  tools: readonly ToolIr[],
): readonly Segment[] {
  const { graph, names, members } = squad;
  const { nodes, region, opening, transitionsFrom } = member;
  const { workflow, start } = graph;
  const begun = new Set(opening);
  const steps = [...opening.slice(-1), ...nodes.filter((node) => !begun.has(node))];
  const numbers = new Map(steps.map((node, at) => [node, at + 1]));
  const callOf = handoffCalls(tools);
  const endTool = endToolName(squad, tools);
  const sayAt = ({ index: node }: WorkflowNode, text: Text | null) =>
    text && say(member, text, { node, isLeft: false });
  const actionOf = (transition: Transition): Action => {
    const { kind, to, region: target } = transition;
    if (kind === 'exit') return leave(member, transition, endTool);
    if (kind === 'handoff') {
      // The name or id that the platform uses.
      const { name, savedAs } = members[target]!;
      return { kind: 'hand-off', to: (savedAs ?? name).value, by: callOf(transition) };
    }
    // A step back to a node of the opening repeats the lines from there on.
    const again = begun.has(to) ? opening.slice(opening.indexOf(to)) : [];
    const lines = again.flatMap((node) => sayAt(node, node.firstMessage) ?? []);
    return { kind: 'go', step: numbers.get(to) ?? 1, lines };
  };
  const branchOf = (it: Transition): Branch => {
    const { when, condition } = it;
    const text = when.text && say(member, when.text, placeOf(it));
    const needs = prerequisiteOf(condition, names);
    return { needs, when: { ...when, text } as When, action: actionOf(it) };
  };
  const entries = region.entries.length === 1 ? [] : region.entries;
  return writePrompt({
    globalPrompt: workflow.globalPrompt && say(member, workflow.globalPrompt, null),
    part: members.length === 1 ? 'only' : region.entries.includes(start) ? 'first' : 'later',
    hasSpoken: opening.some(({ firstMessage }) => firstMessage !== null),
    hasTokens: hasTokens(member),
    known: unshownVariables(member),
    entries: entries.map((entry) => {
      const node = workflow.nodes[entry]!;
      const whens = (entering.get(node) ?? []).map(({ when }) => when);
      return {
        step: numbers.get(node)!,
        isStart: entry === start,
        conditions: whens.flatMap((it) => (it.kind === 'condition' ? markVerbatim(it.text) : [])),
        done: whens.flatMap((it) =>
          it.kind === 'done' ? { ...it, beside: it.beside.map(markVerbatim) } : [],
        ),
      };
    }),
    steps: steps.map((node, at) => {
      const [given] = node.role === 'act' ? node.tools : [];
      const own = given ? (functionOf(given) ?? at + 1) : names.tools.get(node.index)?.value;
      // A call that a condition needs stands at the condition.
      const calls = node.calls.filter(({ moment }) => moment === 'captured');
      const tool = node.request ?? given;
      const isSilent = tool !== undefined && inputFor(member, tool).isSilent;
      const lines = [
        begun.has(node) ? null : node.firstMessage,
        isSilent ? startLineOf(node) : null,
      ];
      return {
        lines: lines.flatMap((line) => sayAt(node, line) ?? []),
        instructions: sayAt(node, node.systemPrompt),
        captures: node.captures.map((it) => ({ ...it, description: sayAt(node, it.description) })),
        calls: [own ?? [], ...calls.map((it) => callName(it, names.tools))].flat(),
        branches: (transitionsFrom.get(node) ?? []).map(branchOf),
      };
    }),
    // A global node is not entered from its own step; a line of the opening has none.
    anyTime: (transitionsFrom.get(null) ?? []).map((it) => {
      const except = it.kind === 'inner' ? (numbers.get(it.to) ?? null) : null;
      return { ...branchOf(it), except };
    }),
  });
}

/** Ends or transfers the call, after what the exit says. */
function leave(member: Supplied, transition: Transition, tool: string | null): Action {
  const { firstMessage, systemPrompt, transfer } = transition.to;
  const sayHere = (text: Text | null) => text && say(member, text, placeOf(transition));
  const instructions = sayHere(systemPrompt);
  const destinations = transfer === null ? [] : [transfer, ...transfer.others];
  // The model says the message that the tool cannot say, whatever leads to it.
  const silent = destinations.filter(({ message }) => message && member.spokenByModel.has(message));
  const lines = [firstMessage, ...silent.map(({ message }) => message)];
  const spoken = { lines: lines.flatMap((it) => sayHere(it) ?? []), instructions };
  if (transfer === null) return { kind: 'end', tool, ...spoken };
  const to = destinations.flatMap(({ destination }) => {
    if (destination === null) return [];
    const { value, origin } = destination;
    return traced(value.type === 'sip' ? value.sipUri : value.number, origin);
  });
  return { kind: 'transfer', to, ...spoken };
}

/** What an exact condition needs before it can be judged. */
function prerequisiteOf(condition: Condition | null, { tools }: Names): Branch['needs'] {
  if (condition === null) return null;
  if (condition.call !== null) return { call: callName(condition.call, tools) };
  if (condition.routing !== 'extract' || condition.uses.length === 0) return null;
  return { know: [...new Set(condition.uses.map((use) => use.name))] };
}
