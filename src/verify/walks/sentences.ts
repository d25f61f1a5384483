/**
 * The words that squadc puts where the source gives no condition: after what the assistant
 * collects, or when it is done.
 */
import type { Member } from '../squad-reading.js';
import type { Ground } from './ground.js';
import type { Visit } from './visit.js';

export interface Sentences {
  /** Of a handoff to another assistant, or of a way out of the call. */
  readonly of: (member: number, way: { readonly otherwise: boolean }, isHandoff: boolean) => string;
}

export function createSentences(ground: Ground, visits: readonly Visit[]): Sentences {
  let collected: readonly (readonly string[])[] | null = null;
  return {
    of: (member, { otherwise }, isHandoff) => {
      collected ??= listCollected(ground, visits);
      const names = isHandoff ? collected[member]! : [];
      const sentence =
        names.length > 0
          ? `after collecting ${enumerate(names)}`
          : `when done with ${nameOf(ground.squad.members[member]!)}`;
      return otherwise ? `otherwise, ${sentence}` : sentence;
    },
  };
}

/** A saved assistant without a name is called by its id. */
export function nameOf({ name, assistantId }: Pick<Member, 'name' | 'assistantId'>): string {
  return name ?? assistantId ?? '';
}

/** `a, b and c`. */
export function enumerate(names: readonly string[]): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}

/** By member, the names that its steps capture, in their order. */
function listCollected({ graph, squad }: Ground, visits: readonly Visit[]): string[][] {
  const byStep = squad.members.map(() => new Map<number, Visit>());
  for (const visit of visits) {
    const steps = byStep[visit.member]!;
    if (!steps.has(visit.step)) steps.set(visit.step, visit);
  }
  return byStep.map((steps) => {
    const inOrder = [...steps.values()].sort((one, other) => one.step - other.step);
    const captures = inOrder.flatMap(({ node }) => graph.nodeAt(node).captures);
    const names = captures.flatMap(({ name, alias }) => (alias === undefined ? [name] : []));
    return [...new Set(names)];
  });
}
