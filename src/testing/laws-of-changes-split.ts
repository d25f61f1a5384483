/** The law of a node cut in two. */
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
import { naiveRepresentatives } from './naive-equality.js';
import { cutAfterCaptures, renumber, wording } from './prompt-sections.js';
import { nodeOf, reach, readSource } from './source.js';
import { isTalk, nth, type SpecNode, type SpecWorkflow } from './spec-workflow.js';
import { promptAt } from './squad-tracks.js';

/**
 * A talk node outside of cycles is cut in two: the first keeps its id, its line, the first part of
 * its instruction and its captures; the second has the other part and the ways on; an edge without
 * condition joins them. Expected: as many assistants; in the prompt the step is cut in two in the
 * same way; nothing else changes.
 */
export function splitStepAdded(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const ground = stand(workflow, options);
  const { numbers = [] } = options;
  const found = firstFitting(listSplittable(ground), numbers, (at) => {
    const change = split(workflow, at, numbers[0] ?? 0);
    if (!keepsOrder(ground, change) || !isAlone(change, at, ground)) return null;
    const place = placeOf(ground, change, at);
    // Tools stand in the order of the steps, so those of the second part must not come later.
    return place.position === place.steps.indexOf(at) + 2 ? { ...change, ...place, at } : null;
  });
  if (found === null) return;
  const { changed, node, at, member, steps, position } = found;
  const moved = renumber(sectionsOf(ground, member, steps.length), (step) =>
    step < position ? step : step + 1,
  );
  const [before, after] = cutAfterCaptures(nth(moved.steps, position - 2), `/nodes/${at}`);
  const part = nth(changed.nodes, at).systemPrompt ?? '';
  const first = before.map((piece) =>
    piece.from.includes(`/nodes/${at}/systemPrompt`) ? { ...piece, text: part } : piece,
  );
  const parts = [
    [...first, wording(`- when done, go to step ${position}\n`)],
    [wording(`${node.systemPrompt}\n`), ...after],
  ];
  const all = moved.steps.toSpliced(position - 2, 1, ...parts);
  conclude(ground, options, changed, promptAt(ground.tracks, member), { ...moved, steps: all });
}

/**
 * Talk nodes with an instruction that can be cut, which behave as no other does, lie on no cycle,
 * and read nothing whose place in the walk matters.
 */
function listSplittable(ground: Ground): number[] {
  const { source } = ground.tracks;
  const alone = lonelyNodes(ground);
  return [...source.reachable].filter((index) => {
    const node = nodeOf(source, index);
    const { systemPrompt = '', firstMessage = '', extractVariables = [] } = node;
    const ways = source.edges.filter(({ from }) => from === index);
    const beyond = reach(
      ways.map(({ to }) => to),
      source.edges,
    );
    const captured = extractVariables.length > 0;
    return (
      isTalk(node) &&
      [...systemPrompt].length > 1 &&
      alone.has(index) &&
      !beyond.has(index) &&
      !isTemplate(systemPrompt) &&
      !(captured && isTemplate(firstMessage)) &&
      !ways.some(({ condition = '' }) => isTemplate(condition) || condition.includes('=='))
    );
  });
}

function isTemplate(text: string): boolean {
  return text.includes('{{') || text.includes('{%');
}

function split(workflow: SpecWorkflow, index: number, number: number): Change {
  const whole = nth(workflow.nodes, index);
  const letters = [...(whole.systemPrompt ?? '')];
  const at = 1 + (number % (letters.length - 1));
  const id = freshName('second', workflow);
  const node: SpecNode = {
    ...settingsOf(whole),
    id,
    type: 'conversation',
    systemPrompt: letters.slice(at).join(''),
  };
  const first = { ...whole, systemPrompt: letters.slice(0, at).join('') };
  const edges = workflow.edges.map((edge) =>
    edge.from === whole.id ? { ...edge, from: id } : edge,
  );
  return {
    node,
    changed: {
      ...workflow,
      nodes: [...workflow.nodes.with(index, first), node],
      edges: [...edges, { from: whole.id, to: id }],
    },
  };
}

/** Whether the parts of a node, which can read like other nodes, still behave as no other does. */
function isAlone({ changed }: Change, first: number, { settlement }: Ground): boolean {
  const classes = naiveRepresentatives(readSource(changed, settlement), settlement);
  const sameAs = (node: number): number =>
    [...classes.values()].filter((each) => each === classes.get(node)).length;
  return sameAs(first) === 1 && sameAs(changed.nodes.length - 1) === 1;
}
