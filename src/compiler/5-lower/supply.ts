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
import { type Bits, bit, has, propagate } from '../../graph/flows.js';
import { groupBy } from '../../graph/lists.js';
import type { JsonPointer } from '../../text/pointer.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Settled } from '../ir/options.js';
import { describe } from '../ir/prompt.js';
import { synthesized, traced } from '../ir/provenance.js';
import type { FilledProperty, PlanProperty } from '../ir/squad-ir.js';
import { linesBesideEnd, linesOfTool, startLineOf, textsOf } from '../ir/texts.js';
import {
  isExpression,
  isVerbatim,
  markRaw,
  markVerbatim,
  outputOf,
  type ReadKind,
} from '../ir/tokens.js';
import { canFill, destinationKey, type ModelInput, payloadOf } from '../ir/tool.js';
import {
  builtInVariables,
  type Crossing,
  type Definitions,
  extractedCaptures,
  type Flow,
  hasGap,
  isAlias,
  type Place,
  reachingAt,
} from '../ir/variables.js';
import {
  destinationsOf,
  type GivenTool,
  givenToolKey,
  type Request,
  type Span,
  type Text,
  type Use,
  type Workflow,
  type WorkflowNode,
} from '../ir/workflow.js';
import { targets } from '../targets.js';
import { type Member, type Planned, placeOf } from './members.js';

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

/** An assistant, and how it gets its values. */
export interface Supplied extends Member {
  readonly reads: readonly SuppliedRead[];
  /** Whether all tokens are marked, or only those that an earlier value could replace. */
  readonly marksTokens: boolean;
  /** Of the variables that it reads or sets, those that can have a value on entry. */
  readonly available: ReadonlySet<string>;
  /** Lines that the model says, because somewhere the platform would speak them without a value. */
  readonly spokenByModel: ReadonlySet<Text>;
  /** What the model provides when it calls a tool. */
  readonly inputs: ReadonlyMap<ToolKey, ModelInput>;
}

/** What all assistants are made from. */
export type Squad = Planned<Supplied>;

export function supplyReads(squad: Planned): Squad {
  const { members, variables, supplied, graph, options } = squad;
  const entered = listEntered(squad);
  const { marksTokens } = targets[options.target];
  return {
    ...squad,
    members: members.map((member, at): Supplied => {
      const reads = listReads(graph.workflow, member);
      const texts = reads.filter(({ kind, tool }) => kind !== 'rendered' && tool === null);
      const spokenByModel = listSpoken(member, new Set(texts.map(({ text }) => text)), options);
      const names = [...reads.map(({ use }) => use.name), ...member.flow.definitions.keys()];
      const isAvailable = (name: string) =>
        supplied.has(name) ||
        builtInVariables.has(name) ||
        (variables.has(name) && has(entered[at]!, variables.get(name)!.number));
      const available = new Set(names.filter(isAvailable));
      const inputs = listInputs(member, reads, spokenByModel, options.criticalVariables);
      return { ...member, reads, marksTokens, available, spokenByModel, inputs };
    }),
  };
}

/**
 * The texts that the model says, with the same words elsewhere and with what one tool would have to
 * say in several ways: the messages of a destination, and the lines before the end of the call.
 */
function listSpoken(
  { nodes, transitions }: Member,
  texts: ReadonlySet<Text>,
  { target }: Settled,
): ReadonlySet<Text> {
  const exits = transitions.map(({ to }) => to);
  const transfers = exits.flatMap(destinationsOf);
  const lines = nodes.flatMap((node) => startLineOf(node) ?? []);
  const all = [...lines, ...exits.flatMap(linesOfTool)];
  const beside = linesBesideEnd(exits, nodes, targets[target].hasFunctions);
  const spoken = new Set([...texts, ...beside]);
  const words = new Set(all.flatMap((text) => (spoken.has(text) ? text.value : [])));
  for (const same of groupBy(transfers, destinationKey).values()) {
    const messages = new Set(same.map(({ message }) => message?.value ?? ''));
    for (const it of messages.size > 1 ? messages : []) if (it !== '') words.add(it);
  }
  for (const text of all) if (words.has(text.value)) spoken.add(text);
  return spoken;
}

/** Whether a text contains tokens for what is found out during the call. */
export function hasTokens({ reads }: Supplied): boolean {
  return reads.some(
    ({ text, kind }) => text.value.includes('{{') && (kind === 'told' || isVerbatim(text)),
  );
}

/** Variables whose value on entry no text shows, by name. */
export function unshownVariables({ reads, available }: Supplied): string[] {
  const isLate = (it: SuppliedRead) => /^(?:told|filled)$/.test(it.kind) || isExpression(it.text);
  const unshown = reads.filter(isLate);
  const names = new Set(unshown.map(({ use }) => use.name));
  return [...names].filter((name) => available.has(name)).sort();
}

/**
 * For each assistant the variables that can have a value when it becomes active: on some walk to it
 * a handoff carries them or a tool sets them.
 */
function listEntered({ members, variables }: Planned): Bits[] {
  const entering = members.map(() => 0n);
  for (const { flow, handoffs } of members) {
    const tools = [...flow.definitions.values()].filter((it) => respondersOf(it).length > 0);
    for (const { region, crossings, edge, to } of handoffs) {
      // The tool of a global node's condition is called before the handoff, wherever the call is.
      const given = edge === null ? (to.global?.condition?.call?.variables ?? []) : [];
      const called = given.map((name) => ({ variable: variables.get(name)! }));
      for (const { variable } of [...crossings, ...tools, ...called]) {
        entering[region]! |= bit(variable.number);
      }
    }
  }
  const arcs = members.map(({ handoffs }) => handoffs.map(({ region }) => region));
  return propagate(arcs, entering, (_, before) => before);
}

/** The nodes whose tools set the variable, or may. */
function respondersOf({ responses, offers }: Definitions): readonly NodeIndex[] {
  return [...responses, ...offers];
}

function listReads({ nodes, globalPrompt }: Workflow, member: Member): SuppliedRead[] {
  const { flow, transitions } = member;
  return [
    ...(globalPrompt === null ? [] : [{ text: globalPrompt, place: null, tool: null }]),
    ...member.nodes.flatMap((node) => placeTexts(node, { node: node.index, isLeft: false })),
    ...transitions.flatMap((it) => {
      const place = placeOf(it);
      const texts = it.kind === 'exit' ? placeTexts(it.to, place) : [];
      return it.condition === null ? texts : [...texts, { text: it.condition, place, tool: null }];
    }),
  ].flatMap(({ text, place, tool }) =>
    text.uses.map((use): SuppliedRead => {
      const kind = kindOf(flow, text, use, place, tool);
      const own = flow.definitions.get(use.name);
      const sites = [
        ...(own?.captures ?? []).map(({ node, capture }) => ({ node, at: capture.at })),
        ...(own ? respondersOf(own) : []).map((node) => ({ node, at: nodes[node]!.at })),
      ];
      const from = kind === 'rendered' ? [] : sites.map(({ at }) => at);
      return { text, use, kind, from, setters: sites.map(({ node }) => node), place, tool };
    }),
  );
}

/** The texts of a node that are read there. */
function placeTexts(node: WorkflowNode, place: Place) {
  return textsOf(node).flatMap(({ value: text, moment, tool = node.request }) => {
    const isAhead = moment === 'ahead';
    const isCalled = tool !== null && (moment === 'run' || isAhead);
    const reader = isCalled ? { node, tool, isAhead } : null;
    return moment === 'handoff' ? [] : [{ text, place, tool: reader }];
  });
}

function kindOf(flow: Flow, text: Text, use: Use, place: Place, reader: Reader | null): ReadKind {
  const { captures, isResponse } = reachingAt(flow, use.name, place);
  if (captures.length === 0 && !isResponse) return 'rendered';
  const isOutput = outputOf(text.value, use) !== null;
  if (reader === null) return isExpression(text) || isOutput ? 'told' : 'early';
  if (captures.length === 0) return 'response';
  const isFound = flow.definitions.get(use.name)!.captures.some((site) => !isAlias(site));
  const isAsked = isOutput && isFound && !reader.isAhead;
  return isAsked && canFill(payloadOf(reader.tool), use.name) ? 'filled' : 'early';
}

/** The text as the prompt or a description contains it. */
export function say<T extends Text>(member: Supplied, text: T, place: Place): T {
  const { flow, available, marksTokens } = member;
  if (isVerbatim(text)) return markVerbatim(text);
  const marked = text.uses.flatMap((use): Span[] => {
    const output = outputOf(text.value, use);
    if (output === null || kindOf(flow, text, use, place, null) !== 'told') return [];
    return marksTokens || available.has(use.name) ? [output] : [];
  });
  return markRaw(text, marked);
}

/** By tool, what the model fills in when it calls it; equal tools of several nodes are one. */
function listInputs(
  { nodes, flow }: Member,
  reads: readonly SuppliedRead[],
  spokenByModel: ReadonlySet<Text>,
  critical: ReadonlySet<string>,
): Supplied['inputs'] {
  const called = nodes.flatMap((node) =>
    [node.request ?? [], node.tools].flat().map((tool) => [keyOf(tool), node] as const),
  );
  const filled = reads.filter(({ kind }) => kind === 'filled');
  const filling = groupBy(filled, ({ tool }) => keyOf(tool!.tool));
  const inputs = Array.from(
    groupBy(called, ([key]) => key),
    ([key, callers]): [ToolKey, ModelInput] => {
      const uses = groupBy(filling.get(key) ?? [], ({ use }) => use.name);
      const filled = Array.from(uses, ([name, [first, ...others]]): FilledProperty => {
        const isMissable = callers.some(([, it]) => hasGap(flow, name, 'never captured', it.index));
        return {
          property: propertyOf(flow.definitions.get(name)!)!,
          isOnly: others.every(({ tool }) => tool!.tool !== first!.tool!.tool),
          isRequired: critical.has(name) || !isMissable,
        };
      });
      const isSilent = callers.some(([, node]) => spokenByModel.has(startLineOf(node)!));
      return [key, { filled, isSilent }];
    },
  );
  return new Map(inputs);
}

/**
 * A variable as a property of a plan, of arguments, or of what the model fills in; null if no
 * capture from the conversation can cross.
 */
export function propertyOf(crossing: Pick<Crossing, 'variable' | 'captures'>): PlanProperty | null {
  const { name } = crossing.variable;
  const found = extractedCaptures(crossing).map(({ capture }) => capture);
  const [first] = found;
  if (first === undefined) return null;
  const captures = found.map(({ at }) => at);
  const isOne = found.every(({ type }) => type === first.type);
  const details = new Set(found.map((it) => JSON.stringify(it.details?.value)));
  const described = found.flatMap(({ description }) => description ?? []);
  // A capture without an enumeration allows any value.
  const isChoice = isOne && found.every((it) => it.enum !== null);
  const named = traced(name, synthesized('named-after-variable', captures));
  return {
    name,
    type: isOne ? first.type : 'string',
    description: described.length > 0 ? describe(described) : named,
    enum: isChoice ? [...new Set(found.flatMap((it) => it.enum!))] : null,
    details: isOne && details.size === 1 ? first.details : null,
    captures,
  };
}

/** What the model provides when it calls the tool. */
export function inputFor({ inputs }: Supplied, tool: Request | GivenTool): ModelInput {
  // Tools of other assistants have none.
  return inputs.get(keyOf(tool)) ?? { filled: [], isSilent: false };
}

/** Equal tools of several nodes have one key. */
type ToolKey = Request | string;

function keyOf(tool: Request | GivenTool): ToolKey {
  return 'statics' in tool ? tool : givenToolKey(tool);
}
