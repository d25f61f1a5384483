/**
 * Where each read has to get its value at run time, under the grouping of the squad.
 *
 * In: the source, which member owns which nodes, what crosses. Out, for each member: how a text of
 * the source has to stand in its prompt and in its descriptions, what its opening has to contain,
 * and what the model has to fill in when it calls a request. The platform renders a text of the
 * prompt once, when the assistant becomes active, and a request when it is sent.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type { FilledProperty } from '../../compiler/ir/squad-ir.js';
import { startLineOf, textsOf } from '../../compiler/ir/texts.js';
import {
  isExpression,
  isVerbatim,
  markRaw,
  markVerbatim,
  outputOf,
  type ReadKind,
} from '../../compiler/ir/tokens.js';
import { type ModelInput, payloadOf } from '../../compiler/ir/tool.js';
import { builtInVariables, isAlias } from '../../compiler/ir/variables.js';
import {
  type GivenTool,
  givenToolKey,
  type Request,
  type Span,
  type Text,
  type Use,
  type WorkflowNode,
} from '../../compiler/ir/workflow.js';
import { append, groupBy } from '../../graph/lists.js';
import { computeComponents } from '../../graph/partitions.js';
import { findReached, flood } from '../../graph/walks.js';
import type { Squad } from '../squad.js';
import { type Crossings, propertyOf, type Variables } from './crossings.js';
import { canHaveProperty } from './requests.js';
import {
  type Handoff,
  listEntered,
  memo,
  type Owners,
  outgoing,
  type SourceGraph,
  type Steps,
  walkInside,
} from './source.js';

/** Where a text is read; anywhere in the assistant if the node is null. */
export interface Reading {
  readonly node: NodeIndex | null;
  readonly isLeft: boolean;
}

export const anywhere: Reading = { node: null, isLeft: true };
export const entering = (node: NodeIndex): Reading => ({ node, isLeft: false });
export const leaving = (node: NodeIndex): Reading => ({ node, isLeft: true });

/** How the texts of a member have to stand. */
export interface ExpectedSupply {
  readonly hasTokens: boolean;
  readonly known: readonly string[];
  readonly say: <T extends Text>(text: T, at: Reading) => T;
  /** Whether the line reads, on any way to it, what the assistant itself finds out. */
  readonly isTold: (line: Text) => boolean;
  /** What the model provides when it calls the tool. */
  readonly suppliedTo: (tool: SourceTool) => ModelInput;
  /** The line that the tool of a node cannot say when it is called. */
  readonly unsaidBy: (node: WorkflowNode) => Text | null;
}

type SourceTool = Request | GivenTool;

interface Grouped {
  readonly graph: SourceGraph;
  readonly variables: Variables;
  readonly owners: Owners;
}

interface SupplyInput extends Grouped {
  readonly supplied: ReadonlySet<string>;
  /** Variables that must never be missing. */
  readonly critical: ReadonlySet<string>;
  readonly squad: Squad;
  readonly handoffs: readonly Handoff[];
  readonly crossings: Crossings;
  readonly steps: readonly Steps[];
}

export function expectSupply(input: SupplyInput): (member: number) => ExpectedSupply {
  const isAvailable = createAvailability(input);
  return memo((member) => supplyMember(input, member, (name) => isAvailable(member, name)));
}

/**
 * Returns a test of whether a variable can have a value when a member becomes active: from the
 * start of the call, or from a handoff or a tool on any walk that leads there.
 */
function createAvailability(input: SupplyInput): (member: number, name: string) => boolean {
  const { squad, handoffs, crossings, supplied, variables, owners } = input;
  const homesOf = (nodes: readonly NodeIndex[]) => nodes.flatMap((it) => [...owners.of(it)]);
  const next = squad.members.map((): Set<number> => new Set());
  const roots = new Set<number>();
  const entered = new Map<string, Set<number>>();
  const enter = (name: string, target: number): void => {
    entered.set(name, (entered.get(name) ?? new Set<number>()).add(target));
  };
  for (const handoff of handoffs) {
    const { member, target, edge, condition } = handoff;
    if (target === null) continue;
    if (edge === null) {
      roots.add(target);
      // The tool of a global node's condition is called before the step, wherever the call is.
      for (const name of condition?.call?.variables ?? []) enter(name, target);
    } else next[member]!.add(target);
    for (const { variable } of crossings(handoff)) enter(variable.name, target);
  }
  const leading = groupBy(handoffs, ({ member }) => member);
  for (const { name, responses, offers } of variables.values()) {
    for (const member of new Set(homesOf([...responses, ...offers]))) {
      for (const { target } of leading.get(member) ?? []) if (target !== null) enter(name, target);
    }
  }
  const stepsFrom = (member: number) => next[member]!;
  const fromGlobals = flood(roots, stepsFrom);
  const rank = computeComponents(next.map((it) => [...it])).of;
  /** Members behind all those that set the variable, or judge by it, lead to none of them. */
  const isBehind = (name: string) => {
    const sites = variables.get(name);
    // The condition of a global node is judged everywhere.
    if (!sites || sites.globalReads.length + sites.givenTo.length > 0) return () => false;
    const { captures, responses, offers, conditionReads } = sites;
    const setting = [...captures.map(({ node }) => node), ...responses, ...offers];
    const homes = homesOf([...setting, ...conditionReads]);
    const most = homes.reduce((max, it) => Math.max(max, rank[it]!), -1);
    return (member: number) => rank[member]! > most;
  };
  const reached = memo((name: string) => flood(entered.get(name)!, stepsFrom, isBehind(name)));
  return (member, name) => {
    if (supplied.has(name) || builtInVariables.has(name)) return true;
    return entered.has(name) && (fromGlobals.has(member) || reached(name).has(member));
  };
}

/** One read of a text, how it gets its value, and the nodes of its assistant that set it. */
interface SuppliedRead extends Placed {
  readonly use: Use;
  readonly kind: ReadKind;
  readonly from: readonly NodeIndex[];
}

/** The reads of the stages of a grouping. */
export function listReads(grouped: Grouped, stageCount: number): SuppliedRead[] {
  const { graph, owners } = grouped;
  const nodesOf = Array.from({ length: stageCount }, (): NodeIndex[] => []);
  for (const node of graph.order) {
    if (owners.standsFor(node) !== node) continue;
    for (const stage of owners.of(node)) nodesOf[stage]!.push(node);
  }
  return nodesOf.flatMap((nodes, stage) => readMember(grouped, stage, nodes).reads);
}

/** How the texts of these nodes, which one member owns, are read. */
function readMember(grouped: Grouped, member: number, nodes: readonly NodeIndex[]) {
  const { graph, variables, owners } = grouped;
  const own = new Set(nodes);
  const inside = walkInside(graph, owners, member, nodes);
  const texts = [...listTexts(grouped, nodes)];
  const { of: rank } = graph.components;
  const reading = new Map<string, NodeIndex[]>();
  for (const { text, at } of texts) {
    if (at.node !== null) for (const { name } of text.uses) append(reading, name, at.node);
  }
  /** A variable's captures, the nodes that set it, and where these can be what is read. */
  const settingOf = memo((name: string) => {
    const { captures = [], responses = [], offers = [] } = variables.get(name) ?? {};
    const responded = new Set([...responses, ...offers].filter((node) => own.has(node)));
    const sites = captures.filter(({ node }) => own.has(node));
    const last = sites.map(({ node }) => node).filter((node) => !responded.has(node));
    const isSet = (node: NodeIndex) => responded.has(node) || captured.has(node);
    const readers = reading.get(name) ?? [];
    const most = readers.reduce((max, node) => Math.max(max, rank[node]!), -1);
    const isNear = (node: NodeIndex) => !inside.isOrdered || rank[node]! <= most;
    const arcs = { ...inside, next: (node: NodeIndex) => inside.next(node).filter(isNear) };
    const after = memo((from: ReadonlySet<NodeIndex>) =>
      findReached([...from].flatMap(arcs.next), readers, arcs, isSet),
    );
    const reach = (from: ReadonlySet<NodeIndex>, { node, isLeft }: Reading): boolean => {
      if (node === null || from.size === 0) return from.size > 0;
      return isLeft && isSet(node) ? from.has(node) : after(from).has(node);
    };
    const captured = new Set(last);
    return {
      sites,
      from: [...sites.map(({ node }) => node), ...responded],
      isCapturedAt: (at: Reading) => reach(captured, at),
      isRespondedAt: (at: Reading) => reach(responded, at),
    };
  });
  const kindOf = (text: Text, use: Use, at: Reading, tool: Placed['tool']): ReadKind => {
    const { sites, isCapturedAt, isRespondedAt } = settingOf(use.name);
    const isCaptured = isCapturedAt(at);
    if (!isCaptured && !isRespondedAt(at)) return 'rendered';
    const isOutput = outputOf(text.value, use) !== null;
    if (tool === null) return isOutput || isExpression(text) ? 'told' : 'early';
    if (!isCaptured) return 'response';
    const isSaid = sites.some((site) => !isAlias(site));
    const canWait = isOutput && isSaid && tool.waits;
    return canWait && canHaveProperty(payloadOf(tool.source), use.name) ? 'filled' : 'early';
  };
  const reads = texts.flatMap((placed) =>
    placed.text.uses.map((use): SuppliedRead => {
      const kind = kindOf(placed.text, use, placed.at, placed.tool);
      return { ...placed, use, kind, from: settingOf(use.name).from };
    }),
  );
  return { reads, kindOf, settingOf };
}

function supplyMember(
  input: SupplyInput,
  member: number,
  isAvailable: (name: string) => boolean,
): ExpectedSupply {
  const { graph, critical } = input;
  const { nodes, passes } = input.steps[member]!;
  const { reads, kindOf, settingOf } = readMember(input, member, nodes);
  const isUnshown = ({ kind, text }: SuppliedRead) =>
    kind === 'told' || kind === 'filled' || isExpression(text);
  const unshown = reads.filter((it) => isUnshown(it) && isAvailable(it.use.name));
  const untimely = reads.filter(({ kind, tool }) => kind !== 'rendered' && tool === null);
  const told = new Set(untimely.map(({ text }) => text));
  const filled = groupBy(
    reads.filter(({ kind }) => kind === 'filled'),
    ({ tool }) => keyOf(tool!.source),
  );
  const holders = new Map<string | Request, WorkflowNode[]>();
  for (const node of nodes.map(graph.nodeAt)) {
    for (const source of [node.request ?? [], node.tools].flat())
      append(holders, keyOf(source), node);
  }
  const inputFor = memo((key: string | Request): ModelInput => {
    const own = holders.get(key) ?? [];
    const byName = groupBy(filled.get(key) ?? [], ({ use }) => use.name);
    return {
      filled: Array.from(byName, ([name, uses]): FilledProperty => {
        const { sites } = settingOf(name);
        const found = sites.filter((site) => !isAlias(site)).map(({ capture }) => capture);
        const gates = sites.map(({ node }) => node);
        const isCaptured = own.every(({ index }) => passes(gates, index));
        const { length } = uses.filter(({ tool }) => tool!.source === uses[0]!.tool!.source);
        const isRequired = critical.has(name) || isCaptured;
        return { property: propertyOf(name, found), isOnly: length === 1, isRequired };
      }),
      isSilent: own.some((node) => {
        const line = startLineOf(node);
        return line !== null && told.has(line);
      }),
    };
  });
  return {
    hasTokens: Array.from(groupBy(reads, ({ text }) => text)).some(
      ([text, own]) =>
        text.value.includes('{{') && (isVerbatim(text) || own.some(({ kind }) => kind === 'told')),
    ),
    known: [...new Set(unshown.map(({ use }) => use.name))].sort(),
    say: (text, at) => {
      if (isVerbatim(text)) return markVerbatim(text);
      const spans = text.uses.flatMap((use): Span[] => {
        const output = outputOf(text.value, use);
        const isRaw = output !== null && kindOf(text, use, at, null) === 'told';
        return isRaw && isAvailable(use.name) ? [output] : [];
      });
      return markRaw(text, spans);
    },
    isTold: (line) => told.has(line),
    suppliedTo: (tool) => inputFor(keyOf(tool)),
    unsaidBy: (node) => {
      const source = node.request ?? node.tools[0];
      return source && inputFor(keyOf(source)).isSilent ? startLineOf(node) : null;
    },
  };
}

/** Equal tools of several nodes have one key. */
function keyOf(tool: SourceTool): string | Request {
  return 'statics' in tool ? tool : givenToolKey(tool);
}

/** A text of a member, where it is read, and the tool that reads it when it runs. */
interface Placed {
  readonly text: Text;
  readonly at: Reading;
  /** `waits`: the platform renders the text after the model has filled in its values. */
  readonly tool: { readonly source: SourceTool; readonly waits: boolean } | null;
}

function* listTexts({ graph, owners }: Grouped, nodes: readonly NodeIndex[]): Iterable<Placed> {
  function* ofNode(node: WorkflowNode, at: Reading): Iterable<Placed> {
    for (const { value: text, moment, tool = node.request } of textsOf(node)) {
      if (moment === 'handoff') continue;
      const waits = moment === 'run';
      const isRun = tool !== null && (waits || moment === 'ahead');
      yield { text, at, tool: isRun ? { source: tool, waits } : null };
    }
  }
  const { globalPrompt } = graph.workflow;
  if (globalPrompt !== null) yield { text: globalPrompt, at: anywhere, tool: null };
  for (const index of nodes) {
    yield* ofNode(graph.nodeAt(index), entering(index));
    for (const { to, condition, isExit } of outgoing(graph, owners.standsFor, index)) {
      if (isExit) yield* ofNode(graph.nodeAt(owners.standsFor(to)), leaving(index));
      if (condition !== null) yield { text: condition, at: leaving(index), tool: null };
    }
  }
  for (const node of listEntered(graph, nodes)) {
    const { condition } = node.global!;
    if (node.role === 'exit') yield* ofNode(node, anywhere);
    if (condition !== null) yield { text: condition, at: anywhere, tool: null };
  }
}
