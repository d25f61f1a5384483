/** Transfers that go elsewhere, say something else, or are offered for another reason. */
import type { JsonPointer } from '../../compiler/ir/ids.js';
import type { JsonObject } from '../../compiler/ir/json.js';
import { drop, put } from './edit.js';
import { alternativesOf, between } from './licences.js';
import { type Operator, operator } from './mutant.js';
import { waysOf, wordsOf } from './prompt-view.js';
import { brief, quote, replace, reword, withPrompt } from './rewording.js';
import { listOf, objectOf, type SquadView, textOf } from './squad-view.js';

export const transferMutants: readonly Operator[] = [
  operator('number-changed', 5, 'A transfer goes to another number or address.', function* (view) {
    for (const { at, value } of transfers(view)) {
      const field = value['sipUri'] === undefined ? 'number' : 'sipUri';
      const own = textOf(value[field]);
      const other = field === 'number' ? otherNumber(own) : `${own}.${view.source.word}`;
      const squad = put(view.squad, `${at}/${field}`, other);
      yield { squad, at: `${at}/${field}`, text: quote(other) };
    }
  }),

  operator('transfer-message-lost', 5, 'Nothing is said before a transfer.', function* (view) {
    for (const { at, value } of transfers(view)) {
      // An empty message says nothing either.
      if (textOf(value['message']) === '') continue;
      const squad = drop(view.squad, `${at}/message`);
      yield { squad, at, text: quote(textOf(value['message'])) };
    }
  }),

  operator(
    'transfer-message-reworded',
    5,
    'One word before a transfer is another.',
    function* (view) {
      for (const { at, value } of transfers(view)) {
        const other = reword(textOf(value['message']), view.source.word);
        if (other === null) continue;
        yield { squad: put(view.squad, `${at}/message`, other), at, text: quote(other) };
      }
    },
  ),

  operator(
    'transfer-condition-reworded',
    5,
    'One word of its reason is another.',
    function* (view) {
      for (const { at, value } of transfers(view)) {
        const description = textOf(value['description']);
        for (const { text, start, isCondition } of alternativesOf(view, { description })) {
          const other = isCondition ? reword(text, view.source.word) : null;
          if (other === null) continue;
          const after = description.slice(start + text.length);
          const changed = description.slice(0, start) + other + after;
          // Another part of the description may hold the same words.
          if (changed.includes(text)) continue;
          yield { squad: put(view.squad, `${at}/description`, changed), at, text: quote(changed) };
        }
      }
    },
  ),

  operator('transfer-alternative-dropped', 5, 'One of its reasons is gone.', function* (view) {
    for (const { at, value } of transfers(view)) {
      const parts = alternativesOf(view, { description: textOf(value['description']) });
      for (const part of parts) {
        const left = parts.filter((it) => it !== part).map(({ text }) => text);
        const description = left.join(between);
        if (!part.isCondition || left.length === 0 || description.includes(part.text)) continue;
        const squad = put(view.squad, `${at}/description`, description);
        yield { squad, at, text: quote(part.text) };
      }
    }
  }),

  operator('transfer-description-dropped', 5, 'A transfer does not say when.', function* (view) {
    for (const { at, value } of transfers(view)) {
      const parts = alternativesOf(view, { description: textOf(value['description']) });
      if (!parts.some(({ isCondition }) => isCondition)) continue;
      yield { squad: drop(view.squad, `${at}/description`), at, text: quote(parts[0]!.text) };
    }
  }),

  operator('told-number-changed', 'walk', 'The prompt names another number.', function* (view) {
    for (const member of view.members) {
      for (const { kind, target, to } of waysOf(member.prompt)) {
        if (kind !== 'transfer' || to === '') continue;
        const squad = withPrompt(view, member, replace(target, otherNumber(to)));
        yield { squad, at: member.promptAt, text: brief(member.prompt, target) };
      }
    }
  }),

  operator(
    'told-transfer-lost',
    'walk',
    'The prompt does not say when to transfer.',
    function* (view) {
      for (const member of view.members) {
        for (const { kind, line, sentence, says, instructions } of waysOf(member.prompt)) {
          // The tool's description says when; only what is to be said and done before is lost.
          if (kind !== 'transfer' || says.length + instructions.length === 0) continue;
          const squad = withPrompt(view, member, replace(line, ''));
          yield { squad, at: member.promptAt, text: wordsOf(member.prompt, sentence) };
        }
      }
    },
  ),
];

/** Numbers stay numbers: the last digit is another. */
function otherNumber(number: string): string {
  const other = number.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10));
  return other === number ? `${number}1` : other;
}

function transfers({ tools }: SquadView): { at: JsonPointer; value: JsonObject }[] {
  return tools
    .filter(({ type }) => type === 'transferCall')
    .flatMap(({ at, value }) =>
      listOf(value['destinations']).map((destination, index) => ({
        at: `${at}/destinations/${index}`,
        value: objectOf(destination),
      })),
    );
}
