/**
 * Two assistants in one: the steps of the second follow those of the first, and the handoffs
 * between them have become steps. A source and its answers have one grouping, so every merge is
 * damage.
 */
import type { Json, JsonObject } from '../../compiler/ir/json.js';
import { drop, put } from './edit.js';
import { type Operator, operator } from './mutant.js';
import { type PromptView, type StepView, waysOf } from './prompt-view.js';
import { type Change, insertAt, quote, replace, rewrite } from './rewording.js';
import { isSame, type MemberView, type SquadView } from './squad-view.js';

export const mergeMutants: readonly Operator[] = [
  operator('members-merged', 2, 'Two assistants have become one.', function* (view) {
    for (const [one, other] of linkedPairs(view)) {
      const text = `${quote(other.name)} into ${quote(one.name)}`;
      yield { squad: merge(view, one, other), at: other.at, text };
    }
  }),
];

/** Members with one that they hand off to; the entry is never the second. */
function* linkedPairs({ members }: SquadView): Iterable<readonly [MemberView, MemberView]> {
  for (const one of members) {
    const targets = new Set(one.destinations.map(({ target }) => target));
    for (const other of members) {
      if (other.index === 0 || other === one || !targets.has(other.name)) continue;
      if (one.prompt.steps.length > 0 && other.prompt.steps.length > 0) yield [one, other];
    }
  }
}

function merge(view: SquadView, one: MemberView, other: MemberView): JsonObject {
  let squad = put(view.squad, one.promptAt, mergePrompts(one, other));
  squad = put(squad, one.toolsAt, mergeTools(one, other));
  for (const { at, target, member } of view.destinations) {
    if (target !== other.name || member === one.index || member === other.index) continue;
    squad = put(squad, `${at}/assistantName`, one.name);
  }
  return drop(squad, other.at);
}

/** The second's steps count on, and what it said first is said at its first step. */
function mergePrompts({ prompt, name }: MemberView, other: MemberView): string {
  const count = Math.max(...prompt.steps.map(({ number }) => number));
  const head = other.prompt.steps[0]!;
  const onward = stepInto(prompt, other.name, head.number + count);
  const line = other.opening === '' ? '' : `Say: "${other.opening}"\n`;
  const changes = [
    ...renumber(other.prompt.steps, count),
    ...stepInto(other.prompt, name, 1),
    insertAt(head.body.start, line),
  ];
  const steps = { start: head.whole.start, end: other.prompt.alwaysAt.start };
  return [
    rewrite(prompt.text, onward, { start: 0, end: prompt.alwaysAt.start }),
    rewrite(other.prompt.text, changes, steps),
    rewrite(prompt.text, onward, prompt.alwaysAt),
  ].join('');
}

/** Handoffs to the other one become steps. */
function stepInto(prompt: PromptView, name: string, step: number): Change[] {
  return waysOf(prompt).flatMap(({ kind, action, to }) =>
    kind === 'handoff' && to === name ? [replace(action, `go to step ${step}`)] : [],
  );
}

/** Headings of steps, and ways to these steps, by numbers that are so much higher. */
export function renumber(steps: readonly StepView[], by: number): Change[] {
  const own = new Set(steps.map(({ number }) => String(number)));
  return steps.flatMap(({ number, numberAt, ways }) => [
    replace(numberAt, String(number + by)),
    ...ways.flatMap(({ kind, target, to }) =>
      kind === 'step' && own.has(to) ? [replace(target, String(Number(to) + by))] : [],
    ),
  ]);
}

function mergeTools(one: MemberView, other: MemberView): Json[] {
  const own = withoutLinks(one, other.name);
  const more = withoutLinks(other, one.name).filter((tool) => !own.some((it) => isSame(it, tool)));
  return [...own, ...more];
}

function withoutLinks({ tools }: MemberView, name: string): JsonObject[] {
  return tools.flatMap(({ value, destinations }) => {
    if (destinations.length === 0) return [value];
    const left = destinations.filter(({ target }) => target !== name).map((it) => it.value);
    return left.length === 0 ? [] : [{ ...value, destinations: left }];
  });
}
