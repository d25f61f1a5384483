/**
 * Where the ways of the source lead in the squad: a line inside an assistant names a step, a
 * handoff names an assistant, whose opening says at which step the call begins.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import { ofDifferences } from '../../diagnostics/differences.js';
import { put } from '../variables/lists.js';
import type { Arrivals } from './arrivals.js';
import { isGreeted } from './block.js';
import type { Bullet } from './bullets.js';
import type { Note } from './depart.js';
import { type Led, startOfCall } from './entries.js';
import type { Position } from './finder.js';
import type { Ground } from './ground.js';
import type { Openings } from './openings.js';
import type { OwnSentence } from './review.js';
import type { Landing, Visit } from './visit.js';
import type { Way } from './ways.js';

export interface Reception {
  /** Where the call begins; null where the squad has no members. */
  readonly startAt: () => Position | null;
  /** Where the lines of a visit lead, those that leave the call aside. */
  readonly land: (visit: Visit, bullets: readonly Bullet[]) => Landing[];
  /** The step at which an assistant is entered for a node. */
  readonly enter: (visit: Visit, way: Way, member: number, led: Led) => number;
  /** Where a way that the squad does not speak of would lead. */
  readonly landAstray: (visit: Visit, way: Way) => Landing[];
}

export function createReception(
  ground: Ground,
  arrivals: Arrivals,
  openings: Openings,
  note: Note,
  sentences: OwnSentence[],
): Reception {
  const { graph, squad, byName } = ground;
  const nameOf = (member: number) => squad.members[member]?.name ?? '';

  function startAt(): Position | null {
    if (squad.members.length === 0) return null;
    const { start } = graph;
    const positions = openings.positionsFor(0, startOfCall);
    const position =
      arrivals.choose(positions, start) ?? arrivals.search(start) ?? existing(0, positions);
    if (position.member === 0) openings.note(0, startOfCall, position.step);
    return position;
  }

  function land(visit: Visit, bullets: readonly Bullet[]): Landing[] {
    let landings: Landing[] | null = null;
    for (const bullet of inOrder(visit, bullets)) {
      const { way, next } = bullet;
      if (isOwnSentence(bullet)) sentences.push({ visit, bullet });
      if (next.kind === 'left') continue;
      const landing =
        next.kind === 'step' ? goTo(visit, bullet, next) : handOff(visit, bullet, next.name);
      if (landing !== null) {
        arrivals.claim(landing, way.to);
        landings = put(landings, landing);
      } else for (const astray of landAstray(visit, way)) landings = put(landings, astray);
    }
    return landings ?? [];
  }

  /** Lines under one condition go to the ways whose nodes they lead to, else in source order. */
  function inOrder(visit: Visit, bullets: readonly Bullet[]): readonly Bullet[] {
    if (areApart(bullets)) return bullets;
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
        group.length < 2 ? group : reassign(visit, group),
      ),
    ];
  }

  function reassign(visit: Visit, group: readonly Bullet[]): Bullet[] {
    const rest = [...group];
    return group.map(({ way }) => {
      const fitting = rest.findIndex((bullet) => leadsTo(visit, bullet, way.to));
      const [bullet] = rest.splice(Math.max(fitting, 0), 1);
      return { ...bullet!, way };
    });
  }

  function leadsTo(visit: Visit, bullet: Bullet, node: NodeIndex): boolean {
    const { next } = bullet;
    if (next.kind === 'left') return false;
    if (next.kind === 'step') {
      return arrivals.choose([{ member: visit.member, step: next.step }], node) !== null;
    }
    const member = byName.get(next.name);
    if (member === undefined) return false;
    return arrivals.choose(openings.positionsFor(member, bullet), node) !== null;
  }

  function goTo(
    visit: Visit,
    { way }: Bullet,
    { step, repeats }: { readonly step: number; readonly repeats: boolean },
  ): Landing | null {
    const { member } = visit;
    const position = settle(visit, way, [{ member, step }]);
    if (position === null || position.member !== member)
      return position && leading(way, position, true);
    const line = graph.nodeAt(way.to).firstMessage;
    const greeted = isGreeted(squad.members[member]!, position.step);
    if (line !== null && greeted !== repeats) {
      const text = () =>
        ofDifferences.lineElsewhere(nameOf(member), graph.nodeAt(way.to).id, line.value);
      note({ visit, way, text, source: [line.at], output: [squad.members[member]!.promptAt] });
    }
    return leading(way, position, false);
  }

  function handOff(visit: Visit, bullet: Bullet, name: string): Landing | null {
    const { way } = bullet;
    const member = byName.get(name);
    if (member === undefined || member === visit.member) {
      const text = () => ofDifferences.wayToNobody(nameOf(visit.member), name);
      const output = [squad.members[visit.member]!.promptAt];
      note({ visit, way, text, source: [way.at], output });
      return null;
    }
    return { way, member, step: enter(visit, way, member, bullet), isHandoff: true };
  }

  function enter(visit: Visit, way: Way, member: number, led: Led): number {
    const positions = openings.positionsFor(member, led);
    const position = settle(visit, way, positions, member);
    const { step } = position?.member === member ? position : existing(member, positions);
    openings.note(member, led, step);
    return step;
  }

  /** The node's position among these; where it is none of them, the place of its texts. */
  function settle(
    visit: Visit,
    way: Way,
    positions: readonly Position[],
    member?: number,
  ): Position | null {
    const fitting = arrivals.choose(positions, way.to);
    if (fitting !== null) return fitting;
    const elsewhere =
      arrivals.search(way.to, member) ?? (member === undefined ? null : arrivals.search(way.to));
    const [first] = positions;
    const isThere = first !== undefined && isStep(first) && !arrivals.isTaken(first, way.to);
    // Where the node stands nowhere else, its texts are what is wrong, and not the way.
    if (elsewhere === null && isThere) return first;
    const { id } = graph.nodeAt(way.to);
    const condition = way.condition?.value ?? null;
    const name = nameOf(member ?? visit.member);
    const text = () =>
      member === undefined
        ? ofDifferences.wayElsewhere(name, id, condition)
        : ofDifferences.entryLost(name, id, condition);
    const output = [squad.members[member ?? visit.member]!.promptAt];
    note({ visit, way, text, source: [way.at], output });
    return elsewhere;
  }

  /** The first of the positions that is there, else where the assistant begins. */
  function existing(member: number, positions: readonly Position[]): Position {
    const first = Math.min(1, ground.prompts[member]!.steps.length);
    return positions.find(isStep) ?? { member, step: first };
  }

  function isStep({ member, step }: Position): boolean {
    const { length } = ground.prompts[member]!.steps;
    return step === 0 ? length === 0 : step <= length;
  }

  function landAstray({ member }: Visit, way: Way): Landing[] {
    if (way.isExit) return [];
    const position = arrivals.search(way.to);
    return position === null ? [] : [leading(way, position, position.member !== member)];
  }

  return { startAt, land, enter, landAstray };
}

/** So few lines are held against each other. */
const few = 8;

/** Whether every line leads on, each under a condition of its own. */
function areApart(bullets: readonly Bullet[]): boolean {
  const { length } = bullets;
  if (length < 2) return true;
  if (bullets.some(({ next }) => next.kind === 'left')) return false;
  if (length > few) return new Set(bullets.map(conditionOf)).size === length;
  return bullets.every(
    (it, at) => bullets.findIndex((one) => conditionOf(one) === conditionOf(it)) === at,
  );
}

function conditionOf({ way }: Bullet): string {
  return way.condition?.value ?? '';
}

/** Squadc's words for a way without a condition, other than that the step is done. */
function isOwnSentence({ way, sentence }: Bullet): boolean {
  return way.edge !== null && way.condition === null && sentence !== '';
}

function leading(way: Way, { member, step }: Position, isHandoff: boolean): Landing {
  return { way, member, step, isHandoff };
}
