/**
 * What the system message of an assistant says; how it says it stands in ir/wording.ts.
 *
 * Invariants: every text of the region's nodes is in it; a step of each node, in walk order; a way on
 * for each step of the region and each global node.
 */
import type { NodeIndex } from '../ir/ids.js';
import { toLegalName } from '../ir/names.js';
import { traced } from '../ir/provenance.js';
import type { Action, EntryContent, PromptContent, StepContent, Way } from '../ir/wording.js';
import type { Condition, WorkflowNode } from '../ir/workflow.js';
import { type Member, type Move, type Squad, whenCalledFor } from './members.js';
import { callName } from './names.js';

export function contentOf(squad: Squad, member: Member): PromptContent {
  const { graph } = squad;
  const { nodes, entries } = member.region;
  return {
    globalPrompt: graph.workflow.globalPrompt,
    name: member.name,
    entries: entries.length === 1 ? [] : entries.map((it) => entryOf(squad, member, it)),
    steps: nodes.map((it) => stepOf(squad, member, graph.workflow.nodes[it]!)),
    anyTime: graph.globals.map((it) => wayToGlobal(squad, member, it)),
  };
}

function entryOf({ graph, leads }: Squad, { numbers }: Member, entry: NodeIndex): EntryContent {
  const all = leads.get(entry) ?? [];
  return {
    step: numbers.get(entry)!,
    isStart: entry === graph.start,
    conditions: all.flatMap((it) => (it.kind === 'condition' ? [it.text] : [])),
    sentences: all.flatMap((it) => (it.kind === 'sentence' ? [it.text] : [])),
  };
}

function stepOf(squad: Squad, member: Member, node: WorkflowNode): StepContent {
  const { tools } = squad.names;
  const own = tools.get(node.index);
  // A call that a condition needs stands where the condition stands.
  const asked = node.calls.filter(({ moment }) => moment === 'captured');
  return {
    line: member.spoken === node.index ? null : node.firstMessage,
    instructions: node.systemPrompt,
    captures: node.captures,
    calls: [...(own === undefined ? [] : [own.value]), ...asked.map((it) => callName(it, tools))],
    ways: (member.moves.get(node.index) ?? []).map((it) => wayOf(squad, member, it)),
  };
}

function wayOf(squad: Squad, member: Member, { step, condition, when }: Move): Way {
  const action = (): Action => {
    switch (step.kind) {
      case 'inner':
        return goTo(squad, member, step.to);
      case 'exit':
        return leave(squad.graph.workflow.nodes[step.to]!);
      case 'handoff':
        return { kind: 'hand-off', to: squad.members[step.region]!.name };
    }
  };
  return { demand: demandOf(squad, condition), when, action: action() };
}

function wayToGlobal(squad: Squad, member: Member, global: NodeIndex): Way {
  const node = squad.graph.workflow.nodes[global]!;
  const home = squad.homes.get(global);
  const isExit = node.role === 'exit';
  const name = isExit || home === undefined ? toLegalName(node.name ?? node.id) : home.name;
  const action = (): Action => {
    if (isExit) return leave(node);
    if (member.numbers.has(global)) return goTo(squad, member, global);
    return { kind: 'hand-off', to: name };
  };
  return {
    demand: demandOf(squad, node.global?.condition ?? null),
    when: whenCalledFor(node, name),
    action: action(),
  };
}

/** A step back to the node whose line the assistant speaks by itself repeats the line. */
function goTo({ graph }: Squad, { spoken, numbers }: Member, to: NodeIndex): Action {
  const line = spoken === to ? graph.workflow.nodes[to]!.firstMessage : null;
  return { kind: 'go', step: numbers.get(to)!, line };
}

/** Ends or transfers the call; what the exit says stands before it. */
function leave({ firstMessage: line, systemPrompt: instructions, transfer }: WorkflowNode): Action {
  if (transfer === null) return { kind: 'end', line, instructions };
  const to = [transfer, ...transfer.others].flatMap(({ destination }) => {
    if (destination === null) return [];
    const { value, origin } = destination;
    return [traced(value.type === 'sip' ? value.sipUri : value.number, origin)];
  });
  return { kind: 'transfer', to, line, instructions };
}

/** What an exact condition needs before it can be judged. */
function demandOf({ names }: Squad, condition: Condition | null): Way['demand'] {
  if (condition === null) return null;
  if (condition.call !== null) return { call: callName(condition.call, names.tools) };
  const known = [...new Set(condition.uses.map((use) => use.name))];
  return condition.routing === 'extract' && known.length > 0 ? { know: known } : null;
}
