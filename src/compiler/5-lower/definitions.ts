/** Where a variable is set inside an assistant. */
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { CaptureSite, Variable } from '../ir/variable-flow.js';
import type { NodeSet } from './node-set.js';

/** The captures in walk order, and the nodes whose tools set it. */
export interface Definitions {
  readonly captures: readonly CaptureSite[];
  readonly responses: readonly NodeIndex[];
}

export type DefinitionsWithin = (variable: Variable, within: NodeSet) => Definitions;

/**
 * Looks through the definitions or through the nodes, whichever are fewer: a variable that all
 * assistants capture would else be looked through as often as there are assistants.
 */
export function createDefinitions({ rank }: FlowGraph): DefinitionsWithin {
  const indexes = new Map<Variable, ReadonlyMap<NodeIndex, Definitions>>();
  return (variable, within) => {
    const { captures, responses } = variable;
    const isInside = ({ node }: CaptureSite) => within.has(node);
    if (captures.length + responses.length <= within.size) {
      // Most variables are set in one assistant alone.
      if (captures.every(isInside) && responses.length === 0) return variable;
      return {
        captures: captures.filter(isInside),
        responses: responses.filter((node) => within.has(node)),
      };
    }
    const index = indexes.get(variable) ?? indexByNode(variable);
    indexes.set(variable, index);
    const defining = within.nodes.filter((node) => index.has(node));
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
