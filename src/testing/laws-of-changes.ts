/** Laws of changes that change nothing: what cannot be reached, edges that are there already, ids. */
import type { LedgerEntry } from '../compiler/ir/result.js';
import type { SpecEdge, SpecNode, SpecWorkflow } from '../simulator/spec-workflow.js';
import { startCandidates } from '../simulator/workflow.js';
import { readAnswered } from './answered.js';
import {
  type Compiled,
  compileAnswered,
  compileChanged,
  demandFindings,
  demandSame,
  freshName,
  type LawOptions,
} from './law.js';
import { wheel } from './pick.js';

/**
 * Three nodes that no call can reach are added: two that lead to each other, so that neither could
 * be a start, and an exit after them. They hold what would be asked about, captured and read if it
 * could be reached, and lead into the workflow. Expected: the same squad, the same questions, and
 * three warnings more, one for each node.
 */
export function unreachableIgnored(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const compiled = compileAnswered(workflow, options);
  const { numbers = [] } = options;
  const island = islandFor(workflow, numbers);
  const at = {
    nodes: (numbers[0] ?? 0) % (workflow.nodes.length + 1),
    edges: (numbers[1] ?? 0) % (workflow.edges.length + 1),
  };
  const changed = {
    ...workflow,
    nodes: workflow.nodes.toSpliced(at.nodes, 0, ...island.nodes),
    edges: workflow.edges.toSpliced(at.edges, 0, ...island.edges),
  };
  const place = (pointer: string): string =>
    pointer.replace(/^\/(nodes|edges)\/(\d+)/, (_, list: 'nodes' | 'edges', position: string) => {
      const moved = Number(position) < at[list] ? 0 : island[list].length;
      return `/${list}/${Number(position) + moved}`;
    });
  const after = compileChanged(changed, compiled, options, { place });
  demandSame('the squad', compiled.output, after.output);
  const told = island.nodes.map(() => 'flow/unreachable');
  demandFindings(compiled, after, told);
}

function islandFor(workflow: SpecWorkflow, numbers: readonly number[]) {
  const { nodes: all, edges: ways } = workflow;
  const [first = '', second = '', exit = ''] = ['island', 'shore', 'ferry'].map((name) =>
    freshName(name, workflow),
  );
  const systemPrompt = `${wheel(all, numbers[2] ?? 0).systemPrompt ?? ''} Use {{nowhere}}.`;
  const captures = all.flatMap(({ extractVariables = [] }) => extractVariables).slice(0, 1);
  const held = captures.length > 0 ? { extractVariables: captures } : {};
  const nodes: SpecNode[] = [
    { id: first, type: 'conversation', systemPrompt, ...held },
    { id: second, type: 'apiRequest', name: 'Desk' },
    { id: exit, type: 'transferCall', transferPlan: { message: '{{nowhere}}' } },
  ];
  const edges: SpecEdge[] = [
    { from: first, to: second },
    { from: second, to: first, condition: "nowhere == 'x'" },
    { from: second, to: exit },
  ];
  // One more edge to such a node leaves the possible starts as they are.
  const starts = startCandidates(workflow).join();
  const inland = all
    .map(({ id }) => ({ from: first, to: id }))
    .filter((way) => startCandidates({ ...workflow, edges: [...ways, way] }).join() === starts);
  if (inland.length > 0) edges.push(wheel(inland, numbers[3] ?? 0));
  return { nodes, edges };
}

/**
 * An edge is there a second time, at the end. Expected: the same squad, one warning, and the copy
 * became what its original became.
 */
export function copiedEdgeFolded(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const compiled = compileAnswered(workflow, options);
  const { edges } = readAnswered(workflow, compiled.settlement);
  if (edges.length === 0) return;
  const { index, condition } = wheel(edges, options.numbers?.[0] ?? 0);
  const { from, to } = workflow.edges[index]!;
  const copy = { from, to, ...(condition !== undefined && { condition }) };
  const changed = { ...workflow, edges: [...workflow.edges, copy] };
  const after = compileChanged(changed, compiled, options);
  demandSame('the squad', compiled.output, after.output);
  demandFindings(compiled, after, ['flow/copied-edge']);
  const ledgerOf = ({ settlement }: Compiled): readonly LedgerEntry[] => settlement.result.ledger;
  const place = `/edges/${workflow.edges.length}`;
  const others = ledgerOf(after).filter(({ at }) => !`${at}/`.startsWith(`${place}/`));
  demandSame('the ledger', ledgerOf(compiled), others);
  const became = (edge: string) =>
    ledgerOf(after).find(({ at, kind }) => at === edge && kind === 'edge')?.outputs;
  demandSame('what the copy became', became(`/edges/${index}`), became(place));
}

/**
 * All ids are other ones, wherever they stand. Expected: where every node has a name (its own, else
 * the id that it had), the squad of the workflow as it was. Where they have not, two sets of new ids
 * give the same squad but for the ids, which stand in the names that are made of them.
 */
export function renamingStable(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const compiled = compileAnswered(workflow, options);
  const turn = (options.numbers?.[0] ?? 0) % workflow.nodes.length;
  const stem = freshName('renamed', workflow);
  // Of one length, so that none is shortened and none is a part of another.
  const idFor = (set: string, index: number): string =>
    `${stem}-${set}${String(index % workflow.nodes.length).padStart(4, '0')}`;
  const compileWith = (set: string, from: number, named: boolean) => {
    const ids = new Map(workflow.nodes.map(({ id }, index) => [id, idFor(set, index + from)]));
    const id = (old: string): string => ids.get(old) ?? old;
    const nodes = workflow.nodes.map((node) => {
      return { ...node, id: id(node.id), ...(named && { name: node.name || node.id }) };
    });
    const edges = workflow.edges.map((edge) => ({ ...edge, from: id(edge.from), to: id(edge.to) }));
    const { names } = options.compile ?? {};
    const moved = names && Object.entries(names).map(([old, name]) => [id(old), name]);
    const again = { ...options.compile, ...(moved && { names: Object.fromEntries(moved) }) };
    const renamed = { ...workflow, nodes, edges };
    return compileChanged(renamed, compiled, { ...options, compile: again }, { id }).output;
  };
  demandSame('the squad', compiled.output, compileWith('a', turn, true));
  let text = JSON.stringify(compileWith('a', 0, false));
  for (const index of workflow.nodes.keys()) {
    text = text.replaceAll(idFor('a', index), idFor('b', index + turn));
  }
  demandSame('the squad of renamed nodes', JSON.parse(text), compileWith('b', turn, false));
}
