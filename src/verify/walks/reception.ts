/**
 * Where the ways of the source lead in the squad: a line inside an assistant names a step, a
 * handoff names an assistant, whose opening says at which step the call begins.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type { Text } from '../../compiler/ir/workflow.js';
import { ofDifferences } from '../../diagnostics/differences.js';
import { choose, claim, fits, isTaken, search } from './arrivals.js';
import { isGreeted } from './block.js';
import type { Bullet } from './bullets.js';
import { type Led, startOfCall } from './entries.js';
import type { Position } from './finder.js';
import type { Ground } from './ground.js';
import type { Landing, Visit } from './visit.js';
import { note, type Walk } from './walk.js';
import type { Way } from './ways.js';

/** Where the call begins; null where the squad has no members. */
export function startAt(walk: Walk): Position | null {
  const { ground, openings } = walk;
  if (ground.squad.members.length === 0) return null;
  const { start } = ground.graph;
  const positions = openings.positionsFor(0, startOfCall);
  const position =
    choose(walk, positions, start) ?? search(walk, start) ?? existing(ground, 0, positions);
  if (position.member === 0) openings.note(0, startOfCall, position.step);
  return position;
}

/** Goes where the lines of a visit lead, those that leave the call aside. */
export function land(walk: Walk, visit: Visit, bullets: readonly Bullet[]): void {
  for (const bullet of areApart(bullets) ? bullets : inOrder(walk, visit, bullets)) {
    const { way, next } = bullet;
    if (isOwnSentence(bullet)) walk.sentences.push({ visit, bullet });
    if (next.kind === 'left') continue;
    const position =
      next.kind === 'step' ? goTo(walk, visit, way, next) : handOff(walk, visit, bullet, next);
    if (position !== null) {
      claim(walk, position, way.to);
      walk.guests.come(way, position, visit);
    } else comeAstray(walk, visit, way);
  }
}

/** Goes on with a way that the squad does not speak of where its node stands. */
export function comeAstray(walk: Walk, visit: Visit, way: Way): void {
  const landing = landAstray(walk, way);
  if (landing !== null) walk.guests.come(way, landing, visit);
}

/** Where a way that the squad does not speak of would lead. */
export function landAstray(walk: Walk, way: Way): Landing | null {
  const position = way.isExit ? null : search(walk, way.to);
  return position && { way, member: position.member, step: position.step };
}

/** Lines under one condition go to the ways whose nodes they lead to, else in source order. */
function inOrder(walk: Walk, visit: Visit, bullets: readonly Bullet[]): readonly Bullet[] {
  const groups = new Map<string, Bullet[]>();
  for (const bullet of bullets) {
    if (bullet.next.kind === 'left') continue;
    const key = conditionOf(bullet);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [bullet]);
    else known.push(bullet);
  }
  const left = bullets.filter(({ next }) => next.kind === 'left');
  return [
    ...left,
    ...[...groups.values()].flatMap((group) =>
      group.length < 2 ? group : reassign(walk, visit, group),
    ),
  ];
}

function reassign(walk: Walk, visit: Visit, group: readonly Bullet[]): Bullet[] {
  const rest = [...group];
  return group.map(({ way }) => {
    const fitting = rest.findIndex((bullet) => leadsTo(walk, visit, bullet, way.to));
    const [bullet] = rest.splice(Math.max(fitting, 0), 1);
    return { ...bullet!, way };
  });
}

function leadsTo(walk: Walk, visit: Visit, bullet: Bullet, node: NodeIndex): boolean {
  const { ground, openings } = walk;
  const { next } = bullet;
  if (next.kind === 'left') return false;
  if (next.kind === 'step') {
    return fits(ground, { member: visit.member, step: next.step }, node);
  }
  if (next.member === null) return false;
  return choose(walk, openings.positionsFor(next.member, bullet), node) !== null;
}

function goTo(
  walk: Walk,
  visit: Visit,
  way: Way,
  { step, repeats }: { readonly step: number; readonly repeats: boolean },
): Position | null {
  const { graph, squad } = walk.ground;
  const { member } = visit;
  const named = { member, step };
  const position = fits(walk.ground, named, way.to) ? named : settle(walk, visit, way, [named]);
  if (position === null || position.member !== member) return position;
  const { firstMessage: line, id } = graph.nodeAt(way.to);
  const greeted = isGreeted(squad.members[member]!, position.step);
  if (line !== null && greeted !== repeats) noteLine(walk, visit, way, id, line);
  return position;
}

/** A line that is said before the step, or not, where it is to be the other way round. */
function noteLine(walk: Walk, visit: Visit, way: Way, id: string, { value, at }: Text): void {
  note(walk, visit, way, [at], (name) => ofDifferences.lineElsewhere(name, id, value));
}

function handOff(
  walk: Walk,
  visit: Visit,
  bullet: Bullet,
  { name: to, member }: { readonly name: string; readonly member: number | null },
): Position | null {
  const { way } = bullet;
  if (member !== null && member !== visit.member) return enter(walk, visit, way, member, bullet);
  noteNobody(walk, visit, way, to);
  return null;
}

function noteNobody(walk: Walk, visit: Visit, way: Way, to: string): void {
  note(walk, visit, way, [way.at], (name) => ofDifferences.wayToNobody(name, to));
}

/** Where an assistant is entered for a node. */
export function enter(walk: Walk, visit: Visit, way: Way, member: number, led: Led): Position {
  const { ground, openings } = walk;
  const positions = openings.positionsFor(member, led);
  const settled = choose(walk, positions, way.to) ?? settle(walk, visit, way, positions, member);
  const position = settled?.member === member ? settled : existing(ground, member, positions);
  openings.note(member, led, position.step);
  return position;
}

/** Of a node that has none of these positions, the place of its texts. */
function settle(
  walk: Walk,
  visit: Visit,
  way: Way,
  positions: readonly Position[],
  member?: number,
): Position | null {
  const { ground } = walk;
  const elsewhere =
    search(walk, way.to, member) ?? (member === undefined ? null : search(walk, way.to));
  const [first] = positions;
  const isThere = first !== undefined && isStep(ground, first) && !isTaken(walk, first, way.to);
  // Where the node stands nowhere else, its texts are what is wrong, and not the way.
  if (elsewhere === null && isThere) return first;
  const { id } = ground.graph.nodeAt(way.to);
  const condition = way.condition?.value ?? null;
  const { name, promptAt } = ground.squad.members[member ?? visit.member]!;
  const text = () =>
    member === undefined
      ? ofDifferences.wayElsewhere(name ?? '', id, condition)
      : ofDifferences.entryLost(name ?? '', id, condition);
  walk.differences.push({ visit, way, text, source: [way.at], output: [promptAt] });
  return elsewhere;
}

/** The first of the positions that is there, else where the assistant begins. */
function existing(ground: Ground, member: number, positions: readonly Position[]): Position {
  const first = Math.min(1, ground.prompts[member]!.steps.length);
  return positions.find((it) => isStep(ground, it)) ?? { member, step: first };
}

function isStep({ prompts }: Ground, { member, step }: Position): boolean {
  const { length } = prompts[member]!.steps;
  return step === 0 ? length === 0 : step <= length;
}

/** So few lines are held against each other. */
const few = 8;

/** Whether every line leads on, each under a condition of its own. */
function areApart(bullets: readonly Bullet[]): boolean {
  const { length } = bullets;
  if (length < 2) return true;
  if (length > few) {
    if (bullets.some(({ next }) => next.kind === 'left')) return false;
    return new Set(bullets.map(conditionOf)).size === length;
  }
  for (let at = 0; at < length; at += 1) {
    if (bullets[at]!.next.kind === 'left') return false;
    const condition = conditionOf(bullets[at]!);
    for (let before = 0; before < at; before += 1) {
      if (conditionOf(bullets[before]!) === condition) return false;
    }
  }
  return true;
}

function conditionOf({ way }: Bullet): string {
  return way.condition?.value ?? '';
}

/** Squadc's words for a way without a condition, other than that the step is done. */
function isOwnSentence({ way, sentence }: Bullet): boolean {
  return way.edge !== null && way.condition === null && sentence !== '';
}
