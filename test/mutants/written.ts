/** Damage that no table over parts can say: members split, merged, cut out; another shape. */
import type { Json, JsonObject } from '../../src/compiler/ir/json.js';
import { looksAlike, type Mutation, type Operator } from './operators.js';
import {
  change,
  drop,
  isSame,
  type Line,
  listOf,
  objectOf,
  put,
  type View,
  valueAt,
} from './parts.js';

type Make = (view: View) => Iterable<readonly [squad: JsonObject, at: string]>;

const operator = (name: string, item: number | null, make: Make): Operator => ({
  name,
  item,
  *mutate(view): Iterable<Mutation> {
    for (const [squad, at] of make(view)) yield { squad, at, kind: '' };
  },
});

const members = ({ names, membersAt }: View) =>
  names.flatMap((name, index) =>
    name === '' ? [] : [{ name, index, at: `${membersAt}/${index}` }],
  );
const promptAt = (at: string): string => `${at}/assistant/model/messages/0/content`;
const toolsAt = (at: string): string => `${at}/assistant/model/tools`;
const toolsOf = ({ squad }: View, at: string) => listOf(valueAt(squad, toolsAt(at))).map(objectOf);
const headingsOf = ({ lines }: View, member: number): Line[] =>
  lines.filter((line) => line.kind === 'heading' && line.member === member);
const targetsOf = (view: View, at: string): Json[] =>
  toolsOf(view, at).flatMap(({ destinations }) =>
    listOf(destinations).map((each) => objectOf(each)['assistantName'] ?? null),
  );

/** Tools without the destinations to one member; those that lead nowhere else are gone. */
function withoutLinks(tools: readonly JsonObject[], name: string): JsonObject[] {
  return tools.flatMap((tool) => {
    if (tool['type'] !== 'handoff') return [tool];
    const left = listOf(tool['destinations']).filter(
      (it) => objectOf(it)['assistantName'] !== name,
    );
    return left.length === 0 ? [] : [{ ...tool, destinations: left }];
  });
}

const handOff = (name: string): RegExp =>
  new RegExp(`(?<=^(?:- |  then ).*)hand off to "${name.replaceAll(/\W/g, '\\$&')}"(?=\\n)`, 'gm');

/** The steps with numbers that are higher, and so are the ways to them. */
function renumbered(text: string, by: number): string {
  return text.replaceAll(
    /(\nStep |go to step )(\d+)(?=\n)/g,
    (_, words: string, step: string) => words + (Number(step) + by),
  );
}

/** The second's steps count on, and what led to it leads to its first step. */
function* merged(view: View): ReturnType<Make> {
  for (const one of members(view)) {
    for (const other of members(view)) {
      const count = headingsOf(view, one.index).length;
      const [head] = headingsOf(view, other.index);
      const isLinked = targetsOf(view, one.at).includes(other.name);
      if (other.index === 0 || one === other || !isLinked || !head || count === 0) continue;
      const own = (view.prompts[one.index] ?? '').replaceAll(
        handOff(other.name),
        `go to step ${count + 1}`,
      );
      const [before, ...anytime] = own.split('\n\nAt any time\n');
      const [steps = ''] = (view.prompts[other.index] ?? '')
        .slice(head.start - 1)
        .split('\n\nAt any time\n');
      const more = renumbered(steps.replaceAll(handOff(one.name), 'go to step 0'), count);
      const prompt = [`${before}${more.trimEnd()}\n`, ...anytime].join('\nAt any time\n');
      const kept = withoutLinks(toolsOf(view, one.at), other.name);
      const added = withoutLinks(toolsOf(view, other.at), one.name);
      const tools = [...kept, ...added.filter((tool) => !kept.some((it) => isSame(it, tool)))];
      let squad = put(put(view.squad, promptAt(one.at), prompt), toolsAt(one.at), tools);
      const isTo = (value: Json): boolean => value === other.name;
      for (const { kind, at, value, member } of view.values) {
        const leads = kind === 'handoff/destinations/-/assistantName' && isTo(value);
        if (leads && member !== one.index && member !== other.index)
          squad = put(squad, at, one.name);
      }
      yield [drop(squad, other.at), other.at];
    }
  }
}

/** The later steps are an assistant of their own, where one step leads to the first of them. */
function* split(view: View): ReturnType<Make> {
  for (const { index, at } of members(view)) {
    const prompt = view.prompts[index] ?? '';
    const [first, ...later] = headingsOf(view, index);
    for (const heading of later) {
      const [before, after] = [prompt.slice(0, heading.start), prompt.slice(heading.start - 1)];
      const onward = [...before.matchAll(/go to step (\d+)(?=\n)/g)].map(([, step]) =>
        Number(step),
      );
      const crossing = onward.filter((step) => step >= heading.step);
      if (
        first === undefined ||
        crossing.length === 0 ||
        crossing.some((step) => step > heading.step)
      )
        continue;
      const own = before.replaceAll(`go to step ${heading.step}\n`, `hand off to "${view.word}"\n`);
      const rest = prompt.slice(0, first.start - 1) + renumbered(after, 1 - heading.step);
      const offered = { type: 'assistant', assistantName: view.word, description: 'when done' };
      const destination = { ...offered, contextEngineeringPlan: { type: 'all' } };
      const silent = view.target === 'vapi' ? { messages: [] } : {};
      const tool = { type: 'handoff', destinations: [destination], ...silent };
      const assistant = objectOf(valueAt(view.squad, `${at}/assistant`));
      const second = put(put({ assistant }, '/assistant/name', view.word), promptAt(''), rest);
      const half = put(view.squad, promptAt(at), own.trimEnd().concat('\n'));
      const told = put(half, toolsAt(at), [...toolsOf(view, at), tool]);
      yield [change(told, view.membersAt, (list) => [...listOf(list), second]), at];
    }
  }
}

/** What a handoff demands as arguments stands in a plan, or the other way round. */
function* passedOtherwise(view: View): Iterable<readonly [JsonObject, string]> {
  for (const { kind, at, value } of view.values) {
    const parameters = objectOf(objectOf(objectOf(value)['function'])['parameters']);
    const { destination, ...passed } = objectOf(parameters['properties']);
    if (kind !== 'handoff' || Object.keys(passed).length === 0) continue;
    const schema = { type: 'object', properties: passed, required: Object.keys(passed) };
    const only = {
      type: 'object',
      properties: { destination: destination ?? {} },
      required: ['destination'],
    };
    const half = put(view.squad, `${at}/function/parameters`, only);
    yield [put(half, `${at}/destinations/0/variableExtractionPlan`, { schema }), at];
  }
  for (const { kind, at, value } of view.values) {
    const { schema } = objectOf(objectOf(value)['variableExtractionPlan']);
    const { properties } = objectOf(schema);
    if (kind !== 'handoff/destinations/-' || properties === undefined || view.target === 'squad')
      continue;
    const tool = at.replace(/\/destinations\/\d+$/, '');
    if (listOf(valueAt(view.squad, `${tool}/destinations`)).length > 1) continue;
    const { destination: _, ...passed } = objectOf(properties);
    if (Object.keys(passed).length === 0) continue;
    const parameters = {
      type: 'object',
      properties: {
        destination: { type: 'string', enum: [objectOf(value)['assistantName'] ?? ''] },
        ...passed,
      },
      required: ['destination', ...Object.keys(passed)],
    };
    const half = drop(view.squad, `${at}/variableExtractionPlan`);
    yield [put(half, `${tool}/function/parameters`, parameters), at];
  }
}

/** One of the reasons that share a description is gone, and stands in no other part of it. */
function* reasonsLost(view: View): Iterable<readonly [JsonObject, string]> {
  for (const { kind, at, value, quotes } of view.values) {
    if (!/^(?:handoff|transferCall)\/destinations\/-\/description$/.test(kind)) continue;
    for (const { start, end, isSource } of quotes.length > 1 ? quotes : []) {
      const text = String(value);
      const left = text.slice(0, start) + text.slice(end);
      const joined = left.replace(/^; or |; or $/, '').replace('; or ; or ', '; or ');
      if (isSource && !joined.includes(text.slice(start, end)))
        yield [put(view.squad, at, joined), at];
    }
  }
}

/** A destination leads to a third assistant, where nothing offers the same; or to an id. */
function* ledElsewhere(view: View): Iterable<readonly [JsonObject, string]> {
  for (const { kind, at, value, member } of view.values) {
    if (kind !== 'handoff/destinations/-') continue;
    const { assistantName, ...rest } = objectOf(value);
    if (assistantName === undefined) continue;
    yield [put(view.squad, at, { ...rest, assistantId: view.word }), at];
    const known = targetsOf(view, `${view.membersAt}/${member}`);
    const from = view.names.indexOf(String(assistantName));
    // Another destination to the old one may do without this, so it has to be the only one.
    if (known.filter((name) => name === assistantName).length > 1) continue;
    for (const [index, name] of view.names.entries()) {
      if (known.includes(name) || index === member || name === '') continue;
      if (from < 0 || looksAlike(view, from, index)) continue;
      yield [put(view.squad, `${at}/assistantName`, name), at];
    }
  }
}

export const writtenOperators: readonly Operator[] = [
  operator('one of several reasons lost', null, reasonsLost),
  operator('a destination led elsewhere', 3, ledElsewhere),
  operator('two members merged', 2, merged),
  operator('a member split', 2, split),
  operator('a variable passed otherwise', 4, passedOtherwise),
  operator('a member cut out with all handoffs to it', 2, function* (view) {
    for (const { at, name } of view.names.length > 1 ? members(view) : []) {
      let { squad } = view;
      for (const other of members(view)) {
        if (targetsOf(view, other.at).includes(name)) {
          squad = put(squad, toolsAt(other.at), withoutLinks(toolsOf(view, other.at), name));
        }
      }
      yield [drop(squad, at), at];
    }
  }),
  operator('a member there again under another name', 2, function* (view) {
    for (const { at, name, index } of members(view)) {
      const prompt = (view.prompts[index] ?? '').replace(`"${name}" of`, `"${view.word}" of`);
      const copy = put({ member: valueAt(view.squad, at)! }, '/member/assistant/name', view.word);
      const { member } = put(copy, promptAt('/member'), prompt);
      yield [change(view.squad, view.membersAt, (list) => [...listOf(list), member!]), at];
    }
  }),
  operator('a long name everywhere', 8, function* (view) {
    for (const { at, name } of members(view)) {
      const long = JSON.stringify(`${name} ${view.word.repeat(9)}`);
      const text = JSON.stringify(view.squad);
      const own = JSON.stringify(name);
      const named = text
        .replaceAll(`"name":${own}`, `"name":${long}`)
        .replaceAll(`"assistantName":${own}`, `"assistantName":${long}`);
      yield [JSON.parse(named) as JsonObject, at];
    }
  }),
  operator('a guard inverted', null, function* (view) {
    for (const { kind, at, value } of view.values) {
      if (!kind.endsWith('rejectionPlan/conditions/-/liquid')) continue;
      const other = String(value).replaceAll(/\}(false|true)\{/g, (_, printed: string) =>
        printed === 'true' ? '}false{' : '}true{',
      );
      if (other !== value) yield [put(view.squad, at, other), at];
    }
  }),
  operator('an alias made before its parts', 4, function* (view) {
    for (const { kind, at, value } of view.values) {
      const list = listOf(value).map(objectOf);
      if (!/^handoff\/.*\/aliases$/.test(kind)) continue;
      for (const [index, alias] of list.entries()) {
        // Only what is plainly read out of another alias depends on it.
        const [, read] = /\{\{\s*(\w+)\s*\}\}/.exec(String(alias['value'])) ?? [];
        const before = list.slice(0, index).map(({ key }) => key);
        if (read === undefined || !before.includes(read)) continue;
        yield [put(view.squad, at, [alias, ...list.filter((each) => each !== alias)]), at];
      }
    }
  }),
  operator('a key misspelt', 8, function* (view) {
    const closed =
      /^(?:members\/-|members?Overrides|handoff|apiRequest|transferCall|handoff\/destinations\/-|.*\/variableExtractionPlan|.*\/aliases\/-)\/[a-zA-Z]+$|^members$|^members?Overrides$/;
    for (const { kind, at, key, value } of view.values) {
      // Settings of all members are open: a key more is one of the platform's.
      if (
        !closed.test(kind) ||
        kind.startsWith('memberOverrides/') ||
        kind.startsWith('membersOverrides/')
      )
        continue;
      yield [put(drop(view.squad, at), `${at}s`.replace(/ss$/, 'z'), value), `${at} ${key}`];
    }
  }),
  operator('no members', 8, function* ({ squad, membersAt }) {
    yield [put(squad, membersAt, []), membersAt];
  }),
  operator('the shape of the other target', 8, function* ({ squad, target, lines, values }) {
    // A document without any of this is right in either.
    const tells =
      target === 'squad'
        ? squad['memberOverrides'] !== undefined || lines.some(({ kind }) => kind === 'toEnd')
        : values.some(
            ({ kind }) =>
              kind === 'endCall' || kind === 'handoff/messages' || kind.endsWith('rejectionPlan'),
          );
    const { name: _, ...rest } = squad;
    if (tells) yield [target === 'squad' ? objectOf(squad['squad']) : { squad: rest }, ''];
  }),
];
