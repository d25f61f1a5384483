/** Where a variable is set inside an assistant. */
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { CaptureSite, Variable } from '../ir/variable-flow.js';

/** The captures in walk order, and the nodes whose tools set it. */
export interface Definitions {
  readonly captures: readonly CaptureSite[];
  readonly responses: readonly NodeIndex[];
}

export type DefinitionsWithin = (variable: Variable, nodes: ReadonlySet<NodeIndex>) => Definitions;

/**
 * Looks through the definitions or through the nodes, whichever are fewer: a variable that all
 * assistants capture would else be looked through as often as there are assistants.
 */
export function createDefinitions({ rank }: FlowGraph): DefinitionsWithin {
  const indexes = new Map<Variable, ReadonlyMap<NodeIndex, Definitions>>();
  return (variable, nodes) => {
    const { captures, responses } = variable;
    const isInside = ({ node }: CaptureSite) => nodes.has(node);
    if (captures.length + responses.length <= nodes.size) {
      // Most variables are set in one assistant alone.
      if (captures.every(isInside) && responses.length === 0) return variable;
      return {
        captures: captures.filter(isInside),
        responses: responses.filter((node) => nodes.has(node)),
      };
    }
    const index = indexes.get(variable) ?? indexByNode(variable);
    indexes.set(variable, index);
    const defining = [...nodes].filter((node) => index.has(node));
    defining.sort((one, other) => rank[one]! - rank[other]!);
    return {
      captures: defining.flatMap((node) => index.get(node)!.captures),
      responses: defining.flatMap((node) => index.get(node)!.responses),
    };
  };
}

function indexByNode({ captures, responses }: Variable): ReadonlyMap<NodeIndex, Definitions> {
  const index = new Map<NodeIndex, { captures: CaptureSite[]; responses: NodeIndex[] }>();
  const at = (node: NodeIndex) => {
    const known = index.get(node) ?? { captures: [], responses: [] };
    index.set(node, known);
    return known;
  };
  for (const site of captures) at(site.node).captures.push(site);
  for (const node of responses) at(node).responses.push(node);
  return index;
}
