/**
 * All fixed wording that squadc puts around the texts of the source.
 *
 * Shared by the compiler, which writes with it, and the verifier, which compares with it. In: the
 * content of a prompt as data. Out: its text in segments with their origins. Each of the two
 * decides for itself which steps, transitions and captures there are; here are only the words.
 * They say "end the call" only where a call can end, and read no variable except those that an
 * assistant is told on entry.
 *
 * Example:
 *     Follow the numbered steps; the lines under a step say what comes next.
 *
 *     Step 1
 *     Greet the caller and ask what they need.
 *     - If: caller states what they need
 *       Then: go to step 2.
 */
import { groupBy } from '../../graph/lists.js';
import type { JsonPointer } from '../../text/pointer.js';
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
import { piecesOf } from './tokens.js';
import type { Capture, Text } from './workflow.js';

/** What the system message of one assistant says. */
export interface PromptContent {
  readonly globalPrompt: Text | null;
  readonly opening: Opening;
  /** Where to begin; empty if there is only one entry. */
  readonly entries: readonly EntryContent[];
  /** In walk order; the first has the number 1. */
  readonly steps: readonly StepContent[];
  /** Each with the number of the step that it does not apply to, if there is one. */
  readonly anyTime: readonly (Branch & { readonly except: number | null })[];
}

export interface Opening {
  /** Begins the call, takes it over from another assistant, or is the only assistant. */
  readonly part: 'first' | 'later' | 'only';
  /** Whether the platform speaks its first message. */
  readonly hasSpoken: boolean;
  /** Whether a text of it reads what is found out during the call. */
  readonly hasTokens: boolean;
  /** Variables whose value on entry stands in no other text. */
  readonly known: readonly string[];
}

/** A step at which the assistant can be entered, and what leads there. */
export interface EntryContent {
  readonly step: number;
  readonly isStart: boolean;
  readonly conditions: readonly Text[];
  /** For edges without a condition. */
  readonly done: readonly Done[];
}

export interface StepContent {
  /** The node's own lines, and those that its tool cannot say. */
  readonly lines: readonly Text[];
  readonly instructions: Text | null;
  readonly captures: readonly Capture[];
  /** Names of the tools to call; for a tool without a known name, the number of the step. */
  readonly calls: readonly (string | number)[];
  readonly branches: readonly Branch[];
}

export interface Branch {
  /** What has to happen before the condition can be judged: a tool call, or knowing variables. */
  readonly demand: { readonly call: string } | { readonly know: readonly string[] } | null;
  readonly when: When;
  readonly action: Action;
}

export type When = { readonly kind: 'condition'; readonly text: Text } | Done;

/** That the work is done, which `text` says to others, and the conditions beside it, if any. */
export interface Done {
  readonly kind: 'done';
  readonly text: Text | null;
  readonly beside: readonly Text[];
}

/** What to do after the lines and instructions. In the shape of spec/3 no tool ends a call. */
export type Action =
  | { readonly kind: 'go'; readonly step: number; readonly lines: readonly Text[] }
  | { readonly kind: 'hand-off'; readonly to: string; readonly by: HandoffCall | null }
  | ({ readonly kind: 'end'; readonly tool: string | null } & Spoken)
  | ({ readonly kind: 'transfer'; readonly to: readonly Traced<string>[] } & Spoken);

export interface HandoffCall {
  readonly name: string;
  readonly isShared: boolean;
}

interface Spoken {
  readonly lines: readonly Text[];
  readonly instructions: Text | null;
}

/** The system message in segments; adjacent segments of squadc's own wording are joined. */
export function writePrompt(content: PromptContent): readonly Segment[] {
  const { globalPrompt, opening, entries, steps, anyTime } = content;
  const first = [openingOf(opening, steps.length), entries.map(entry)];
  const always = anyTime.filter(({ except }) => except === null);
  const isNumbered = steps.length > 1 || entries.length > 0 || refersToSteps(content);
  const parts: Phrase[] = [
    globalPrompt && phrase`${globalPrompt}\n`,
    toSegments(first).length > 0 && first,
    ...steps.map((it, at) => [isNumbered && `Step ${at + 1}\n`, step(it)]),
    ...anyTime.map(
      (it) => it.except !== null && [`At any time but in step ${it.except}\n`, branch(it)],
    ),
    always.length > 0 && ['At any time\n', always.map(branch)],
  ];
  const present = parts.filter((it) => it !== null && it !== false);
  const said = toSegments(join(present, '\n'));
  return said.some(({ text }) => text.trim() !== '') ? said : toSegments(`${sentences.nothing}\n`);
}

function refersToSteps({ steps, anyTime }: PromptContent): boolean {
  const isInner = ({ action }: Branch) => action.kind === 'go';
  const isUnnamed = (call: string | number) => typeof call === 'number';
  return (
    anyTime.some(isInner) ||
    steps.some(({ branches, calls }) => branches.some(isInner) || calls.some(isUnnamed))
  );
}

function openingOf({ part, hasSpoken, hasTokens, known }: Opening, steps: number): Phrase {
  return [
    part === 'later' && `${sentences.takesOver}\n`,
    part === 'first' && `${sentences.handsOver}\n`,
    hasSpoken && `${sentences.spoken}\n`,
    steps > 1 && `${sentences.steps}\n`,
    hasTokens && `${sentences.tokens}\n`,
    known.length > 0 && `Known on entry: ${known.map((it) => `${it}: {{${it}}}`).join('; ')}.\n`,
  ];
}

/** The sentences of an opening, one per line; the last is for a prompt that says nothing else. */
const sentences = {
  takesOver:
    'This call is already in progress, and you take it over silently: ' +
    'do not greet the caller again and do not mention the handoff.',
  handsOver: 'Handing over to another assistant happens silently: do not mention it.',
  spoken: 'Your first message has been spoken: do not repeat it.',
  steps: 'Follow the numbered steps; the lines under a step say what comes next.',
  tokens: 'A name in double braces stands for what was found out under that name.',
  nothing: 'You are on a phone call.',
};

function entry({ step, isStart, conditions, done }: EntryContent): Phrase {
  const begin = `\n  Then: begin at step ${step}.\n`;
  const wordsOf = ({ text, beside }: Done) =>
    JSON.stringify([text, ...beside].map((it) => it?.value));
  return [
    isStart && `- At the start of the call: begin at step ${step}.\n`,
    conditions.length > 0 && phrase`- If: ${either(conditions)}${begin}`,
    [...groupBy(done, wordsOf).values()].map(([it]) => {
      const { text, beside } = it!;
      if (beside.length === 0) return phrase`- If: the call was handed over ${text}${begin}`;
      return phrase`- If none of these, ${text}: ${either(beside)}${begin}`;
    }),
  ];
}

function step(content: StepContent): Phrase {
  const { lines, instructions, captures, calls, branches } = content;
  return [
    lines.map((line) => phrase`Say: "${line}"\n`),
    instructions && phrase`${instructions}\n`,
    captures.map(capture),
    calls.map((it) => `- Call ${typeof it === 'string' ? it : `the tool of step ${it}`}.\n`),
    branches.map(branch),
  ];
}

function capture(captured: Capture): Phrase {
  const { name, type, description, enum: choices, alias, origin, places } = captured;
  if (alias !== undefined) {
    // The platform would render the template when the assistant becomes active, before its values
    // exist. A template with its own `endraw` cannot stand in a raw block.
    const isClosed = /\{%-?\s*endraw\b/.test(alias.value);
    const [open, close] = isClosed ? ['', ''] : ['{% raw %}', '{% endraw %}'];
    return phrase`- Derive ${traced(name, originOfName(captured))} as ${open}${alias}${close}\n`;
  }
  return [
    phrase`- Find out ${traced(name, origin.kind === 'source' ? originOfName(captured) : origin)}`,
    traced(` (${type})`, synthesized('type', [places.type])),
    description && phrase`: ${description}`,
    choices && traced(`; one of ${choices.join(', ')}`, synthesized('enum', [places.enum])),
    '\n',
  ];
}

function branch({ demand, when, action }: Branch): Phrase {
  const needed = demanded(demand);
  if (when.kind === 'condition') {
    return phrase`- ${needed && `${needed}\n  `}If: ${when.text}\n  Then: ${act(action)}\n`;
  }
  return phrase`- ${when.beside.length > 0 ? 'Otherwise, when done' : 'When done'}: ${act(action)}\n`;
}

function demanded(demand: Branch['demand']): string | null {
  if (demand === null) return null;
  if ('call' in demand) return `First call ${demand.call}.`;
  return `First make sure that you know ${enumerate(demand.know)}.`;
}

function act(action: Action): Phrase {
  if (action.kind === 'hand-off') {
    const { to, by } = action;
    if (by === null) return `hand off to "${to}".`;
    return by.isShared ? `call ${by.name} with the destination "${to}".` : `call ${by.name}.`;
  }
  const instructions = action.kind === 'go' ? null : action.instructions;
  const said = action.lines.map((line) => phrase`say "${line}", then `);
  if (instructions === null) return [said, finalAction(action), '.'];
  return [said, phrase`do this: ${instructions}\n  After that, `, finalAction(action), '.'];
}

function finalAction(action: Exclude<Action, { kind: 'hand-off' }>): Phrase {
  if (action.kind === 'go') return `go to step ${action.step}`;
  if (action.kind === 'transfer') return phrase`transfer the call to ${join(action.to, ' or ')}`;
  return action.tool === null ? 'end the call' : `end the call by calling ${action.tool}`;
}

interface Readiness {
  readonly name: string;
  readonly collected?: readonly string[];
}

/** When to move on without a condition: after what the assistant collects, else when it is done. */
export function whenReady(at: JsonPointer, { name, collected = [] }: Readiness): Text {
  const isDone = collected.length === 0;
  const value = isDone ? `when done with ${name}` : `after collecting ${enumerate(collected)}`;
  return { value, at, uses: [], rule: 'unconditioned-edge' };
}

/** When to take a transition, in a description; null if only a prompt says it. */
export function describeWhen(when: When): Text | null {
  if (when.kind === 'condition' || when.text === null || when.beside.length === 0) return when.text;
  return { ...when.text, value: `otherwise, ${when.text.value}` };
}

/**
 * What a model is told about a handoff function; the platform's default would make it wait for a
 * command. For a single destination it says when.
 */
export function describeHandoff(to: readonly string[], when: Template): Template {
  const names = join(to, ' or ');
  if (to.length > 1) {
    const rest = '. Call it when the condition described for one of them holds.';
    return { segments: toSegments(['Hand off to ', names, rest]) };
  }
  const own = 'value' in when ? [{ text: String(when.value), origin: when.origin }] : [];
  const said = 'segments' in when ? when.segments : own;
  return { segments: [...toSegments(['Hand off to ', names, '. Call it when: ']), ...said] };
}

/** The function name of a handoff to these assistants, before it is made legal and unique. */
export function handoffFunction(names: readonly string[]): string {
  return `handoff_to_${names.join('_or_')}`;
}

export function describeConfirmation(variables: readonly string[]): string {
  return `Gives the confirmed value of ${enumerate(variables)}.`;
}

/** One description for several texts: each once, joined by `; or `. */
export function describe(texts: readonly Text[]): Template {
  return compose(texts.length === 1 ? texts[0]! : either(texts));
}

export function joinLines(lines: readonly Text[]): Template {
  return compose(join(lines, ' '));
}

function compose(phrase: Phrase): Template {
  const segments = toSegments(phrase);
  const [first] = segments;
  return segments.length === 1 ? traced(first!.text, first!.origin) : { segments };
}

export function originOf({ at, changedBy, rule }: Text): Origin {
  if (changedBy !== undefined) return fromAnswer(changedBy, at);
  return rule === undefined ? fromSource(at) : synthesized(rule, [at]);
}

/** A name that is a key is not a value of the source. */
export function originOfName({ at, places: { name } }: Capture): Origin {
  return name === null ? synthesized('variable-name', [at]) : fromSource(name);
}

/** The item of the checklist that a bullet is about, by its words; the first match counts. */
export const items: readonly (readonly [bullet: RegExp, item: number])[] = [
  [/^- (?:Find out|Derive) /, 4],
  [/^- .*end the call/s, 6],
  [/^- (?:Call |.* transfer the call to )/s, 5],
  [/^- (?:First|If)\b.* (?:hand off to "|call handoff_)/s, 3],
];

/** Returns true if a prompt contains a sentence of the opening or a transition spelled as here. */
export function isWorded(prompt: string): boolean {
  let isAsked = false;
  return prompt.split('\n').some((line) => {
    isAsked ||= /^(?:- | {2})If: /.test(line);
    return (
      openingSentences.has(line) ||
      (/^Known on entry: .*\{\{/.test(line) && line.endsWith('}}.')) ||
      /^- (?:Otherwise, when|When) done: .*\.$/.test(line) ||
      (isAsked && /^ {2}Then: ./.test(line))
    );
  });
}

const openingSentences: ReadonlySet<string> = new Set(Object.values(sentences));

/**
 * Words of squadc's own, a text of the source word for word, a value of another origin, or a list
 * of these; null and false are nothing.
 */
type Phrase = string | Text | Traced<string> | readonly Phrase[] | null | false;

function phrase(words: TemplateStringsArray, ...parts: readonly Phrase[]): Phrase {
  return words.flatMap((word, at) => [word, parts[at] ?? null]);
}

const wording = synthesized('wording');

function toSegments(phrases: Phrase): readonly Segment[] {
  const segments: Segment[] = [];
  const own = appendPhrase(phrases, segments, '');
  if (own !== '') segments.push({ text: own, origin: wording });
  return segments;
}

/** Appends the segments after words of squadc's own, and returns the words left over at the end. */
function appendPhrase(part: Phrase, segments: Segment[], own: string): string {
  if (part === null || part === false) return own;
  if (typeof part === 'string') return own + part;
  if ('value' in part) {
    if (own !== '') segments.push({ text: own, origin: wording });
    if ('origin' in part) segments.push({ text: part.value, origin: part.origin });
    else segments.push(...piecesOf(part, originOf(part), wording));
    return '';
  }
  let words = own;
  for (const it of part) words = appendPhrase(it, segments, words);
  return words;
}

function either(texts: readonly Text[]): Phrase {
  return join(unique(texts), '; or ');
}

/** Texts without repetitions. */
function unique(texts: readonly Text[]): readonly Text[] {
  const byValue = new Map<string, Text>();
  for (const text of texts) if (!byValue.has(text.value)) byValue.set(text.value, text);
  return [...byValue.values()];
}

function join(phrases: readonly Phrase[], between: string): Phrase {
  return phrases.map((it, at) => (at === 0 ? it : [between, it]));
}

function enumerate(names: readonly string[]): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
