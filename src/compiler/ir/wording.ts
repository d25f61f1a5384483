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
import { type Capture, placesOf, type Text } from './workflow.js';

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

export interface StepContent {
  readonly line: Text | null;
  readonly instructions: Text | null;
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

export type When =
  | { readonly kind: 'condition'; readonly text: Text }
  /** A sentence of this file: {@link whenReady}, {@link whenDone} or {@link whenNeeded}. */
  | { readonly kind: 'sentence'; readonly text: Text }
  | { readonly kind: 'done'; readonly otherwise: boolean };

/** What is done; lines and instructions come before it. */
export type Action =
  | { readonly kind: 'go'; readonly step: number; readonly line: Text | null }
  | { readonly kind: 'hand-off'; readonly to: string }
  | { readonly kind: 'end'; readonly line: Text | null; readonly instructions: Text | null }
  | {
      readonly kind: 'transfer';
      /** Numbers and addresses. */
      readonly to: readonly Traced<string>[];
      readonly line: Text | null;
      readonly instructions: Text | null;
    };

/** Words of squadc's own, a text of the source word for word, or what something else gives. */
type Piece = string | Text | Segment;

/** The system message, in pieces; neighbouring words of squadc's own are one. */
export function spellPrompt(content: PromptContent): readonly Segment[] {
  const { globalPrompt, name, entries, steps, anyTime } = content;
  return spell([
    ...(globalPrompt === null ? [] : [globalPrompt, '\n\n']),
    `You are the assistant "${name}" of a phone call. `,
    'Work through the numbered steps; the lines under a step say what comes next.\n',
    ...entries.flatMap(entryPieces),
    ...steps.flatMap(stepPieces),
    ...(anyTime.length === 0 ? [] : ['\nAt any time\n', ...anyTime.flatMap(wayPieces)]),
  ]);
}

function entryPieces({ step, isStart, conditions, sentences }: EntryContent): Piece[] {
  const begin = `, begin at step ${step}.\n`;
  const either = join(uniqueTexts(conditions), '; or ');
  return [
    ...(isStart ? ['At the start of the call', begin] : []),
    ...(either.length === 0 ? [] : ['If ', ...either, begin]),
    ...uniqueTexts(sentences).flatMap((it) => [{ ...it, value: capitalize(it.value) }, begin]),
  ];
}

function stepPieces(step: StepContent, index: number): Piece[] {
  const { line, instructions, captures, calls, ways } = step;
  return [
    `\nStep ${index + 1}\n`,
    ...linePieces('', line),
    ...instructionPieces('', instructions),
    ...captures.flatMap(capturePieces),
    ...calls.map((name) => `- call the tool ${name}\n`),
    ...ways.flatMap(wayPieces),
  ];
}

function linePieces(indent: string, line: Text | null): Piece[] {
  return line === null ? [] : [`${indent}Say: "`, line, '"\n'];
}

function instructionPieces(indent: string, instructions: Text | null): Piece[] {
  return instructions === null ? [] : [indent, instructions, '\n'];
}

function capturePieces(capture: Capture): Piece[] {
  const { name, type, description, enum: choices, alias, at, origin } = capture;
  if (alias !== undefined) return aliasPieces(capture, alias);
  const places = placesOf(capture);
  // A variable that an answer says is found out has no place in the source, but its node has.
  const isInSource = origin.kind === 'source';
  return [
    '- find out ',
    { text: name, origin: isInSource ? originOfName(capture) : origin },
    { text: ` (${type})`, origin: synthesized('type', [isInSource ? places.type : at]) },
    ...(description === null ? [] : [': ', description]),
    ...(choices === null
      ? []
      : [{ text: `; one of ${choices.join(', ')}`, origin: synthesized('enum', [places.enum]) }]),
    '\n',
  ];
}

/**
 * What an alias is made of, as the source has it: the platform would fill the template in when the
 * assistant begins, before anything is there to fill it with.
 */
function aliasPieces(capture: Capture, value: Text): Piece[] {
  // A template that ends such a passage by itself cannot stand inside of one.
  const isClosed = /\{%-?\s*endraw\b/.test(value.value);
  const name = { text: capture.name, origin: originOfName(capture) };
  const [open, close] = isClosed ? ['', ''] : ['{% raw %}', '{% endraw %}'];
  return ['- derive ', name, ` as ${open}`, value, `${close}\n`];
}

function wayPieces({ demand, when, action }: Way): Piece[] {
  return ['- ', demandPiece(demand), ...whenPieces(when), ...actionPieces(action)];
}

function demandPiece(demand: Way['demand']): string {
  if (demand === null) return '';
  if ('call' in demand) return `first call the tool ${demand.call}; `;
  return `first make sure that you know ${enumerate(demand.know)}; `;
}

function whenPieces(when: When): Piece[] {
  switch (when.kind) {
    case 'condition':
      return ['when ', when.text];
    case 'sentence':
      return [when.text];
    case 'done':
      return [when.otherwise ? 'otherwise' : 'when done'];
  }
}

function actionPieces(action: Action): Piece[] {
  switch (action.kind) {
    case 'go':
      if (action.line === null) return [`, go to step ${action.step}\n`];
      return [':\n', ...linePieces('  ', action.line), `  then go to step ${action.step}\n`];
    case 'hand-off':
      return [`, hand off to "${action.to}"\n`];
    case 'end':
      return leavingPieces(action, ['end the call']);
    case 'transfer': {
      const places = action.to.map(({ value, origin }) => ({ text: value, origin }));
      return leavingPieces(action, ['transfer the call to ', ...join(places, ' or ')]);
    }
  }
}

function leavingPieces(
  { line, instructions }: { readonly line: Text | null; readonly instructions: Text | null },
  action: readonly Piece[],
): Piece[] {
  const before = [...linePieces('  ', line), ...instructionPieces('  ', instructions)];
  const then = before.length === 0 ? [', then '] : [':\n', ...before, '  then '];
  return [...then, ...action, '\n'];
}

/** When a handoff without a condition is made: after what the assistant collects, else when done. */
export function whenReady(
  at: JsonPointer,
  {
    name,
    collected,
    otherwise,
  }: { name: string; collected: readonly string[]; otherwise: boolean },
): Text {
  if (collected.length === 0) return whenDone(at, { name, otherwise });
  return unconditioned(at, otherwise, `after collecting ${enumerate(collected)}`);
}

/** When a call is ended or transferred without a condition. */
export function whenDone(
  at: JsonPointer,
  { name, otherwise }: { name: string; otherwise: boolean },
): Text {
  return unconditioned(at, otherwise, `when done with ${name}`);
}

/** When a global node without a condition is entered. */
export function whenNeeded(at: JsonPointer, name: string): Text {
  return { value: `when the caller needs ${name}`, at, uses: [], rule: 'global-without-condition' };
}

function unconditioned(at: JsonPointer, otherwise: boolean, when: string): Text {
  const value = otherwise ? `otherwise, ${when}` : when;
  return { value, at, uses: [], rule: 'unconditioned-edge' };
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
  const unique = uniqueTexts(texts);
  const [first] = unique;
  if (unique.length === 1) return traced(first!.value, originOf(first!));
  return { segments: spell(join(unique, '; or ')) };
}

/** `a, b and c`. */
function enumerate(names: readonly string[]): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}

export function originOf({ at, changedBy, rule }: Text): Origin {
  if (changedBy !== undefined) return fromAnswer(changedBy);
  return rule === undefined ? fromSource(at) : synthesized(rule, [at]);
}

/** A name that is a key is no value of the source. */
export function originOfName(capture: Capture): Origin {
  const { name } = placesOf(capture);
  return name === null ? synthesized('variable-name', [capture.at]) : fromSource(name);
}

/** Texts without those that stand before. */
function uniqueTexts(texts: readonly Text[]): readonly Text[] {
  const byValue = new Map<string, Text>();
  for (const text of texts) if (!byValue.has(text.value)) byValue.set(text.value, text);
  return [...byValue.values()];
}

function join(pieces: readonly Piece[], between: string): Piece[] {
  return pieces.flatMap((piece, at) => (at === 0 ? [piece] : [between, piece]));
}

function capitalize(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

const wording = synthesized('wording');

function spell(pieces: readonly Piece[]): readonly Segment[] {
  const segments: Segment[] = [];
  let own = '';
  const flush = (): void => {
    if (own !== '') segments.push({ text: own, origin: wording });
    own = '';
  };
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      own += piece;
      continue;
    }
    flush();
    segments.push('text' in piece ? piece : { text: piece.value, origin: originOf(piece) });
  }
  flush();
  return segments;
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
