/**
 * One assistant in two: its later steps have become an assistant of their own, with the texts, the
 * tools and the plan that a careful hand would give it. A source and its answers have one grouping,
 * so every split is damage.
 */
import type { Json, JsonObject } from '../../compiler/ir/json.js';
import { insert, put, withoutKey } from './edit.js';
import { renumber } from './merge-mutants.js';
import { type Operator, operator } from './mutant.js';
import { planOf } from './plan-mutants.js';
import { type StepView, wordsOf } from './prompt-view.js';
import type { Way } from './prompt-ways.js';
import { callOtherwise } from './rename-member.js';
import { type Change, cut, quote, replace, rewrite } from './rewording.js';
import { listOf, type MemberView, objectOf, type SquadView } from './squad-view.js';
import { handoffTool } from './tool-list.js';

export const splitMutants: readonly Operator[] = [
  operator(
    'chain-split',
    2,
    'The end of a chain has become an assistant of its own.',
    function* (view) {
      for (const division of divisions(view)) {
        if (division.back.length === 0) yield split(view, division);
      }
    },
  ),

  operator('cycle-split', 2, 'Stages of a cycle hand off to each other.', function* (view) {
    for (const division of divisions(view)) {
      if (division.back.length > 0) yield split(view, division);
    }
  }),
];

/** A place to cut: what comes before, what comes after, and the ways over the cut. */
interface Division {
  readonly member: MemberView;
  readonly before: readonly StepView[];
  readonly after: readonly StepView[];
  readonly onward: readonly Way[];
  readonly back: readonly Way[];
}

/** Cuts that are crossed to one step only in either direction, so that no step has to be found. */
function* divisions({ members }: SquadView): Iterable<Division> {
  for (const member of members) {
    const { steps, always } = member.prompt;
    // A global node of the assistant's own can be stepped to from both sides.
    if (always.some(({ kind }) => kind === 'step')) continue;
    for (let at = 1; at < steps.length; at += 1) {
      const [before, after] = [steps.slice(0, at), steps.slice(at)];
      const onward = crossing(before, after);
      const back = crossing(after, before);
      const isEntry = ({ to }: Way) => to === String(after[0]!.number);
      const isStart = ({ to }: Way) => to === String(before[0]!.number);
      if (onward.length > 0 && onward.every(isEntry) && back.every(isStart)) {
        yield { member, before, after, onward, back };
      }
    }
  }
}

function crossing(from: readonly StepView[], to: readonly StepView[]): Way[] {
  const numbers = new Set(to.map(({ number }) => String(number)));
  const ways = from.flatMap(({ ways }) => ways);
  return ways.filter((way) => way.kind === 'step' && numbers.has(way.to));
}

function split(view: SquadView, division: Division) {
  const { member, before, after, onward, back } = division;
  const name = view.source.word;
  const [line] = after[0]!.says;
  const first = promptOf(member, before, leading(onward, name), member.name);
  const second = promptOf(
    member,
    after,
    [...leading(back, member.name), ...(line === undefined ? [] : [cut(line.line)])],
    name,
  );
  const opening = line === undefined ? null : wordsOf(member.prompt, line.text);
  const own = withPart(member, first, member.assistant, [
    offer(member, onward, name, before, after),
  ]);
  const other = withPart(
    member,
    second,
    { ...settingsOf(member), name, ...opened(opening, view.wrapped) },
    back.length === 0 ? [] : [offer(member, back, member.name, after, before)],
  );
  const half = put(view.squad, member.assistantAt, own);
  const squad = insert(half, `${view.membersAt}/${member.index + 1}`, { assistant: other });
  return { squad, at: member.at, text: `at step ${after[0]!.number} of ${quote(member.name)}` };
}

function settingsOf({ assistant }: MemberView): JsonObject {
  return withoutKey(withoutKey(assistant, 'firstMessageMode'), 'firstMessage');
}

function opened(line: string | null, wrapped: boolean): JsonObject {
  if (line !== null) return { firstMessage: line };
  const firstMessageMode = 'assistant-speaks-first-with-model-generated-message';
  return wrapped ? {} : { firstMessage: '', firstMessageMode };
}

/** Ways over the cut lead to the other assistant. */
function leading(ways: readonly Way[], name: string): Change[] {
  // One that says a line before it goes there leaves that to the other assistant.
  return ways.map(({ sentence, line }) =>
    replace({ start: sentence.end, end: line.end }, `, hand off to "${name}"\n`),
  );
}

function promptOf(
  member: MemberView,
  steps: readonly StepView[],
  changes: readonly Change[],
  name: string,
): string {
  const { text, introduction, alwaysAt } = member.prompt;
  const end = introduction === null ? 0 : introduction.end + 1;
  const range = { start: steps[0]!.whole.start, end: steps.at(-1)!.whole.end };
  const moved = steps[0]!.number === 1 ? [] : renumber(steps, 1 - steps[0]!.number);
  const free = moved.filter(
    (it) => !changes.some((by) => by.start <= it.start && it.end <= by.end),
  );
  const head = callOtherwise(member, member.name, name).slice(
    0,
    end + name.length - member.name.length,
  );
  const whole = rewrite(text, [...changes, ...free], range);
  return head + whole + text.slice(alwaysAt.start, alwaysAt.end);
}

/** The destination over the cut, with a plan for what is found out before it and read behind it. */
function offer(
  { prompt, name, destinations }: MemberView,
  ways: readonly Way[],
  to: string,
  from: readonly StepView[],
  behind: readonly StepView[],
): JsonObject {
  const read = behind.map(({ body }) => wordsOf(prompt, body)).join('');
  const crossing = from
    .flatMap(({ captures }) => captures)
    .flatMap((capture) => {
      const variable = wordsOf(prompt, capture.name);
      const description = wordsOf(prompt, capture.rest).replace(/^: |; one of .*$/g, '');
      const type = wordsOf(prompt, capture.type);
      return read.includes(variable)
        ? [[variable, { type, description: description! }] as const]
        : [];
    });
  const properties: JsonObject = Object.fromEntries(crossing);
  const sentences = ways.map(({ sentence, condition }) => {
    const words = wordsOf(prompt, sentence);
    return /^(?:when done|otherwise)$/.test(words)
      ? `when done with ${name}`
      : wordsOf(prompt, condition);
  });
  const context = destinations[0]?.value['contextEngineeringPlan'] ?? { type: 'all' };
  return {
    type: 'assistant',
    assistantName: to,
    description: [...new Set(sentences)].join('; or '),
    contextEngineeringPlan: context,
    ...(crossing.length === 0 ? {} : { variableExtractionPlan: { schema: planOf(properties) } }),
  };
}

/** An assistant with one part of the prompt, the tools that this part speaks of, and new handoffs. */
function withPart(
  { tools, assistant: whole }: MemberView,
  prompt: string,
  assistant: JsonObject,
  offers: readonly JsonObject[],
): JsonObject {
  const kept = tools.flatMap(({ value, type, name, destinations }): JsonObject[] => {
    if (type === 'endCall') return prompt.includes('end the call') ? [value] : [];
    if (type === 'handoff') {
      const left = destinations.filter((it) => prompt.includes(`hand off to "${it.target}"`));
      return left.length === 0 ? [] : [{ ...value, destinations: left.map((it) => it.value) }];
    }
    const address = listOf(value['destinations']).map(objectOf)[0] ?? {};
    const key = name === '' ? (address['number'] ?? address['sipUri']) : `call the tool ${name}`;
    return prompt.includes(String(key)) ? [value] : [];
  });
  const like = tools.find(({ type }) => type === 'handoff')?.value ?? {};
  const all = [...kept, ...offers.map((each): Json => handoffTool(like, each))];
  const model = objectOf(whole['model']);
  const messages = listOf(model['messages']).with(0, { role: 'system', content: prompt });
  const { tools: _, ...rest } = model;
  return {
    ...assistant,
    model: { ...rest, messages, ...(all.length === 0 ? {} : { tools: all }) },
  };
}
