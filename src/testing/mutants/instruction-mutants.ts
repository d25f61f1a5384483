/** What an assistant is told to do: lost, changed, or told to another one or at another step. */
import { type Operator, operator } from './mutant.js';
import type { Span } from './prompt-lines.js';
import { type StepView, waysOf, wordsOf } from './prompt-view.js';
import {
  brief,
  type Change,
  cut,
  insertAt,
  replace,
  reword,
  says,
  withPrompt,
} from './rewording.js';
import { stepPairs } from './spoken-mutants.js';
import type { MemberView, SquadView } from './squad-view.js';
import { areTwins, haveTheSameRest } from './twin-steps.js';

export const instructionMutants: readonly Operator[] = [
  operator('instruction-lost', 'walk', 'A step loses its instructions.', function* (view) {
    for (const { member, line, text } of steps(view)) {
      const squad = withPrompt(view, member, cut(line));
      yield { squad, at: member.promptAt, text: brief(member.prompt, text) };
    }
  }),

  operator(
    'instruction-reworded',
    'walk',
    'One word of an instruction is another.',
    function* (view) {
      for (const { member, text } of steps(view)) {
        yield* rewordAt(view, member, text);
      }
    },
  ),

  operator(
    'instruction-moved',
    'walk',
    'Another assistant has the instructions.',
    function* (view) {
      for (const { member, line, text } of steps(view)) {
        for (const [other, added] of elsewhere(view, member, text)) {
          const half = withPrompt(view, member, cut(line));
          const squad = withPrompt({ squad: half }, other, added);
          yield { squad, at: member.promptAt, text: brief(member.prompt, text) };
        }
      }
    },
  ),

  operator(
    'instruction-copied',
    'walk',
    'Another assistant has the instructions too.',
    function* (view) {
      for (const { member, text } of steps(view)) {
        for (const [other, added] of elsewhere(view, member, text)) {
          const squad = withPrompt(view, other, added);
          yield { squad, at: other.promptAt, text: brief(member.prompt, text) };
        }
      }
    },
  ),

  operator('instruction-moved-to-another-step', 'walk', 'Another step has them.', function* (view) {
    for (const { member, line, text, step } of steps(view)) {
      for (const added of atOtherSteps(member, step, text)) {
        const squad = withPrompt(view, member, cut(line), added);
        yield { squad, at: member.promptAt, text: brief(member.prompt, text) };
      }
    }
  }),

  operator(
    'instruction-copied-to-another-step',
    'walk',
    'Another step has them too.',
    function* (view) {
      for (const { member, text, step } of steps(view)) {
        for (const added of atOtherSteps(member, step, text)) {
          const squad = withPrompt(view, member, added);
          yield { squad, at: member.promptAt, text: brief(member.prompt, text) };
        }
      }
    },
  ),

  operator(
    'instructions-swapped',
    'walk',
    'Two steps have each other’s instructions.',
    function* (view) {
      for (const member of view.members) {
        for (const [one, other] of stepPairs(member)) {
          const [first, second] = [
            instructionOf(view, member, one),
            instructionOf(view, member, other),
          ];
          if (first === null || second === null || one.number > other.number) continue;
          const [words, others] = [wordsOf(member.prompt, first), wordsOf(member.prompt, second)];
          if (words === others) continue;
          // Which of two that are come to alike is instructed what, nobody can tell.
          if (areTwins(member, one, other) && haveTheSameRest(member, one, other)) continue;
          const squad = withPrompt(view, member, replace(first, others), replace(second, words));
          yield { squad, at: member.promptAt, text: `${one.number} and ${other.number}` };
        }
      }
    },
  ),

  operator(
    'last-instruction-lost',
    'walk',
    'An end of the call loses its instructions.',
    function* (view) {
      for (const [member, { line, text }] of lastInstructions(view)) {
        const squad = withPrompt(view, member, cut(line));
        yield { squad, at: member.promptAt, text: brief(member.prompt, text) };
      }
    },
  ),

  operator('last-instruction-reworded', 'walk', 'One word there is another.', function* (view) {
    for (const [member, { text }] of lastInstructions(view)) yield* rewordAt(view, member, text);
  }),

  operator(
    'global-prompt-lost',
    'walk',
    'One assistant lacks the prompt for all.',
    function* (view) {
      for (const { member, text } of globalPrompts(view)) {
        const squad = withPrompt(view, member, cut(text));
        yield { squad, at: member.promptAt, text: brief(member.prompt, text) };
      }
    },
  ),

  operator(
    'global-prompt-reworded',
    'walk',
    'One assistant has it in other words.',
    function* (view) {
      for (const { member, text } of globalPrompts(view)) yield* rewordAt(view, member, text);
    },
  ),
];

/** An instruction of the source, and the lines that it stands in. */
interface Instruction {
  readonly member: MemberView;
  readonly step: StepView;
  readonly text: Span;
  readonly line: Span;
}

function* steps(view: SquadView): Iterable<Instruction> {
  for (const member of view.members) {
    for (const step of member.prompt.steps) {
      const text = instructionOf(view, member, step);
      if (text === null) continue;
      yield { member, step, text, line: { start: text.start, end: text.end + 1 } };
    }
  }
}

/** A text that is empty instructs to nothing. */
function instructionOf({ source }: SquadView, { prompt }: MemberView, step: StepView): Span | null {
  const { instruction } = step;
  if (instruction === null) return null;
  const words = wordsOf(prompt, instruction);
  return words.trim() !== '' && source.instructions.has(words) ? instruction : null;
}

function* rewordAt(view: SquadView, member: MemberView, text: Span) {
  const other = reword(wordsOf(member.prompt, text), view.source.word);
  if (other === null) return;
  const squad = withPrompt(view, member, replace(text, other));
  yield { squad, at: member.promptAt, text: brief(member.prompt, text) };
}

/** The instruction at the first step of each assistant that has not got it. */
function* elsewhere(
  { members }: SquadView,
  member: MemberView,
  text: Span,
): Iterable<readonly [MemberView, Change]> {
  const words = wordsOf(member.prompt, text);
  for (const other of members) {
    const [first] = other.prompt.steps;
    if (other === member || first === undefined || says(other, words)) continue;
    yield [other, insertAt(first.instruction?.start ?? first.body.start, `${words}\n`)];
  }
}

/**
 * The instruction behind the instructions of a later step, or before those of an earlier one: even
 * where one step leads to the other and nothing else happens there, the order is another.
 */
function* atOtherSteps({ prompt }: MemberView, step: StepView, text: Span): Iterable<Change> {
  const words = wordsOf(prompt, text);
  for (const other of prompt.steps) {
    const { instruction, number } = other;
    if (other === step || instruction === null) continue;
    const isThere = wordsOf(prompt, instruction).includes(words);
    if (isThere || words.includes(wordsOf(prompt, instruction))) continue;
    yield number > step.number
      ? insertAt(instruction.end, `\n${words}`)
      : insertAt(instruction.start, `${words}\n`);
  }
}

function* lastInstructions(view: SquadView) {
  for (const member of view.members) {
    for (const way of waysOf(member.prompt)) {
      for (const each of way.instructions) {
        if (view.source.instructions.has(wordsOf(member.prompt, each.text))) {
          yield [member, each] as const;
        }
      }
    }
  }
}

function* globalPrompts({ members, source }: SquadView) {
  const { globalPrompt } = source;
  if (globalPrompt === null || globalPrompt.trim() === '') return;
  for (const member of members) {
    if (!member.prompt.text.startsWith(globalPrompt)) continue;
    yield { member, text: { start: 0, end: globalPrompt.length } };
  }
}
