/**
 * What the system message of one assistant says, and its text; the words are in ir/wording.ts.
 *
 * In: the content of a prompt as data. Out: its text in segments with their origins. The compiler
 * decides which steps, transitions and captures there are; here they are only spelled.
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
import { between, enumerate, type Form, piecesOfForm, sentences } from './wording.js';
import type { Capture, Text } from './workflow.js';

/** What the system message of one assistant says. */
export interface PromptContent {
  readonly globalPrompt: Text | null;
  /** Begins the call, takes it over from another assistant, or is the only assistant. */
  readonly part: 'first' | 'later' | 'only';
  /** Whether the platform speaks its first message. */
  readonly hasSpoken: boolean;
  /** Whether a text of it reads what is found out during the call. */
  readonly hasTokens: boolean;
  /** Variables whose value on entry stands in no other text. */
  readonly known: readonly string[];
  /** Where to begin; empty if there is only one entry. */
  readonly entries: readonly EntryContent[];
  /** In walk order; the first has the number 1. */
  readonly steps: readonly StepContent[];
  /** Each with the number of the step that it does not apply to, if there is one. */
  readonly anyTime: readonly (Branch & { readonly except: number | null })[];
}

/** A step at which the assistant can be entered, and what leads there. */
interface EntryContent {
  readonly step: number;
  readonly isStart: boolean;
  readonly conditions: readonly Text[];
  /** For edges without a condition. */
  readonly done: readonly Done[];
}

interface StepContent {
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
  readonly needs: { readonly call: string } | { readonly know: readonly string[] } | null;
  readonly when: When;
  readonly action: Action;
}

export type When = { readonly kind: 'condition'; readonly text: Text } | Done;

/** That the work is done, which `text` says to others, and the conditions beside it, if any. */
interface Done {
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
  const { globalPrompt, entries, steps, anyTime } = content;
  const opening = [openingOf(content), entries.map(entry)];
  const always = anyTime.filter(({ except }) => except === null);
  const isNumbered = steps.length > 1 || entries.length > 0 || refersToSteps(content);
  const parts: Phrase[] = [
    globalPrompt && fill('plain', { text: globalPrompt }),
    toSegments(opening).length > 0 && opening,
    ...steps.map((it, at) => [isNumbered && fill('heading', { step: at + 1 }), step(it)]),
    ...anyTime.map(
      (it) => it.except !== null && [fill('anyTimeBut', { step: it.except }), branch(it)],
    ),
    always.length > 0 && [fill('anyTime'), always.map(branch)],
  ];
  const present = parts.filter((it) => it !== null && it !== false);
  const segments = toSegments(join(present, '\n'));
  return segments.some(({ text }) => text.trim() !== '')
    ? segments
    : toSegments(sentence('nothing'));
}

function refersToSteps({ steps, anyTime }: PromptContent): boolean {
  const branches = [...anyTime, ...steps.flatMap((it) => it.branches)];
  const calls = steps.flatMap((it) => it.calls);
  return (
    branches.some(({ action }) => action.kind === 'go') ||
    calls.some((call) => typeof call === 'number')
  );
}

const sentence = (name: keyof typeof sentences) => fill('plain', { text: sentences[name] });

function openingOf({ part, hasSpoken, hasTokens, known, steps }: PromptContent): Phrase {
  const values = known.map((name) => fill('knownValue', { name }));
  return [
    part === 'later' && sentence('takesOver'),
    part === 'first' && sentence('handsOver'),
    hasSpoken && sentence('spoken'),
    steps.length > 1 && sentence('steps'),
    hasTokens && sentence('tokens'),
    known.length > 0 && fill('known', { values: join(values, between.known) }),
  ];
}

function entry({ step, isStart, conditions, done }: EntryContent): Phrase {
  const wordsOf = ({ text, beside }: Done) =>
    JSON.stringify([text, ...beside].map((it) => it?.value));
  return [
    isStart && fill('beginAtStart', { step }),
    conditions.length > 0 && fill('beginIf', { conditions: either(conditions), step }),
    [...groupBy(done, wordsOf).values()].map(([it]) => {
      const { text: when, beside } = it!;
      if (beside.length === 0) return fill('beginAfter', { when, step });
      return fill('beginElse', { when, conditions: either(beside), step });
    }),
  ];
}

function step({ lines, instructions, captures, calls, branches }: StepContent): Phrase {
  return [
    lines.map((line) => fill('say', { line })),
    instructions && fill('plain', { text: instructions }),
    captures.map(capture),
    calls.map((it) =>
      typeof it === 'string' ? fill('call', { tool: it }) : fill('callOfStep', { step: it }),
    ),
    branches.map(branch),
  ];
}

function capture(captured: Capture): Phrase {
  const { type, description, enum: choices, alias, origin, places } = captured;
  const name = traced(captured.name, originOfName(captured));
  if (alias !== undefined) {
    // The platform would render the template when the assistant becomes active, before its values
    // exist. A template with its own `endraw` cannot stand in a raw block.
    const isClosed = /\{%-?\s*endraw\b/.test(alias.value);
    const [open, close] = isClosed ? ['', ''] : ['{% raw %}', '{% endraw %}'];
    return fill('derive', { name, template: [open, alias, close] });
  }
  const listed = choices && traced(choices.join(', '), synthesized('enum', [places.enum]));
  return fill('find', {
    name: origin.kind === 'source' ? name : traced(captured.name, origin),
    type: traced(type, synthesized('type', [places.type])),
    description: description && fill('findDescription', { description }),
    choices: listed && fill('findChoices', { choices: listed }),
  });
}

function branch({ needs, when, action }: Branch): Phrase {
  if (when.kind !== 'condition') {
    return fill(when.beside.length > 0 ? 'otherwise' : 'done', { action: act(action) });
  }
  const first =
    needs &&
    ('call' in needs
      ? fill('firstCall', { tool: needs.call })
      : fill('firstKnow', { names: enumerate(needs.know) }));
  return fill('if', { demand: first, condition: when.text, action: act(action) });
}

function act(action: Action): Phrase {
  if (action.kind === 'hand-off') {
    const { to: assistant, by } = action;
    if (by === null) return fill('handOff', { assistant });
    return fill(by.isShared ? 'handOffWith' : 'handOffBy', { function: by.name, assistant });
  }
  const saying = action.lines.map((line) => fill('saying', { line }));
  if (action.kind === 'go') return [saying, fill('go', { step: action.step })];
  const { instructions } = action;
  return [saying, instructions && fill('doing', { instructions }), leave(action)];
}

function leave(action: Extract<Action, Spoken>): Phrase {
  if (action.kind === 'transfer') {
    return fill('transfer', { numbers: join(action.to, between.numbers) });
  }
  return action.tool === null ? fill('end') : fill('endBy', { tool: action.tool });
}

/** A part of a step as text. */
export function spell(part: Partial<StepContent>): string {
  const nothing = { lines: [], instructions: null, captures: [], calls: [], branches: [] };
  return wordsOf(step({ ...nothing, ...part }));
}

/** When to move on without a condition: after what the assistant collects, else when it is done. */
export function whenReady(at: JsonPointer, name: string, collected: readonly string[]): Text {
  const words =
    collected.length === 0
      ? fill('whenDone', { assistant: name })
      : fill('whenCollected', { names: enumerate(collected) });
  return { value: wordsOf(words), at, uses: [], rule: 'unconditioned-edge' };
}

/** When to take a transition, in a description; null if only a prompt says it. */
export function describeWhen(when: When): Text | null {
  if (when.kind === 'condition' || when.text === null || when.beside.length === 0) return when.text;
  return { ...when.text, value: wordsOf(fill('whenElse', { when: when.text.value })) };
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
  const words =
    'value' in when
      ? [{ text: String(when.value), origin: when.origin }]
      : (when as { readonly segments: readonly Segment[] }).segments;
  return { segments: [...toSegments(['Hand off to ', names, '. Call it when: ']), ...words] };
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
  return compose(join(lines, between.lines));
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

/**
 * Words of squadc's own, a text of the source word for word, a value of another origin, or a list
 * of these; null and false are nothing.
 */
type Phrase = string | Text | Traced<string> | readonly Phrase[] | null | false;

/** The words of a form with its holes filled; a hole without a value is empty. */
function fill(form: Form, holes: Readonly<Record<string, Phrase | number>> = {}): Phrase {
  return piecesOfForm(form).flatMap(({ words, hole }): Phrase[] => {
    const value = hole === null ? null : (holes[hole] ?? null);
    return [words, typeof value === 'number' ? String(value) : value];
  });
}

const wordsOf = (phrase: Phrase) =>
  toSegments(phrase)
    .map(({ text }) => text)
    .join('');

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

/** Each text once. */
function either(texts: readonly Text[]): Phrase {
  const byValue = groupBy(texts, ({ value }) => value);
  return join(
    [...byValue.values()].map(([first]) => first!),
    between.conditions,
  );
}

function join(phrases: readonly Phrase[], between: string): Phrase {
  return phrases.map((it, at) => (at === 0 ? it : [between, it]));
}
