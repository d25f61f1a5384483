/**
 * Where each read gets its value during the call.
 *
 * In: the planned squad. Out, for each assistant: its reads with their kinds, and what follows for
 * its texts. The platform renders a prompt when the assistant becomes active, with the values that
 * the call has then; what the caller says later is in no template until a handoff carries it. So a
 * read that a capture or a response of the same assistant reaches is shown to the model as a token,
 * unless a request reads it: then the model fills the value in when it calls the tool.
 *
 * Example: in ask → quote, one assistant, where ask captures `size` and quote says `For {{size}}
 * …`, the read is told. In another assistant it would be rendered.
 */
import { append, groupBy } from '../../graph/lists.js';
import { flood } from '../../graph/walks.js';
import { asObject, isObject, type Json } from '../../text/json.js';
import type { JsonPointer } from '../../text/pointer.js';
import type { NodeIndex, RegionIndex } from '../ir/ids.js';
import type { FilledProperty } from '../ir/squad-ir.js';
import { isSchema } from '../ir/template.js';
import { startLineOf, textsOf } from '../ir/texts.js';
import {
  isExpression,
  isToken,
  isVerbatim,
  markRaw,
  markVerbatim,
  outputOf,
  type ReadKind,
} from '../ir/tokens.js';
import { type ModelInput, type Payload, payloadOf } from '../ir/tool.js';
import { builtInVariables, isAlias } from '../ir/variables.js';
import {
  type GivenTool,
  givenToolKey,
  type Request,
  type Span,
  type Text,
  type Use,
  type WorkflowNode,
} from '../ir/workflow.js';
import { entryStep, type Member, type Place, placeOf } from './members.js';
import { createReach, type Planned, propertyOf, type Sites } from './plans.js';

/** One read of a text, and how it gets its value. */
export interface SuppliedRead {
  readonly text: Text;
  readonly use: Use;
  readonly kind: ReadKind;
  /** Captures and responses of the same assistant that can supply the value. */
  readonly from: readonly JsonPointer[];
  /** The nodes of the same assistant that set the variable. */
  readonly setters: readonly NodeIndex[];
  readonly place: Place;
  /** The tool that reads it; null for a text that the model is told. */
  readonly tool: Reader | null;
}

/** A tool of a node that reads variables when it runs. */
export interface Reader {
  readonly node: WorkflowNode;
  readonly tool: Request | GivenTool;
  /** Whether the platform evaluates the text before the model fills anything in. */
  readonly isAhead: boolean;
}

/** How an assistant gets its values. */
export interface MemberSupply {
  readonly reads: readonly SuppliedRead[];
  /** Whether a text contains tokens for what is found out during the call. */
  readonly hasTokens: boolean;
  /** Whether the variable can have a value on entry. */
  readonly isAvailable: (name: string) => boolean;
  /** Variables whose value on entry no text shows, by name. */
  readonly known: readonly string[];
  /** The text as the prompt or a description contains it. */
  readonly say: <T extends Text>(text: T, place: Place) => T;
  /** True if the model says the line: somewhere the platform would speak it without a value. */
  readonly isTold: (line: Text) => boolean;
  /** What the model provides when it calls a tool; equal tools of several nodes are one. */
  readonly suppliedTo: (tool: Request | GivenTool) => ModelInput;
}

/** What all assistants are made from. */
export interface Squad extends Planned {
  readonly supplies: ReadonlyMap<Member, MemberSupply>;
}

export function supplyReads(squad: Planned): Squad {
  const isAvailable = createAvailability(squad);
  const supplies = new Map(
    squad.members.map((member) => [
      member,
      supplyMember(squad, member, (name) => isAvailable(member, name)),
    ]),
  );
  return { ...squad, supplies };
}

/** The nodes whose tools set the variable, or may. */
function respondersOf({
  responses,
  offers,
}: Pick<Sites, 'responses' | 'offers'>): readonly NodeIndex[] {
  return [...responses, ...offers];
}

/**
 * Tests whether a variable can have a value when an assistant becomes active: it is given with the
 * call, or on some walk to the assistant a handoff carries it or a tool sets it.
 */
function createAvailability({ members, crossings, supplied, sites }: Planned) {
  const next = members.map(({ handoffs }) =>
    handoffs.flatMap(({ edge, region }) => (edge === null ? [] : region)),
  );
  const globals = members.flatMap(({ handoffs }) =>
    handoffs.flatMap(({ edge, region }) => (edge === null ? region : [])),
  );
  const afterGlobals = flood(globals, (region) => next[region]!);
  /** By variable, the assistants that it is handed to. */
  const entered = new Map<string, RegionIndex[]>();
  for (const member of members) {
    const set = [...sites.get(member)!.values()].filter((it) => respondersOf(it).length > 0);
    for (const handoff of member.handoffs) {
      const { region } = handoff;
      const carried = crossings.get(handoff) ?? [];
      for (const { variable } of [...carried, ...set]) append(entered, variable.name, region);
      // The tool of a global node's condition is called before the handoff, wherever the call is.
      const called = handoff.edge === null ? handoff.condition?.call : null;
      for (const name of called?.variables ?? []) append(entered, name, region);
    }
  }
  const reached = new Map<string, ReadonlySet<RegionIndex>>();
  return (member: Member, name: string): boolean => {
    const { index } = member.region;
    if (supplied.has(name) || builtInVariables.has(name)) return true;
    const first = entered.get(name);
    if (first === undefined) return false;
    if (afterGlobals.has(index)) return true;
    const known = reached.get(name) ?? flood(first, (region) => next[region]!);
    reached.set(name, known);
    return known.has(index);
  };
}

function supplyMember(
  squad: Planned,
  member: Member,
  isAvailable: (name: string) => boolean,
): MemberSupply {
  const { graph, options } = squad;
  const sites = squad.sites.get(member)!;
  const texts = listTexts(squad, member);
  const sourcesOf = traceSources(member, sites, texts);
  const kindOf = (text: Text, use: Use, place: Place, reader: Reader | null = null): ReadKind => {
    const { captured, responded } = sourcesOf(use.name, place);
    if (!captured && !responded) return 'rendered';
    const isOutput = outputOf(text.value, use) !== null;
    if (reader === null) return isExpression(text) || isOutput ? 'told' : 'early';
    if (!captured) return 'response';
    const isFound = sites.get(use.name)!.captures.some((site) => !isAlias(site));
    const isAsked = isOutput && isFound && !reader.isAhead;
    return isAsked && canBeFilled(payloadOf(reader.tool), use.name) ? 'filled' : 'early';
  };
  const reads = texts.flatMap(({ text, place, tool }) =>
    text.uses.map((use): SuppliedRead => {
      const kind = kindOf(text, use, place, tool);
      const own = sites.get(use.name);
      const [captures, responses] = own ? [own.captures, respondersOf(own)] : [[], []];
      const set = responses.map((node) => graph.workflow.nodes[node]!.at);
      const from = [...captures.map(({ capture }) => capture.at), ...set];
      const setters = [...captures.map(({ node }) => node), ...responses];
      return { text, use, kind, from: kind === 'rendered' ? [] : from, setters, place, tool };
    }),
  );
  const told = new Set(
    reads.flatMap(({ kind, tool, text }) => (kind === 'rendered' || tool !== null ? [] : text)),
  );
  const isTold: MemberSupply['isTold'] = (line) => told.has(line);
  const isUnshown = ({ kind, text }: SuppliedRead) =>
    kind === 'told' || kind === 'filled' || isExpression(text);
  const unshown = reads.filter((it) => isUnshown(it) && isAvailable(it.use.name));

  const called = member.nodes.flatMap((node) => [
    ...(node.request === null ? [] : [{ key: keyOf(node.request), node }]),
    ...node.tools.map((tool) => ({ key: keyOf(tool), node })),
  ]);
  const callers = groupBy(called, ({ key }) => key);
  const filling = groupBy(
    reads.filter(({ kind }) => kind === 'filled'),
    ({ tool }) => keyOf(tool!.tool),
  );
  const inputFor = (key: ToolKey): ModelInput => {
    const nodes = (callers.get(key) ?? []).map(({ node }) => node);
    const own = groupBy(filling.get(key) ?? [], ({ use }) => use.name);
    return {
      filled: Array.from(own, ([name, uses]): FilledProperty => {
        const { variable, captures } = sites.get(name)!;
        const gates = captures.map((it) => it.node);
        const [first] = uses;
        return {
          property: propertyOf({ variable, captures, mixed: false })!,
          isOnly: uses.filter((it) => it.tool!.tool === first!.tool!.tool).length === 1,
          isRequired:
            options.criticalVariables.has(name) ||
            nodes.every(({ index }) => member.inside.passes(gates, index)),
        };
      }),
      isSilent: nodes.some((node) => {
        const line = startLineOf(node);
        return line !== null && isTold(line);
      }),
    };
  };
  const supplied = new Map([...callers.keys()].map((key) => [key, inputFor(key)]));
  return {
    reads,
    isAvailable,
    hasTokens: Array.from(groupBy(reads, ({ text }) => text)).some(
      ([text, own]) =>
        text.value.includes('{{') && (isVerbatim(text) || own.some(({ kind }) => kind === 'told')),
    ),
    known: [...new Set(unshown.map(({ use }) => use.name))].sort(),
    say: (text, place) => {
      if (isVerbatim(text)) return markVerbatim(text);
      const marked = text.uses.flatMap((use): Span[] => {
        const output = outputOf(text.value, use);
        if (output === null || kindOf(text, use, place) !== 'told') return [];
        return isAvailable(use.name) ? [output] : [];
      });
      return markRaw(text, marked);
    },
    isTold,
    suppliedTo: (tool) => supplied.get(keyOf(tool)) ?? noInput,
  };
}

/** For tools of other assistants. */
const noInput: ModelInput = { filled: [], isSilent: false };

/** Equal tools of several nodes have one key. */
type ToolKey = Request | string;

function keyOf(tool: Request | GivenTool): ToolKey {
  return 'statics' in tool ? tool : givenToolKey(tool);
}

/** A text of an assistant, and where it is read. */
type Placed = Pick<SuppliedRead, 'text' | 'place' | 'tool'>;

function listTexts({ graph }: Planned, { nodes, transitions }: Member): readonly Placed[] {
  const { globalPrompt } = graph.workflow;
  const texts: Placed[] = [];
  const add = (node: WorkflowNode, place: Place): void => {
    for (const { value: text, moment, tool: given = node.request } of textsOf(node)) {
      if (moment === 'handoff') continue;
      const isAhead = moment === 'ahead';
      const isCalled = given !== null && (moment === 'run' || isAhead);
      texts.push({ text, place, tool: isCalled ? { node, tool: given, isAhead } : null });
    }
  };
  if (globalPrompt !== null) texts.push({ text: globalPrompt, place: null, tool: null });
  for (const node of nodes) add(node, { node: node.index, isLeft: false });
  for (const it of transitions) {
    const place = placeOf(it);
    if (it.kind === 'exit') add(it.to, place);
    if (it.condition !== null) texts.push({ text: it.condition, place, tool: null });
  }
  return texts;
}

const unset = { captures: [], responses: [], offers: [] };

/** The assistant's own global nodes for whose condition a tool sets the variable. */
function givenIn({ inside }: Member, name: string): readonly NodeIndex[] {
  return inside.globals.flatMap(({ condition, to }) =>
    condition?.call?.variables.includes(name) ? to.index : [],
  );
}

/** Whether captures or responses of the assistant can reach the place where a text is read. */
function traceSources(member: Member, sites: ReadonlyMap<string, Sites>, texts: readonly Placed[]) {
  const placed = texts.flatMap(({ text, place }) =>
    text.uses.flatMap(({ name }) => (place === null ? [] : { name, node: place.node })),
  );
  const readers = groupBy(placed, ({ name }) => name);
  const trace = (name: string, own: Pick<Sites, 'captures' | 'responses' | 'offers'>) => {
    const asked = new Set((readers.get(name) ?? []).map(({ node }) => node));
    const given = givenIn(member, name).map(entryStep);
    const responding = new Set<number>([...respondersOf(own), ...given]);
    const capturing = new Set<number>(own.captures.map(({ node }) => node));
    const reaches = createReach(member, new Set([...capturing, ...responding]), asked);
    for (const node of responding) capturing.delete(node);
    const [captured, responded] = [reaches(capturing), reaches(responding)];
    return (place: Place) => ({
      captured: place === null ? capturing.size > 0 : captured(place),
      responded: place === null ? responding.size > 0 : responded(place),
    });
  };
  const traced = new Map<string, ReturnType<typeof trace>>();
  return (name: string, place: Place) => {
    const isGiven = givenIn(member, name).length > 0;
    const own = sites.get(name) ?? (isGiven ? unset : null);
    if (own === null) return { captured: false, responded: false };
    const sources = traced.get(name) ?? trace(name, own);
    traced.set(name, sources);
    return sources(place);
  };
}

/** Returns true if the model can fill in a value of this name besides what the tool sends itself. */
function canBeFilled(sent: Payload | null, name: string): boolean {
  if (sent === null) return false;
  const { body, statics } = sent;
  const isOther = (key: string, value: Json | undefined) => key === name && !isToken(value, name);
  if (statics.some(({ key, value }) => isOther(key, value.value))) return false;
  if (body === null) return true;
  if (!isObject(body.value)) return false;
  const isForm = isSchema(body.value);
  const fields = isForm ? asObject(body.value['properties']) : body.value;
  const fixedOf = (value: Json) => (isForm && isObject(value) ? value['value'] : value);
  return Object.entries(fields).every(([key, value]) => !isOther(key, fixedOf(value)));
}
