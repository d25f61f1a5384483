/**
 * What destinations allow, and when a change of them is damage.
 *
 * A destination is there for conditions of the source, which its description holds word for word.
 * Where the source has none, its words are the compiler's and mean nothing but that the handoff is
 * there. Two destinations of one assistant can say the same, so that either does without the
 * other; a change is damage only where something is not said any more.
 */
import type { DestinationView, MemberView, SquadView } from './squad-view.js';

export interface Alternative {
  readonly text: string;
  /** Where it stands in the description. */
  readonly start: number;
  /** Whether it is a condition of the source, word for word. */
  readonly isCondition: boolean;
}

export const between = '; or ';

/** The parts of a description; a condition that holds `; or ` itself is not told apart. */
export function alternativesOf(
  { source }: SquadView,
  { description }: Pick<DestinationView, 'description'>,
): Alternative[] {
  if (source.conditions.has(description)) {
    return [{ text: description, start: 0, isCondition: true }];
  }
  let start = 0;
  return description.split(between).map((text) => {
    const alternative = { text, start, isCondition: source.conditions.has(text) };
    start += text.length + between.length;
    return alternative;
  });
}

export type Offer = Pick<DestinationView, 'target' | 'description'>;

/** Whether something that the destination is there for is missing among what is left. */
export function leavesGap(
  view: SquadView,
  { target, description }: DestinationView,
  left: readonly Offer[],
): boolean {
  const toTarget = left.filter((offer) => offer.target === target);
  const conditions = alternativesOf(view, { description }).filter((it) => it.isCondition);
  if (conditions.length === 0) return toTarget.length === 0;
  return conditions.some(({ text }) => !toTarget.some((it) => it.description.includes(text)));
}

/** The member's destinations without one. */
export function others(view: SquadView, destination: DestinationView): DestinationView[] {
  return memberOf(view, destination).destinations.filter((it) => it !== destination);
}

export function memberOf({ members }: SquadView, { member }: { readonly member: number }) {
  return members.find(({ index }) => index === member)!;
}

/**
 * Whether two members have the same steps, names aside. Such members can be told apart only by where
 * they are entered from, and changing one for the other may change nothing; what can happen at any
 * time is the same for all.
 */
export function looksAlike(one: MemberView, other: MemberView): boolean {
  return one.opening === other.opening && nameless(one) === nameless(other);
}

function nameless({ prompt, name }: MemberView): string {
  const steps = prompt.text.slice(prompt.steps[0]?.whole.start ?? 0, prompt.alwaysAt.start);
  return name === '' ? steps : steps.replaceAll(name, '\u0000');
}

/** Whether a destination is one to a global node that can be entered at any time. */
export function isAtAnyTime(
  { source }: SquadView,
  { description }: Pick<DestinationView, 'description'>,
): boolean {
  return source.globalConditions.has(description) || /^when the caller needs /.test(description);
}
