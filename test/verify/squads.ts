/** A workflow whose squad is damaged, and the verifier's verdict in a form that is easy to compare. */
import type { CompileOptions, JsonObject, Target } from '../../src/index.js';
import { captures, compile, end, flow, request, transfer, verify } from '../compiler/build.js';
import { append, change, drop, listOf, objectOf, put, textOf, valueAt } from '../json.js';

/** Covers every checklist item; its members are greeting, scheduling, billing and operator. */
export const clinic = flow(
  {
    greeting: { systemPrompt: 'Do the work of greeting.', firstMessage: 'Welcome to the clinic.' },
    collect: { systemPrompt: 'Do the work of collect.', ...captures('name', 'reason') },
    scheduling: 'Offer {{name}} a time.',
    billing: 'Explain the bill to {{name}}.',
    lookup: request({
      url: 'https://api.example.com/lookup',
      body: { type: 'object', properties: { day: { type: 'string' } } },
      responseVariables: [
        { name: 'slot', type: 'string', description: 'a time', path: 'data.slot' },
      ],
    }),
    desk: transfer({ transferPlan: { message: 'Putting you through.' } }),
    bye: { ...end, firstMessage: 'Goodbye.' },
    operator: {
      systemPrompt: 'Do the work of operator.',
      isGlobal: true,
      condition: 'the caller asks for a human',
    },
  },
  [
    'greeting > collect',
    'collect > scheduling: wants an appointment',
    'collect > billing: asks about a bill',
    'scheduling > lookup: asks for another time',
    'scheduling > bye: is done',
    'lookup > bye',
    'billing > desk: disputes the bill',
    'billing > bye: has understood',
    'operator > bye: has been helped',
  ],
);

const squads = {
  squad: compile(clinic).output as JsonObject,
  vapi: compile(clinic, { target: 'vapi' }).output as JsonObject,
};

/**
 * A squad of the clinic, damaged as the line says:
 *
 *     greeting>billing description = "x"    a field of a destination; without a value it is removed
 *     billing voice = {}                    of an assistant; `member billing`: of its member
 *     apiRequest url = "x"                  of the first tool of a type; `greeting handoff`: of that assistant
 *     billing model/tools += {}             one more element of a list
 *     prompt billing: old => new            in a prompt; `\n` is a new line
 */
export function damaged(target: Target, line = ''): JsonObject {
  const squad = squads[target];
  const root = target === 'squad' ? '/squad' : '';
  const members = listOf(valueAt(squad, `${root}/members`));
  const assistantAt = (name: string) => {
    const at = members.findIndex((it) => objectOf(objectOf(it)['assistant'])['name'] === name);
    return at < 0 ? undefined : `${root}/members/${at}/assistant`;
  };
  const prompt = /^prompt (\w+): (.*) => (.*)$/.exec(line);
  if (prompt !== null) {
    const [name = '', old = '', fresh = ''] = prompt.slice(1);
    const text = (written: string) => written.replaceAll('\\n', '\n');
    return change(squad, `${assistantAt(name)}/model/messages/0/content`, (said) => {
      if (!textOf(said).includes(text(old))) throw new Error(`nothing to replace: ${old}`);
      return textOf(said).replace(text(old), () => text(fresh));
    });
  }
  if (line === '') return squad;
  const [, where = '', path, how, json = ''] = /^(.+?) ([^ ]+)(?: (=|\+=) (.*))?$/.exec(line) ?? [];
  const [name = '', sign = '', inner = name] = where.split(/([> ])/);
  const key = sign === '>' ? 'assistantName' : 'type';
  const place =
    name === 'root'
      ? root
      : name === 'member'
        ? assistantAt(inner)?.replace(/\/assistant$/, '')
        : (sign === '' && assistantAt(name)) ||
          placeOf(squad, assistantAt(name) ?? root, (it) => it[key] === inner);
  if (place === undefined) throw new Error(`nowhere: ${where}`);
  const at = `${place}/${path}`;
  if (how === undefined) return drop(squad, at);
  return how === '=' ? put(squad, at, JSON.parse(json)) : append(squad, at, JSON.parse(json));
}

/** The pointer to the first object below a place that matches. */
function placeOf(
  document: JsonObject,
  at: string,
  fits: (it: JsonObject) => boolean,
): string | undefined {
  const value = valueAt(document, at) ?? null;
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value) && fits(value as JsonObject)) return at;
  for (const key of Object.keys(value)) {
    const found = placeOf(document, `${at}/${key.replaceAll('/', '~1')}`, fits);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The verdict, which items fail or are open, and the codes and sentences of all faults. */
export function verdict(workflow: unknown, squad: unknown, options: CompileOptions = {}) {
  const found = verify(workflow, squad, options);
  const { verdict: judged, holds, checklist, diagnostics, counterexamples, undecided } = found;
  const said = diagnostics.map(({ code }) => code);
  const faults = checklist.flatMap(({ evidence }) => evidence.filter((it) => !it.holds));
  const texts = [...faults.map(({ text }) => text), ...diagnostics.map(({ message }) => message)];
  return {
    verdict: judged,
    holds,
    items: checklist.filter((it) => !it.holds && it.decided).map(({ item }) => item),
    open: checklist.filter(({ decided }) => !decided).map(({ item }) => item),
    undecided: undecided.map(({ text }) => text).join('\n'),
    said: [...new Set(said)],
    texts: texts.join('\n'),
    facts: (item: number) => checklist[item - 1]!.evidence.map(({ text }) => text),
    waived: checklist.flatMap(({ waivedBy }) => waivedBy?.replace(/~.*/, '') ?? []),
    calls: counterexamples.map(({ steps }) => steps.map(({ node }) => node).join(' ')),
  };
}

/** The verdict on a squad, by default the compiled one, after a replacement in its JSON: `old => new`. */
export function replaced(
  workflow: unknown,
  damage = ' => ',
  options: CompileOptions = {},
  squad: unknown = compile(workflow, options).output,
) {
  const [from = '', to = ''] = damage.split(' => ');
  const text = JSON.stringify(squad);
  if (!text.includes(from)) throw new Error(`nothing to replace: ${from}`);
  return verdict(workflow, JSON.parse(text.replace(from, () => to)), options);
}

const codes = { item: 'check/item-fails', walk: 'check/walk', set: 'check/setting-differs' };

/** Lines of `damage | code and failed items | expected words`. */
export function rows(text: string) {
  const lines = text.split('\n').filter((line) => line.includes(' | '));
  return lines.map((line) => {
    const [damage = '', items = '', words = ''] = line.trim().split(' | ');
    const [code = '', ...numbers] = items.split(' ');
    return { damage, items: numbers.map(Number), code: codes[code as keyof typeof codes], words };
  });
}
