/** Ways inside an assistant: lost, to another step, for another reason. */
import { type Operator, operator } from './mutant.js';
import { hasOwnWords, type PromptView, type StepView, waysOf, wordsOf } from './prompt-view.js';
import type { Way } from './prompt-ways.js';
import {
  brief,
  type Change,
  cut,
  insertAt,
  quote,
  replace,
  reword,
  rewrite,
  withPrompt,
} from './rewording.js';
import { stepPairs } from './spoken-mutants.js';
import type { MemberView, SquadView } from './squad-view.js';
import { areTwins } from './twin-steps.js';

export const stepMutants: readonly Operator[] = [
  operator('step-retargeted', 'walk', 'A way leads to another step.', function* (view) {
    for (const { member, way, siblings } of innerWays(view)) {
      for (const other of member.prompt.steps) {
        const to = String(other.number);
        const former = member.prompt.steps.find(({ number }) => String(number) === way.to);
        if (to === way.to || former === undefined || readsAlike(member, former, other)) continue;
        // Where the same words lead there already, the source leaves open which way is taken.
        const same = (it: Way) => it.to === to && isSaid(member.prompt, it, way);
        if (siblings.some(same)) continue;
        const squad = withPrompt(view, member, replace(way.target, to));
        yield { squad, at: member.promptAt, text: `${way.to} became ${to}` };
      }
    }
  }),

  operator('step-to-nowhere', 'walk', 'A way leads to a step that is not there.', function* (view) {
    for (const { member, way } of innerWays(view)) {
      const to = String(Math.max(...member.prompt.steps.map(({ number }) => number)) + 1);
      const squad = withPrompt(view, member, replace(way.target, to));
      yield { squad, at: member.promptAt, text: `${way.to} became ${to}` };
    }
  }),

  operator('way-lost', 'walk', 'A way to another step is gone.', function* (view) {
    for (const { member, way, siblings } of innerWays(view)) {
      if (siblings.some((it) => it.to === way.to && isSaid(member.prompt, it, way))) continue;
      const squad = withPrompt(view, member, cut(way.line));
      yield { squad, at: member.promptAt, text: brief(member.prompt, way.line) };
    }
  }),

  operator('way-invented', 'walk', 'A step leads where the source leads nobody.', function* (view) {
    for (const member of view.members) {
      for (const [from, to] of stepPairs(member)) {
        const reason = `when the caller mentions a ${view.source.word}`;
        const way = insertAt(from.body.end, `- ${reason}, go to step ${to.number}\n`);
        const squad = withPrompt(view, member, way);
        yield { squad, at: member.promptAt, text: `${from.number} to ${to.number}` };
      }
    }
  }),

  operator('step-lost', 'walk', 'A step is gone.', function* (view) {
    for (const member of view.members) {
      if (member.prompt.steps.length < 2) continue;
      for (const step of member.prompt.steps) {
        // One that says nothing and that nothing leads to has nothing to lose.
        if (!hasOwnWords(member.prompt, step) && !isNamed(member, step)) continue;
        const squad = withPrompt(view, member, cut(step.whole));
        const text = `step ${step.number} of ${quote(member.name)}`;
        yield { squad, at: member.promptAt, text };
      }
    }
  }),

  operator('step-numbers-swapped', 'walk', 'Two steps have each other’s number.', function* (view) {
    for (const member of view.members) {
      for (const [one, other] of stepPairs(member)) {
        if (one.number > other.number || readsAlike(member, one, other)) continue;
        if (areTwins(member, one, other)) continue;
        // Only what leads to one of them by its number now leads to the other.
        if (!isNamed(member, one) && !isNamed(member, other)) continue;
        const changes = [
          replace(one.numberAt, String(other.number)),
          replace(other.numberAt, String(one.number)),
        ];
        const squad = withPrompt(view, member, ...changes);
        yield { squad, at: member.promptAt, text: `${one.number} and ${other.number}` };
      }
    }
  }),

  operator(
    'way-reworded',
    'walk',
    'One word of a condition in a prompt is another.',
    function* (view) {
      for (const [member, way] of conditionedWays(view)) {
        const other = reword(wordsOf(member.prompt, way.condition), view.source.word);
        if (other === null) continue;
        const squad = withPrompt(view, member, replace(way.condition, other));
        yield { squad, at: member.promptAt, text: quote(other) };
      }
    },
  ),

  operator('way-unconditioned', 'walk', 'A way lost its condition.', function* (view) {
    for (const [member, way] of conditionedWays(view)) {
      if (wordsOf(member.prompt, way.condition) === 'done') continue;
      const squad = withPrompt(view, member, replace(way.condition, 'done'));
      yield { squad, at: member.promptAt, text: brief(member.prompt, way.condition) };
    }
  }),

  operator('ways-swapped', 'walk', 'Two ways have each other’s condition.', function* (view) {
    for (const member of view.members) {
      for (const { ways } of member.prompt.steps) {
        for (const [index, one] of ways.entries()) {
          const other = ways[index + 1];
          if (other === undefined || !isInner(one) || !isInner(other)) continue;
          // Without conditions both are words of the compiler's own.
          if (!isConditioned(view, member, one) && !isConditioned(view, member, other)) continue;
          const words = [one, other].map(({ sentence }) => wordsOf(member.prompt, sentence));
          const changes = [replace(one.sentence, words[1]!), replace(other.sentence, words[0]!)];
          if (saysTheSame(member, ways, changes)) continue;
          const squad = withPrompt(view, member, ...changes);
          yield { squad, at: member.promptAt, text: words.map(quote).join(' and ') };
        }
      }
    }
  }),

  operator(
    'demand-dropped',
    'walk',
    'What a condition needs first is not asked for.',
    function* (view) {
      for (const member of view.members) {
        for (const { demand } of waysOf(member.prompt)) {
          if (demand === null) continue;
          const squad = withPrompt(view, member, cut(demand));
          yield { squad, at: member.promptAt, text: brief(member.prompt, demand) };
        }
      }
    },
  ),

  operator(
    'told-handoff-misled',
    'walk',
    'The prompt hands off to another assistant.',
    function* (view) {
      for (const member of view.members) {
        for (const { kind, target, to } of waysOf(member.prompt)) {
          if (kind !== 'handoff') continue;
          for (const { name } of view.members) {
            // The tools do not offer what the prompt orders, or offer it for another reason.
            if (name === to || name === '' || name === member.name) continue;
            if (member.destinations.some((it) => it.target === name)) continue;
            const squad = withPrompt(view, member, replace(target, name));
            yield { squad, at: member.promptAt, text: `${quote(to)} became ${quote(name)}` };
          }
        }
      }
    },
  ),
];

interface InnerWay {
  readonly member: MemberView;
  readonly way: Way;
  /** The other ways out of the same step. */
  readonly siblings: readonly Way[];
}

/** Ways to a step of the same assistant. */
function* innerWays({ members }: SquadView): Iterable<InnerWay> {
  for (const member of members) {
    const { steps, always } = member.prompt;
    for (const ways of [...steps.map((it) => it.ways), always]) {
      for (const way of ways) {
        const siblings = ways.filter((it) => it !== way);
        if (way.kind === 'step') yield { member, way, siblings };
      }
    }
  }
}

/** Ways inside of an assistant, the ends of the call among them, that have a condition. */
function* conditionedWays(view: SquadView): Iterable<readonly [MemberView, Way]> {
  for (const member of view.members) {
    for (const way of waysOf(member.prompt).filter(isInner)) {
      if (isConditioned(view, member, way)) yield [member, way];
    }
  }
}

function isConditioned({ source }: SquadView, { prompt }: MemberView, { condition }: Way): boolean {
  return source.conditions.has(wordsOf(prompt, condition));
}

function isInner({ kind }: Way): boolean {
  return kind === 'step' || kind === 'end';
}

/** Whether both are taken for the same reason. */
function isSaid(prompt: PromptView, one: Way, other: Way): boolean {
  return wordsOf(prompt, one.sentence) === wordsOf(prompt, other.sentence);
}

/** Whether two steps say the same, so that one does for the other. */
function readsAlike({ prompt }: MemberView, one: StepView, other: StepView): boolean {
  return wordsOf(prompt, one.body) === wordsOf(prompt, other.body);
}

/** Whether something leads to the step by its number. */
function isNamed({ prompt }: MemberView, { number }: StepView): boolean {
  const isStep = ({ kind, to }: Way) => kind === 'step' && to === String(number);
  return prompt.begins.some(({ step }) => step === number) || waysOf(prompt).some(isStep);
}

/** Whether the ways of a step are still the same ones, in whatever order. */
function saysTheSame({ prompt }: MemberView, ways: readonly Way[], changes: readonly Change[]) {
  const linesOf = (list: readonly Change[]) =>
    new Set(ways.map(({ line }) => rewrite(prompt.text, within(list, line), line)));
  const [before, after] = [linesOf([]), linesOf(changes)];
  return before.size === after.size && [...before].every((line) => after.has(line));
}

function within(changes: readonly Change[], { start, end }: { start: number; end: number }) {
  return changes.filter((it) => it.start >= start && it.end <= end);
}
