/**
 * The words that squadc puts where the source gives no condition: after what the assistant
 * collects, or when it is done.
 */
import type { Member } from '../squad-reading.js';
import type { Ground } from './ground.js';
import type { Guests } from './guests.js';

export interface Sentences {
  /** Of a handoff to another assistant, or of a way out of the call. */
  readonly of: (member: number, way: { readonly otherwise: boolean }, isHandoff: boolean) => string;
}

export function createSentences(ground: Ground, guests: Guests): Sentences {
  const collected: (readonly string[] | undefined)[] = [];
  const collectedBy = (member: number): readonly string[] => {
    collected[member] ??= listCollected(ground, guests, member);
    return collected[member];
  };
  return {
    of: (member, { otherwise }, isHandoff) => {
      const names = isHandoff ? collectedBy(member) : nothing;
      const sentence =
        names.length > 0
          ? `after collecting ${enumerate(names)}`
          : `when done with ${nameOf(ground.squad.members[member]!)}`;
      return otherwise ? `otherwise, ${sentence}` : sentence;
    },
  };
}

const nothing: readonly string[] = [];

/** A saved assistant without a name is called by its id. */
export function nameOf({ name, assistantId }: Pick<Member, 'name' | 'assistantId'>): string {
  return name ?? assistantId ?? '';
}

/** `a, b and c`. */
export function enumerate(names: readonly string[]): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}

/** The names that the steps of the member capture, in their order. */
function listCollected(
  { graph, prompts, numberOf }: Ground,
  { firstAt }: Guests,
  member: number,
): readonly string[] {
  const names: string[] = [];
  for (let step = 0; step <= prompts[member]!.steps.length; step += 1) {
    const node = firstAt(numberOf(member, step));
    if (node === null) continue;
    for (const { name, alias } of graph.nodeAt(node).captures) {
      if (alias === undefined) names.push(name);
    }
  }
  return names.length < 2 ? names : [...new Set(names)];
}
