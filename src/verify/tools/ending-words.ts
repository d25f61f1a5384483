/**
 * The words "end the call" in prompts: squadc's own, and those of the source's texts.
 *
 * An instruction may say them too ("Never end the call."), and a condition or a name. They are told
 * apart by what stands round them: words that stand inside of a text of the source are its own.
 */
import type { Comparison } from '../comparison.js';

/** What says that a call is to end. */
export const phrase = 'end the call';

/** How squadc says it, behind a comma or indented, and at the end of a line. */
const instruction = 'then end the call';
const leads: readonly string[] = [', ', '  '];

const saidAnyhow = /end the call/g;
const saidAsInstruction = /(?:, | {2})then end the call/g;

export interface EndingWords {
  /** How often the prompt says in squadc's way that the call is to end. */
  readonly count: (prompt: string) => number;
  /** The same, where the source cannot have said so itself. */
  readonly countSure: (prompt: string) => number;
  /** Whether the prompt says the words anywhere outside of the source's texts. */
  readonly areOwn: (prompt: string) => boolean;
}

export function findEndingWords(comparison: Comparison): EndingWords {
  // Few prompts say the words, so the source is searched for them when the first does.
  let texts: ReadonlySet<string> | null = null;
  const createCovers = (words: RegExp): Covers => {
    let covers: Covers | null = null;
    return (prompt, at) => {
      texts ??= listTexts(comparison);
      covers ??= coverOf(texts, words);
      return covers(prompt, at);
    };
  };
  const phrases = createCovers(saidAnyhow);
  const instructions = createCovers(saidAsInstruction);
  return {
    count: (prompt) => countInstructions(prompt, () => true),
    countSure: (prompt) => countInstructions(prompt, (at) => !instructions(prompt, at)),
    areOwn: (prompt) => {
      for (let at = prompt.indexOf(phrase); at !== -1; at = prompt.indexOf(phrase, at + 1)) {
        if (!phrases(prompt, at)) return true;
      }
      return false;
    },
  };
}

/** How often the prompt says the instruction at places that count. */
function countInstructions(prompt: string, counts: (at: number) => boolean): number {
  let count = 0;
  for (let at = prompt.indexOf(instruction); at !== -1; at = prompt.indexOf(instruction, at + 1)) {
    const end = at + instruction.length;
    const isLast = end === prompt.length || prompt[end] === '\n';
    const lead = at - leadLength;
    if (isLast && leads.includes(prompt.slice(lead, at)) && counts(lead)) count += 1;
  }
  return count;
}

const leadLength = 2;

/** The texts of the source that say the words, and the names that do. */
function listTexts({ graph, squad }: Comparison): ReadonlySet<string> {
  const texts = new Set<string>();
  const note = (text: string | null | undefined): void => {
    if (text?.includes(phrase)) texts.add(text);
  };
  const noteName = (name: string | null): void => {
    // Few names are as long as the words.
    if (name !== null && name.length >= phrase.length) for (const form of formsOf(name)) note(form);
  };
  const { nodes, edges, globalPrompt } = graph.workflow;
  note(globalPrompt?.value);
  for (const { id, name, firstMessage, systemPrompt, global, transfer, captures } of nodes) {
    noteName(id);
    noteName(name);
    note(firstMessage?.value);
    note(systemPrompt?.value);
    note(global?.condition?.value);
    note(transfer?.address?.value);
    for (const capture of captures) {
      note(capture.name);
      note(capture.description?.value);
      note(capture.alias?.value);
      for (const value of capture.enum ?? []) note(value);
    }
  }
  for (const { condition } of edges) note(condition?.value);
  for (const { name } of squad.members) note(name);
  return texts;
}

/** A name may stand without what cannot be read in it, and without its end. */
function* formsOf(name: string): Generator<string> {
  yield name;
  const plain = name
    .replaceAll(/%(?=\})|[{}]/g, '')
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  yield plain;
  yield [...plain].slice(0, 31).join('').trimEnd();
}

/** Whether what stands at this place of a prompt stands inside of one of the texts. */
type Covers = (prompt: string, at: number) => boolean;

function coverOf(texts: Iterable<string>, words: RegExp): Covers {
  // Texts of one length that hold the words at one offset are looked up at once.
  const byPlace = new Map<string, { offset: number; length: number; texts: Set<string> }>();
  for (const text of texts) {
    for (const { index: offset } of text.matchAll(words)) {
      const { length } = text;
      const key = `${offset} ${length}`;
      const group = byPlace.get(key);
      if (group === undefined) byPlace.set(key, { offset, length, texts: new Set([text]) });
      else group.texts.add(text);
    }
  }
  const groups = [...byPlace.values()];
  return (prompt, at) =>
    groups.some(({ offset, length, texts: same }) => {
      const start = at - offset;
      return start >= 0 && same.has(prompt.slice(start, start + length));
    });
}
