/**
 * Runs a squad as the platform does.
 *
 * A call has one bag of variables. An assistant's prompt and first message are rendered from it
 * when the assistant becomes active, the fields of a tool when it runs, with the arguments that the
 * model fills in. What the caller says is known only to the model until a handoff carries it.
 *
 * The script gives the steps of the workflow and the captured values; the ledger and the source map
 * tell which assistant a step reaches, and where a node's texts stand.
 */
import { withoutRaw } from '../compiler/ir/tokens.js';
import type { Text, ToolCall, WorkflowNode } from '../compiler/ir/workflow.js';
import type { Json, JsonObject } from '../text/json.js';
import { type JsonPointer, valueAt } from '../text/pointer.js';
import { type Bag, render, resolve } from './render.js';
import {
  assistantAt,
  carriedAt,
  follow,
  listAt,
  memberAfter,
  type Passage,
  passagesOf,
  promptAt,
  type Quotation,
  renderPiece,
  type Tracks,
  toolsOf,
} from './squad.js';
import { nodeOf, type Step, stepsFrom } from './walks.js';
import {
  type CallEvent,
  readAs,
  requestOf,
  type Script,
  send,
  textsAt,
  writtenConditionsAt,
} from './workflow.js';

/** An active assistant. */
interface Active {
  readonly member: number;
  /** The variables of the call when it became active. */
  readonly bag: Bag;
  /** What the model knows: told on entry, found out, or from a tool. */
  readonly known: Map<string, string>;
  readonly captured: Map<string, string>;
  /** Lines of the first message that the platform has spoken before the workflow reaches them. */
  readonly spoken: Quotation[];
  readonly passages: readonly Passage[];
}

/** Plays the script through the squad; throws if the squad has no handoff for a step. */
export function runSquad(tracks: Tracks, { steps, given, value }: Script): CallEvent[] {
  const { graph, document } = tracks;
  const events: CallEvent[] = [];
  const bag = new Map(given);
  let active = activate(tracks, 0, bag);
  const told = (visit: number) =>
    events.push({ visit, kind: 'active', ...describe(tracks, active) });
  let from = graph.start as number;
  for (const [visit, step] of [{ to: graph.start, edge: undefined }, ...steps].entries()) {
    const respond = (tool: JsonPointer, asked?: readonly string[]): void => {
      for (const variable of respondedBy(valueAt(document, tool) ?? null)) {
        const text = value(variable, visit);
        if (text === null || asked?.includes(variable) === false) continue;
        bag.set(variable, text);
        active.known.set(variable, text);
        events.push({ visit, kind: 'response', variable, value: text });
      }
    };
    const call = ({ node, tool: name, variables }: ToolCall): void => {
      const own = toolsOf(tracks, active.member, 'function');
      const named = own.find((at) => valueAt(document, `${at}/function/name`) === name);
      const tool = node === null ? named : toolOf(tracks, active.member, nodeOf(graph, node));
      // The answer concerns only these variables, whatever else the request's tool sets.
      if (tool) respond(tool, variables);
    };
    const node = nodeOf(graph, step.to);
    // Nobody enters a global node while a line is being spoken.
    if (visit > 0 && step.edge === undefined) active.spoken.length = 0;
    const handoff = visit === 0 ? null : follow(tracks, active.member, step);
    const before = visit > 0 ? node.global?.condition?.call : null;
    if (before && step.edge === undefined) call(before);
    if (handoff !== null) {
      const carried = carry(document, handoff, active, bag);
      for (const [name, text] of carried) bag.set(name, text);
      active = activate(tracks, memberAfter(tracks, handoff), bag);
      const to = nameOf(tracks, active.member);
      events.push({ visit, kind: 'handoff', to, carried });
    }
    if (visit === 0 || handoff !== null) told(visit);
    events.push({ visit, kind: 'node', node: step.to });
    for (const { text, kind } of textsAt(graph, step.to)) {
      if (kind === 'said')
        for (const said of say(tracks, active, { from, step }, text, bag))
          events.push({ visit, ...said });
      else for (const read of readings(tracks, active, text)) events.push({ visit, kind, ...read });
    }
    // A node that only says a line moves on at once, to the next spoken line.
    const movesOn = node.role === 'act' && node.request === null && node.tools.length === 0;
    for (const quoted of movesOn ? [] : active.spoken.splice(0)) {
      const text = renderPiece(quoted, active.bag);
      events.push({ visit, kind: 'said', at: null, text, by: 'platform' });
    }
    const asked = requestOf(node);
    const tool = asked && toolOf(tracks, active.member, node);
    if (asked && tool) {
      const made = valueAt(document, tool) as JsonObject;
      const filled = fill(made, asked, active.known);
      const fields = [...filled].map(([key, text]) => [`body/${key}`, text]);
      const sent = send(made, new Map([...bag, ...filled]));
      const request = { ...sent, ...Object.fromEntries(fields) };
      events.push({ visit, kind: 'sent', at: node.at, request });
    }
    for (const { name: variable, alias } of node.captures) {
      const found =
        alias === undefined ? value(variable, visit) : render(alias.value, active.known);
      if (found !== null)
        for (const map of [active.known, active.captured]) map.set(variable, found);
      events.push({ visit, kind: 'found', variable, value: found });
    }
    if (tool) respond(tool);
    node.calls.forEach(call);
    from = step.to;
    for (const text of writtenConditionsAt(graph, step.to)) {
      for (const read of readings(tracks, active, text))
        events.push({ visit, kind: 'read', ...read });
    }
  }
  const last = steps.at(-1)?.to ?? graph.start;
  events.push({ visit: steps.length, kind: 'choices', steps: stepsFrom(graph, last) });
  return events;
}

const nameOf = ({ document, membersAt }: Tracks, member: number) =>
  String(valueAt(document, `${membersAt}/${member}/assistant/name`));

function describe(tracks: Tracks, { member, bag }: Active) {
  const prompt = render(String(valueAt(tracks.document, promptAt(tracks, member)) ?? ''), bag);
  return { member, assistant: nameOf(tracks, member), prompt, bag };
}

function activate(tracks: Tracks, member: number, now: Bag): Active {
  const { document } = tracks;
  const bag = new Map(now);
  const { firstMessageMode } = (valueAt(document, assistantAt(tracks, member)) ?? {}) as JsonObject;
  const at = `${assistantAt(tracks, member)}/firstMessage`;
  const speaks = (firstMessageMode ?? 'assistant-speaks-first') === 'assistant-speaks-first';
  const spoken = speaks ? tracks.quotations.filter((each) => each.at === at) : [];
  const prompt = String(valueAt(document, promptAt(tracks, member)) ?? '');
  const entry = /^Known on entry: .*$/m.exec(prompt)?.[0] ?? '';
  const names = [...entry.matchAll(/(?<![\w-])([\w-]+): \{\{\1\}\}/g)].map(([, name]) => name!);
  const known = names.flatMap((name) => (bag.has(name) ? [[name, bag.get(name)!] as const] : []));
  return {
    member,
    bag,
    known: new Map(known),
    captured: new Map(),
    spoken,
    passages: passagesOf(tracks, member),
  };
}

/** What crosses: captured values in the plan or the arguments, and rendered aliases. */
function carry(document: Json, destination: JsonPointer, { captured }: Active, bag: Bag) {
  const carried = new Map(
    carriedAt(document, destination).flatMap((name) =>
      captured.has(name) ? [[name, captured.get(name)!] as const] : [],
    ),
  );
  for (const each of listAt(document, `${destination}/variableExtractionPlan/aliases`)) {
    const { key, value } = each as JsonObject;
    carried.set(String(key), render(String(value), new Map([...bag, ...carried])));
  }
  return carried;
}

/** What a text of the source says to the model, at each place in the assistant. */
function readings(tracks: Tracks, active: Active, text: Text) {
  const places = quotationsOf(tracks, active.member, text).filter(
    ({ at }) => at === promptAt(tracks, active.member) || isDescription.test(at),
  );
  return places.map((it) => ({ at: text.at, text: readBy(active, it, text), place: it.at }));
}

/** Descriptions that the model sees with its tools; those of plans are for the platform. */
const isDescription = /^(?!.*\/(?:variableExtractionPlan|parameters)\/).*\/description$/;

function readBy({ bag, known }: Active, place: Quotation, text: Text): string {
  return readAs(text, resolve(renderPiece(place, bag), known), known);
}

/** How a call comes to a node. */
interface Way {
  readonly from: number;
  readonly step: Step;
}

/**
 * A line or a message: the platform speaks it, or the prompt has the model say it, possibly at
 * several places with different values. Before an exit, that is the transition that leads there.
 */
function say(tracks: Tracks, active: Active, way: Way, text: Text, bag: Bag) {
  const [first] = active.spoken;
  const platform = (place: Quotation, values: Bag) => [
    { kind: 'said', at: text.at, text: renderPiece(place, values), by: 'platform' } as const,
  ];
  if (first !== undefined && (first.from === text.at || withoutRaw(first.text) === text.value)) {
    active.spoken.shift();
    return platform(first, active.bag);
  }
  const isLine = text === nodeOf(tracks.graph, way.step.to).firstMessage;
  const quoted = isLine ? [] : quotationsOf(tracks, active.member, text);
  const message = quoted.find(({ at }) => spokenByTools.test(at));
  const lines = passagesFor(tracks, active, way).flatMap((it) => it.lines);
  const own = lines.filter((line) => withoutRaw(line.text) === text.value);
  const read = new Set(own.map((line) => readBy(active, line, text)));
  return [
    ...(message === undefined ? [] : platform(message, bag)),
    ...Array.from(read, (it) => ({ kind: 'said', at: text.at, text: it, by: 'model' }) as const),
  ];
}

/** What the prompt says on the way: for an exit, the transitions with the words of the step. */
function passagesFor({ graph }: Tracks, { passages }: Active, { from, step }: Way) {
  const { role, transfer, global } = nodeOf(graph, step.to);
  const ends = /(?:transfer the call to [█ or]+|end the call(?: by calling \S+)?)\.\n$/;
  if (role !== 'exit') return passages.filter(({ words }) => !ends.test(words));
  const condition = (step.edge ?? global)?.condition?.value ?? null;
  const numbers = transfer === null ? [] : [transfer, ...transfer.others];
  const leading = passages.filter(
    (it) =>
      ends.test(it.words) &&
      it.condition === condition &&
      (it.step === 0) === (step.edge === undefined) &&
      numbers.every(({ address }) => address === null || it.quotes.includes(address.value)),
  );
  const { systemPrompt, firstMessage } = nodeOf(graph, from);
  const held = passages.filter(({ quotes, condition: other }) => {
    return (
      other === null && [systemPrompt, firstMessage].some((it) => it && quotes.includes(it.value))
    );
  });
  const here = leading.filter((it) => held.some((each) => each.step === it.step));
  return here.length > 0 ? here : leading;
}

const spokenByTools = /\/tools[^/]*\/\d+\/(?:destinations\/\d+\/message|messages\/\d+\/content)$/;

/** The places of the text in the member; an equal text may stand for it. */
function quotationsOf({ quotations, membersAt }: Tracks, member: number, text: Text) {
  const within = `${membersAt}/${member}/`;
  const own = quotations.filter(({ at }) => at.startsWith(within));
  const quoted = own.filter(({ from }) => from === text.at);
  return quoted.length > 0 ? quoted : own.filter((it) => withoutRaw(it.text) === text.value);
}

/** The tool of a node in the member; null if it calls none. */
function toolOf(tracks: Tracks, member: number, node: WorkflowNode) {
  const { role, request, tools, at } = node;
  const [given] = role === 'act' ? tools : [];
  if (request === null && given === undefined) return null;
  const { document, sourceMap } = tracks;
  const type = request === null ? String(given?.value?.value['type']) : 'apiRequest';
  const own = toolsOf(tracks, member, type);
  const isOf = (tool: JsonPointer) =>
    sourceMap.some(
      ({ output, origin }) =>
        output.startsWith(`${tool}/`) && origin.kind === 'source' && origin.at.startsWith(`${at}/`),
    );
  // The tool of an equal node stands for it: it sends the same.
  const fixed = Object.entries(send({ ...requestOf(node), body: {}, parameters: [] }, new Map()));
  const isLike = (tool: JsonPointer) => {
    const sent = send((valueAt(document, tool) ?? {}) as JsonObject, new Map());
    return fixed.every(([field, text]) => sent[field] === text);
  };
  return own.find(isOf) ?? own.find(isLike) ?? null;
}

/** The variables that the response of a tool sets. */
function respondedBy(tool: Json | undefined): string[] {
  const plan = valueAt(tool, '/variableExtractionPlan') ?? {};
  const aliases = listAt(plan, '/aliases').map((each) => String(valueAt(each, '/key')));
  return [...aliases, ...Object.keys(valueAt(plan, '/schema/properties') ?? {})];
}

/**
 * The arguments that the model gives, as far as it knows them; optional ones are omitted. A field
 * of the source that consists of a variable shows what its argument stands for.
 */
function fill(tool: JsonObject, request: JsonObject, known: Bag): Map<string, string> {
  const schema = valueAt(tool, '/body') ?? valueAt(tool, '/function/parameters') ?? null;
  const written = send(request, new Map());
  const given = send(tool, new Map());
  const filled = new Map<string, string>();
  for (const key of listAt(schema, '/required').map(String)) {
    const name = /^\{\{([^{}.]+)\}\}$/.exec(written[`body/${key}`] ?? '')?.[1] ?? key;
    if (given[`body/${key}`] === null && known.has(name)) filled.set(key, known.get(name)!);
  }
  return filled;
}
