/** Damage to the lines of prompts, as tables over their kinds. */
import type { JsonObject } from '../../src/compiler/ir/json.js';
import { type Mutation, type Operator, otherNumber, reword } from './operators.js';
import { type Line, put, type Quote, type Span, type View, valueAt } from './parts.js';

/** What stands at a part from now on. */
type Edit = readonly [at: Span, text: string];

/** The squad with other texts at some parts of a prompt. */
function edited(squad: JsonObject, at: string, ...edits: readonly Edit[]): JsonObject {
  let text = String(valueAt(squad, at));
  for (const [{ start, end }, other] of edits.toSorted(([a], [b]) => b.start - a.start)) {
    text = text.slice(0, start) + other + text.slice(end);
  }
  return put(squad, at, text);
}

const at = (start: number): Span => ({ start, end: start });
/** The lines of the same step. */
const beside = ({ lines }: View, { member, step }: Line): Line[] =>
  lines.filter((other) => other.member === member && other.step === step);
/** The step does the same twice, so once does as well. */
const isRepeated = (view: View, line: Line): boolean =>
  beside(view, line).filter(({ text }) => text === line.text).length > 1;
const headings = ({ lines }: View, member: number): Line[] =>
  lines.filter((line) => line.kind === 'heading' && line.member === member);
const bodyOf = (view: View, heading: Line): string =>
  beside(view, heading)
    .slice(1)
    .map(({ text }) => text)
    .join('');
const isBlank = ({ text }: Line): boolean => text.trim() === '';
const openingOf = ({ squad, membersAt }: View, member: number) =>
  valueAt(squad, `${membersAt}/${member}/assistant/firstMessage`) ?? '';
/** What the member offers: values of a kind. */
const offered = ({ values }: View, { member }: Line, kinds: RegExp) =>
  values
    .filter((each) => each.member === member && kinds.test(each.kind))
    .map(({ value }) => value);

/** What leads to a step, and from where: sentences, in order. */
function leadingTo({ lines }: View, step: number, member: number): string[] {
  const leads = ({ kind, text }: Line): boolean =>
    /^(?:toStep|begin)$/.test(kind) && new RegExp(`step ${step}\\.?\\n?$`).test(text);
  return lines
    .filter((line) => line.member === member && leads(line))
    .map((line) => `${line.step} ${line.text.replace(/(?:go to|begin at) step \d+\.?\n?$/, '')}`)
    .sort();
}

/** The same sentences at the same places lead to both: which of them is which nobody can tell. */
function areTwins(view: View, one: Line, other: Line): boolean {
  const [first, second] = [one, other].map((it) => leadingTo(view, it.step, it.member).join('\n'));
  return first !== '' && first === second;
}

type Change = (text: string, view: View, line: Line) => string | readonly string[];
type Row<T> = readonly [name: string, kinds: RegExp, item: number | null, change: T, isNew?: true];

/** A line becomes another text; where several are possible, each is a mutant. */
const rewrites: readonly Row<Change>[] = [
  [
    'lost',
    /^(?:say|instruction|capture|derive|call|toStep|toEnd)$/,
    null,
    (text) => (text.trim() === '' ? text : ''),
  ],
  // The tool's description says when to transfer; what is said and done before, the prompt alone.
  ['lost', /^toTransfer$/, null, (text) => (text.includes('\n  ') ? '' : text)],
  // Without a word on it an assistant begins at step 1 anyway.
  ['lost', /^begin$/, null, (text) => (/step 1\.\n?$/.test(text) ? text : '')],
  ['doubled', /^say$/, null, (text) => text + text],
  [
    'of another type',
    /^capture$/,
    null,
    (text) =>
      text.replace(/ \((string|number|boolean)\)/, (_, type: string) =>
        type === 'string' ? ' (number)' : ' (string)',
      ),
  ],
  ['with a demand lost', /^to/, null, (text) => text.replace(/^- first [^;]*; /, '- ')],
  [
    'became an ending',
    /^toStep$/,
    null,
    (text) => text.replace(/go to step \d+(?=\n?$)/, 'then end the call'),
  ],
  [
    'with its line twice',
    /^to/,
    null,
    (text) => text.replace(/^ {2}Say: "[\s\S]*?"\n(?= {2}\S)/m, (said) => said + said),
  ],
  ['put off', /^toEnd$/, 6, (text) => text.replace(/end the call(?=\n?$)/, 'ask them to hold')],
  [
    'denied',
    /^toEnd$/,
    6,
    (text) => text.replace(/(?:then )?end the call(?=\n?$)/, 'Do not end the call'),
    true,
  ],
  ['to nowhere', /^toStep$/, null, (text) => text.replace(/\d+(?=\n?$)/, '99')],
  [
    'to another step',
    /^(?:toStep|begin)$/,
    null,
    (text, view, line) => {
      const steps = headings(view, line.member);
      const target = steps.find(({ step }) => step === Number(/(\d+)\.?\n?$/.exec(text)?.[1]));
      const others = steps.filter((it) => target && bodyOf(view, it) !== bodyOf(view, target));
      const texts = others.map(({ step }) => text.replace(/\d+(?=\.?\n?$)/, String(step)));
      // Where the same words lead there already, the source leaves open which way is taken.
      return texts.filter((each) => !beside(view, line).some((other) => other.text === each));
    },
  ],
  [
    'to another assistant',
    /^toAssistant$/,
    null,
    (text, view, line) => {
      const known = [...offered(view, line, /assistantName$/), view.names[line.member], ''];
      const others = view.names.filter((name) => !known.includes(name));
      return others.map((name) => text.replace(/(?<=hand off to ")[\s\S]*(?="\n?$)/, () => name));
    },
  ],
  [
    'to another number',
    /^toTransfer$/,
    null,
    (text) => text.replace(/(?<=transfer the call to )[^\n]+/, otherNumber),
  ],
  [
    'of another tool',
    /^call$/,
    null,
    (_, view, line) => {
      const called = beside(view, line).map(({ text }) => text);
      const names = offered(view, line, /^(?:apiRequest\/name|function\/function\/name)$/);
      return names.map((name) => `- call the tool ${name}\n`).filter((it) => !called.includes(it));
    },
  ],
  ['with an invented line', /^heading$/, null, (text, view) => `${text}Say: "A ${view.word}."\n`],
  [
    'with the first line said again',
    /^heading$/,
    null,
    (text, view, { step, member }) => {
      const opening = openingOf(view, member);
      return opening !== '' && step === 1 ? `${text}Say: "${opening}"\n` : text;
    },
  ],
];

const isCondition = ({ from }: Quote): boolean => /\/condition/.test(from);

/** A text of the source in a line becomes another one; null where that means nothing. */
const quoteRewrites: readonly Row<(text: string, quote: Quote, view: View) => string | null>[] = [
  [
    'reworded',
    /^(?:say|instruction|capture|toStep|toEnd|begin|other)$/,
    null,
    (text, { isSource }, { word }) => (isSource ? reword(text, word) : null),
  ],
  [
    'reworded',
    /^toTransfer$/,
    null,
    // The condition of a transfer stands in its tool; the prompt may say it otherwise.
    (text, { from }, { word }) => (/Message|Prompt/.test(from) ? reword(text, word) : null),
  ],
  // A line or an instruction before the call ends, is put through, or comes back.
  ['without words', /^to/, null, (_, { from }) => (/Message|Prompt/.test(from) ? '' : null)],
  ['unconditioned', /^to(?:Step|End)$/, null, (_, quote) => (isCondition(quote) ? 'done' : null)],
  [
    'widened',
    /^to(?:Step|End)$/,
    null,
    (text, quote) => (isCondition(quote) ? `${text} or anything else` : null),
  ],
];

/** What needs two places of the prompts. */
const moves: readonly Row<(view: View, line: Line) => Iterable<JsonObject>>[] = [
  ['moved to another assistant', /^(?:say|instruction|toEnd)$/, null, elsewhere],
  [
    'copied to another assistant',
    /^instruction$/,
    null,
    (view, line) => elsewhere(view, line, true),
  ],
  [
    'moved to another step',
    /^(?:say|instruction)$/,
    null,
    function* (view, line) {
      const instructions = (each: Line) =>
        beside(view, each).filter(({ kind }) => kind === 'instruction');
      for (const heading of headings(view, line.member)) {
        const own = instructions(heading);
        // Both have instructions, so that it stands before or behind other words than it did.
        if (heading.step === line.step || own.length * instructions(line).length === 0) continue;
        if (bodyOf(view, heading).includes(line.text.trim())) continue;
        const behind = line.kind === 'instruction' && heading.step > line.step;
        const place = at(behind ? own.at(-1)!.end : heading.end);
        yield edited(view.squad, line.at, [line, ''], [place, line.text]);
      }
    },
  ],
  ['swapped between steps', /^instruction$/, null, (view, line) => swapped(view, line, () => true)],
  [
    'with swapped numbers',
    /^heading$/,
    null,
    (view, line) =>
      swapped(view, line, (other) => {
        const leads = [line, other].flatMap(({ step, member }) => leadingTo(view, step, member));
        return leads.length > 0 && bodyOf(view, line) !== bodyOf(view, other);
      }),
  ],
  [
    'lost with its step',
    /^heading$/,
    null,
    function* (view, line) {
      const own = bodyOf(view, line).replaceAll(/^.*hand off to.*$/gm, '');
      const leads = leadingTo(view, line.step, line.member).length > 0;
      if (headings(view, line.member).length < 2 || (!leads && own.trim() === '')) return;
      yield edited(view.squad, line.at, [{ ...line, end: beside(view, line).at(-1)!.end }, '']);
    },
  ],
  [
    'swapped conditions',
    /^to(?:Step|End)$/,
    null,
    function* (view, line) {
      const ways = beside(view, line).filter(({ kind }) => /^to(?:Step|End)$/.test(kind));
      for (const other of ways.slice(ways.indexOf(line) + 1)) {
        const [one, two] = [line, other].map(({ quotes }) => quotes.find(isCondition));
        const textOf = ({ start, end }: Span) => view.prompts[line.member]!.slice(start, end);
        if (one === undefined || two === undefined || textOf(one) === textOf(two)) continue;
        const texts = [
          line.text.replace(textOf(one), () => textOf(two)),
          other.text.replace(textOf(two), () => textOf(one)),
        ];
        if (texts.every((text) => ways.some((way) => way.text === text))) continue;
        yield edited(view.squad, line.at, [one, textOf(two)], [two, textOf(one)]);
      }
    },
  ],
  ['with an invented way', /^heading$/, null, (view, line) => invented(view, line, 'go to step')],
  ['with an invented ending', /^heading$/, 6, (view, line) => invented(view, line, 'then end')],
];

function* elsewhere(view: View, line: Line, keeps = false): Iterable<JsonObject> {
  for (const other of view.names.keys()) {
    const [heading] = headings(view, other);
    const isThere = view.prompts[other]!.includes(line.text.trim());
    const isSaid = line.text === `Say: "${openingOf(view, other)}"\n`;
    if (other === line.member || heading === undefined || isThere || isSaid) continue;
    if (isBlank(line) || (!keeps && isRepeated(view, line))) continue;
    const half = keeps ? view.squad : edited(view.squad, line.at, [line, '']);
    yield edited(half, heading.at, [at(heading.end), line.text]);
  }
}

function* swapped(view: View, line: Line, may: (other: Line) => boolean): Iterable<JsonObject> {
  for (const other of view.lines) {
    if (other.kind !== line.kind || other.member !== line.member || other.step <= line.step)
      continue;
    if (other.text === line.text || areTwins(view, line, other) || !may(other)) continue;
    if (isBlank(line) && isBlank(other)) continue;
    yield edited(view.squad, line.at, [line, other.text], [other, line.text]);
  }
}

function* invented(view: View, line: Line, action: string): Iterable<JsonObject> {
  const end = at(beside(view, line).at(-1)!.end);
  const reason = `- when the caller mentions a ${view.word}, ${action}`;
  const others = headings(view, line.member).filter(({ step }) => step !== line.step);
  const ways = action === 'then end' ? [' the call'] : others.map(({ step }) => ` ${step}`);
  for (const way of ways) yield edited(view.squad, line.at, [end, `${reason}${way}\n`]);
}

const operator = <T>(
  [name, kinds, item, change, isNew]: Row<T>,
  mutate: (view: View, line: Line, change: T) => Iterable<JsonObject>,
): Operator => ({
  name,
  item,
  ...(isNew && { isNew }),
  *mutate(view): Iterable<Mutation> {
    for (const line of view.lines.filter(({ kind }) => kinds.test(kind))) {
      for (const squad of mutate(view, line, change)) yield { squad, at: line.at, kind: line.kind };
    }
  },
});

export const promptOperators: readonly Operator[] = [
  ...rewrites.map((row) =>
    operator(row, function* (view, line, change) {
      const made = change(line.text, view, line);
      for (const text of typeof made === 'string' ? [made] : made) {
        if (text === line.text || isRepeated(view, line)) continue;
        yield edited(view.squad, line.at, [line, text]);
      }
    }),
  ),
  ...quoteRewrites.map((row) =>
    operator(row, function* (view, line, change) {
      for (const quote of line.quotes) {
        const text = view.prompts[line.member]!.slice(quote.start, quote.end);
        const other = change(text, quote, view);
        if (other === null || other === text || isRepeated(view, line)) continue;
        yield edited(view.squad, line.at, [quote, other]);
      }
    }),
  ),
  ...moves.map((row) => operator(row, (view, line, move) => move(view, line))),
];
