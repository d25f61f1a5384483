/**
 * All fixed wording that squadc puts around the texts of the source.
 *
 * Shared by the compiler, which writes from it, and the verifier, which reads by it. In: what a
 * prompt says, as data. Out: its text in pieces that know where they came from. Which steps, ways and
 * captures there are is decided elsewhere, by each of the two for itself; here stand only the words.
 * They read no variable, and say "end the call" only where a call can end.
 *
 * Example:
 *     You are the assistant "intake" of a phone call. …
 *
 *     Step 1
 *     Greet the caller and ask what they need.
 *     - when caller states what they need, go to step 2
 */
import type { JsonPointer } from './ids.js';
import {
  fromAnswer,
  fromSource,
  type Origin,
  type Segment,
  synthesized,
  type Traced,
  traced,
} from './provenance.js';
import type { Template } from './template.js';
import type { Capture, Text } from './workflow.js';

/** What the system message of one assistant says. */
export interface PromptContent {
  readonly globalPrompt: Text | null;
  /** The assistant's. */
  readonly name: string;
  /** Where to begin; none where there is only one way in. */
  readonly entries: readonly EntryContent[];
  /** In walk order; the first has the number 1. */
  readonly steps: readonly StepContent[];
  readonly anyTime: readonly Way[];
}

/** A step that the assistant can be entered at, and what leads there. */
export interface EntryContent {
  readonly step: number;
  readonly isStart: boolean;
  readonly conditions: readonly Text[];
  /** Sentences of this file, where the source has no condition. */
  readonly sentences: readonly Text[];
}

export interface StepContent extends Said {
  readonly captures: readonly Capture[];
  /** Names of the tools that are called. */
  readonly calls: readonly string[];
  readonly ways: readonly Way[];
}

/** A way on. */
export interface Way {
  /** What its condition needs before it can be judged: a call of a tool, or the values of variables. */
  readonly demand: { readonly call: string } | { readonly know: readonly string[] } | null;
  readonly when: When;
  readonly action: Action;
}

/** A condition of the source, a sentence of this file ({@link whenReady} …), or neither. */
export type When =
  | { readonly kind: 'condition' | 'sentence'; readonly text: Text }
  | { readonly kind: 'done'; readonly otherwise: boolean };

/** What is done; lines and instructions come before it. */
export type Action =
  | { readonly kind: 'go'; readonly step: number; readonly line: Text | null }
  | { readonly kind: 'hand-off'; readonly to: string }
  | ({ readonly kind: 'end' } & Said)
  /** To numbers and addresses. */
  | ({ readonly kind: 'transfer'; readonly to: readonly Traced<string>[] } & Said);

/** What a node says and instructs. */
interface Said {
  readonly line: Text | null;
  readonly instructions: Text | null;
}

/** The system message, in pieces; neighbouring words of squadc's own are one. */
export function spellPrompt(content: PromptContent): readonly Segment[] {
  const { globalPrompt, name, entries, steps, anyTime } = content;
  return spell([
    globalPrompt && phrase`${globalPrompt}\n\n`,
    `You are the assistant "${name}" of a phone call. `,
    'Work through the numbered steps; the lines under a step say what comes next.\n',
    entries.map(entry),
    steps.map(step),
    anyTime.length > 0 && ['\nAt any time\n', anyTime.map(way)],
  ]);
}

function entry({ step, isStart, conditions, sentences }: EntryContent): Phrase {
  const begin = `, begin at step ${step}.\n`;
  return [
    isStart && `At the start of the call${begin}`,
    conditions.length > 0 && phrase`If ${either(conditions)}${begin}`,
    unique(sentences).map((it) => [{ ...it, value: capitalize(it.value) }, begin]),
  ];
}

function step(content: StepContent, index: number): Phrase {
  const { captures, calls, ways } = content;
  const called = calls.map((name) => `- call the tool ${name}\n`);
  const said = before('', content);
  return [`\nStep ${index + 1}\n`, said, captures.map(capture), called, ways.map(way)];
}

/** What is said and done first, each on a line of its own. */
function before(indent: string, { line, instructions }: Partial<Said>): Phrase[] {
  const said: Phrase[] = [];
  if (line) said.push(phrase`${indent}Say: "${line}"\n`);
  if (instructions) said.push(phrase`${indent}${instructions}\n`);
  return said;
}

function capture(captured: Capture): Phrase {
  const { name, type, description, enum: choices, alias, origin, places } = captured;
  if (alias !== undefined) {
    // The platform would fill the template in when the assistant begins, before anything is there
    // to fill it with. One that ends a raw passage by itself cannot stand inside of one.
    const isClosed = /\{%-?\s*endraw\b/.test(alias.value);
    const [open, close] = isClosed ? ['', ''] : ['{% raw %}', '{% endraw %}'];
    return phrase`- derive ${traced(name, originOfName(captured))} as ${open}${alias}${close}\n`;
  }
  return [
    phrase`- find out ${traced(name, origin.kind === 'source' ? originOfName(captured) : origin)}`,
    traced(` (${type})`, synthesized('type', [places.type])),
    description && phrase`: ${description}`,
    choices && traced(`; one of ${choices.join(', ')}`, synthesized('enum', [places.enum])),
    '\n',
  ];
}

function way({ demand, when, action }: Way): Phrase {
  return phrase`- ${demanded(demand)}${moment(when)}${act(action)}\n`;
}

function demanded(demand: Way['demand']): string {
  if (demand === null) return '';
  if ('call' in demand) return `first call the tool ${demand.call}; `;
  return `first make sure that you know ${enumerate(demand.know)}; `;
}

function moment(when: When): Phrase {
  if (when.kind === 'done') return when.otherwise ? 'otherwise' : 'when done';
  return when.kind === 'condition' ? phrase`when ${when.text}` : when.text;
}

function act(action: Action): Phrase {
  if (action.kind === 'hand-off') return `, hand off to "${action.to}"`;
  const first = before('  ', action);
  if (action.kind === 'go' && first.length === 0) return `, go to step ${action.step}`;
  return [first.length === 0 ? ', then ' : [':\n', first, '  then '], last(action)];
}

function last(action: Exclude<Action, { kind: 'hand-off' }>): Phrase {
  if (action.kind === 'go') return `go to step ${action.step}`;
  if (action.kind === 'end') return 'end the call';
  return phrase`transfer the call to ${join(action.to, ' or ')}`;
}

/** What a handoff without a condition waits for. */
interface Readiness {
  /** The assistant's. */
  readonly name: string;
  readonly collected: readonly string[];
  /** Whether other ways have conditions. */
  readonly otherwise: boolean;
}

/** When a handoff without a condition is made: after what the assistant collects, else when done. */
export function whenReady(at: JsonPointer, { name, collected, otherwise }: Readiness): Text {
  const isDone = collected.length === 0;
  const when = isDone ? `when done with ${name}` : `after collecting ${enumerate(collected)}`;
  const value = otherwise ? `otherwise, ${when}` : when;
  return { value, at, uses: [], rule: 'unconditioned-edge' };
}

/** When a call is ended or transferred without a condition. */
export function whenDone(at: JsonPointer, said: Omit<Readiness, 'collected'>): Text {
  return whenReady(at, { ...said, collected: [] });
}

/** When a global node without a condition is entered. */
export function whenNeeded(at: JsonPointer, name: string): Text {
  return { value: `when the caller needs ${name}`, at, uses: [], rule: 'global-without-condition' };
}

/** What the platform tells a model of a handoff; its own words would tell it to wait for a command. */
export const handoffDescription =
  'Hands the call over to another assistant. ' +
  'Call it as soon as one of the conditions described for its destinations holds.';

/** The function of a handoff to the assistants of these names, before it is made legal and unique. */
export function handoffFunction(names: readonly string[]): string {
  return `handoff_to_${names.join('_or_')}`;
}

/** What a tool is for that an answer asked for. */
export function confirms(variables: readonly string[]): string {
  return `Gives the confirmed value of ${enumerate(variables)}.`;
}

/** One description of several ways to say the same: each once, with `; or ` between. */
export function describe(texts: readonly Text[]): Template {
  const segments = spell(texts.length === 1 ? texts[0]! : either(texts));
  const [first] = segments;
  return segments.length === 1 ? traced(first!.text, first!.origin) : { segments };
}

export function originOf({ at, changedBy, rule }: Text): Origin {
  if (changedBy !== undefined) return fromAnswer(changedBy);
  return rule === undefined ? fromSource(at) : synthesized(rule, [at]);
}

/** A name that is a key is no value of the source. */
export function originOfName({ at, places: { name } }: Capture): Origin {
  return name === null ? synthesized('variable-name', [at]) : fromSource(name);
}

/** Whether a prompt holds a sentence of the opening, or a way on as it is spelt here. */
export function isSpelt(prompt: string): boolean {
  return spelt.some((it) => it.test(prompt));
}

const spelt: readonly RegExp[] = [
  /You are the assistant "[^\n]*" of a phone call\./,
  /Work through the numbered steps; the lines under a step say what comes next\./,
  /^- .*, (?:go to step \d+|hand off to "[^\n]*")$/m,
];

/**
 * Words of squadc's own, a text of the source word for word, a value of another origin, or several
 * of them; null and false are nothing.
 */
type Phrase = string | Text | Traced<string> | readonly Phrase[] | null | false;

function phrase(words: TemplateStringsArray, ...parts: readonly Phrase[]): Phrase {
  const all: Phrase[] = [words[0]!];
  for (const [at, part] of parts.entries()) all.push(part, words[at + 1]!);
  return all;
}

const wording = synthesized('wording');

function spell(phrases: Phrase): readonly Segment[] {
  const segments: Segment[] = [];
  const own = put(phrases, segments, '');
  if (own !== '') segments.push({ text: own, origin: wording });
  return segments;
}

/** Puts the pieces behind words of squadc's own, and gives back those that are left at the end. */
function put(part: Phrase, segments: Segment[], own: string): string {
  if (part === null || part === false) return own;
  if (typeof part === 'string') return own + part;
  if ('value' in part) {
    if (own !== '') segments.push({ text: own, origin: wording });
    segments.push({ text: part.value, origin: 'origin' in part ? part.origin : originOf(part) });
    return '';
  }
  let words = own;
  for (const it of part) words = put(it, segments, words);
  return words;
}

function either(texts: readonly Text[]): Phrase {
  return join(unique(texts), '; or ');
}

/** Texts without those that stand before. */
function unique(texts: readonly Text[]): readonly Text[] {
  const byValue = new Map<string, Text>();
  for (const text of texts) if (!byValue.has(text.value)) byValue.set(text.value, text);
  return [...byValue.values()];
}

function join(phrases: readonly Phrase[], between: string): Phrase {
  return phrases.map((it, at) => (at === 0 ? it : [between, it]));
}

/** `a, b and c`. */
function enumerate(names: readonly string[]): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function capitalize(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
