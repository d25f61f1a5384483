/**
 * The content of an assistant's system message; its wording is in ir/wording.ts.
 *
 * Invariants: it contains every text of the region's nodes, a step for each node in walk order, and
 * a transition for each step of the region and each global node.
 */

import type { Action, Branch, HandoffCall, PromptContent, When } from '../ir/prompt.js';
import { traced } from '../ir/provenance.js';
import { startLineOf } from '../ir/texts.js';
import { markVerbatim } from '../ir/tokens.js';
import { type Condition, functionOf, type Text, type WorkflowNode } from '../ir/workflow.js';
import { callName, type Member, type Names, placeOf, type Transition } from './members.js';
import { inputFor, type Squad, say } from './supply.js';

/** What a prompt depends on besides its assistant. */
export interface PromptContext {
  /** By entry, the transitions that lead there. */
  readonly incoming: ReadonlyMap<WorkflowNode, readonly Transition[]>;
  /** The function of a handoff; null in the shape of spec/3. */
  readonly callOf: (transition: Transition) => HandoffCall | null;
  /** The tool that ends the call. */
  readonly endTool: string | null;
}

export function contentOf(
  squad: Squad,
  member: Member,
  { incoming, callOf, endTool }: PromptContext,
): PromptContent {
  const { graph, names, members, supplies } = squad;
  const { nodes, region, opening, transitionsFrom } = member;
  const { workflow, start } = graph;
  const begun = new Set(opening);
  const steps = [...opening.slice(-1), ...nodes.filter((node) => !begun.has(node))];
  const numbers = new Map(steps.map((node, at) => [node, at + 1]));
  const supply = supplies.get(member)!;
  const { hasTokens, known, told } = supply;
  const sayAt = ({ index: node }: WorkflowNode, text: Text | null) =>
    text && say(supply, text, { node, isLeft: false });
  const actionOf = (transition: Transition): Action => {
    const { kind, to, region: target } = transition;
    const place = placeOf(transition);
    const sayOr = (text: Text | null) => text && say(supply, text, place);
    if (kind === 'exit') return leave(to, endTool, sayOr, told);
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
    const { when } = it;
    const said = when.text === null ? when : { ...when, text: say(supply, when.text, placeOf(it)) };
    return { demand: demandOf(it.condition, names), when: said as When, action: actionOf(it) };
  };
  const entries = region.entries.length === 1 ? [] : region.entries;
  return {
    globalPrompt: workflow.globalPrompt && say(supply, workflow.globalPrompt, null),
    opening: {
      part: members.length === 1 ? 'only' : region.entries.includes(start) ? 'first' : 'later',
      hasSpoken: opening.some(({ firstMessage }) => firstMessage !== null),
      hasTokens,
      known,
    },
    entries: entries.map((entry) => {
      const all = (incoming.get(workflow.nodes[entry]!) ?? []).map(({ when }) => when);
      return {
        step: numbers.get(workflow.nodes[entry]!)!,
        isStart: entry === start,
        conditions: all.flatMap((it) => (it.kind === 'condition' ? [markVerbatim(it.text)] : [])),
        done: all.flatMap((it) =>
          it.kind === 'done' ? [{ ...it, beside: it.beside.map(markVerbatim) }] : [],
        ),
      };
    }),
    steps: steps.map((node) => {
      const [given] = node.role === 'act' ? node.tools : [];
      const step = numbers.get(node)!;
      const own = given ? (functionOf(given) ?? step) : names.tools.get(node.index)?.value;
      // A call that a condition needs stands at the condition.
      const asked = node.calls.filter(({ moment }) => moment === 'captured');
      const called = asked.map((it) => callName(it, names.tools));
      const tool = node.request ?? given;
      const isSaid = tool !== undefined && inputFor(supply, tool).isSilent;
      const lines = [begun.has(node) ? null : node.firstMessage, isSaid ? startLineOf(node) : null];
      return {
        lines: lines.flatMap((line) => sayAt(node, line) ?? []),
        instructions: sayAt(node, node.systemPrompt),
        captures: node.captures.map((it) => ({ ...it, description: sayAt(node, it.description) })),
        calls: own === undefined ? called : [own, ...called],
        branches: (transitionsFrom.get(node) ?? []).map(branchOf),
      };
    }),
    // A global node is not entered from its own step; a line of the opening has none.
    anyTime: (transitionsFrom.get(null) ?? []).map((it) => {
      const own = it.kind === 'inner' ? numbers.get(it.to) : undefined;
      return { ...branchOf(it), except: own ?? null };
    }),
  };
}

/** Ends or transfers the call, after what the exit says. */
function leave(
  { firstMessage, systemPrompt, transfer }: WorkflowNode,
  tool: string | null,
  say: (text: Text | null) => Text | null,
  told: ReadonlySet<Text>,
): Action {
  const [line, instructions] = [say(firstMessage), say(systemPrompt)];
  const lines = line === null ? [] : [line];
  if (transfer === null) return { kind: 'end', tool, lines, instructions };
  // The model says what the tool's destination therefore does not say, whatever leads to it.
  for (const { message } of [transfer, ...transfer.others]) {
    if (message !== null && told.has(message)) lines.push(say(message)!);
  }
  const to = [transfer, ...transfer.others].flatMap(({ destination }) => {
    if (destination === null) return [];
    const { value, origin } = destination;
    return [traced(value.type === 'sip' ? value.sipUri : value.number, origin)];
  });
  return { kind: 'transfer', to, lines, instructions };
}

/** What an exact condition needs before it can be judged. */
function demandOf(condition: Condition | null, { tools }: Names): Branch['demand'] {
  if (condition === null) return null;
  if (condition.call !== null) return { call: callName(condition.call, tools) };
  if (condition.routing !== 'extract' || condition.uses.length === 0) return null;
  return { know: [...new Set(condition.uses.map((use) => use.name))] };
}
