/**
 * Walks the workflow and the squad at once, and finds where each node of a call is in the squad.
 *
 * In: the source, and the squad with its prompts read back. Out: pairs of a node and a place, with
 * the moves from each; and the differences met on the way. A place is a step of an assistant whose
 * prompt can be read, or the whole of any other assistant. A transition of the workflow goes with
 * the one of the same words in the squad, never by names. One without a partner is a difference, and
 * the walk goes on where the target's texts stand, so that one fault does not hide the others.
 */
import { type Entering, type Landing, landOn, leadsTo, leftAfter } from '../../call/places.js';
import { plain, type ReadBranch, type ReadEntry, type ReadStep, unraw } from '../../call/prompt.js';
import type { Destination, Squad } from '../../call/squad.js';
import type { Reading } from '../../call/vocabulary.js';
import type { NodeIndex } from '../../compiler/ir/ids.js';
import { onlySays, type WorkflowEdge, type WorkflowNode } from '../../compiler/ir/workflow.js';
import { ofDifferences, ofHandoffs } from '../../diagnostics/checklist.js';
import { groupBy } from '../../graph/lists.js';
import { areSame } from '../../text/parts.js';
import { createOwners, type Owners, outgoing, type SourceGraph } from '../expected/source.js';
import {
  findNearest,
  fits,
  isOpen,
  type Move,
  type Pair,
  type Placed,
  reportBranch,
  reporter,
  reportUnused,
  search,
  type Walk,
} from './find.js';
import { compareExit, compareStep, holdsStep, spellBranch } from './step.js';

export function placeNodes(
  graph: SourceGraph,
  standsFor: Owners['standsFor'],
  squad: Squad,
  readings: readonly Reading[],
): Placed {
  const leading = groupBy(squad.destinations, ({ member }) => member);
  const walk: Walk = {
    leading,
    ...{ graph, standsFor, squad, readings, pairs: [], known: new Map(), homes: [] },
    ...{ used: new Set(), reported: new Set(), differences: [] },
  };
  const start = standsFor(graph.start);
  if (squad.members.length > 0) {
    const landing = enter(walk, 0, start, null);
    const isThere = landing !== null && (squad.members[0]!.unseen || fits(walk, start, landing));
    const found = isThere ? landing : search(walk, start)[0];
    const place = found ?? landing ?? landOn(0, 0);
    if (place.member === 0 && place.step >= 0 && place.step !== landing?.step) {
      const { called, note } = reporter(walk, 0);
      const words = `- At the start of the call: begin at step ${place.step + 1}.`;
      note(ofDifferences.lineLost(called, words), [graph.nodeAt(start)]);
    }
    visit(walk, start, place, null, null);
  }
  let next = 0;
  const goOn = (): void => {
    for (; next < walk.pairs.length; next += 1) leave(walk, walk.pairs[next]!);
  };
  goOn();
  const isLost = (node: NodeIndex) =>
    walk.homes[node] === undefined && graph.nodeAt(node).role !== 'exit';
  for (const node of graph.order.map(standsFor)) {
    const [place] = isLost(node) ? search(walk, node) : [];
    if (place !== undefined) visit(walk, node, place, null, null);
    goOn();
  }
  reportUnused(walk);
  // A node that no assistant seems to own may belong to a saved one.
  const isSeen = squad.members.every(({ unseen }) => !unseen);
  const lost = graph.order.map(standsFor).filter((node) => isSeen && isLost(node));
  const nodesOf = squad.members.map((): NodeIndex[] => []);
  for (const node of graph.order) {
    if (standsFor(node) !== node) continue;
    for (const member of walk.homes[node] ?? []) nodesOf[member]!.push(node);
  }
  return {
    pairs: walk.pairs,
    owners: createOwners(walk.homes, standsFor),
    nodesOf,
    notPlaced: new Map(lost.map((node) => [node, findNearest(walk, node)])),
    differences: walk.differences,
  };
}

/** The place where a call enters an assistant; null if its prompt does not say. */
function enter(walk: Walk, index: number, node: NodeIndex, by: Entering | null): Landing | null {
  const { readings, graph, known, used } = walk;
  const { prompt, member } = readings[index]!;
  if (prompt === null) return landOn(index, -1);
  if (prompt.entries.length === 0)
    return { ...landOn(index, 0), opening: member.firstMessage || null };
  const entries = prompt.entries.filter((it) => leadsTo(it, by));
  const isThere = ({ step }: ReadEntry) => fits(walk, node, landOn(index, step - 1));
  const isHeld = ({ step }: ReadEntry) => holdsStep(graph.nodeAt(node), prompt.steps[step - 1]);
  const near = [entries.filter(isThere), entries.filter(isHeld)].find(({ length }) => length > 0);
  // Steps with the same texts differ in what they lead to; of those that do not, each node has one.
  const alike = near?.filter(({ step }) => leadsAlike(walk, node, prompt.steps[step - 1])) ?? [];
  const isOwn = ({ step }: ReadEntry) => known.has(keyOf(node, landOn(index, step - 1)));
  const isFree = ({ step }: ReadEntry) => !used.has(prompt.steps[step - 1]!);
  const entry = alike.find(isOwn) ?? alike.find(isFree) ?? alike[0] ?? (near ?? entries)[0];
  if (entry === undefined) return null;
  const words = by?.words ?? null;
  // The words of one line can be a part of another's; a line that stands twice is used once.
  const same = entries.filter(({ step }) => step === entry.step);
  const linesOf = groupBy(same, ({ when }) => when?.value);
  for (const [own] of linesOf.values()) {
    used.add(own!);
    for (const it of own!.conditions) if (words === null || it.value === words) used.add(it);
  }
  return landOn(index, entry.step - 1);
}

/** Whether a step is left under the conditions of a node. */
function leadsAlike({ graph, standsFor }: Walk, node: NodeIndex, step: ReadStep | undefined) {
  const wanted = outgoing(graph, standsFor, node).map(({ condition: it }) => it && plain(it));
  const given = step?.branches.map(({ condition }) => condition?.value ?? null) ?? [];
  return areSame(wanted, given);
}

const keyOf = (node: NodeIndex, { member, step, opening, lines }: Landing) =>
  JSON.stringify([node, member, step, opening, lines]);

/** Records the pair, the first time that a call reaches it, and compares what is said there. */
function visit(
  walk: Walk,
  node: NodeIndex,
  landing: Landing,
  parent: Pair | null,
  edge: WorkflowEdge | null,
): Pair {
  const { graph, readings, known, pairs, homes, used } = walk;
  const { member, step: at, opening, lines } = landing;
  const key = keyOf(node, landing);
  const there = known.get(key);
  if (there !== undefined) return there;
  homes[node] = (homes[node] ?? new Set()).add(member);
  const { prompt } = readings[member]!;
  const step = prompt?.steps[at] ?? null;
  const own = graph.nodeAt(node);
  const left = prompt === null || !onlySays(own) ? null : leftAfter(own, landing);
  const pair: Pair = {
    ...{ index: pairs.length, node, member, step: left === null ? step : null },
    ...{ said: { opening, lines }, isPassing: left !== null, parent, edge, moves: [] },
    depth: parent === null ? 0 : parent.depth + 1,
  };
  known.set(key, pair);
  pairs.push(pair);
  if (left !== null) {
    const [only] = outgoing(graph, walk.standsFor, node);
    const next = { ...only!, to: walk.standsFor(only!.to) };
    const to = visit(walk, next.to, { ...landing, ...left }, pair, next.edge);
    pair.moves.push({ ...moveAlong(pair, next), to });
  } else if (step !== null) {
    used.add(step);
    const before = opening === null ? lines.map(({ value }) => value) : [opening];
    const place = opening === null ? null : readings[member]!.member.firstMessageAt;
    compareStep(own, step, { before, openingAt: place }, reporter(walk, member));
  }
  return pair;
}

/** A transition of the workflow. */
type Transition = Pick<Move, 'edge' | 'condition' | 'beside'> & { readonly to: NodeIndex };

/** The move that a transition is, as long as nothing makes it. */
function moveAlong(from: Pair, { to: node, ...it }: Transition): Move {
  return { ...it, from, node, to: null, branch: null, destination: null };
}

/** Goes on from a pair, along each transition of its node. */
function leave(walk: Walk, pair: Pair): void {
  const { graph, standsFor, readings, used } = walk;
  const { node, member, step } = pair;
  const { prompt, member: own } = readings[member]!;
  // The handoffs of a saved assistant cannot be seen.
  if (pair.isPassing || own.unseen) return;
  const edges = outgoing(graph, standsFor, node).map((it) => ({ ...it, to: standsFor(it.to) }));
  const others = graph.globalNodes.filter(({ index }) => index !== node);
  const globals = others.map(({ index, global }): Transition => {
    return { edge: null, to: index, condition: global!.condition, beside: [] };
  });
  const number = prompt === null || step === null ? 0 : prompt.steps.indexOf(step) + 1;
  const always = (prompt?.anyTime ?? []).filter(({ except }) => except !== number);
  const wordsOf = ({ condition }: ReadBranch) => condition?.value ?? null;
  const [leaving, anyTime] = [groupBy(step?.branches ?? [], wordsOf), groupBy(always, wordsOf)];
  const inOrder = [...(step?.branches ?? []), ...always];
  const places = new Map(inOrder.map((it, at) => [it, at]));
  const taken = new Set<ReadBranch>();
  const exceptions = new Set<ReadBranch>(always.filter(({ except }) => except !== null));
  const last = { edge: -1, exception: -1, global: -1 };
  for (const it of [...edges, ...globals]) {
    const words = it.condition === null ? null : plain(it.condition);
    const branches = (it.edge === null ? anyTime : leaving).get(words) ?? [];
    const move =
      prompt === null ? followProse(walk, pair, it) : follow(walk, pair, it, branches, taken);
    pair.moves.push(move);
    if (move.branch === null) continue;
    used.add(move.branch);
    taken.add(move.branch);
    const at = places.get(move.branch)!;
    // Exceptions stand before what is always possible.
    const isException = it.edge === null && exceptions.has(move.branch);
    const kind = it.edge !== null ? 'edge' : isException ? 'exception' : 'global';
    if (at < last[kind]) {
      const { called, note } = reporter(walk, member);
      note(ofDifferences.lineMoved(called, spellBranch(it)), [it.edge ?? graph.nodeAt(it.to)], 3);
    }
    last[kind] = Math.max(last[kind], at);
  }
  for (const it of inOrder) {
    // What no transition of the node is, anywhere else it may be one.
    if (!taken.has(it)) reportBranch(walk, member, it);
  }
}

const kindOf = ({ role, type }: WorkflowNode) =>
  role !== 'exit' ? 'inner' : type === 'transferCall' ? 'transfer' : 'end';

const itemOf = { inner: 3, transfer: 5, end: 6 } as const;

/** The move that a transition is, by the branch with its words. */
function follow(
  walk: Walk,
  pair: Pair,
  it: Transition,
  branches: readonly ReadBranch[],
  taken: ReadonlySet<ReadBranch>,
): Move {
  const { graph, squad } = walk;
  const { edge, condition, beside, to: node } = it;
  const target = graph.nodeAt(node);
  const kind = kindOf(target);
  const words = condition === null ? null : plain(condition);
  const { called, note } = reporter(walk, pair.member);
  const source = [condition ?? edge ?? target];
  const lost = (item: number | null = itemOf[kind]) =>
    note(ofDifferences.lineLost(called, spellBranch(it)), source, item);
  const fitting = branches.filter(({ action }) => {
    const isInner = action.kind === 'go' || action.kind === 'hand-off';
    return (isInner ? 'inner' : action.kind) === kind;
  });
  const none = moveAlong(pair, it);
  const land = (place: Landing | undefined) =>
    place === undefined ? null : visit(walk, node, place, pair, edge);
  if (fitting.length === 0) {
    const by = target.role === 'exit' ? null : followTools(walk, pair, it);
    const [elsewhere] = target.role === 'exit' || by !== null ? [] : search(walk, node);
    const place = by?.place ?? elsewhere;
    lost(place?.member === pair.member ? null : itemOf[kind]);
    return { ...none, destination: by?.destination ?? null, to: land(place) };
  }
  if (target.role === 'exit') {
    const free = fitting.filter((each) => !taken.has(each));
    const judged = [...free, ...fitting].map((branch) => {
      return { branch, differences: compareExit(target, branch, it, called) };
    });
    const same = judged.find(({ differences }) => differences.length === 0);
    const { branch, differences } = same ?? judged[0]!;
    for (const [text, place] of differences) note(text, [place], itemOf[kind]);
    return { ...none, branch };
  }
  const led = fitting.map((branch) => ({ branch, ...landingOf(walk, pair, branch, it) }));
  const isThere = ({ landing }: (typeof led)[number]) =>
    landing !== null && isOpen(walk, node, landing);
  const there = led.filter(isThere);
  const isFree = (each: (typeof led)[number]) => !taken.has(each.branch);
  const { branch, landing, destination } =
    there.find(isFree) ?? there[0] ?? led.find(isFree) ?? led[0]!;
  if (branch.isOtherwise !== beside.length > 0) lost();
  if (landing !== null && isOpen(walk, node, landing))
    return { ...none, branch, destination, to: land(landing) };
  const { action } = branch;
  const { prompt } = walk.readings[pair.member]!;
  if (action.kind === 'go' && prompt!.steps[action.step - 1] === undefined) {
    note(ofDifferences.lineLost(called, `Step ${action.step}`), source, 3);
    return { ...none, branch, destination, to: land(search(walk, node)[0]) };
  }
  const [elsewhere] = landing !== null && isAlmost(walk, node, landing) ? [] : search(walk, node);
  if (elsewhere === undefined) {
    if (landing === null) lost();
    return { ...none, branch, destination, to: land(landing ?? undefined) };
  }
  const leads = destination?.leadsTo ?? null;
  if (leads !== null && leads !== elsewhere.member) {
    const right = squad.members[elsewhere.member]!.called;
    note(ofHandoffs.misled(called, right, words), source, 3, destination!.at);
  } else {
    const isInner = elsewhere.member === pair.member && elsewhere.step >= 0;
    const then = condition === null ? ': ' : '\n  Then: ';
    const rest = isInner ? `${then}go to step ${elsewhere.step + 1}.` : '';
    const item = isInner ? null : 3;
    note(ofDifferences.lineLost(called, `${spellBranch(it)}${rest}`), source, item);
  }
  return { ...none, branch, destination, to: land(elsewhere) };
}

/** Whether the step there has the instructions of the node, so that only what is with them differs. */
function isAlmost({ graph, readings }: Walk, node: NodeIndex, { member, step }: Landing): boolean {
  const { systemPrompt } = graph.nodeAt(node);
  const there = readings[member]!.prompt?.steps[step]?.instructions;
  return systemPrompt !== null && there?.value === plain(systemPrompt);
}

/** Where a branch leads; of several destinations, by one that leads to the node. */
function landingOf(walk: Walk, { member }: Pair, branch: ReadBranch, it: Transition) {
  const { action, lines } = branch;
  if (action.kind === 'go') {
    return { landing: landOn(member, action.step - 1, lines), destination: null };
  }
  const destinations = action.kind === 'hand-off' ? listDestinations(walk, member, action, it) : [];
  const led = destinations.map((destination) => {
    const to = destination.leadsTo;
    const landing =
      to === null || to === member ? null : enter(walk, to, it.to, wordsFor(it, destination));
    return { landing, destination };
  });
  const there = led.find(({ landing }) => landing !== null && isOpen(walk, it.to, landing));
  return there ?? led[0] ?? { landing: null, destination: null };
}

function wordsFor({ condition, beside }: Transition, { description }: Destination): Entering {
  return {
    words: condition === null ? null : plain(condition),
    description: unraw(description).plain,
    beside: beside.map(plain),
  };
}

/** The destinations that a branch can mean. */
function listDestinations(
  { leading }: Walk,
  member: number,
  { to, by }: Extract<ReadBranch['action'], { kind: 'hand-off' }>,
  { condition }: Transition,
): readonly Destination[] {
  const all = leading.get(member) ?? [];
  const called = all.filter((it) => by === null || it.tool?.name === by);
  const meant = called.filter((it) => to === null || it.target === to);
  // What it calls instead is compared with the tools.
  const named = meant.length > 0 ? meant : all;
  const says = ({ description }: Destination) =>
    condition === null || unraw(description).plain.includes(plain(condition));
  const saying = named.filter(says);
  return saying.length > 0 ? saying : named;
}

/** Where a destination with the words of a transition leads, if the node is there. */
function followTools(
  walk: Walk,
  { member }: Pair,
  it: Transition,
  isThere: (walk: Walk, node: NodeIndex, place: Landing) => boolean = isOpen,
) {
  const all = walk.leading.get(member) ?? [];
  const own = all.filter(({ leadsTo }) => leadsTo !== null && leadsTo !== member);
  const words = it.condition === null ? '' : plain(it.condition);
  for (const destination of own) {
    if (!unraw(destination.description).plain.includes(words)) continue;
    const place = enter(walk, destination.leadsTo!, it.to, wordsFor(it, destination));
    if (place !== null && isThere(walk, it.to, place)) return { place, destination };
  }
  return null;
}

/** Beside a prompt in prose, only tools show where a transition leads. */
function followProse(walk: Walk, pair: Pair, it: Transition): Move {
  const { graph } = walk;
  const { edge, condition, to: node } = it;
  const none = moveAlong(pair, it);
  if (graph.nodeAt(node).role === 'exit') return none;
  const land = (place: Landing, destination: Destination | null = null): Move => {
    return { ...none, destination, to: visit(walk, node, place, pair, edge) };
  };
  const here = landOn(pair.member, -1);
  const isHere = fits(walk, node, here);
  if (condition === null && isHere) return land(here);
  const clear = followTools(walk, pair, it);
  if (clear !== null) return land(clear.place, clear.destination);
  if (isHere) return land(here);
  const [elsewhere] = search(walk, node);
  if (elsewhere !== undefined) return land(elsewhere);
  // Nothing has its texts, so the words decide: those that lead to it, else most of its own.
  const meant = followTools(walk, pair, it, () => true);
  const { firstMessage, systemPrompt } = graph.nodeAt(node);
  const isSilent = !firstMessage?.value && !systemPrompt?.value;
  const near = isSilent ? pair.member : findNearest(walk, node);
  if (meant !== null && (condition !== null || meant.place.member === near)) {
    return land(meant.place, meant.destination);
  }
  return near === pair.member ? land(here) : none;
}
