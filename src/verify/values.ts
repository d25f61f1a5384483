/**
 * Whether every read finds in the squad what it finds in the workflow, one variable at a time.
 *
 * A value is an event: what set the variable last. In the workflow a read finds the latest event. In
 * the squad a capture is known to the conversation of its assistant, until a handoff carries it into
 * the bag of the call; a tool's response is in the bag at once. A prompt is rendered when the
 * assistant becomes active, a tool when it runs, with what the model fills in. Only which events are
 * equal matters, so the search is finite; it goes on only while a read can follow.
 */
import { toldAt } from '../call/facts.js';
import { type Said, type Unraw, unraw } from '../call/lift.js';
import { isSchema } from '../compiler/ir/template.js';
import { startLineOf } from '../compiler/ir/texts.js';
import { isExpression, isToken, isVerbatim, outputOf } from '../compiler/ir/tokens.js';
import { payloadOf } from '../compiler/ir/tool.js';
import { builtInVariables } from '../compiler/ir/variables.js';
import type {
  Condition,
  GivenTool,
  Request,
  Text,
  Use,
  WorkflowEdge,
  WorkflowNode,
} from '../compiler/ir/workflow.js';
import { ofDifferences } from '../diagnostics/checklist.js';
import { groupBy } from '../graph/lists.js';
import { asObject, isObject } from '../text/json.js';
import type { JsonPointer } from '../text/pointer.js';
import { type Finding, fault } from './comparison.js';
import type { Flows, Spot, SpotStep } from './crossing.js';
import type { SourceGraph } from './expected/source.js';
import { elements, textOf } from './json.js';
import type { MemberFacts } from './members.js';
import type { Move, Pair, Reading } from './place.js';
import type { Read } from './reads.js';
import type { Destination, Tool } from './squad.js';
import { plain } from './step.js';

/**
 * When the platform or the model puts the value in: the model, from the conversation; the platform,
 * when the assistant becomes active, of an output that the model can resolve otherwise, or of
 * anything else; the platform, when a tool runs; the model, as an argument of the tool.
 */
type Moment = 'told' | 'shown' | 'active' | 'now' | 'filled';

/** A read in the squad. */
interface Occurrence {
  readonly name: string;
  readonly moment: Moment;
  readonly text: Text;
  readonly at: JsonPointer;
}

interface Values {
  readonly graph: SourceGraph;
  readonly readings: readonly (Reading & Unraw)[];
  readonly pairs: readonly Pair[];
  readonly spots: readonly Spot[];
  readonly stepOf: ReadonlyMap<Move, SpotStep>;
  readonly flows: Flows;
  readonly facts: readonly MemberFacts[];
  readonly reads: readonly Read[];
  readonly supplied: ReadonlySet<string>;
  /** The tool of the squad for one of the source. */
  readonly toolOf: (
    member: number,
    node: WorkflowNode,
    tool: Request | GivenTool | null,
  ) => Tool | null;
  readonly destinationOf: (move: Move) => Destination | null;
  readonly carriedBy: (destination: Destination) => ReadonlySet<string>;
}

/** A read that finds another value, and the call that shows it: pairs, each with how it is reached. */
export interface ValueFinding extends Finding {
  readonly variable: string;
  readonly call: readonly (readonly [pair: Pair, edge: WorkflowEdge | null])[];
}

/** The reads at a pair, on entry and on leaving. */
interface PairReads {
  readonly entry: readonly Occurrence[];
  readonly leave: readonly Occurrence[];
}

export function compareValues(values: Values): { values: ValueFinding[]; early: Finding[] } {
  const { pairs, reads, readings, supplied, spots } = values;
  const early = new Set(
    reads.flatMap(({ kind, spot, text, use }) =>
      kind === 'early' ? `${spot.member} ${text.at} ${use.name}` : [],
    ),
  );
  const isEarly = (member: number, { text, name }: Occurrence) =>
    early.has(`${member} ${text.at} ${name}`);
  const found: ValueFinding[] = [];
  const findings: Finding[] = [];
  const all = pairs.map((pair): PairReads => {
    const isOpen = (it: Occurrence) => !isEarly(pair.member, it);
    const { entry, leave } = readsAt(values, pair, findings);
    return { entry: entry.filter(isOpen), leave: leave.filter(isOpen) };
  });
  const set = new Set(
    spots.flatMap(({ facts, steps }) => [
      ...facts.captures.map(({ name }) => name),
      ...facts.responds,
      ...facts.offers,
      ...steps.flatMap(({ given }) => given),
    ]),
  );
  const known = new Set<string>();
  const note = (pair: Pair, { text, name, at }: Occurrence, call: ValueFinding['call']) => {
    const key = `${pair.member} ${text.at} ${name} ${at}`;
    if (known.has(key)) return;
    known.add(key);
    const { called } = readings[pair.member]!.member;
    const own = fault(
      ofDifferences.valueLost(called, name, plain(text)),
      [text, values.graph.nodeAt(pair.node)],
      [at],
    );
    found.push({ ...own, item: 4, variable: name, call });
  };
  // What nothing sets is as it was when the call began.
  for (const [index, { entry, leave }] of all.entries()) {
    const pair = pairs[index]!;
    const { prompt } = readings[pair.member]!;
    for (const it of [...entry, ...leave]) {
      if (set.has(it.name) || it.moment !== 'told') continue;
      const isGiven = supplied.has(it.name) || builtInVariables.has(it.name);
      if (isGiven && prompt?.known.includes(it.name) !== true) note(pair, it, callTo(pair));
    }
  }
  const mixed = listMixed(values);
  for (const name of set) {
    if (mixed.has(name)) continue;
    for (const [call, it] of explore(values, name, all)) {
      note(pairs[call.pair]!, it, callOf(pairs, call));
    }
  }
  return { values: found, early: findings };
}

/**
 * Variables that some destination carries from the conversation, although on another call that it
 * makes a tool's response is newer; a warning tells.
 */
function listMixed({ pairs, stepOf, flows, destinationOf }: Values): ReadonlySet<string> {
  const moves = pairs.flatMap((it) => it.moves).filter((it) => stepOf.get(it)?.isHandoff);
  const together = groupBy(moves, (move) => destinationOf(move) ?? move);
  return new Set(
    [...together.values()].flatMap((same) => {
      const crossing = same.flatMap((it) => flows.crossings(stepOf.get(it)!));
      const isResponse = (name: string) =>
        same.some((it) => flows.onLeaving(name, it.from.index).responses.size > 0);
      return crossing.flatMap(({ name }) => (isResponse(name) ? name : []));
    }),
  );
}

/** The shortest call to a pair. */
function callTo(pair: Pair): ValueFinding['call'] {
  const call: (readonly [Pair, WorkflowEdge | null])[] = [];
  for (let at: Pair | null = pair; at !== null; at = at.parent) call.push([at, at.edge]);
  return call.reverse();
}

function callOf(pairs: readonly Pair[], last: Call): ValueFinding['call'] {
  const call: (readonly [Pair, WorkflowEdge | null])[] = [];
  let at = last;
  for (; at.before !== null; at = at.before) call.push([pairs[at.pair]!, at.edge]);
  return [...callTo(pairs[at.pair]!), ...call.reverse()];
}

/** A call so far; null is no value. */
interface Call {
  readonly pair: number;
  readonly source: string | null;
  /** What the conversation of the assistant knows, and what it has captured itself. */
  readonly told: string | null;
  readonly captured: string | null;
  readonly bag: string | null;
  /** The bag when the assistant became active. */
  readonly active: string | null;
  readonly before: Call | null;
  readonly edge: WorkflowEdge | null;
}

function valueOf(moment: Moment, { told, bag, active }: Call): string | null {
  if (moment === 'told') return told;
  if (moment === 'shown') return active ?? told;
  if (moment === 'active') return active;
  return moment === 'now' ? bag : (told ?? bag);
}

/** The reads that find another value of the variable. */
function explore(values: Values, name: string, all: readonly PairReads[]) {
  const { pairs, spots, stepOf, flows, readings, supplied, destinationOf, carriedBy } = values;
  const wrong: [Call, Occurrence][] = [];
  const calls = new Map<string, Call>();
  const isGiven = supplied.has(name) || builtInVariables.has(name);
  const add = (call: Call): void => {
    const { pair, source, told, captured, bag, active } = call;
    if (!flows.isLive(name, pair) && source === null) return;
    const parts = [null, source, told, captured, bag, active];
    const key = [pair, ...parts.map((it) => parts.indexOf(it))].join();
    if (!calls.has(key)) calls.set(key, call);
  };
  const knows = (member: number) => readings[member]!.prompt?.known.includes(name) === true;
  const begin = (pair: number, value: string | null): Call => {
    const told = knows(pairs[pair]!.member) ? value : null;
    return {
      pair,
      source: value,
      told,
      captured: null,
      bag: value,
      active: value,
      before: null,
      edge: null,
    };
  };
  const sets = ({ facts, steps }: Spot) =>
    facts.captures.some((it) => it.name === name) ||
    facts.responds.has(name) ||
    facts.offers.has(name) ||
    steps.some(({ given }) => given.includes(name));
  const seeds = isGiven
    ? pairs.filter(({ parent }) => parent === null).map(({ index }) => index)
    : spots.filter(sets).map(({ index }) => index);
  for (const seed of seeds) {
    const call = begin(seed, isGiven ? 'the start' : null);
    calls.set(`seed ${seed}`, call);
  }
  const check = (call: Call, some: readonly Occurrence[]) => {
    for (const it of some) {
      if (it.name === name && valueOf(it.moment, call) !== call.source) wrong.push([call, it]);
    }
  };
  for (const call of calls.values()) {
    const { facts } = spots[call.pair]!;
    const pair = pairs[call.pair]!;
    const { entry, leave } = all[call.pair]!;
    check(call, entry);
    const event = `${call.pair}`;
    const captures = facts.captures.some((it) => it.name === name);
    const responded = { ...call, source: event, told: event, bag: event };
    const afters: Call[] = facts.responds.has(name)
      ? [responded]
      : [
          call,
          ...(captures ? [{ ...call, source: event, told: event, captured: event }] : []),
          ...(facts.offers.has(name) ? [responded] : []),
        ];
    for (const after of afters) {
      check(after, leave);
      for (const move of pair.moves) {
        const step = stepOf.get(move);
        if (step === undefined) continue;
        const to = step.to;
        const given = `given ${call.pair} ${to}`;
        const now = step.given.includes(name)
          ? { ...after, source: given, told: given, bag: given }
          : after;
        if (!step.isHandoff) {
          add({ ...now, pair: to, before: call, edge: move.edge });
          continue;
        }
        const destination = destinationOf(move);
        // A handoff that is not there is a difference itself.
        if (destination === null || destination.leadsTo !== pairs[to]!.member) continue;
        const isCarried = carriedBy(destination).has(name);
        const bag = (isCarried ? now.captured : null) ?? now.bag;
        const told = knows(pairs[to]!.member) ? bag : null;
        add({
          pair: to,
          source: now.source,
          told,
          captured: null,
          bag,
          active: bag,
          before: call,
          edge: move.edge,
        });
      }
    }
  }
  return wrong;
}

/** Where the texts of a pair stand in the squad, and how their variables are read there. */
function readsAt(values: Values, pair: Pair, findings: Finding[]): PairReads {
  const { graph, readings, facts, toolOf, destinationOf } = values;
  const { member: own, prompt, ...whole } = readings[pair.member]!;
  const { step, said } = pair;
  const { promptAt, firstMessageAt, firstMessage, called, saved } = own;
  if (saved) return { entry: [], leave: [] };
  const first = unraw(firstMessage ?? '');
  /** A text in a prompt or a description. */
  const inPrompt = (
    text: Text | null,
    place: Said | null | undefined,
    where: Unraw = whole,
    at = promptAt,
  ): Occurrence[] => {
    if (text === null || text.uses.length === 0 || !place) return [];
    if (isVerbatim(text) && !covers(where, place.at, place.at + place.value.length)) {
      findings.push({
        ...fault(ofDifferences.renderedEarly(called, plain(text)), [text], [at]),
        item: 3,
      });
    }
    return text.uses.map((use) => ({
      name: use.name,
      moment: momentIn(text, use, place.at, where),
      text,
      at,
    }));
  };
  /** A text that the platform renders at one time. */
  const rendered = (text: Text | null, moment: Moment, at: JsonPointer): Occurrence[] =>
    (text?.uses ?? []).map(({ name }) => ({ name, moment, text: text!, at }));
  const find = (text: Text | null, where: Unraw): Said | null => {
    const at = text === null ? -1 : where.plain.indexOf(plain(text));
    return at < 0 ? null : { value: plain(text!), at };
  };
  const among = (text: Text | null, some: readonly (Said | null)[]) =>
    (text === null ? undefined : some.find((it) => it?.value === plain(text))) ??
    (prompt === null ? find(text, whole) : null);

  const node = graph.nodeAt(pair.node);
  const start = startLineOf(node);
  const entry: Occurrence[] = [];
  const { globalPrompt } = graph.workflow;
  entry.push(
    ...inPrompt(globalPrompt, prompt === null ? find(globalPrompt, whole) : prompt.globalPrompt),
  );
  for (const { text, moment, tool } of toldAt(node)) {
    const made = tool === null ? null : toolOf(pair.member, node, tool);
    if (text === node.firstMessage) {
      const line = [...said.lines, ...(step?.lines ?? [])].find(
        ({ value }) => value === plain(text),
      );
      const isSpoken =
        said.opening !== null || (prompt === null && first.plain.includes(plain(text)));
      entry.push(
        ...(isSpoken
          ? rendered(text, 'active', firstMessageAt)
          : inPrompt(text, line ?? among(text, []))),
      );
    } else if (tool === null || moment === 'entry') {
      const description = made === null ? null : descriptionIn(made, text);
      if (description !== null)
        entry.push(...inPrompt(text, description.place, description.where, made!.at));
      else
        entry.push(
          ...inPrompt(
            text,
            among(text, [
              step?.instructions ?? null,
              ...(step?.captures ?? []).map((it) => it.description),
            ]),
          ),
        );
    } else if (text === start && facts[pair.member]!.isTold(text)) {
      entry.push(...inPrompt(text, step?.lines.at(-1)));
    } else if (made !== null) {
      for (const use of text.uses) {
        const moment_ = isFilled(made, tool, use, text) ? 'filled' : 'now';
        entry.push({ name: use.name, moment: moment_, text, at: made.at });
      }
    }
  }
  const leave: Occurrence[] = [];
  for (const move of pair.moves) {
    const { condition, branch, node: to } = move;
    const words = branch?.condition ?? among(condition, []);
    if (condition !== null && condition.routing !== 'tool') {
      leave.push(...inPrompt(condition, words));
      const destination = destinationOf(move);
      if (destination !== null) {
        const where = unraw(destination.description);
        leave.push(...inPrompt(condition, find(condition, where), where, destination.at));
      }
    }
    const target = graph.nodeAt(to);
    if (target.role !== 'exit') continue;
    const tool = target.transfer === null ? null : toolOf(pair.member, target, null);
    for (const { text, moment } of toldAt(target)) {
      const place = among(text, [...(branch?.lines ?? []), branch?.instructions ?? null]);
      if (place !== null) leave.push(...inPrompt(text, place));
      else if (tool !== null && moment !== 'entry') leave.push(...rendered(text, 'now', tool.at));
      else if (tool !== null) {
        for (const it of elements(tool.value['destinations'])) {
          const where = unraw(textOf(asObject(it)['description']) ?? '');
          leave.push(...inPrompt(text, find(text, where), where, tool.at));
        }
      }
    }
    for (const it of elements(tool?.value['destinations'])) {
      const where = unraw(textOf(asObject(it)['description']) ?? '');
      if (condition !== null && condition.routing !== 'tool')
        leave.push(...inPrompt(condition, find(condition, where), where, tool!.at));
    }
  }
  return { entry, leave };
}

/** The offset in a text without its own `raw` pairs. */
function plainOffset(text: string, offset: number): number {
  return unraw(text.slice(0, offset)).plain.length;
}

function covers({ raw }: Unraw, from: number, to: number): boolean {
  return raw.some(([start, end]) => start <= from && to <= end);
}

function momentIn(text: Text | Condition, use: Use, at: number, where: Unraw): Moment {
  if (isExpression(text)) return 'told';
  const output = outputOf(text.value, use);
  const [start, end] = output ?? [use.start, use.end];
  const isRaw = covers(
    where,
    at + plainOffset(text.value, start),
    at + plainOffset(text.value, end),
  );
  if (isRaw) return 'told';
  return output === null ? 'active' : 'shown';
}

/** Where a description of a tool or of its arguments has the text. */
function descriptionIn(
  { value }: Tool,
  text: Text,
): { readonly place: Said; readonly where: Unraw } | null {
  const found: { place: Said; where: Unraw }[] = [];
  const visit = (part: unknown): void => {
    if (typeof part === 'string') {
      const where = unraw(part);
      const at = where.plain.indexOf(plain(text));
      if (at >= 0) found.push({ place: { value: plain(text), at }, where });
    } else if (Array.isArray(part)) part.forEach(visit);
    else if (isObject(part)) Object.values(part).forEach(visit);
  };
  visit(value);
  return found[0] ?? null;
}

/** Whether the model gives the value when it calls the tool. */
function isFilled(
  { value }: Tool,
  tool: Request | GivenTool | null,
  { name }: Use,
  text: Text,
): boolean {
  const form = asObject(value['body'] ?? asObject(value['function'])['parameters']);
  const properties = asObject(form['properties']);
  const isAsked = (key: string) => {
    const part = properties[key];
    return isObject(part) && !Object.hasOwn(part, 'value') && !Object.hasOwn(part, 'const');
  };
  if (isAsked(name)) return true;
  const sent = tool === null ? null : payloadOf(tool);
  const body = asObject(sent?.body?.value);
  const fixed = Object.entries(isSchema(body) ? asObject(body['properties']) : body).map(
    ([key, part]) => [key, isSchema(body) ? asObject(part)['value'] : part] as const,
  );
  const own = [...fixed, ...(sent?.statics ?? []).map((it) => [it.key, it.value.value] as const)];
  return isToken(text.value, name) && own.some(([key, it]) => isToken(it, name) && isAsked(key));
}
