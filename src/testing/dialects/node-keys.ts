/**
 * What exports call their nodes: they have one name and no id, and edges refer to it.
 *
 * In: a workflow of the specification's shape, and the nodes whose name is their tool's. Out: for
 * each node one name, no two alike: its own where nothing else bears that, as name or as id, and its
 * id otherwise.
 */
import type { SpecNode, SpecWorkflow } from '../spec-workflow.js';

/** Names that no reader takes for a node. */
const reserved: ReadonlySet<string> = new Set(['', '__proto__', 'constructor', 'prototype']);

export function nodeKeys({ nodes }: SpecWorkflow, ofTool: ReadonlySet<number>): string[] {
  const wanted = nodes.map((node, index) => (ofTool.has(index) ? undefined : wantedName(node)));
  const taken = new Map<string, number>();
  for (const [index, { id }] of nodes.entries()) {
    for (const label of new Set([id, wanted[index] ?? id].map(normal))) {
      taken.set(label, (taken.get(label) ?? 0) + 1);
    }
  }
  return nodes.map(({ id }, index) => {
    const name = wanted[index];
    return name !== undefined && taken.get(normal(name)) === 1 ? name : id;
  });
}

function wantedName({ name }: SpecNode): string | undefined {
  return name === undefined || reserved.has(name) ? undefined : name;
}

/** Names that differ in their composition only look the same. */
function normal(label: string): string {
  return label.normalize('NFC');
}
