/** What a step finds out, and where an assistant with several entries begins. */
import { type Operator, operator } from './mutant.js';
import { type CaptureLine, wordsOf } from './prompt-view.js';
import { brief, cut, quote, replace, reword, withPrompt } from './rewording.js';
import type { MemberView, SquadView } from './squad-view.js';

export const captureMutants: readonly Operator[] = [
  operator('capture-lost', 'walk', 'A step does not find out a variable.', function* (view) {
    for (const [member, { line, name }] of captures(view)) {
      const squad = withPrompt(view, member, cut(line));
      yield { squad, at: member.promptAt, text: brief(member.prompt, name) };
    }
  }),

  operator('capture-renamed', 'walk', 'A step finds out another variable.', function* (view) {
    for (const [member, { name }] of captures(view)) {
      const squad = withPrompt(view, member, replace(name, view.source.word));
      yield { squad, at: member.promptAt, text: brief(member.prompt, name) };
    }
  }),

  operator(
    'capture-retyped',
    'walk',
    'A step finds out a value of another type.',
    function* (view) {
      for (const [member, { name, type }] of captures(view)) {
        const other = wordsOf(member.prompt, type) === 'string' ? 'number' : 'string';
        const squad = withPrompt(view, member, replace(type, other));
        yield { squad, at: member.promptAt, text: brief(member.prompt, name) };
      }
    },
  ),

  operator('capture-reworded', 'walk', 'A variable is described otherwise.', function* (view) {
    for (const [member, { rest }] of captures(view)) {
      const [described = '', ...values] = wordsOf(member.prompt, rest).split(enumerated);
      const other = described.startsWith(': ') ? reword(described, view.source.word) : null;
      if (other === null) continue;
      const words = [other, ...values].join(enumerated);
      const squad = withPrompt(view, member, replace(rest, words));
      yield { squad, at: member.promptAt, text: quote(other) };
    }
  }),

  operator('beginning-lost', 'walk', 'The prompt does not say where to begin.', function* (view) {
    for (const member of view.members) {
      for (const { line, step } of member.prompt.begins) {
        // Without a word on it an assistant begins at step 1 anyway.
        if (step === 1) continue;
        const squad = withPrompt(view, member, cut(line));
        yield { squad, at: member.promptAt, text: brief(member.prompt, line) };
      }
    }
  }),

  operator('beginning-retargeted', 'walk', 'The prompt says to begin elsewhere.', function* (view) {
    for (const member of view.members) {
      const { begins, steps } = member.prompt;
      for (const { number, step } of begins) {
        const former = steps.find((it) => it.number === step);
        for (const other of steps) {
          if (former === undefined || other === former) continue;
          const same = [former, other].map(({ body }) => wordsOf(member.prompt, body));
          if (same[0] === same[1]) continue;
          const squad = withPrompt(view, member, replace(number, String(other.number)));
          yield { squad, at: member.promptAt, text: `${step} became ${other.number}` };
        }
      }
    }
  }),

  operator(
    'beginning-reworded',
    'walk',
    'One word of the reason to begin there is another.',
    function* (view) {
      for (const member of view.members) {
        for (const { sentence, step } of member.prompt.begins) {
          const words = wordsOf(member.prompt, sentence);
          if (step === 1 || !words.startsWith('If ')) continue;
          const other = reword(words.slice('If '.length), view.source.word);
          if (other === null) continue;
          const squad = withPrompt(view, member, replace(sentence, `If ${other}`));
          yield { squad, at: member.promptAt, text: quote(other) };
        }
      }
    },
  ),
];

/** What stands between the description of a variable and the values that it may have. */
const enumerated = '; one of ';

/** Lines that say what to find out, but for those that a step has twice. */
function* captures({ members }: SquadView): Iterable<readonly [MemberView, CaptureLine]> {
  for (const member of members) {
    for (const step of member.prompt.steps) {
      const lines = step.captures.map(({ line }) => wordsOf(member.prompt, line));
      for (const [index, capture] of step.captures.entries()) {
        const line = lines[index]!;
        if (lines.indexOf(line) === lines.lastIndexOf(line)) yield [member, capture];
      }
    }
  }
}
