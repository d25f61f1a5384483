/**
 * Laws of changes that add one step: a node put between two, and a node cut in two.
 *
 * The order of steps and members is the order in which walks come to the nodes. A node more can
 * put others off, so the laws look for a place where it does not, and hold where there is none.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import type { Json } from '../compiler/ir/json.js';
import { compileAgain, demandSquad } from './answers-again.js';
import { lonelyNodes, stepsOfMember, walkOrder } from './assistant-steps.js';
import { demand } from './demand.js';
import { freshName } from './fresh-name.js';
import { type Ground, type LawOptions, stand } from './law-ground.js';
import { naiveRepresentatives } from './naive-equality.js';
import {
  cutAfterCaptures,
  joinSections,
  readPieces,
  readSections,
  renumber,
  type Sections,
  withTexts,
  wording,
} from './prompt-sections.js';
import { nodeOf, reach, readSource, type SourceEdge } from './source.js';
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
 * the first, or from the cycle that it lies on, and the only way to the second; the condition stays
 * on the way to the new node, and an edge without one leads on.
 * Expected: the same assistants; the prompt of the one that holds them has one step more,
 * which the first node leads to and which leads to the second, and the steps behind it have the
 * next number; nothing else changes.
 */
export function insertedStepAdded(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const ground = stand(workflow, options);
  const { numbers = [] } = options;
  const found = firstFitting(listChains(ground), numbers, ({ edge }) => {
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

/** A changed workflow, and the node that it has at its end. */
interface Change {
  readonly changed: SpecWorkflow;
  readonly node: SpecNode;
}

/** Tries the candidates in an order that the numbers choose. */
function firstFitting<T, U>(
  candidates: readonly T[],
  numbers: readonly number[],
  attempt: (candidate: T) => U | null,
): U | null {
  const from = candidates.length > 0 ? (numbers[0] ?? 0) % candidates.length : 0;
  for (const each of [...candidates.slice(from), ...candidates.slice(0, from)]) {
    const found = attempt(each);
    if (found !== null) return found;
  }
  return null;
}

/** Edges that make talk nodes, each with the cycle that it lies on, a chain. */
function listChains(ground: Ground): { readonly edge: SourceEdge }[] {
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
  return candidates
    .filter(({ from, to }) => alone.has(from) && alone.has(to))
    .map((edge) => ({ edge }));
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

/** What shapes an assistant, so that the node more wants the same. */
function settingsOf({ model, voice, transcriber }: SpecNode): Partial<SpecNode> {
  const settings = { model, voice, transcriber };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
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
  const classes = [...naiveRepresentatives(readSource(changed, settlement), settlement)];
  return [first, changed.nodes.length - 1].every(
    (node) => classes.filter(([each, of]) => each !== node && of === classOf(node)).length === 0,
  );
  function classOf(node: number): number | undefined {
    return classes.find(([each]) => each === node)?.[1];
  }
}

/** Whether walks come to the nodes in the order in which they came before. */
function keepsOrder({ tracks, settlement }: Ground, { changed }: Change): boolean {
  const after = walkOrder(readSource(changed, settlement));
  const old = after.filter((node) => node < tracks.source.workflow.nodes.length);
  return old.join() === walkOrder(tracks.source).join();
}

/** The member of a node, its steps, and which step the new node becomes. */
function placeOf(ground: Ground, { changed }: Change, like: number) {
  const [member = 0] = ownersOf(ground.tracks, like);
  const steps = stepsOfMember(ground, member);
  const order = walkOrder(readSource(changed, ground.settlement));
  const before = order.slice(0, order.indexOf(changed.nodes.length - 1));
  const [, ...later] = steps;
  return { member, steps, position: 2 + later.filter((node) => before.includes(node)).length };
}

function sectionsOf(
  { tracks, settlement, output }: Ground,
  member: number,
  steps: number,
): Sections {
  const pieces =
    readPieces(output, settlement.result.sourceMap).get(promptAt(tracks, member)) ?? [];
  const sections = readSections(pieces);
  demand(sections.steps.length === steps, () => {
    return `member ${member} has ${sections.steps.length} steps in place of ${steps}`;
  });
  return sections;
}

function conclude(
  ground: Ground,
  options: LawOptions,
  changed: SpecWorkflow,
  at: JsonPointer,
  predicted: Sections,
): void {
  const result = compileAgain(changed, ground, options);
  const squad: Json = withTexts(ground.output, new Map([[at, joinSections(predicted)]]));
  demandSquad(squad, result);
}
