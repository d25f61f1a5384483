/** Calls on which a variable is read that the handoff before did not carry. */
import type { Walk } from '../compiler/ir/verification.js';
import { ofVariables } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import { listNames, readPlan } from './plan-reading.js';
import type { Destination } from './squad-reading.js';
import type { Variable } from './variables/sites.js';
import { type Witness, witnessOf } from './variables/witness.js';

/** For each variable that a destination should carry and does not, the shortest call to its read. */
export function listLostVariables(comparison: Comparison): Walk[] {
  const { squad, match, crossings } = comparison;
  return squad.destinations.flatMap((destination) => {
    const passages = match.passagesOf(destination);
    const carried = listNames(readPlan(destination));
    const crossing = passages.flatMap((passage) => crossings.of(passage));
    const lost = new Set(crossing.map(({ variable }) => variable));
    return [...lost]
      .filter(({ name }) => !carried.has(name))
      .flatMap((variable) => {
        const { graph, owners } = comparison;
        const witness = witnessOf(graph, owners, variable, passages);
        return witness === null ? [] : [walkOf(comparison, destination, variable, witness)];
      });
  });
}

function walkOf(
  { graph, nameOf }: Comparison,
  { member, target, at }: Destination,
  variable: Variable,
  { steps }: Witness,
): Walk {
  return {
    steps: steps.map(({ node, edge }) => ({
      node: graph.nodeAt(node).id,
      at: graph.nodeAt(node).at,
      via: edge === null ? null : graph.workflow.edges[edge]!.at,
    })),
    text: ofVariables.lacks(nameOf(member), target?.value ?? '', [variable.name]),
    source: variable.captures.map(({ capture }) => capture.at),
    output: [at],
  };
}
