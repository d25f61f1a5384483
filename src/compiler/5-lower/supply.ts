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
import { describe } from '../ir/prompt.js';
import { synthesized, traced } from '../ir/provenance.js';
import type { FilledProperty, PlanProperty } from '../ir/squad-ir.js';
import { startLineOf, textsOf } from '../ir/texts.js';
import {
  isExpression,
  isVerbatim,
  markRaw,
  markVerbatim,
  outputOf,
  type ReadKind,
} from '../ir/tokens.js';
import { canFill, type ModelInput, payloadOf } from '../ir/tool.js';
import {
  builtInVariables,
  type Crossing,
  type Definitions,
  type Flow,
  foundAmong,
  hasGap,
  isAlias,
  type Place,
  reachingAt,
} from '../ir/variables.js';
import {
  type GivenTool,
  givenToolKey,
  type Request,
  type Span,
  type Text,
  type Use,
  type WorkflowNode,
} from '../ir/workflow.js';
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

/** How an assistant gets its values. */
export interface Supply {
  readonly flow: Flow;
  readonly reads: readonly SuppliedRead[];
  /** Whether a text contains tokens for what is found out during the call. */
  readonly hasTokens: boolean;
  /** Of the variables that it reads or sets, those that can have a value on entry. */
  readonly available: ReadonlySet<string>;
  /** Variables whose value on entry no text shows, by name. */
  readonly known: readonly string[];
  /** Lines that the model says, because somewhere the platform would speak them without a value. */
  readonly told: ReadonlySet<Text>;
  /** What the model provides when it calls a tool. */
  readonly inputs: ReadonlyMap<ToolKey, ModelInput>;
}

/** What all assistants are made from. */
export interface Squad extends Planned {
  readonly supplies: ReadonlyMap<Member, Supply>;
}

export function supplyReads(squad: Planned): Squad {
  const { members, variables, supplied } = squad;
  const entered = listEntered(squad);
  const supplies = members.map((member, at) => {
    const isEntered = (name: string) =>
      variables.has(name) && has(entered[at]!, variables.get(name)!.number);
    const isAvailable = (name: string) =>
      supplied.has(name) || builtInVariables.has(name) || isEntered(name);
    return [member, supplyMember(squad, member, isAvailable)] as const;
  });
  return { ...squad, supplies: new Map(supplies) };
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

function supplyMember(
  squad: Planned,
  member: Member,
  isAvailable: (name: string) => boolean,
): Supply {
  const { workflow } = squad.graph;
  const { flow } = member;
  const reads = listTexts(squad, member).flatMap(({ text, place, tool }) =>
    text.uses.map((use): SuppliedRead => {
      const kind = kindOf(flow, text, use, place, tool);
      const own = flow.definitions.get(use.name);
      const [captures, responses] = own ? [own.captures, respondersOf(own)] : [[], []];
      const set = responses.map((node) => workflow.nodes[node]!.at);
      const from = [...captures.map(({ capture }) => capture.at), ...set];
      const setters = [...captures.map(({ node }) => node), ...responses];
      return { text, use, kind, from: kind === 'rendered' ? [] : from, setters, place, tool };
    }),
  );
  const told = new Set(
    reads.flatMap(({ kind, tool, text }) => (kind === 'rendered' || tool !== null ? [] : text)),
  );
  const names = [...reads.map(({ use }) => use.name), ...flow.definitions.keys()];
  const available = new Set([...new Set(names)].filter(isAvailable));
  const isUnshown = ({ kind, text }: SuppliedRead) =>
    kind === 'told' || kind === 'filled' || isExpression(text);
  const unshown = reads.filter((it) => isUnshown(it) && available.has(it.use.name));
  return {
    flow,
    reads,
    available,
    hasTokens: Array.from(groupBy(reads, ({ text }) => text)).some(
      ([text, own]) =>
        text.value.includes('{{') && (isVerbatim(text) || own.some(({ kind }) => kind === 'told')),
    ),
    known: [...new Set(unshown.map(({ use }) => use.name))].sort(),
    told,
    inputs: listInputs(squad, member, reads, told),
  };
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
export function say<T extends Text>({ flow, available }: Supply, text: T, place: Place): T {
  if (isVerbatim(text)) return markVerbatim(text);
  const marked = text.uses.flatMap((use): Span[] => {
    const output = outputOf(text.value, use);
    if (output === null || kindOf(flow, text, use, place, null) !== 'told') return [];
    return available.has(use.name) ? [output] : [];
  });
  return markRaw(text, marked);
}

/** By tool, what the model fills in when it calls it; equal tools of several nodes are one. */
function listInputs(
  { options }: Planned,
  { nodes, flow }: Member,
  reads: readonly SuppliedRead[],
  told: ReadonlySet<Text>,
): Supply['inputs'] {
  const called = nodes.flatMap((node) =>
    [...(node.request === null ? [] : [node.request]), ...node.tools].map((tool) => {
      return { key: keyOf(tool), node };
    }),
  );
  const filling = groupBy(
    reads.filter(({ kind }) => kind === 'filled'),
    ({ tool }) => keyOf(tool!.tool),
  );
  const inputs = Array.from(
    groupBy(called, ({ key }) => key),
    ([key, callers]) => {
      const own = groupBy(filling.get(key) ?? [], ({ use }) => use.name);
      const filled = Array.from(own, ([name, uses]): FilledProperty => {
        const [first] = uses;
        const hasGapAt = (node: NodeIndex) => hasGap(flow, name, 'never captured', node);
        return {
          property: propertyOf(flow.definitions.get(name)!)!,
          isOnly: uses.filter((it) => it.tool!.tool === first!.tool!.tool).length === 1,
          isRequired:
            options.criticalVariables.has(name) ||
            !callers.some(({ node }) => hasGapAt(node.index)),
        };
      });
      const isSilent = callers.some(({ node }) => {
        const line = startLineOf(node);
        return line !== null && told.has(line);
      });
      return [key, { filled, isSilent }] as const;
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
  const [first, ...others] = foundAmong(crossing).map(({ capture }) => capture);
  if (first === undefined) return null;
  const found = [first, ...others];
  const captures = found.map(({ at }) => at);
  const isOne = others.every(({ type }) => type === first.type);
  const details = found.map((it) => JSON.stringify(it.details?.value));
  const choices = found.flatMap((it) => it.enum ?? []);
  const described = found.flatMap(({ description }) => description ?? []);
  return {
    name,
    type: isOne ? first.type : 'string',
    description:
      described.length > 0
        ? describe(described)
        : traced(name, synthesized('named-after-variable', captures)),
    // A capture without an enumeration allows any value.
    enum: isOne && found.every((it) => it.enum !== null) ? [...new Set(choices)] : null,
    details: isOne && new Set(details).size === 1 ? first.details : null,
    captures,
  };
}

/** What the model provides when it calls the tool. */
export function inputFor({ inputs }: Supply, tool: Request | GivenTool): ModelInput {
  return inputs.get(keyOf(tool)) ?? noInput;
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
