/**
 * Which node's settings an assistant takes: those of its first talk node, unless an answer to the
 * question about exactly its talk nodes names another.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type { Decision } from '../../compiler/ir/inquiry.js';
import { settingNames, type WorkflowNode } from '../../compiler/ir/workflow.js';
import type { Comparison } from '../comparison.js';
import { canonicalText } from './canonical-text.js';

export interface DecidingNodes {
  /** Null for an assistant without a talk node. */
  readonly of: (member: number) => WorkflowNode | null;
}

export function chooseDeciding(
  comparison: Comparison,
  decisions: readonly Decision[],
): DecidingNodes {
  const talking = listTalking(comparison);
  const wantsOf = createWants();
  // Most assistants have nodes that want the same, or one.
  let answers: ReadonlyMap<string, WorkflowNode> | null = null;
  const choose = (nodes: readonly WorkflowNode[]): WorkflowNode => {
    const first = nodes[0]!;
    if (wantTheSame(nodes, wantsOf)) return first;
    answers ??= new Map(decisions.flatMap((it) => answerOf(comparison, it)));
    return answers.get(keyOf(nodes.map(({ index }) => index))) ?? first;
  };
  return {
    of: (member) => {
      const nodes = talking.several?.[member];
      return nodes === undefined ? talking.first[member]! : choose(nodes);
    },
  };
}

/** Tells, as comparable text, what a node wants. */
type WantsOf = (node: WorkflowNode) => string;

function wantTheSame(nodes: readonly WorkflowNode[], wantsOf: WantsOf): boolean {
  const wants = wantsOf(nodes[0]!);
  for (const node of nodes) if (wantsOf(node) !== wants) return false;
  return true;
}

/** The talk nodes of members that stand for themselves, in the order in which a walk meets them. */
export interface Talking {
  /** By member, the first of them; null where there is none. */
  readonly first: readonly (WorkflowNode | null)[];
  /** By member, all of them, where there are several; null where no member has several. */
  readonly several: readonly (readonly WorkflowNode[] | undefined)[] | null;
}

export function listTalking({ graph, owners, squad }: Comparison): Talking {
  const first = new Array<WorkflowNode | null>(squad.members.length).fill(null);
  let several: (WorkflowNode[] | undefined)[] | null = null;
  const note = (member: number, node: WorkflowNode): void => {
    const known = first[member]!;
    if (known === null) {
      first[member] = node;
      return;
    }
    several ??= new Array<WorkflowNode[] | undefined>(squad.members.length).fill(undefined);
    const all = several[member];
    if (all === undefined) several[member] = [known, node];
    else all.push(node);
  };
  for (const index of graph.order) {
    const node = graph.nodeAt(index);
    if (node.role !== 'talk' || owners.standsFor(index) !== index) continue;
    const sole = owners.soleOwner(index);
    if (sole !== null) note(sole, node);
    else for (const member of owners.of(index)) note(member, node);
  }
  return { first, several };
}

/** The node that an answer chooses, by the nodes that were asked about. */
function answerOf(
  { graph, owners }: Comparison,
  { inquiry, choice, value }: Decision,
): [string, WorkflowNode][] {
  const { question, subject } = inquiry;
  if (question.kind !== 'conflicting-settings' || subject.of !== 'nodes') return [];
  const standing = subject.nodes.map((node) => owners.standsFor(node));
  const nodes = standing.map((node) => graph.nodeAt(node));
  const [first] = nodes;
  const chosen = choice === 'use' ? nodes.find(({ id }) => id === value) : first;
  return chosen === undefined ? [] : [[keyOf(standing), chosen]];
}

function keyOf(nodes: readonly NodeIndex[]): string {
  return [...new Set(nodes)].sort((one, other) => one - other).join(' ');
}

/** What a node wants that has no settings. */
const nothing = settingNames.map(() => '').join('\n');

function createWants(): WantsOf {
  // Nodes that have none are many, and so are workflows of such nodes.
  let known: Map<object, string> | null = null;
  const textOf = (setting: object & { readonly value: Parameters<typeof canonicalText>[0] }) => {
    known ??= new Map();
    const text = known.get(setting) ?? canonicalText(setting.value);
    known.set(setting, text);
    return text;
  };
  return ({ settings }) => {
    if (!isAnySet(settings)) return nothing;
    return settingNames.map((name) => (settings[name] ? textOf(settings[name]) : '')).join('\n');
  };
}

function isAnySet(settings: WorkflowNode['settings']): boolean {
  for (const name of settingNames) if (settings[name] !== undefined) return true;
  return false;
}
