/**
 * FlowGraph → VariableFlow: definitions and uses of every variable.
 *
 * In: the flow graph. Out: per variable the nodes that capture, set and read it, in walk order.
 * Example: `Ask for {{name}}.` at a node that captures `phone` is a read of `name` and a capture of
 * `phone` there. Guarantees: linear in the workflow.
 */
import { append } from '../../graph/lists.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import { type Moment, textsOf } from '../ir/texts.js';
import type { CaptureSite, Variable, VariableFlow } from '../ir/variables.js';
import type { Condition, Text, WorkflowNode } from '../ir/workflow.js';
import { createLiveness } from './liveness.js';

/** A variable while its sites are collected. */
interface Sites extends Variable {
  readonly captures: CaptureSite[];
  readonly responses: NodeIndex[];
  readonly offers: NodeIndex[];
  readonly reads: NodeIndex[];
  readonly aliasReads: NodeIndex[];
  readonly conditionReads: NodeIndex[];
  readonly globalReads: NodeIndex[];
  readEverywhere: boolean;
}

type NodeList = 'responses' | 'offers' | 'reads' | 'aliasReads' | 'conditionReads' | 'globalReads';

export function computeVariableFlow(graph: FlowGraph): VariableFlow {
  const { nodes, globalPrompt } = graph.workflow;
  const variables = new Map<string, Sites>();
  const nestedReads: Text[] = [];
  for (const index of graph.order) {
    const node = nodes[index]!;
    const texts = textsOf(node);
    readTexts(
      texts.filter(({ moment }) => moment !== 'handoff'),
      'reads',
    );
    for (const capture of node.captures) {
      sitesOf(capture.name).captures.push({ node: index, capture });
    }
    readTexts(
      texts.filter(({ moment }) => moment === 'handoff'),
      'aliasReads',
    );
    add('reads', listBuiltUpon(node));
    add('responses', node.request?.responses.map(({ name }) => name) ?? []);
    add(
      node.role === 'act' ? 'responses' : 'offers',
      node.tools.flatMap((it) => it.variables),
    );
    add(
      'responses',
      node.calls.flatMap((it) => it.variables),
    );
    for (const { condition } of graph.leaving[index]!) readCondition('conditionReads', condition);
    readCondition('globalReads', node.global?.condition ?? null);

    function readTexts(read: readonly { value: Text; moment: Moment }[], list: NodeList): void {
      for (const { value } of read) {
        add(
          list,
          value.uses.map(({ name }) => name),
        );
        if (readsInto(value)) nestedReads.push(value);
      }
    }

    /** A condition whose values a tool gives is not read from the call's variables. */
    function readCondition(list: NodeList, condition: Condition | null): void {
      if (condition?.routing !== 'tool') add(list, condition?.uses.map(({ name }) => name) ?? []);
    }

    /** Nodes are visited one after the other, so a repetition is always the last. */
    function add(list: NodeList, names: readonly string[]): void {
      for (const name of names) {
        const sites = sitesOf(name)[list];
        if (sites.at(-1) !== index) sites.push(index);
      }
    }
  }
  for (const { name } of globalPrompt?.uses ?? []) sitesOf(name).readEverywhere = true;
  return { variables, nestedReads, liveAt: createLiveness(graph) };

  function sitesOf(name: string): Sites {
    const known = variables.get(name) ?? {
      name,
      captures: [],
      responses: [],
      offers: [],
      reads: [],
      aliasReads: [],
      conditionReads: [],
      globalReads: [],
      readEverywhere: false,
    };
    variables.set(name, known);
    return known;
  }
}

/** Whether the text reads into some variable (`a.b`). */
export function readsInto({ uses }: Text): boolean {
  return uses.some(({ nested }) => nested);
}

/** The texts by the variables that they read into. */
export function groupByNestedRead(texts: readonly Text[]): ReadonlyMap<string, readonly Text[]> {
  const nested = new Map<string, Text[]>();
  for (const text of texts) {
    const names = text.uses.filter((use) => use.nested).map((use) => use.name);
    for (const name of new Set(names)) append(nested, name, text);
  }
  return nested;
}

/** What an alias makes of the value that its own key had before: that has to be there on entry. */
export function listBuiltUpon({ captures }: WorkflowNode): readonly string[] {
  const found = new Set(captures.flatMap((it) => (it.alias === undefined ? [it.name] : [])));
  return captures.flatMap(({ name, alias }) =>
    alias?.uses.some((use) => use.name === name) && !found.has(name) ? [name] : [],
  );
}
