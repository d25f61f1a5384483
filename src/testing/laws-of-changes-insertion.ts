/** The law of a node put between two. */
import {
  type Change,
  conclude,
  firstFitting,
  keepsOrder,
  placeOf,
  sectionsOf,
  settingsOf,
} from './added-step.js';
import { lonelyNodes } from './assistant-steps.js';
import { freshName } from './fresh-name.js';
import { type Ground, type LawOptions, stand } from './law-ground.js';
import { renumber, wording } from './prompt-sections.js';
import { nodeOf, reach, type SourceEdge } from './source.js';
import {
  isExit,
  isTalk,
  nth,
  type SpecEdge,
  type SpecNode,
  type SpecWorkflow,
} from './spec-workflow.js';
import { ownersOf, promptAt } from './squad-tracks.js';

/**
 * A node with an instruction is put on an edge between two talk nodes, which is the only way on from
 * the first, or from the cycle that it lies on, and the only way to the second, or to its cycle. The
 * condition stays on the way to the new node, and an edge without one leads on. Expected: the same
 * assistants; the prompt of the one that holds them has one step more, which the first node leads to
 * and which leads to the second, and the steps behind it have the next number; nothing else changes.
 */
export function insertedStepAdded(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const ground = stand(workflow, options);
  const { numbers = [] } = options;
  const found = firstFitting(listChains(ground), numbers, (edge) => {
    const change = insert(workflow, edge);
    return keepsOrder(ground, change) ? { ...change, edge } : null;
  });
  if (found === null) return;
  const { changed, edge } = found;
  const { member, steps, position } = placeOf(ground, found, edge.from);
  const sections = sectionsOf(ground, member, steps.length);
  const [first, second] = [steps.indexOf(edge.from) + 1, steps.indexOf(edge.to) + 1];
  const text = `${found.node.systemPrompt}\n- when done, go to step ${second + 1}\n`;
  const moved = renumber(sections, (step, of) => {
    if (of === first && step === second) return position;
    return step < position ? step : step + 1;
  });
  const predicted = { ...moved, steps: moved.steps.toSpliced(position - 1, 0, [wording(text)]) };
  conclude(ground, options, changed, promptAt(ground.tracks, member), predicted);
}

/** Edges that make talk nodes, each with the cycle that it lies on, a chain. */
function listChains(ground: Ground): SourceEdge[] {
  const { source } = ground.tracks;
  const beyond = new Map([...source.reachable].map((node) => [node, reach([node], source.edges)]));
  const leads = (from: number, to: number): boolean => beyond.get(from)?.has(to) ?? false;
  const together = (a: number, b: number): boolean => leads(a, b) && leads(b, a);
  const entered = [source.start, ...source.globals];
  const candidates = source.edges.filter((edge) => {
    const { from, to } = edge;
    const ways = source.edges.filter((other) => other !== edge);
    const others = ways.filter(
      (way) =>
        (together(way.from, from) && !together(way.to, from) && !isExit(nodeOf(source, way.to))) ||
        (together(way.to, to) && !together(way.from, to)),
    );
    return (
      isTalk(nodeOf(source, from)) &&
      isTalk(nodeOf(source, to)) &&
      !together(from, to) &&
      !entered.some((node) => together(node, to)) &&
      others.length === 0 &&
      inOneMember(ground, from, to)
    );
  });
  if (candidates.length === 0) return [];
  const alone = lonelyNodes(ground);
  return candidates.filter(({ from, to }) => alone.has(from) && alone.has(to));
}

function inOneMember({ tracks }: Ground, from: number, to: number): boolean {
  return ownersOf(tracks, from).join() === ownersOf(tracks, to).join();
}

function insert(workflow: SpecWorkflow, { index, from, to }: SourceEdge): Change {
  const id = freshName('inserted', workflow);
  const node: SpecNode = {
    ...settingsOf(nth(workflow.nodes, from)),
    id,
    type: 'conversation',
    systemPrompt: `Do the work of ${id}.`,
  };
  const ends = nth(workflow.edges, index);
  // Copies of the edge go where it goes.
  const isCopy = (edge: SpecEdge): boolean => edge.from === ends.from && edge.to === ends.to;
  const edges = workflow.edges.map((edge) => (isCopy(edge) ? { ...edge, to: id } : edge));
  const onward = { from: id, to: nth(workflow.nodes, to).id };
  return {
    node,
    changed: { ...workflow, nodes: [...workflow.nodes, node], edges: [...edges, onward] },
  };
}
