/**
 * Where each read has to get its value at run time, under the grouping that the squad has.
 *
 * In: the source, which member owns which nodes, what crosses. Out, for each member: how a text of the
 * source has to stand in its prompt and in its descriptions, what its opening has to give, and what
 * the model has to fill in as it calls a request. The platform renders a text of the prompt once, when
 * the assistant becomes active, and a request when it is sent.
 */

import { type Supplied, sentBy } from '../../compiler/ir/filled.js';
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type { FilledProperty } from '../../compiler/ir/squad-ir.js';
import { startLineOf, textsOf } from '../../compiler/ir/texts.js';
import {
  asIs,
  isExpression,
  isVerbatim,
  markRaw,
  outputOf,
  type Supply,
} from '../../compiler/ir/tokens.js';
import { builtInVariables } from '../../compiler/ir/variables.js';
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
import type { Crossings } from './crossings.js';
import { hasRoom } from './requests.js';
import { listWays, type Owners, type Passage, type SourceGraph } from './source.js';
import { type Steps, walkInside } from './steps.js';
import { propertyOf, type Variable, type Variables } from './variables.js';

/** Where a text is read; with the node null, wherever the assistant is. */
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
  /** Whether the text reads what the assistant itself finds out. */
  readonly isTold: (text: Text, at: Reading) => boolean;
  /** What the model gives as it calls the tool. */
  readonly suppliedTo: (tool: SourceTool) => Supplied;
  /** What the tool of a node cannot say as it is called. */
  readonly unsaidBy: (node: WorkflowNode) => Text | null;
}

type SourceTool = Request | GivenTool;

interface Grouped {
  readonly graph: SourceGraph;
  readonly variables: Variables;
  readonly owners: Owners;
}

interface Scene extends Grouped {
  readonly supplied: ReadonlySet<string>;
  /** Variables that must never be missing. */
  readonly critical: ReadonlySet<string>;
  readonly squad: Squad;
  readonly passages: readonly Passage[];
  readonly crossings: Crossings;
  readonly steps: readonly Steps[];
}

export function expectSupply(scene: Scene): (member: number) => ExpectedSupply {
  const isThere = findThere(scene);
  const readers = createReaders(scene);
  const known = new Map<number, ExpectedSupply>();
  return (member) => {
    const supply = known.get(member) ?? supplyMember(scene, readers, member, isThere);
    known.set(member, supply);
    return supply;
  };
}

/** The captures of a variable in a member, and the nodes that set it last, by one or by a response. */
interface Setting {
  readonly sites: Variable['captures'];
  readonly captured: ReadonlySet<NodeIndex>;
  readonly responded: ReadonlySet<NodeIndex>;
}

function listSetting(
  own: ReadonlySet<NodeIndex>,
  { captures, responses, offers }: Variable,
): Setting {
  const responded = new Set([...responses, ...offers].filter((node) => own.has(node)));
  const sites = captures.filter(({ node }) => own.has(node));
  const last = sites.filter(({ node }) => !responded.has(node));
  return { sites, responded, captured: new Set(last.map(({ node }) => node)) };
}

/**
 * Whether a variable can have a value as a member becomes active: from the start of the call, or by a
 * handoff that carries it or a tool of an assistant that hands over, on any walk that leads there.
 */
function findThere(scene: Scene): (member: number, name: string) => boolean {
  const { squad, passages, crossings, supplied, variables, owners } = scene;
  const homesOf = (nodes: readonly NodeIndex[]) => nodes.flatMap((it) => [...owners.of(it)]);
  const next = squad.members.map((): Set<number> => new Set());
  const roots = new Set<number>();
  const entered = new Map<string, Set<number>>();
  const enter = (name: string, target: number): void => {
    entered.set(name, (entered.get(name) ?? new Set<number>()).add(target));
  };
  for (const passage of passages) {
    const { member, target, edge } = passage;
    if (target === null) continue;
    if (edge === null) roots.add(target);
    else next[member]!.add(target);
    for (const { variable } of crossings(passage)) enter(variable.name, target);
  }
  const leading = groupBy(passages, ({ member }) => member);
  for (const { name, responses, offers } of variables.values()) {
    for (const member of new Set(homesOf([...responses, ...offers]))) {
      for (const { target } of leading.get(member) ?? []) if (target !== null) enter(name, target);
    }
  }
  const stepsFrom = (member: number) => next[member]!;
  const fromGlobals = flood(roots, stepsFrom);
  const rank = computeComponents(next.map((it) => [...it])).of;
  /** What lies behind all members that set the variable, or judge by it, leads to none of them. */
  const isBehind = (name: string) => {
    const { captures, responses, offers, conditionReads, globalReads } = variables.get(name)!;
    if (globalReads.length > 0) return () => false;
    const setting = [...captures.map(({ node }) => node), ...responses, ...offers];
    const homes = homesOf([...setting, ...conditionReads]);
    const most = homes.reduce((max, it) => Math.max(max, rank[it]!), -1);
    return (member: number) => rank[member]! > most;
  };
  const reached = new Map<string, ReadonlySet<number>>();
  return (member, name) => {
    if (supplied.has(name) || builtInVariables.has(name)) return true;
    const first = entered.get(name);
    if (first === undefined || fromGlobals.has(member)) return first !== undefined;
    const all = reached.get(name) ?? flood(first, stepsFrom, isBehind(name));
    reached.set(name, all);
    return all.has(member);
  };
}

/** What a node reads, how it gets the value, and the nodes of its assistant that set it. */
export interface StageRead {
  readonly node: NodeIndex | null;
  readonly text: Text;
  readonly use: Use;
  readonly kind: Supply;
  readonly isSent: boolean;
  readonly from: readonly NodeIndex[];
}

/** What the stages of a grouping read. */
export function listReads(grouped: Grouped, stageCount: number): StageRead[] {
  const { graph, owners } = grouped;
  const nodesOf = Array.from({ length: stageCount }, (): NodeIndex[] => []);
  for (const node of graph.order) {
    if (owners.standsFor(node) !== node) continue;
    for (const stage of owners.of(node)) nodesOf[stage]!.push(node);
  }
  const readers = createReaders(grouped);
  return nodesOf.flatMap((nodes, stage) => {
    const { texts, kindOf, settingOf } = readers(stage, nodes);
    return texts.flatMap(({ text, at, tool }) => {
      return text.uses.map((use): StageRead => {
        const { sites = [], responded = [] } = settingOf(use.name) ?? {};
        const from = [...sites.map(({ node }) => node), ...responded];
        const kind = kindOf(text, use, at, tool);
        return { node: at.node, text, use, kind, isSent: tool !== null, from };
      });
    });
  });
}

/** How the texts of these nodes, which one member owns, are read. */
function createReaders(grouped: Grouped) {
  const { graph, owners } = grouped;
  const hasEquals = graph.order.some((node) => owners.standsFor(node) !== node);
  return (member: number, nodes: readonly NodeIndex[]) =>
    readMember({ ...grouped, hasEquals }, member, nodes);
}

type Readers = ReturnType<typeof createReaders>;

/** `hasEquals`: whether a node stands for others that are equal. */
type Ground = Grouped & { readonly hasEquals: boolean };

function readMember(ground: Ground, member: number, nodes: readonly NodeIndex[]) {
  const { variables } = ground;
  const own = new Set(nodes);
  const settings = new Map<string, Setting>();
  const settingOf = (name: string): Setting | null => {
    const variable = variables.get(name);
    if (variable === undefined) return null;
    const setting = settings.get(name) ?? listSetting(own, variable);
    settings.set(name, setting);
    return setting;
  };
  const texts = [...listTexts(ground, nodes)];
  const follow = followReads(ground, walkInside(ground.graph, ground.owners, member, nodes), texts);
  const reached = new Map<ReadonlySet<NodeIndex>, ReadonlySet<NodeIndex>>();
  /** Whether what these nodes set can be what is read there. */
  const reaches = (
    name: string,
    { captured, responded }: Setting,
    from: ReadonlySet<NodeIndex>,
    { node, isLeft }: Reading,
  ): boolean => {
    if (node === null || from.size === 0) return from.size > 0;
    const isSet = (it: NodeIndex) => captured.has(it) || responded.has(it);
    if (isLeft && isSet(node)) return from.has(node);
    const after = reached.get(from) ?? follow(from, isSet, name);
    reached.set(from, after);
    return after.has(node);
  };
  const kindOf = (text: Text, use: Use, at: Reading, tool: Placed['tool']): Supply => {
    const { name } = use;
    const setting = settingOf(name);
    if (setting === null) return 'rendered';
    const isFound = reaches(name, setting, setting.captured, at);
    if (!isFound && !reaches(name, setting, setting.responded, at)) return 'rendered';
    const isOutput = outputOf(text.value, use) !== null;
    if (tool === null) return isOutput || isExpression(text) ? 'told' : 'early';
    if (!isFound) return 'response';
    const isSaid = setting.sites.some(({ capture }) => capture.alias === undefined);
    const canWait = isOutput && isSaid && tool.waits;
    return canWait && hasRoom(sentBy(tool.source), name) ? 'filled' : 'early';
  };
  return { texts, settingOf, kindOf };
}

function supplyMember(
  { steps, graph, critical }: Scene,
  readers: Readers,
  member: number,
  isThere: (member: number, name: string) => boolean,
): ExpectedSupply {
  const { nodes, isSure } = steps[member]!;
  const { texts, settingOf, kindOf } = readers(member, nodes);
  let hasTokens = false;
  const known = new Set<string>();
  const filled = new Map<string | Request, { use: Use; source: SourceTool }[]>();
  for (const { text, at, tool } of texts) {
    const isWhole = isVerbatim(text);
    for (const use of text.uses) {
      const kind = kindOf(text, use, at, tool);
      const isModels = kind === 'told' || kind === 'filled' || isExpression(text);
      if (isModels && isThere(member, use.name)) known.add(use.name);
      if (kind === 'filled') append(filled, keyOf(tool!.source), { use, source: tool!.source });
      hasTokens ||= (kind === 'told' || isWhole) && text.value.includes('{{');
    }
  }
  const isTold: ExpectedSupply['isTold'] = (text, at) =>
    text.uses.some((use) => kindOf(text, use, at, null) !== 'rendered');
  const holders = new Map<string | Request, WorkflowNode[]>();
  for (const node of nodes.map(graph.nodeAt)) {
    const sources = [...(node.request === null ? [] : [node.request]), ...node.tools];
    for (const source of sources) append(holders, keyOf(source), node);
  }
  const supplied = new Map<string | Request, Supplied>();
  const supply = (key: string | Request): Supplied => {
    const own = holders.get(key) ?? [];
    const byName = groupBy(filled.get(key) ?? [], ({ use }) => use.name);
    return {
      filled: Array.from(byName, ([name, uses]): FilledProperty => {
        const { sites } = settingOf(name)!;
        const [gates, all] = [sites.map(({ node }) => node), sites.map(({ capture }) => capture)];
        const { length } = uses.filter(({ source }) => source === uses[0]!.source);
        const isFound = own.every(({ index }) => isSure(gates, index));
        const isRequired = critical.has(name) || isFound;
        return { property: propertyOf(name, all), isOnly: length === 1, isRequired };
      }),
      isSilent: own.some((node) => {
        const line = startLineOf(node);
        return line !== null && isTold(line, entering(node.index));
      }),
    };
  };
  const suppliedTo = (tool: SourceTool): Supplied => {
    const made = supplied.get(keyOf(tool)) ?? supply(keyOf(tool));
    supplied.set(keyOf(tool), made);
    return made;
  };
  return {
    hasTokens,
    known: [...known].sort(),
    say: (text, at) => {
      if (isVerbatim(text)) return asIs(text);
      const spans: Span[] = [];
      for (const use of text.uses) {
        const output = outputOf(text.value, use);
        if (output === null || kindOf(text, use, at, null) !== 'told') continue;
        if (isThere(member, use.name)) spans.push(output);
      }
      return markRaw(text, spans);
    },
    isTold,
    suppliedTo,
    unsaidBy: (node) => {
      const source = node.request ?? node.tools[0];
      return source && suppliedTo(source).isSilent ? startLineOf(node) : null;
    },
  };
}

/** Equal tools of several nodes are one. */
function keyOf(tool: SourceTool): string | Request {
  return 'statics' in tool ? tool : givenToolKey(tool);
}

/** What is read by a name, as far as a walk that sets it nowhere else leads there. */
function followReads(
  { graph, hasEquals }: Ground,
  { hasGlobals, next, before }: Steps['inside'],
  texts: readonly Placed[],
) {
  const readers = new Map<string, Set<NodeIndex>>();
  for (const { text, at } of texts) {
    if (at.node === null) continue;
    for (const { name } of text.uses) {
      readers.set(name, (readers.get(name) ?? new Set()).add(at.node));
    }
  }
  const rank = graph.components.of;
  // No walk comes back to an earlier component, unless over a global node or an equal one.
  const isFree = hasGlobals || hasEquals;
  return (
    from: ReadonlySet<NodeIndex>,
    isSet: (node: NodeIndex) => boolean,
    name: string,
  ): ReadonlySet<NodeIndex> => {
    const reading: ReadonlySet<NodeIndex> = readers.get(name) ?? new Set();
    const last = [...reading].reduce((max, node) => Math.max(max, rank[node]!), -1);
    const near = (node: NodeIndex) => next(node).filter((it) => isFree || rank[it]! <= last);
    return findReached([...from].flatMap(near), reading, { next: near, before }, isSet);
  };
}

/** A text of a member, where it is read, and the tool that reads it as it runs. */
interface Placed {
  readonly text: Text;
  readonly at: Reading;
  /** `waits`: whether the platform renders the text with what the model has filled in. */
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
    for (const { to, condition, isExit } of listWays(graph, owners.standsFor, index)) {
      if (isExit) yield* ofNode(graph.nodeAt(to), leaving(index));
      if (condition !== null) yield { text: condition, at: leaving(index), tool: null };
    }
  }
  for (const node of graph.globals) {
    const { condition } = node.global!;
    if (node.role === 'exit') yield* ofNode(node, anywhere);
    if (condition !== null) yield { text: condition, at: anywhere, tool: null };
  }
}
