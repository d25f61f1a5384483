/**
 * The machine of a squad, given the workflow whose texts its prompts quote.
 *
 * A place is a node of the workflow and where the call is in the squad then: at a step of an
 * assistant, with what is said on the way there. A step of the workflow goes with the transitions of
 * the same words that lead to a place with the texts of its target, never by names. Of several such
 * transitions it is the first that no earlier step has taken.
 */
import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import { nodeInPrompt } from '../compiler/ir/names.js';
import { indexOfStart } from '../compiler/ir/texts.js';
import { onlySays, type Text, type WorkflowNode } from '../compiler/ir/workflow.js';
import { asObject } from '../text/json.js';
import { areSame, elements, textOf } from '../text/parts.js';
import type { Said } from './grammar.js';
import {
  type Act,
  conditionOf,
  givenBefore,
  hasTool,
  type Machine,
  type Move,
  nodeOf,
  type Place,
  type Quotation,
  type Step,
  stepsFrom,
  textsAt,
  writtenConditionOf,
} from './machine.js';
import {
  mark,
  plain,
  type ReadBranch,
  type ReadEntry,
  type ReadStep,
  toolFor,
  unraw,
} from './prompt.js';
import { type Destination, type Layer, listIn, type Squad, type Tool } from './squad.js';
import { numbersOf, type Reading, readPrompts, transfersOf } from './vocabulary.js';

/** A place in a squad, and what is said on the way to it. */
export interface Landing {
  readonly member: number;
  /** -1 for an assistant whose prompt cannot be seen. */
  readonly step: number;
  /** The first message, or what is left of it; null if it is not about to be heard. */
  readonly opening: string | null;
  readonly lines: readonly Said[];
}

export function landOn(member: number, step: number, lines: readonly Said[] = []): Landing {
  return { member, step, opening: null, lines };
}

/** What is left to be said after the line of a node; null if it does not come first. */
export function leftAfter({ firstMessage }: WorkflowNode, { opening, lines }: Landing) {
  const line = firstMessage === null ? '' : plain(firstMessage);
  if (opening?.startsWith(`${line} `)) return { opening: opening.slice(line.length + 1) };
  return lines.length > 1 && lines[0]!.value === line ? { lines: lines.slice(1) } : null;
}

/** A place, and where it is in the squad. */
interface Spot extends Place {
  readonly landing: Landing;
  /** The step of the prompt; null for an exit, and where the line is only a part of what is said. */
  readonly step: ReadStep | null;
  /** The transition to an exit. */
  readonly exit: ReadBranch | null;
  readonly acts: Act[];
  readonly moves: Move[];
}

/** A transition that a step of the workflow can be. */
interface Way {
  /** Null where the call goes on by itself, and in an assistant whose prompt cannot be seen. */
  readonly branch: ReadBranch | null;
  readonly destination: Destination | null;
  readonly to: Spot;
}

interface Source extends Pick<Squad, 'destinations'> {
  readonly graph: FlowGraph;
  readonly readings: readonly Reading[];
  /** The destinations that a transition can mean. */
  readonly meant: ReadonlyMap<ReadBranch, readonly Destination[]>;
}

/** Throws if a prompt cannot be read, or if the first assistant does not begin like the workflow. */
export function machineOfSquad(graph: FlowGraph, squad: Squad): Machine {
  const readings = readPrompts(graph, squad);
  for (const { member, prompt, strange } of readings) {
    if (member.saved || (prompt !== null && strange.length === 0)) continue;
    throw new Error(`cannot read the prompt of ${member.called}: ${strange[0] ?? 'it is prose'}`);
  }
  const { destinations } = squad;
  const meant = new Map(readings.flatMap((it) => listMeant(it, destinations)));
  const source: Source = { graph, destinations, readings, meant };
  const [start] = squad.members.length === 0 ? [] : enter(source, graph.start, 0, null);
  if (start === undefined) throw new Error('the first member is not the start');
  const keyOf = ({ node, landing, exit }: Spot) => JSON.stringify([node, landing, exit?.at]);
  const places = [start];
  const numbers = new Map([[keyOf(start), 0]]);
  for (const spot of places) {
    const taken = new Set<unknown>();
    const conditions: Quotation[] = [];
    for (const step of stepsFrom(graph, spot.node)) {
      const ways = waysFrom(source, spot, step);
      // Steps of the same words have transitions in the same order.
      const way = ways.find(({ branch }) => !taken.has(branch)) ?? ways[0];
      if (way === undefined) continue;
      taken.add(way.branch);
      const key = keyOf(way.to);
      const to = numbers.get(key) ?? places.push(way.to) - 1;
      numbers.set(key, to);
      const given = givenBefore(graph, step);
      const tool = toolNamed(readings[spot.member]!, way.branch?.call);
      const responds = respondedBy(tool).filter((name) => given.includes(name));
      const handoff = way.to.member === spot.member ? null : way.destination;
      spot.moves.push({ step, to, responds, handoff });
      conditions.push(...conditionAt(source, spot, step, way));
    }
    spot.acts.push(...actsAt(source, spot), ...conditions);
  }
  return { places, assistants: readings };
}

/** The node at a place, if the place is the node's. */
function spotsAt(source: Source, index: number, landing: Landing, way: ReadBranch | null): Spot[] {
  const node = nodeOf(source.graph, index);
  const { member, prompt } = source.readings[landing.member]!;
  const savedAs = node.assistant?.savedAs?.value ?? null;
  const exit = node.role === 'exit' ? way : null;
  const isWhole = node.role !== 'exit' && !(onlySays(node) && leftAfter(node, landing) !== null);
  const step = (isWhole && prompt?.steps[landing.step]) || null;
  const isThere =
    member.saved || savedAs !== null
      ? member.saved && member.assistantId === savedAs
      : step !== null && isStepOf(source, node, step, landing);
  const spot = { node: index, member: member.index, landing, step, exit, acts: [], moves: [] };
  return !isWhole || isThere ? [spot] : [];
}

/** Whether a step says and asks what a node does, and calls its tool. */
function isStepOf(source: Source, node: WorkflowNode, step: ReadStep, landing: Landing): boolean {
  const { firstMessage, systemPrompt, request } = node;
  const line = firstMessage === null ? null : plain(firstMessage);
  const said = [...landing.lines, ...step.lines].map(({ value }) => value);
  const [found, wanted] = [step, node].map((it) => it.captures.map(({ name }) => name).join());
  const calls = hasTool(node) || node.calls.some(({ moment }) => moment === 'captured');
  const { url, method } = ownTool(node, step, source.readings[landing.member]!)?.value ?? {};
  const isCalled = request?.url?.value === url && request?.method?.value === method;
  return (
    isTold(systemPrompt, step.instructions) &&
    found === wanted &&
    (line === null || said.includes(line) || landing.opening === line) &&
    step.calls.length > 0 === calls &&
    (request === null || isCalled)
  );
}

function isTold(text: Text | null, said: Said | null): boolean {
  return (said?.value ?? '').trim() === (text === null ? '' : plain(text).trim());
}

/** How a call comes to an assistant; null at its start. */
export interface Entering {
  readonly words: string | null;
  readonly description: string;
  readonly beside: readonly string[];
}

/** Where a call that comes to a node enters an assistant. */
function enter(
  source: Source,
  node: number,
  index: number,
  by: Entering | null,
  way: ReadBranch | null = null,
): Spot[] {
  const { member, prompt } = source.readings[index]!;
  const land = (it: Landing) => spotsAt(source, node, it, way);
  if (prompt === null) return land(landOn(index, -1));
  if (prompt.entries.length === 0) {
    const modes = member.layers.flatMap(({ value }) => value['firstMessageMode'] ?? []);
    const isSpoken = (modes.at(-1) ?? 'assistant-speaks-first') === 'assistant-speaks-first';
    const opening = unraw(member.firstMessage ?? '').plain || null;
    return land({ ...landOn(index, 0), opening: isSpoken ? opening : null });
  }
  const leading = prompt.entries.filter((it) => leadsTo(it, by));
  return leading.flatMap(({ step }) => land(landOn(index, step - 1)));
}

/** Whether an entry is meant for a call that comes so. */
export function leadsTo({ isStart, when, conditions }: ReadEntry, by: Entering | null): boolean {
  if (by === null) return isStart;
  const all = new Set(conditions.map(({ value }) => value));
  if (by.words !== null) return when === null && all.has(by.words);
  const isSame = areSame([...new Set(by.beside)], all);
  return when !== null && by.description.includes(when.value) && isSame;
}

/** The transitions of the squad that a step of the workflow can be. */
function waysFrom(source: Source, { landing, node, step: own }: Spot, step: Step): Way[] {
  const { graph, readings } = source;
  const { member } = landing;
  const { prompt } = readings[member]!;
  const target = nodeOf(graph, step.to);
  const isExit = target.role === 'exit';
  const condition = conditionOf(graph, step);
  const words = condition === null ? null : plain(condition);
  const land = (to: Landing, branch: ReadBranch | null): Way[] =>
    spotsAt(source, step.to, to, branch).map((it) => ({ branch, destination: null, to: it }));
  const handOver = (branch: ReadBranch | null, to: readonly Destination[]): Way[] =>
    to.flatMap((destination) => {
      const description = unraw(destination.description).plain;
      if (destination.leadsTo === null || !description.includes(words ?? '')) return [];
      const others = graph.leaving[node]!.flatMap((edge) => edge.condition ?? []);
      const entering = { words, description, beside: others.map(plain) };
      const spots = enter(source, step.to, destination.leadsTo, entering);
      return spots.map((it) => ({ branch, destination, to: it }));
    });
  const all = source.destinations.filter((it) => it.member === member);
  if (prompt === null) return isExit ? land(landing, null) : handOver(null, all);
  // What is left to be said is said before anything is judged.
  const left = own === null ? leftAfter(nodeOf(graph, node), landing) : null;
  if (left !== null && step.edge !== undefined) return land({ ...landing, ...left }, null);
  const number = own === null ? null : landing.step + 1;
  const always = prompt.anyTime.filter(({ except }) => except === null || except !== number);
  const branches = step.edge === undefined ? always : (own?.branches ?? []);
  return branches.flatMap((branch): Way[] => {
    const { action, lines } = branch;
    if ((branch.condition?.value ?? null) !== words) return [];
    if (isExit) return endsAs(target, branch) ? land(landOn(member, -1, lines), branch) : [];
    if (action.kind === 'go') return land(landOn(member, action.step - 1, lines), branch);
    return handOver(branch, source.meant.get(branch) ?? []);
  });
}

/** For each transition the destinations with its words that are not another step's. */
function listMeant({ member, prompt }: Reading, destinations: readonly Destination[]) {
  const owners = new Map<Destination, unknown>();
  const lists = [...(prompt?.steps ?? []).map(({ branches }) => branches), prompt?.anyTime ?? []];
  return lists.flatMap((branches) =>
    branches.flatMap((branch) => {
      const { action, condition } = branch;
      if (action.kind !== 'hand-off') return [];
      const meant = destinations.filter((it) => {
        const { tool, target, description } = it;
        const isNamed =
          (action.by ?? tool?.name) === tool?.name && (action.to ?? target) === target;
        const says = unraw(description).plain.includes(condition?.value ?? '');
        const isFree = (owners.get(it) ?? branches) === branches;
        return it.member === member.index && isNamed && says && isFree;
      });
      if (meant[0] !== undefined) owners.set(meant[0], branches);
      return [[branch, meant] as const];
    }),
  );
}

/** Whether a transition ends the call as the exit does. */
function endsAs(exit: WorkflowNode, { action, lines, instructions }: ReadBranch): boolean {
  const { type, firstMessage, lineBy, systemPrompt } = exit;
  const line = firstMessage && plain(firstMessage);
  const numbers = action.kind === 'transfer' ? action.numbers : null;
  const isEnd =
    type === 'transferCall'
      ? numbers?.join() === transfersOf(exit).flatMap(numbersOf).join()
      : action.kind === 'end';
  const said = lines[0]?.value ?? (lineBy && line);
  return isEnd && (line === null || said === line) && isTold(systemPrompt, instructions);
}

/** What happens at a place before the conditions of its steps are read. */
function actsAt(source: Source, spot: Spot): Act[] {
  const { step } = spot;
  const node = nodeOf(source.graph, spot.node);
  const reading = source.readings[spot.member]!;
  const tool = step === null ? null : ownTool(node, step, reading);
  const called = [...(step?.calls ?? []), ...(step?.branches ?? []).map(({ call }) => call)];
  const others = called.slice(hasTool(node) ? 1 : 0).map((it) => toolNamed(reading, it));
  const asked = node.calls.flatMap(({ variables }) => variables);
  const answers = others.flatMap(respondedBy).filter((name) => asked.includes(name));
  return [
    ...textsOf(source, spot, tool),
    ...(tool === null ? [] : [{ kind: 'sent', node, tool: tool.value } as const]),
    ...node.captures.map((capture) => ({ kind: 'found', capture }) as const),
    { kind: 'response', variables: [...respondedBy(tool), ...answers] },
  ];
}

/** Where a condition stands: in the prompt, and in the description of what is called then. */
function conditionAt({ graph, readings }: Source, spot: Spot, step: Step, way: Way): Quotation[] {
  const text = writtenConditionOf(graph, step);
  if (text === null) return [];
  const reading = readings[spot.member]!;
  const { branch, destination } = way;
  const numbers = branch?.action.kind === 'transfer' ? branch.action.numbers : [];
  const called = destination === null ? transfersTo(reading, numbers) : [destination];
  return [
    ...inPrompt(reading, 'read', text, branch?.condition),
    ...called.flatMap((it) => inDescription(text, it)),
  ];
}

/** What is said and read on entry. */
function textsOf({ graph, readings }: Source, spot: Spot, tool: Tool | null): Quotation[] {
  const { landing, step, exit } = spot;
  const node = nodeOf(graph, spot.node);
  const reading = readings[spot.member]!;
  const { member, prompt } = reading;
  const { firstMessage, lineBy, systemPrompt, captures, request } = node;
  const ending = member.tools.find(({ type }) => type === 'endCall');
  const lines = [...landing.lines, ...(step?.lines ?? [])];
  const byModel = (text: Text): Quotation[] => {
    const at = lines.findIndex(({ value }) => value === plain(text));
    return at < 0 ? [] : inPrompt(reading, 'said', text, lines.splice(at, 1)[0]);
  };
  const byTool = (text: Text): Quotation[] => {
    const numbers = transfersOf(node).flatMap((it) => (it.message === text ? numbersOf(it) : []));
    const messages = (node.lineBy === null ? tool : ending)?.value['messages'];
    const at = node.lineBy === null ? indexOfStart(messages) : 0;
    const start = asObject(elements(messages)[at]);
    const transfers = transfersTo(reading, numbers).map(({ value }) => value['message']);
    return [...transfers, numbers.length > 0 ? null : start['content']].flatMap((whole = null) => {
      if (typeof whole !== 'string' || unraw(whole).plain !== plain(text)) return [];
      return [{ kind: 'said', text, whole, isEarly: false, by: 'platform' } as const];
    });
  };
  const opening = landing.opening ?? '';
  const first = unraw(member.firstMessage ?? '');
  const aloud = (text: Text | null, value: string, left: string): Quotation => {
    const at = first.plain.length - left.length;
    const whole = mark(member.firstMessage!, { value, at }, first);
    return { kind: 'said', text, whole, isEarly: true, by: 'platform' };
  };
  const line = firstMessage === null ? '' : plain(firstMessage);
  const isHeard = line !== '' && `${opening} `.startsWith(`${line} `);
  const quotations = textsAt(graph, spot.node).flatMap(({ kind, text }): Quotation[] => {
    if (text === firstMessage && lineBy === null)
      return isHeard ? [aloud(text, line, opening)] : byModel(text);
    if (kind === 'said') return [...byModel(text), ...byTool(text)];
    if (text === request?.description) return tool === null ? [] : inDescription(text, tool);
    if (text === systemPrompt) return inPrompt(reading, kind, text, (exit ?? step)?.instructions);
    const captured = step?.captures[captures.findIndex((it) => it.description === text)];
    const said = captured === undefined ? prompt?.globalPrompt : captured.description;
    return inPrompt(reading, kind, text, said);
  });
  // Only after a node that only says a line something may be left.
  const left = isHeard ? opening.slice(line.length + 1) : opening;
  const isOver = left !== '' && (step ?? exit) !== null;
  return isOver ? [...quotations, aloud(null, left, left)] : quotations;
}

/** A text where the prompt has it. */
function inPrompt(reading: Reading, kind: 'said' | 'read', text: Text, said?: Said | null) {
  if (said?.value !== plain(text)) return [];
  const whole = mark(reading.member.prompt, said, reading);
  const place = reading.member.promptAt;
  return [{ kind, text, whole, isEarly: true, by: 'model', place } as const];
}

/** A text where the description of a tool or of a destination has it. */
function inDescription(text: Text, { value, at }: Layer): Quotation[] {
  const whole = textOf(value['description'] ?? asObject(value['function'])['description']) ?? '';
  const said = { value: plain(text), at: unraw(whole).plain.indexOf(plain(text)) };
  const quoted = { kind: 'read', text, isEarly: true, by: 'model' } as const;
  const place = `${at}/description`;
  return said.at < 0 ? [] : [{ ...quoted, whole: mark(whole, said, unraw(whole)), place }];
}

/** The destinations of transfers with these numbers. */
function transfersTo({ member }: Reading, numbers: readonly string[]): Layer[] {
  const all = member.tools.filter(({ type }) => type === 'transferCall');
  const isMeant = ({ value }: Layer) =>
    numbers.includes(textOf(value['number'] ?? value['sipUri']) ?? '');
  return all.flatMap((it) => listIn(it, 'destinations')).filter(isMeant);
}

/** The tool of a node, which its step calls first; one without a name by its node. */
function ownTool(node: WorkflowNode, { calls: [called] }: ReadStep, reading: Reading) {
  const name = called === toolFor(nodeInPrompt(node)) ? node.tools[0]?.name : called;
  return hasTool(node) ? toolNamed(reading, name) : null;
}

function toolNamed({ member }: Reading, called: unknown): Tool | null {
  return member.tools.find(({ name, type }) => (name || type) === called) ?? null;
}

/** The variables that the response of a tool sets. */
function respondedBy(tool: Tool | null): string[] {
  const { aliases, schema } = asObject(tool?.value['variableExtractionPlan']);
  const keys = elements(aliases).map((it) => String(asObject(it)['key']));
  return [...keys, ...Object.keys(asObject(asObject(schema)['properties']))];
}
