/**
 * When a tool is called: whether its description says so, and nothing else.
 *
 * A description is the conditions, each once, with `; or ` between them. For a way without a
 * condition squadc has sentences of its own. A condition may itself hold what stands between two,
 * so descriptions are compared in their smallest parts.
 */
import type { Condition } from '../../compiler/ir/workflow.js';

/** The ways to a tool, some of them more than once; null for one without a condition. */
export type Ways = readonly (Condition | null)[];

const between = '; or ';

/** Whether the description says all the conditions of the ways and no others. */
export function isDescribedExactly(description: string, ways: Ways, assistant: string): boolean {
  // Most tools are called on one way.
  if (ways.length === 1 && ways[0] !== null) return description === ways[0]!.value;
  const conditions = conditionsOf(ways);
  const rest = subtract(description, conditions);
  if (rest === null) return false;
  if (!ways.includes(null)) return rest === '';
  // A condition that reads like the sentence says it too.
  const isSaid = rest !== '' || conditions.some((it) => withoutSentences(it, assistant) === '');
  return isSaid && withoutSentences(rest, assistant) === '';
}

/** Whether the description holds the conditions of the ways, whatever else it says. */
export function isDescribed(description: string, ways: Ways): boolean {
  return conditionsOf(ways).every((condition) => description.includes(condition));
}

/** The conditions of the ways as one text, whatever their order. */
export function keyOfWays(ways: Ways, assistant: string): string {
  return keyOfDescription(conditionsOf(ways).join(between), assistant);
}

/** The same of a description. Good enough to tell tools apart that do the same. */
export function keyOfDescription(description: string, assistant: string): string {
  return withoutSentences(description, assistant).split(between).sort().join(between);
}

function conditionsOf(ways: Ways): string[] {
  return [...new Set(ways.flatMap((condition) => condition?.value ?? []))];
}

/** What the description says beside these; null where it does not say all of them. */
function subtract(description: string, conditions: readonly string[]): string | null {
  const parts = new Map<string, number>();
  for (const part of conditions.flatMap((it) => it.split(between))) {
    parts.set(part, (parts.get(part) ?? 0) + 1);
  }
  const rest = description.split(between).filter((part) => {
    const count = parts.get(part) ?? 0;
    if (count === 1) parts.delete(part);
    else if (count > 1) parts.set(part, count - 1);
    return count === 0;
  });
  return parts.size === 0 ? rest.join(between) : null;
}

/** The description without squadc's own sentences: when an assistant is done, or called for. */
function withoutSentences(description: string, assistant: string): string {
  // What is said of a global node comes last, and its name may hold anything.
  const called = description.search(/(?:^|; or )when the caller needs /);
  let rest = called === -1 ? description : description.slice(0, called);
  const done = `when done with ${assistant}`;
  for (const sentence of [`otherwise, ${done}`, done]) rest = withoutPart(rest, sentence);
  return rest;
}

function withoutPart(text: string, part: string): string {
  if (text === part) return '';
  if (text.startsWith(part + between)) return text.slice(part.length + between.length);
  if (text.endsWith(between + part)) return text.slice(0, -(part.length + between.length));
  return text.replace(between + part + between, () => between);
}
