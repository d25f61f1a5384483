/**
 * Phrases: squadc's wording around texts of the source, with the origin of each part. The words are
 * in ir/wording.ts; the compiler decides what a prompt says (5-lower/prompt.ts).
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
import { composed, segmentsOf, type Template, textIn } from './template.js';
import { piecesOf } from './tokens.js';
import { between, enumerate, type Form, piecesOfForm } from './wording.js';
import type { Capture, Text } from './workflow.js';

/** When a transition is taken: under a condition, or when the work is done. */
export type When = { readonly kind: 'condition'; readonly text: Text } | Done;

/** That the work is done, which `text` says to others, and the conditions beside it, if any. */
export interface Done {
  readonly kind: 'done';
  readonly text: Text | null;
  readonly beside: readonly Text[];
}

/** What an assistant finds out or derives. */
export function capture(captured: Capture): Phrase {
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

/** The same as text. */
export function spellCapture(captured: Capture): string {
  return wordsOf(capture(captured));
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

/** A tool with a longer description may not be called. */
const longestDescription = 1000;

/**
 * What a model is told about a handoff function; the platform's default would make it wait for a
 * command. For a single destination it says when, unless that is too long: the prompt says it, too.
 */
export function describeHandoff(to: readonly string[], when: Template): Template {
  const names = join(to, ' or ');
  const isOne = to.length === 1;
  const rest = isOne ? ': ' : ' the condition described for one of them holds.';
  const said = toSegments(['Hand off to ', names, '. Call it when', rest]);
  const full = isOne ? [...said, ...segmentsOf(when)] : said;
  const plain = 'Call it as the instructions say.';
  const choices = [full, toSegments(['Hand off to ', names, '. ', plain]), toSegments(plain)];
  return { segments: choices.find((it) => textIn(it).length <= longestDescription)! };
}

/** The function name of a handoff to these assistants, before it is made legal and unique. */
export function handoffFunction(names: readonly string[]): string {
  return `handoff_to_${names.join('_or_')}`;
}

/** One description for several texts: each once, joined by `; or `. */
export function describe(texts: readonly Text[]): Template {
  return compose(texts.length === 1 ? texts[0]! : join(distinct(texts), between.conditions));
}

/** What the source says about a request and what leads to it; if nothing does, what it is for. */
export function describeRequest(texts: readonly (Text | null)[], name: Traced<string>): Template {
  const said = texts.filter((it) => it !== null);
  return said.length > 0 ? describe(said) : compose(fill('describedByName', { tool: name.value }));
}

/** When to choose a destination of a transfer, and what the source says about it. */
export function describeEnd(whens: readonly Text[], purposes: readonly Text[]): Template {
  if (purposes.length === 0) return describe(whens);
  const [when, purpose] = [whens, purposes].map((it) => join(distinct(it), between.conditions));
  return compose(fill('withPurpose', { when: when!, purpose: purpose! }));
}

export function joinLines(lines: readonly Text[]): Template {
  return compose(join(lines, between.lines));
}

const compose = (phrase: Phrase) => composed(toSegments(phrase));

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
export type Phrase = string | Text | Traced<string> | readonly Phrase[] | null | false;

/** The words of a form with its holes filled; a hole without a value is empty. */
export function fill(form: Form, holes: Readonly<Record<string, Phrase | number>> = {}): Phrase {
  return piecesOfForm(form).flatMap(({ words, hole }): Phrase[] => {
    const value = hole === null ? null : (holes[hole] ?? null);
    return [words, typeof value === 'number' ? String(value) : value];
  });
}

const wordsOf = (phrase: Phrase) => textIn(toSegments(phrase));

const wording = synthesized('wording');

export function toSegments(phrases: Phrase): readonly Segment[] {
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
export function distinct(texts: readonly Text[]): Text[] {
  const byValue = groupBy(texts, ({ value }) => value);
  return Array.from(byValue.values(), ([first]) => first!);
}

export function join(phrases: readonly Phrase[], between: string): Phrase {
  return phrases.map((it, at) => (at === 0 ? it : [between, it]));
}
