/**
 * The content of an assistant's system message; its wording is in ir/wording.ts.
 *
 * Invariants: it contains every text of the region's nodes, a step for each node in walk order, and
 * a transition for each step of the region and each global node.
 */

import { groupBy } from '../../graph/lists.js';
import { nodeInPrompt } from '../ir/names.js';
import {
  capture,
  type Done,
  distinct,
  fill,
  join,
  type Phrase,
  toSegments,
  type When,
} from '../ir/prompt.js';
import { type Segment, traced } from '../ir/provenance.js';
import type { AssistantIr, ToolIr } from '../ir/squad-ir.js';
import { linesOfTool, startLineOf } from '../ir/texts.js';
import { markVerbatim } from '../ir/tokens.js';
import { announced, between, enumerate, saysIf, sentences, silences } from '../ir/wording.js';
import {
  type Condition,
  destinationsOf,
  functionOf,
  type Text,
  type WorkflowNode,
} from '../ir/workflow.js';
import { callName, type Member, type Names, placeOf, type Transition } from './members.js';
import { hasTokens, inputFor, type Squad, type Supplied, say, unshownVariables } from './supply.js';
import { endToolName, handoffFor } from './tools.js';

/** In segments; adjacent segments of squadc's own wording are joined. */
export function promptOf(
  squad: Squad,
  member: Supplied,
  { tools, savedTools }: Pick<AssistantIr, 'tools' | 'savedTools'>,
): readonly Segment[] {
  const { names, members } = squad;
  const { globalPrompt } = squad.graph.workflow;
  const { nodes, region, opening, transitions } = member;
  const begun = new Set(opening);
  const steps = [...opening.slice(-1), ...nodes.filter((node) => !begun.has(node))];
  const numbers = new Map(steps.map((node, at) => [node, at + 1]));
  const endTool = endToolName(squad, tools);

  const act = (transition: Transition): Phrase => {
    const { kind, to, region: target } = transition;
    if (kind === 'exit') return leave(member, transition, endTool);
    if (kind === 'handoff') {
      // The name or id that the platform uses.
      const { name, savedAs } = members[target]!;
      const assistant = (savedAs ?? name).value;
      const { name: called, destinations } = handoffFor(tools, transition);
      if (called === null) return fill('handOff', { assistant });
      const form = destinations.length > 1 ? 'handOffWith' : 'handOffBy';
      return fill(form, { function: called.value, assistant });
    }
    // A step back to a node of the opening repeats the lines from there on.
    const again = begun.has(to) ? opening.slice(opening.indexOf(to)) : [];
    const lines = again.map((node) => sayAt(member, node, node.firstMessage));
    return [lines.map(saying), fill('go', { step: numbers.get(to) ?? 1 })];
  };
  const branch = (transition: Transition): Phrase => {
    const { when, condition } = transition;
    const action = act(transition);
    if (when.kind === 'done')
      return fill(when.beside.length > 0 ? 'otherwise' : 'done', { action });
    const text = say(member, when.text, placeOf(transition));
    return fill('if', { demand: prerequisite(condition, names), if: asking([text]), action });
  };

  const entries = region.entries.length === 1 ? [] : region.entries;
  const isNumbered =
    steps.length > 1 ||
    entries.length > 0 ||
    transitions.some(({ kind, from }) => kind === 'inner' && (!from || numbers.has(from)));
  const first = [
    openingOf(squad, member, steps.length),
    silence(tools.length + savedTools.length > 0, isNumbered),
    entries.map((index) => {
      const node = squad.graph.workflow.nodes[index]!;
      return entry(numbers.get(node)!, index === squad.graph.start, listWhens(members, node));
    }),
  ];
  // A global node is not entered from its own step; a line of the opening has none.
  const ownStep = ({ kind, to }: Transition) => (kind === 'inner' ? numbers.get(to) : undefined);
  const anyTime = transitions.filter(({ from }) => from === null);
  const always = anyTime.filter((it) => ownStep(it) === undefined);
  const parts: Phrase[] = [
    globalPrompt && fill('plain', { text: say(member, globalPrompt, null) }),
    toSegments(first).length > 0 && first,
    ...steps.map((node, at) => [
      isNumbered && fill('heading', { step: at + 1 }),
      work(member, node, names, begun.has(node)),
      transitions.filter(({ from }) => from === node).map(branch),
    ]),
    ...anyTime.map((it) => {
      const step = ownStep(it);
      return step !== undefined && [fill('anyTimeBut', { step }), branch(it)];
    }),
    always.length > 0 && [fill('anyTime'), always.map(branch)],
    announcement(tools),
  ];
  const present = parts.filter((it) => it !== null && it !== false);
  const prompt = toSegments(join(present, '\n'));
  return prompt.some(({ text }) => text.trim() !== '') ? prompt : toSegments(sentence('nothing'));
}

const sentence = (name: keyof typeof sentences) => fill('plain', { text: sentences[name] });

/** A condition that begins with “if” itself needs no label. */
function asking(conditions: readonly Text[]): Phrase {
  const [only, ...others] = distinct(conditions);
  if (others.length === 0 && saysIf(only!.value)) return only!;
  return fill('labelled', { conditions: join([only!, ...others], between.conditions) });
}

function silence(hasFunctions: boolean, isNumbered: boolean): Phrase {
  const about = hasFunctions ? (isNumbered ? 'both' : 'functions') : 'numbers';
  return (hasFunctions || isNumbered) && fill('plain', { text: silences[about] });
}

/** That a transfer, a handoff or the end is not announced without being made. */
function announcement(tools: readonly ToolIr[]): Phrase {
  const types = new Set<unknown>(
    tools.map(({ kind, ...tool }) => {
      if (kind === 'transfer' || kind === 'end') return `${kind}Call`;
      return 'template' in tool && 'value' in tool.template ? tool.template.value['type'] : kind;
    }),
  );
  const all = Object.entries(announced).flatMap(([type, it]) => (types.has(type) ? it : []));
  return all.length > 0 && fill('announce', { what: enumerate(all, 'or') });
}

const saying = (line: Text | null) => line && fill('saying', { line });

function sayAt(member: Supplied, { index: node }: WorkflowNode, text: Text | null): Text | null {
  return text && say(member, text, { node, isLeft: false });
}

function openingOf({ members, graph }: Squad, member: Supplied, steps: number): Phrase {
  const { region, opening } = member;
  const isFirst = region.entries.includes(graph.start);
  const known = unshownVariables(member).map((name) => fill('knownValue', { name }));
  return [
    members.length > 1 && sentence(isFirst ? 'handsOver' : 'takesOver'),
    opening.some(({ firstMessage }) => firstMessage !== null) && sentence('spoken'),
    steps > 1 && sentence('steps'),
    hasTokens(member) && sentence('tokens'),
    known.length > 0 && fill('known', { values: join(known, between.known) }),
  ];
}

/** Of the handoffs from other assistants to an entry, and of the inner transitions to a global one. */
function listWhens(members: readonly Member[], node: WorkflowNode): When[] {
  const leadsIn = ({ kind, from, to }: Transition) =>
    to === node && kind === (from === null ? 'inner' : 'handoff');
  return members.flatMap((it) => it.transitions.filter(leadsIn).map(({ when }) => when));
}

/** Where to begin after one of these transitions. */
function entry(step: number, isStart: boolean, whens: readonly When[]): Phrase {
  const conditions = whens.flatMap((it) => (it.kind === 'condition' ? markVerbatim(it.text) : []));
  const done = whens.flatMap((it) =>
    it.kind === 'done' ? { ...it, beside: it.beside.map(markVerbatim) } : [],
  );
  const keyOf = ({ text, beside }: Done) =>
    JSON.stringify([text, ...beside].map((it) => it?.value));
  return [
    isStart && fill('beginAtStart', { step }),
    conditions.length > 0 && fill('beginIf', { if: asking(conditions), step }),
    Array.from(groupBy(done, keyOf).values(), ([it]) => {
      const { text: when, beside } = it!;
      if (beside.length === 0) return fill('beginAfter', { when, step });
      const others = join(distinct(beside), between.conditions);
      return fill('beginElse', { when, conditions: others, step });
    }),
  ];
}

/** What to do at a step, without its branches. */
function work(member: Supplied, node: WorkflowNode, { tools }: Names, hasSpoken: boolean): Phrase {
  const given = node.role === 'act' ? node.tools[0] : undefined;
  const own = given ? functionOf(given) : (tools.get(node.index)?.value ?? null);
  // A call that a condition needs stands at the condition.
  const others = node.calls.filter(({ moment }) => moment === 'captured');
  const tool = node.request ?? given;
  const isSilent = tool !== undefined && inputFor(member, tool).isSilent;
  const lines = [hasSpoken ? null : node.firstMessage, isSilent ? startLineOf(node) : null];
  const instructions = sayAt(member, node, node.systemPrompt);
  return [
    lines.map((line) => line && fill('say', { line: sayAt(member, node, line) })),
    instructions && fill('plain', { text: instructions }),
    node.captures.map((it) => capture({ ...it, description: sayAt(member, node, it.description) })),
    own !== null && fill('call', { tool: own }),
    given !== undefined && own === null && fill('callFor', { node: nodeInPrompt(node) }),
    others.map((it) => fill('call', { tool: callName(it, tools) })),
  ];
}

/** Ends or transfers the call, after what the exit says. */
function leave(member: Supplied, transition: Transition, endTool: string | null): Phrase {
  const { firstMessage, lineBy, systemPrompt, transfer } = transition.to;
  const sayHere = (text: Text | null) => text && say(member, text, placeOf(transition));
  const destinations = destinationsOf(transition.to);
  // The model says the line that the tool cannot say, whatever leads to it.
  const silent = linesOfTool(transition.to).filter((text) => member.spokenByModel.has(text));
  const numbers = destinations.flatMap(({ destination }) => {
    if (destination === null) return [];
    const { value, origin } = destination;
    return traced(value.type === 'sip' ? value.sipUri : value.number, origin);
  });
  return [
    [lineBy === null ? firstMessage : null, ...silent].map((line) => saying(sayHere(line))),
    systemPrompt && fill('doing', { instructions: sayHere(systemPrompt) }),
    transfer !== null
      ? fill('transfer', { numbers: join(numbers, between.numbers) })
      : endTool === null
        ? fill('end')
        : fill('endBy', { tool: endTool }),
  ];
}

/** What an exact condition needs before it can be judged. */
function prerequisite(condition: Condition | null, { tools }: Names): Phrase {
  if (condition === null) return null;
  if (condition.call !== null) return fill('firstCall', { tool: callName(condition.call, tools) });
  if (condition.routing !== 'extract' || condition.uses.length === 0) return null;
  const names = new Set(condition.uses.map((use) => use.name));
  return fill('firstKnow', { names: enumerate([...names]) });
}
