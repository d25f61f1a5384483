/** Laws of changes that change nothing: what cannot be reached, and edges that are there already. */
import type { CompileResult } from '../compiler/ir/result.js';
import { compileAgain, demandFindings, demandSquad } from './answers-again.js';
import { demand, firstDifference } from './demand.js';
import { freshName } from './fresh-name.js';
import { type LawOptions, stand } from './law-ground.js';
import { startCandidates } from './source.js';
import { nth, type SpecEdge, type SpecNode, type SpecWorkflow, wheel } from './spec-workflow.js';

/**
 * Three nodes that no call can reach are added: two that lead to each other, so that neither could
 * be a start, and an exit after them. They hold what would be asked about, captured and read if it
 * could be reached, and lead into the workflow. Expected: the same squad, the same questions, and
 * three warnings more, one for each node.
 */
export function unreachableIgnored(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const ground = stand(workflow, options);
  const { numbers = [] } = options;
  const island = islandFor(workflow, numbers);
  const [nodesAt, edgesAt] = [
    (numbers[0] ?? 0) % (workflow.nodes.length + 1),
    (numbers[1] ?? 0) % (workflow.edges.length + 1),
  ];
  const changed = {
    ...workflow,
    nodes: workflow.nodes.toSpliced(nodesAt, 0, ...island.nodes),
    edges: workflow.edges.toSpliced(edgesAt, 0, ...island.edges),
  };
  const place = (at: string): string =>
    at.replace(/^\/(nodes|edges)\/(\d+)/, (_, list: 'nodes' | 'edges', position: string) => {
      const from = list === 'nodes' ? nodesAt : edgesAt;
      const moved = Number(position) < from ? 0 : island[list].length;
      return `/${list}/${Number(position) + moved}`;
    });
  const result = compileAgain(changed, ground, options, { place });
  demandSquad(ground.output, result);
  const told = island.nodes.map(() => 'flow/unreachable');
  demandFindings(ground.settlement.result, result, told);
}

interface Island {
  readonly nodes: readonly SpecNode[];
  readonly edges: readonly SpecEdge[];
}

function islandFor(workflow: SpecWorkflow, numbers: readonly number[]): Island {
  const [first, second, exit] = ['island', 'shore', 'ferry'].map((name) =>
    freshName(name, workflow),
  ) as [string, string, string];
  const like = wheel(workflow.nodes, numbers[2] ?? 0);
  const captures = workflow.nodes.flatMap(({ extractVariables = [] }) => extractVariables);
  const nodes: SpecNode[] = [
    {
      id: first,
      type: 'conversation',
      systemPrompt: `${like.systemPrompt ?? ''} Use {{nowhere}}.`,
      ...(captures.length > 0 ? { extractVariables: captures.slice(0, 1) } : {}),
    },
    { id: second, type: 'apiRequest', name: 'Desk' },
    { id: exit, type: 'transferCall', transferPlan: { message: '{{nowhere}}' } },
  ];
  const entered = workflow.nodes.filter((_, index) => !startCandidates(workflow).includes(index));
  const inland = entered.filter(({ id }) => isEntered(workflow, id));
  const edges: SpecEdge[] = [
    { from: first, to: second },
    { from: second, to: first, condition: "nowhere == 'x'" },
    { from: second, to: exit },
  ];
  if (inland.length > 0) edges.push({ from: first, to: wheel(inland, numbers[3] ?? 0).id });
  return { nodes, edges };
}

/** Whether one more edge to the node leaves the possible starts as they are. */
function isEntered({ nodes, edges }: SpecWorkflow, id: string): boolean {
  const node = nodes.find((each) => each.id === id);
  if (node?.isGlobal || node?.type !== 'conversation') return true;
  return edges.some(({ from, to }) => to === id && from !== id);
}

/**
 * An edge is written down once more, at the end. Expected: the same squad, one warning more, and the
 * ledger as it was but for the copy, which stands where the first stands.
 */
export function copiedEdgeFolded(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const ground = stand(workflow, options);
  const { edges } = ground.tracks.source;
  if (edges.length === 0) return;
  const { index, condition } = wheel(edges, options.numbers?.[0] ?? 0);
  const { from, to } = nth(workflow.edges, index);
  const copy = { from, to, ...(condition === undefined ? {} : { condition }) };
  const changed = { ...workflow, edges: [...workflow.edges, copy] };
  const result = compileAgain(changed, ground, options);
  demandSquad(ground.output, result);
  demandFindings(ground.settlement.result, result, ['flow/copied-edge']);
  const twins = [`/edges/${index}`, `/edges/${workflow.edges.length}`] as const;
  demandTwins(ground.settlement.result, result, twins);
}

/** Throws unless the ledger has the same entries as before, and those of the copy like its own. */
function demandTwins(
  before: CompileResult,
  after: CompileResult,
  [own, copy]: readonly [own: string, copy: string],
): void {
  const ofCopy = ({ at }: { readonly at: string }): boolean =>
    at === copy || at.startsWith(`${copy}/`);
  const old = after.ledger.filter((entry) => !ofCopy(entry));
  const [first, second] = [JSON.stringify(before.ledger), JSON.stringify(old)];
  demand(first === second, () => `other entries of the ledger: ${firstDifference(first, second)}`);
  const placesOf = (edge: string): string =>
    after.ledger.find(({ at, kind }) => at === edge && kind === 'edge')?.outputs.join() ?? '';
  const [ofOwn, ofTwin] = [placesOf(own), placesOf(copy)];
  demand(ofOwn === ofTwin, () => `${own} became ${ofOwn}, its copy ${ofTwin}`);
}
