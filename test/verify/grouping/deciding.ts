/** Answers by random numbers, the same for the same question whoever asks it and when. */
import type { Decide, Decision, Inquiry } from '../../../src/compiler/ir/inquiry.js';
import type { Json } from '../../../src/compiler/ir/json.js';

/** Chooses among all choices of a question; a grouping that is objected to is none. */
export function deciding(numbers: readonly number[]): Decide {
  return (inquiries) => inquiries.map((inquiry) => decideOne(inquiry, numbers));
}

function decideOne(inquiry: Inquiry, numbers: readonly number[]): Decision {
  const { choices, id } = inquiry.question;
  const draw = drawing(numbers, id);
  const { key } = choices[draw(choices.length)]!;
  const answer = (choice: string, value: Json = null): Decision => ({
    inquiry,
    choice,
    value,
    by: 'answer',
  });
  if (key === 'use') return answer('use', [...inquiry.allowed.get('use')!][0]!);
  if (key !== 'group') return answer(key);
  const groups: string[][] = [[], [], []];
  for (const node of inquiry.allowed.get('group')!) groups[draw(4)]?.push(node);
  const value = groups.filter((group) => group.length > 0);
  const isTorn = value.length === 0 || inquiry.objection!('group', value) !== null;
  return isTorn ? answer('keep-split') : answer('group', value);
}

/** Numbers below a limit, begun at a place that the text decides. */
function drawing(numbers: readonly number[], text: string): (limit: number) => number {
  let at = 7;
  for (let unit = 0; unit < text.length; unit += 1) {
    at = (at * 31 + text.charCodeAt(unit)) % 65_521;
  }
  return (limit) => {
    at += 1;
    return (numbers[at % numbers.length]! + at) % limit;
  };
}
