/** A workflow with its answers and its assistants as the compiler has them, for both dataflows. */

import { run } from '../../../src/compiler/compile.js';
import type { NodeIndex } from '../../../src/compiler/ir/ids.js';
import type { CompileOptions } from '../../../src/compiler/ir/options.js';
import type { RegionMap } from '../../../src/compiler/ir/region-map.js';
import { type Compilation, isComplete } from '../../../src/compiler/result-of.js';
import type { Pick } from '../../../src/testing/answering.js';
import type { Owners } from '../../../src/verify/owners.js';
import {
  listEdgePassages,
  listGlobalPassages,
  type Passage,
} from '../../../src/verify/passages.js';
import { readSource, type SourceGraph } from '../../../src/verify/source-graph.js';

/** What the phases make of the workflow; the numbers of passes that answers need are few. */
export function answered(
  workflow: unknown,
  pick: Pick | null,
  options: CompileOptions = {},
): Compilation {
  const answers = { ...options.answers?.answers };
  for (let pass = 0; ; pass += 1) {
    const given = { ...options, answers: { ...options.answers, answers } };
    const compilation = run(workflow, given);
    if ('status' in compilation) throw new Error(JSON.stringify(compilation.diagnostics));
    const { open } = compilation.dialogue;
    if (pick === null || open.length === 0 || isComplete(compilation) || pass > 12) {
      return compilation;
    }
    for (const question of open) answers[question.id] = pick(question);
  }
}

/** Source and assistants as the verifier has them. */
export interface Ground {
  readonly graph: SourceGraph;
  readonly owners: Owners;
  readonly passages: readonly Passage[];
}

export function groundOf({ graph: { workflow, start }, map }: Compilation): Ground {
  const graph = readSource(workflow, start);
  const owners = ownersOf(map);
  const passages = [
    ...listEdgePassages(graph, owners),
    ...listGlobalPassages(graph, owners, map.regions.length),
  ];
  return { graph, owners, passages };
}

function ownersOf({ regions, representative }: RegionMap): Owners {
  const members = new Map<NodeIndex, Set<number>>();
  for (const { index, nodes } of regions) {
    for (const node of nodes) members.set(node, (members.get(node) ?? new Set()).add(index));
  }
  const standsFor = (node: NodeIndex) => representative[node]! as NodeIndex;
  const of = (node: NodeIndex): ReadonlySet<number> => members.get(standsFor(node)) ?? new Set();
  const soleOwner = (node: NodeIndex) => {
    const [only, ...others] = of(node);
    return only === undefined || others.length > 0 ? null : only;
  };
  return { of, soleOwner, standsFor };
}
