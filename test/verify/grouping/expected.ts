/** The grouping that the checks expect, and the compiler's own, in one form. */
import { openDialogue } from '../../../src/compiler/1-parse/decide.js';
import { run } from '../../../src/compiler/compile.js';
import type { Decision } from '../../../src/compiler/ir/inquiry.js';
import type { CompileOptions } from '../../../src/compiler/ir/options.js';
import type { Compilation } from '../../../src/compiler/result-of.js';
import { type Grouping, groupNodes } from '../../../src/verify/grouping/group-nodes.js';
import { readSource, type SourceGraph } from '../../../src/verify/source-graph.js';

export interface Grouped {
  /** Each assistant as the ids of its nodes, those that are equal to them included. */
  readonly assistants: readonly string[];
  /** Nodes for which an equal one stands, as `b = a`. */
  readonly equal: readonly string[];
  readonly decisions: readonly unknown[];
}

/** Runs the compiler; throws where the workflow is not one. */
export function compilationOf(workflow: unknown, options: CompileOptions = {}): Compilation {
  const compilation = run(workflow, options);
  if ('status' in compilation) {
    throw new Error(compilation.diagnostics.map(({ message }) => message).join('; '));
  }
  return compilation;
}

/** What the checks make of the workflow that the compiler has grouped. */
export function groupingOf({ graph, options }: Compilation): {
  readonly source: SourceGraph;
  readonly grouping: Grouping;
} {
  const source = readSource(graph.workflow, graph.start);
  const { decide } = openDialogue(options.answers);
  return { source, grouping: groupNodes(source, options, decide) };
}

/** The grouping that the checks expect. */
export function expected(compilation: Compilation): Grouped {
  const { source, grouping } = groupingOf(compilation);
  return inOneForm(
    source,
    grouping.representative,
    grouping.stages.map(({ nodes }) => nodes),
    grouping.decisions,
  );
}

/** The grouping that the compiler has made. */
export function compiled({ graph, map, decisions }: Compilation): Grouped {
  const source = readSource(graph.workflow, graph.start);
  const nodes = map.regions.map((region) => new Set<number>(region.nodes));
  return inOneForm(source, map.representative, nodes, decisions);
}

function inOneForm(
  { order, nodeAt }: SourceGraph,
  representative: Int32Array,
  nodes: readonly ReadonlySet<number>[],
  decisions: readonly Decision[],
): Grouped {
  const standing = (node: number) => representative[node]!;
  return {
    assistants: nodes.map((held) =>
      order
        .filter((node) => held.has(standing(node)))
        .map((node) => nodeAt(node).id)
        .join(' '),
    ),
    equal: order
      .filter((node) => standing(node) !== node)
      .map((node) => `${nodeAt(node).id} = ${nodeAt(standing(node) as typeof node).id}`),
    decisions: decisions.map(({ inquiry: { question, subject, allowed, assumed }, ...rest }) => ({
      ...rest,
      question,
      subject,
      allowed,
      assumed,
    })),
  };
}
