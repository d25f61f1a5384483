/**
 * From a visit at an assistant that the source itself names as saved: it has no prompt to read, so
 * its ways stand in the tools that the member is given. A handoff says in its description when it is
 * made; what is said before the call is left, and when it ends, would have to stand in a prompt.
 */
import type { Condition } from '../../compiler/ir/workflow.js';
import { ofDifferences } from '../../diagnostics/differences.js';
import type { Destination } from '../squad-reading.js';
import { claim } from './arrivals.js';
import { type LooseDeparture, listOf } from './depart-loosely.js';
import type { Ground } from './ground.js';
import { listMissing } from './loose.js';
import { enter, landAstray } from './reception.js';
import { nameOf } from './sentences.js';
import type { Landing, Visit } from './visit.js';
import type { Walk } from './walk.js';
import type { Way } from './ways.js';

export function departSaved(walk: Walk, visit: Visit): LooseDeparture {
  const { ground } = walk;
  const follow = (way: Way): Landing[] => {
    if (way.to === visit.node) return [];
    if (way.isExit) {
      noteUnsaid(walk, visit, way);
      return [];
    }
    const destination = choose(walk, visit, way);
    const member = destination?.leadsTo ?? null;
    if (member === null) return listOf(landAstray(walk, way));
    const led = { way, sentence: sentenceOf(ground, visit, way, member) };
    const position = enter(walk, visit, way, member, led);
    claim(walk, position, way.to);
    return [{ way, member, step: position.step }];
  };
  return {
    own: ground.waysFrom(visit.node).flatMap(follow),
    globals: ground.globalWays.flatMap(follow),
  };
}

/** The handoff that bears the condition and leads to the node, else one that does either. */
function choose(
  { ground: { graph, destinationsOf }, finder }: Walk,
  { member }: Visit,
  { to, condition }: Way,
): Destination | null {
  const holders = new Set(finder(graph.nodeAt(to)).map((it) => it.member));
  const leading = destinationsOf(member).filter((it) => it.leadsTo !== null);
  const holds = ({ leadsTo }: Destination) => holders.has(leadsTo!);
  const bears = (it: Destination) => saysWhen(it, condition);
  const both = (it: Destination) => holds(it) && bears(it);
  return leading.find(both) ?? leading.find(holds) ?? leading.find(bears) ?? null;
}

function saysWhen({ description }: Destination, condition: Condition | null): boolean {
  return condition !== null && description.includes(condition.value);
}

/** What squadc puts where the source gives no condition; a saved assistant captures nothing. */
function sentenceOf({ squad }: Ground, visit: Visit, way: Way, member: number): string {
  if (way.edge === null) return `when the caller needs ${nameOf(squad.members[member]!)}`;
  const sentence = `when done with ${nameOf(squad.members[visit.member]!)}`;
  return way.otherwise ? `otherwise, ${sentence}` : sentence;
}

/** Texts of an exit, and the condition of one whose tool cannot say when it is called. */
function noteUnsaid({ ground, differences }: Walk, visit: Visit, way: Way): void {
  const { graph, squad } = ground;
  const member = squad.members[visit.member]!;
  const name = nameOf(member);
  const exit = graph.nodeAt(way.to);
  for (const { what, text: words, at } of listMissing(member, exit)) {
    const text = () => ofDifferences.textLost(name, exit.id, what, words);
    differences.push({ visit, way, text, source: [at], output: [member.at] });
  }
  const { condition } = way;
  if (condition === null || exit.type === 'transferCall') return;
  const text = () =>
    ofDifferences.wayLost(name, graph.nodeAt(visit.node).id, exit.id, condition.value);
  differences.push({ visit, way, text, source: [condition.at], output: [member.at] });
}
