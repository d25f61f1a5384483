/**
 * Lines that an assistant says: what it says first, lines of steps, lines before the end of a call
 * or a transfer, and lines that are repeated on the way back to the first step.
 */
import type { JsonObject } from '../../compiler/ir/json.js';
import { put } from './edit.js';
import { type Mutation, type Operator, operator } from './mutant.js';
import type { Quote } from './prompt-lines.js';
import { type StepView, waysOf, wordsOf } from './prompt-view.js';
import type { Way } from './prompt-ways.js';
import { brief, cut, insertAt, quote, replace, reword, says, withPrompt } from './rewording.js';
import type { MemberView, SquadView } from './squad-view.js';

export const spokenMutants: readonly Operator[] = [
  operator(
    'first-message-lost',
    'walk',
    'An assistant does not say its first line.',
    function* (view) {
      for (const { assistant, assistantAt, opening } of speaking(view)) {
        const { firstMessage: _, ...rest } = assistant;
        yield { squad: put(view.squad, assistantAt, rest), at: assistantAt, text: quote(opening) };
      }
    },
  ),

  operator(
    'first-message-reworded',
    'walk',
    'One word of a first line is another.',
    function* (view) {
      for (const { assistantAt, opening } of speaking(view)) {
        const other = reword(opening, view.source.word);
        if (other === null) continue;
        const at = `${assistantAt}/firstMessage`;
        yield { squad: put(view.squad, at, other), at, text: quote(other) };
      }
    },
  ),

  operator(
    'first-message-moved',
    'walk',
    'Another assistant says the line first.',
    function* (view) {
      for (const { index, assistant, assistantAt, opening } of speaking(view)) {
        for (const other of view.members) {
          // Only where it was not said so far; the assistant itself does not say it any more.
          if (other.index === index || other.opening !== '' || says(other, opening)) continue;
          const { firstMessage: _, ...rest } = assistant;
          const half = put(view.squad, assistantAt, rest);
          const squad = put(half, `${other.assistantAt}/firstMessage`, opening);
          yield { squad, at: assistantAt, text: `${quote(opening)} by ${quote(other.name)}` };
        }
      }
    },
  ),

  operator(
    'first-messages-swapped',
    'walk',
    'Two assistants have each other’s line.',
    function* (view) {
      const members = speaking(view);
      for (const [index, one] of members.entries()) {
        for (const other of members.slice(index + 1)) {
          if (one.opening === other.opening) continue;
          const half = put(view.squad, `${one.assistantAt}/firstMessage`, other.opening);
          const squad = put(half, `${other.assistantAt}/firstMessage`, one.opening);
          yield { squad, at: one.assistantAt, text: `${quote(one.name)} and ${quote(other.name)}` };
        }
      }
    },
  ),

  operator(
    'first-message-said-twice',
    'walk',
    'A step says again what was said first.',
    function* (view) {
      for (const member of speaking(view)) {
        const [first] = member.prompt.steps;
        if (first === undefined || first.number !== 1) continue;
        const line = insertAt(first.body.start, `Say: "${member.opening}"\n`);
        const squad = withPrompt(view, member, line);
        yield { squad, at: member.promptAt, text: quote(member.opening) };
      }
    },
  ),

  operator(
    'first-message-invented',
    'walk',
    'A silent assistant says a line first.',
    function* (view) {
      const line = `Here is the ${view.source.word}.`;
      for (const { assistant, assistantAt, opening, name } of view.members) {
        if (opening !== '') continue;
        const { firstMessageMode: _, ...rest } = assistant;
        const squad = put(view.squad, assistantAt, { ...rest, firstMessage: line });
        yield { squad, at: assistantAt, text: quote(name) };
      }
    },
  ),

  operator(
    'line-invented',
    'walk',
    'A step says a line that the source does not have.',
    function* (view) {
      for (const member of view.members) {
        for (const { number, body } of member.prompt.steps) {
          const line = insertAt(body.start, `Say: "Here is the ${view.source.word}."\n`);
          const squad = withPrompt(view, member, line);
          yield { squad, at: member.promptAt, text: `at step ${number} of ${quote(member.name)}` };
        }
      }
    },
  ),

  ...spokenIn('line', 'A step', (member) =>
    member.prompt.steps.flatMap(({ says: lines }) => lines),
  ),
  ...spokenIn('goodbye', 'An end or a transfer of the call', (member) =>
    linesOf(member, ({ kind }) => kind === 'end' || kind === 'transfer'),
  ),
  ...spokenIn('repeated-line', 'A way back to the first step', (member) =>
    linesOf(member, ({ kind }) => kind === 'step'),
  ),

  operator(
    'line-moved-to-another-step',
    'walk',
    'A line is said at another step.',
    function* (view) {
      for (const member of view.members) {
        for (const [from, to] of stepPairs(member)) {
          const [line] = from.says;
          // Both have instructions, so the line is said before or behind other words than it was.
          if (line === undefined || from.instruction === null || to.instruction === null) continue;
          const moved = insertAt(to.body.start, wordsOf(member.prompt, line.line));
          const squad = withPrompt(view, member, cut(line.line), moved);
          const text = `${brief(member.prompt, line.text)} at step ${to.number}`;
          yield { squad, at: member.promptAt, text };
        }
      }
    },
  ),
];

/** Lost, reworded, said twice, said by another assistant. */
function spokenIn(
  name: string,
  whose: string,
  linesIn: (member: MemberView) => readonly Quote[],
): Operator[] {
  const each = function* (view: SquadView): Iterable<readonly [MemberView, Quote]> {
    for (const member of view.members) for (const line of linesIn(member)) yield [member, line];
  };
  const made = (
    { promptAt, prompt }: MemberView,
    { text }: Quote,
    squad: JsonObject,
  ): Mutation => ({
    squad,
    at: promptAt,
    text: brief(prompt, text),
  });
  return [
    operator(`${name}-lost`, 'walk', `${whose} loses its line.`, function* (view) {
      for (const [member, line] of each(view)) {
        yield made(member, line, withPrompt(view, member, cut(line.line)));
      }
    }),

    operator(`${name}-reworded`, 'walk', `${whose} has one word changed.`, function* (view) {
      for (const [member, line] of each(view)) {
        const other = reword(wordsOf(member.prompt, line.text), view.source.word);
        if (other === null) continue;
        yield made(member, line, withPrompt(view, member, replace(line.text, other)));
      }
    }),

    operator(`${name}-doubled`, 'walk', `${whose} says its line twice.`, function* (view) {
      for (const [member, line] of each(view)) {
        const again = insertAt(line.line.end, wordsOf(member.prompt, line.line));
        yield made(member, line, withPrompt(view, member, again));
      }
    }),

    operator(
      `${name}-moved`,
      'walk',
      `${whose} leaves its line to another assistant.`,
      function* (view) {
        for (const [member, line] of each(view)) {
          const words = wordsOf(member.prompt, line.text);
          for (const other of view.members) {
            const [first] = other.prompt.steps;
            if (other === member || first === undefined || says(other, words)) continue;
            const half = withPrompt(view, member, cut(line.line));
            const moved = insertAt(first.body.start, `Say: "${words}"\n`);
            yield made(member, line, withPrompt({ squad: half }, other, moved));
          }
        }
      },
    ),
  ];
}

function speaking({ members }: SquadView): MemberView[] {
  return members.filter(({ opening }) => opening !== '');
}

function linesOf({ prompt }: MemberView, wanted: (way: Way) => boolean): Quote[] {
  return waysOf(prompt)
    .filter(wanted)
    .flatMap((way) => way.says);
}

/** Ordered pairs of steps of one assistant. */
export function* stepPairs({ prompt }: MemberView): Iterable<readonly [StepView, StepView]> {
  for (const from of prompt.steps) {
    for (const to of prompt.steps) if (from !== to) yield [from, to];
  }
}
