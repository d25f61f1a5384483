/**
 * The parts of a squad from which the operators select: values of the document, and lines of the prompts.
 *
 * The kind of a value is its path without numbers and names (`handoff/destinations/-/description`),
 * that of a line is `line say` and the like. The source map distinguishes the compiler's own words from
 * texts of the source: before lines are classified, each text of the source is masked by a run of `¤`,
 * so a text that looks like a line is not taken for one.
 */
import type { CompileOptions, Json, JsonObject, SourceMapEntry } from '../../src/index.js';
import { listOf, objectOf, textOf, valueAt } from '../json.js';

/** A workflow, the options with all answers, and the squad that they give. */
export interface Trial {
  /** Identifies the trial, and says how to draw it again. */
  readonly label: string;
  readonly workflow: unknown;
  readonly options: CompileOptions;
  readonly squad: JsonObject;
  readonly sourceMap: readonly SourceMapEntry[];
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A text of the source in a text of the squad; `isSource` if no rule has changed it. */
export interface Quote extends Span {
  readonly from: string;
  readonly isSource: boolean;
}

/** A value of the document, or a span of a prompt: one line, or lines that belong together. */
export interface Part extends Span {
  readonly kind: string;
  readonly at: string;
  readonly key: string;
  readonly value: Json;
  /** The text of a line or value; empty if the value is not a text. */
  readonly text: string;
  readonly member: number;
  /** The step of the prompt; 0 is the opening, -1 the section “At any time”. */
  readonly step: number;
  readonly quotes: readonly Quote[];
}

export interface View {
  readonly squad: JsonObject;
  readonly target: 'squad' | 'vapi';
  readonly parts: readonly Part[];
  readonly kinds: ReadonlyMap<string, readonly Part[]>;
  /** By member. */
  readonly prompts: readonly string[];
  readonly names: readonly string[];
  readonly openings: readonly string[];
  readonly membersAt: string;
  readonly workflow: string;
  /** A word that neither the workflow nor the squad contains. */
  readonly word: string;
}

/** Kinds of lines, by their masked text; the first match wins. */
const lineKinds: readonly (readonly [kind: string, RegExp])[] = [
  ['heading', /^Step \d+$/],
  ['anytime', /^At any time$/],
  ['begin', /: begin at step \d+\.$/],
  ['say', /^Say: "¤*"$/],
  ['capture', /^- Find out /],
  ['derive', /^- Derive /],
  ['call', /^- Call /],
  ['toStep', /^- [\s\S]*go to step \d+\.$/],
  ['toAssistant', /^- [\s\S]*(?:Then|done): (?:hand off to|call )[\s\S]*\.$/],
  ['toEnd', /^- [\s\S]*end the call(?: by calling \S+)?\.$/],
  ['toTransfer', /^- [\s\S]*transfer the call to /],
  ['instruction', /^¤+$/],
  ['other', /^/],
];

export const promptAt = (member: string): string => `${member}/assistant/model/messages/0/content`;

export function viewOf({ squad, sourceMap, workflow: source }: Trial): View {
  const quotes = new Map<string, Quote[]>();
  for (const { output, range, origin } of sourceMap) {
    const whole = valueAt(squad, output);
    if (typeof whole !== 'string') continue;
    if (origin.kind === 'synthesized' && origin.rule === 'wording') continue;
    const [start, end] = range ?? [0, whole.length];
    const isSource = origin.kind === 'source';
    const quote = { start, end, from: isSource ? origin.at : '', isSource };
    quotes.set(output, [...(quotes.get(output) ?? []), quote]);
  }
  const target = squad['squad'] === undefined ? 'vapi' : 'squad';
  const membersAt = target === 'vapi' ? '/members' : '/squad/members';
  const places = listOf(valueAt(squad, membersAt)).map((_, member) => `${membersAt}/${member}`);
  const textAt = (at: string): string => textOf(valueAt(squad, at));
  const values = valuesOf(squad, target === 'vapi' ? '' : '/squad', quotes);
  const prompts = values.filter(({ at }) => places.some((place) => at === promptAt(place)));
  const parts = [...values, ...prompts.flatMap(linesOf)];
  const kinds = new Map<string, Part[]>();
  for (const part of parts) kinds.set(part.kind, [...(kinds.get(part.kind) ?? []), part]);
  const workflow = JSON.stringify(source);
  let word = 'zebra';
  while (`${workflow}${JSON.stringify(squad)}`.includes(word)) word += 'a';
  return {
    squad,
    target,
    parts,
    kinds,
    prompts: places.map((at) => textAt(promptAt(at))),
    names: places.map((at) => textAt(`${at}/assistant/name`)),
    openings: places.map((at) => textAt(`${at}/assistant/firstMessage`)),
    membersAt,
    workflow,
    word,
  };
}

/** Every value; in kinds, `-` stands for indices and chosen names, and a tool is its type. */
function valuesOf(
  squad: JsonObject,
  prefix: string,
  quotesAt: ReadonlyMap<string, readonly Quote[]>,
): Part[] {
  const found: Part[] = [];
  const visit = (value: Json, kind: string, at: string, key: string): void => {
    const member = Number(/^\/members\/(\d+)/.exec(at.slice(prefix.length))?.[1] ?? -1);
    const text = textOf(value);
    const span = { start: 0, end: text.length, step: 0 };
    const quotes = quotesAt.get(at) ?? [];
    found.push({ kind, at, key, value, text, member, quotes, ...span });
    const isHeaders = kind.endsWith('headers') && objectOf(value)['properties'] === undefined;
    const isOpen = Array.isArray(value) || kind.endsWith('properties') || isHeaders;
    for (const [name, part] of typeof value === 'object' ? Object.entries(value ?? {}) : []) {
      const type = /tools(?::append)?$/.test(kind) ? textOf(objectOf(part)['type']) : '';
      const path = `${kind}/${type || (isOpen ? '-' : name)}`
        .replace(/^\/|^squad\//, '')
        .replace(/^members\/-\/assistant(?=\/|$)/, 'assistant')
        .replace(/^(?:assistant\/model|members\/-\/assistantOverrides)\/tools(?::append)?\//, '');
      visit(part, path, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, name);
    }
  };
  visit(squad, '', '', '');
  return found;
}

function linesOf(prompt: Part): Part[] {
  let masked = prompt.text;
  for (const { start, end } of prompt.quotes) {
    masked = masked.slice(0, start) + '¤'.repeat(end - start) + masked.slice(end);
  }
  const lines: Part[] = [];
  let start = 0;
  let step = 0;
  // A transition spans several lines; all but the first are indented.
  const line = /^- [^\n]*(?:\n {2}[^\n]*)*(?:\n|$)|[^\n]*(?:\n|$)/gm;
  for (const part of masked.match(line) ?? []) {
    const end = start + part.length;
    const [name] = lineKinds.find(([, pattern]) => pattern.test(part.replace(/\n$/, '')))!;
    if (name === 'heading') step += 1;
    if (name === 'anytime') step = -1;
    const quotes = prompt.quotes.filter((quote) => quote.start >= start && quote.end <= end);
    const text = prompt.text.slice(start, end);
    if (text.trim() !== '')
      lines.push({ ...prompt, kind: `line ${name}`, start, end, text, step, quotes });
    start = end;
  }
  return lines;
}
