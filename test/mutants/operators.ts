/**
 * The operators: which verbs are applied to which parts of a squad, how lines of prompts are
 * reworded, what is invented, and damage to whole members.
 *
 * A new kind of part is damaged by the verbs of the first row that matches it. Changes that may have
 * no effect are listed in the table of harmless ones.
 */
import type { Json, JsonObject } from '../../src/index.js';
import { isSame, listOf, objectOf, textOf, valueAt } from '../json.js';
import { inventions } from './inventions.js';
import type { Part, View } from './parts.js';
import { type Edit, edited, headings, replaced, stepOf, verbs } from './verbs.js';

export interface Operator {
  /** The second half of a mutant's name; the first is the kind of the part. */
  readonly name: string;
  /** Which kinds of parts it damages, also as a text for people. */
  readonly on: (kind: string) => boolean;
  readonly kinds: string;
  readonly edit: Edit;
}

/** The checklist item that fails, by kind and operator; the first matching row counts. */
const items: readonly (readonly [RegExp, number | null])[] = [
  [/^handoff\/(?:function\/parameters|destinations\/-\/variableExtractionPlan)/, 4],
  // If both assistants begin with a tool, swapping their tools gives the same squad.
  [/assistantName swapped$/, null],
  [/^handoff\/destinations\/-\/(?:assistantName|description|contextEngineeringPlan)/, 3],
  [/^handoff(?:\/destinations\/-)? (?:doubled|copied)$/, 3],
  [/aliases\/- changed$/, 8],
  [/rejectionPlan/, 5],
  [/^endCall (?:lost|moved)$/, 6],
  [/^transferCall\/destinations\/-\/type lost$/, 8],
  [/^(?:apiRequest|function|transferCall|dtmf|query|sms|endCall)\b.* (?:lost|changed|copied)$/, 5],
  [/^members\/- (?:lost|doubled)$/, 2],
  [/^line (?:call (?:lost|changed)|toTransfer changed)$/, 5],
  [/^line (?:capture|derive) (?:lost|changed)$/, 4],
  [/^line toEnd (?:lost|changed|doubled|copied|put off|denied)$/, 6],
  [/workflowId invented$/, 9],
];

export const itemOf = (name: string): number | null =>
  items.find(([pattern]) => pattern.test(name))?.[1] ?? null;

const everything = 'lost changed doubled copied moved swapped';
const plan = 'handoff/destinations/-/variableExtractionPlan';

/** The verbs for a kind of part; the first matching row counts. All other kinds are lost and changed. */
const rows: readonly (readonly [kinds: string, verbs: string])[] = [
  ['line (?:begin|derive)', everything],
  ['line (?:capture|instruction|say)', everything],
  ['line toStep', everything],
  ['line toAssistant', everything],
  ['line toEnd', everything],
  ['line toTransfer', everything],
  ['line (?:heading|call)', 'lost doubled copied moved swapped'],
  ['line anytime', 'lost doubled moved'],
  // Without the instruction, the model may still do the same.
  ['line other', 'doubled'],
  ['members', 'lost emptied'],
  ['members/-', 'lost doubled'],
  ['assistant/name', 'lost changed swapped'],
  ['assistant/firstMessage', 'lost changed copied moved swapped'],
  ['assistant/model/messages.*', 'lost changed emptied'],
  ['assistant/model/tool.*', 'lost changed emptied'],
  ['members?Overrides.*', 'lost changed emptied'],
  ['handoff', 'lost changed doubled copied moved'],
  ['handoff/destinations', 'lost emptied'],
  ['handoff/destinations/-', 'lost changed doubled copied'],
  ['handoff/destinations/-/(?:assistantName|description)', 'lost changed emptied swapped'],
  [plan, 'lost changed emptied copied moved swapped'],
  [`${plan}/schema/properties/-`, 'lost changed renamed copied moved swapped'],
  [`${plan}/schema/properties/-/enum.*`, 'lost changed emptied'],
  [`${plan}/aliases/-`, 'lost changed doubled copied moved'],
  ['(?:apiRequest|transferCall|endCall)', `${everything}`],
  ['function', 'lost changed doubled copied moved'],
  ['apiRequest/(?:name|url|method)', 'lost changed swapped'],
  ['apiRequest/headers/(?:-|properties/-.*)', 'lost changed'],
  ['apiRequest/headers.*', 'lost changed emptied'],
  ['transferCall/destinations/-/(?:message|description)', 'lost changed emptied'],
  ['.*', 'lost changed'],
];

/** Changes without effect, by kind and verb; a function says for which parts that is true. */
const harmless: readonly (readonly [RegExp, ((view: View, part: Part) => boolean)?])[] = [
  [/^name /],
  [/^assistant\/model\/messages\/- changed$/],
  [/^assistant\/firstMessage (?:lost|copied|moved)$/, (_, { value }) => value === ''],
  [/^transferCall\/destinations\/-\/message emptied$/, (_, { value }) => value === ''],
  // In a prompt that squadc did not write, nothing refers to a handoff by its name.
  [
    /^handoff\/function\/(?:name|description) changed$/,
    (_, { at }) => at.includes('/tools:append/'),
  ],
  // No prompt and no handoff names the assistant.
  [
    /^(?:assistant|members\/-\/assistantOverrides)(?:\/name)? (?:lost|changed)$/,
    ({ squad, names }, { member, key }) => {
      const { name = names[member], ...others } = objectOf(
        valueAt(squad, `/members/${member}/assistantOverrides`) ?? null,
      );
      if (key !== 'name' && Object.keys(others).length > 0) return false;
      return !JSON.stringify(squad)
        .replace(`"name":${JSON.stringify(name)}`, '')
        .includes(`"assistantName":${JSON.stringify(name)}`);
    },
  ],
  [/^transferCall\/destinations\/-\/transferPlan(?:\/mode)? lost$/],
  // Beside a prompt that squadc did not write, a handoff may be described in other words.
  [
    /^handoff\/destinations\/-\/description changed$/,
    (_, { at, quotes }) => at.includes('/tools:append/') && quotes.every((it) => !it.isSource),
  ],
  // Two destinations with the same description may be in either order.
  [
    /^handoff\/destinations\/-\/assistantName swapped$/,
    ({ kinds, squad }, { at }) => {
      const words = textOf(valueAt(squad, at.replace(/assistantName$/, 'description')));
      const offered = kinds.get('handoff/destinations/-/description') ?? [];
      return offered.filter(({ text }) => text === words).length > 1;
    },
  ],
  // Within one assistant, it does not matter which tool has the destination.
  [/^handoff\/destinations\/- moved$/],
];

/**
 * The document with sorted lists and, where a tool has no other fields, one tool per destination:
 * squads that differ only in this mean the same.
 */
function sorted(value: Json): Json {
  if (Array.isArray(value)) {
    const all = (value as readonly Json[]).flatMap((each) => {
      const { type = null, destinations, ...more } = objectOf(each);
      if (type !== 'handoff' || Object.keys(more).length > 0) return [each];
      return listOf(destinations).map((it): Json => ({ type, destinations: [it] }));
    });
    const texts = all.map((each) => JSON.stringify(sorted(each)));
    return texts.sort().map((each) => JSON.parse(each) as Json);
  }
  const entries = Object.entries(objectOf(value)).sort(([a], [b]) => (a < b ? -1 : 1));
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]))
    : value;
}

const patterns = rows.map(([kinds]) => new RegExp(`^${kinds}$`));
const rowOf = (kind: string): number => patterns.findIndex((pattern) => pattern.test(kind));

const verbal: readonly Operator[] = rows.flatMap(([kinds, list], row) =>
  (list.split(' ') as (keyof typeof verbs)[]).map((name) => ({
    name,
    kinds,
    on: (kind) => kind !== '' && rowOf(kind) === row,
    *edit(view, part, same) {
      const isHarmless = harmless.some(
        ([pattern, when]) => pattern.test(`${part.kind} ${name}`) && (when?.(view, part) ?? true),
      );
      for (const squad of isHarmless ? [] : verbs[name](view, part, same)) {
        if (name !== 'swapped' || !isSame(sorted(squad), sorted(view.squad))) yield squad;
      }
    },
  })),
);

/** Changes to the compiler's own words in a line. */
const rewrites: readonly (readonly [name: string, kind: string, from: RegExp, to: string])[] = [
  ['of another type', 'capture', / \((?:number|boolean)\)/, ' (string)'],
  ['of a number', 'capture', / \(string\)/, ' (number)'],
  ['with a demand lost', 'to\\w+', /^- First [^\n]*\n {2}/, '- '],
  ['with its line twice', 'to\\w+', /(?<=: )say "[\s\S]*?", then /, '$&$&'],
  ['made an ending', 'toStep', /go to step \d+(?=\.\n?$)/, 'end the call'],
  ['to nowhere', 'toStep', /\d+(?=\.\n?$)/, '99'],
  ['put off', 'toEnd', /end the call(?: by calling \S+)?(?=\.\n?$)/, 'ask them to hold'],
  ['denied', 'toEnd', /end the call(?: by calling \S+)?(?=\.\n?$)/, 'do not $&'],
  ['to another number', 'toTransfer', /(?<=transfer the call to )[^\n]*\d/, '$&1'],
  ['with a new line', 'heading', /\n$/, '\nSay: "A zebra."\n'],
];

/** Changes of a line that need other parts of the squad. */
const others: readonly (readonly [string, string, (view: View, line: Part) => string[]])[] = [
  [
    'to another step',
    '(?:toStep|begin)',
    (view, { member, text }) =>
      headings(view)
        .filter((heading) => heading.member === member)
        .map(({ step }) => text.replace(/\d+(?=\.?\n?$)/, `${step}`)),
  ],
  [
    'to another assistant',
    'toAssistant',
    ({ names }, { text }) =>
      names.map((name) =>
        text.replace(/(?<=(?:hand off to|with the destination) ")[^"]*(?="\.\n?$)/, () => name),
      ),
  ],
  [
    'by another function',
    'toAssistant',
    ({ kinds }, { text, member }) =>
      (kinds.get('handoff/function/name') ?? [])
        .filter((each) => each.member === member)
        .map((each) => text.replace(/(?<=: call )[\w-]+/, each.text)),
  ],
  [
    'of another tool',
    'call',
    ({ parts }, { member }) =>
      parts
        .filter((each) => each.member === member && /^\w+\/(?:\w+\/)?name$/.test(each.kind))
        .map(({ text }) => `- Call ${text}.\n`),
  ],
  [
    'with the first line again',
    'heading',
    ({ openings }, { member, step, text }) =>
      openings[member] && step === 1 ? [`${text}Say: "${openings[member]}"\n`] : [],
  ],
];

/** Changes to a text of the source in a line. */
const requotes: readonly (readonly [string, string, from: RegExp, to: (text: string) => string])[] =
  [
    // A line or an instruction before the call ends, is transferred or returns.
    ['without words', 'to\\w+', /Message|Prompt/, () => ''],
    ['unconditioned', 'to(?:Step|End)', /\/condition/, () => 'done'],
    ['widened', 'to(?:Step|End)', /\/condition/, (text) => `${text} or anything else`],
  ];

function ofLines<T extends readonly [name: string, kind: string, ...unknown[]]>(
  table: readonly T[],
  edit: (view: View, line: Part, row: T) => Iterable<JsonObject>,
): Operator[] {
  return table.map((row) => {
    const pattern = new RegExp(`^line ${row[1]}$`);
    const on = (kind: string): boolean => pattern.test(kind);
    return { name: row[0], kinds: row[1], on, edit: (view, line) => edit(view, line, row) };
  });
}

export const operators: readonly Operator[] = [
  ...verbal,
  ...ofLines(rewrites, function* (view, line, [, , from, to]) {
    if (from.test(line.text)) yield replaced(view, line, line.text.replace(from, to));
  }),
  ...ofLines(others, function* (view, line, [, , texts]) {
    // Repeating a sentence changes nothing.
    const known = stepOf(view, line).map(({ text }) => text);
    for (const text of texts(view, line))
      if (!known.includes(text)) yield replaced(view, line, text);
  }),
  ...ofLines(requotes, function* ({ squad }, line, [, , from, to]) {
    for (const quote of line.quotes.filter((each) => from.test(each.from))) {
      const text = to(textOf(line.value).slice(quote.start, quote.end));
      yield edited(squad, line.at, [quote, text]);
    }
  }),
  ...inventions,
];
