/**
 * The words "end the call" in prompts: squadc's own, and those of the source's texts.
 *
 * An instruction may say them too ("Never end the call."), and a condition or a name. They are told
 * apart by what stands round them: words that stand inside of a text of the source are its own.
 */
import type { Comparison } from '../comparison.js';

/** What says that a call is to end (DESIGN section 5). */
export const phrase = 'end the call';

/** How squadc says it: at the end of a line. */
const instruction = /(?:, | {2})then end the call(?=\n|$)/g;

export interface EndingWords {
  /** How often the prompt says in squadc's way that the call is to end. */
  readonly count: (prompt: string) => number;
  /** Whether the prompt says the words anywhere outside of the source's texts. */
  readonly areOwn: (prompt: string) => boolean;
}

export function findEndingWords(comparison: Comparison): EndingWords {
  const texts = [...new Set(listTexts(comparison))].filter((text) => text.includes(phrase));
  const phrases = coverOf(texts, new RegExp(phrase, 'g'));
  const instructions = coverOf(texts, /(?:, | {2})then end the call/g);
  return {
    count: (prompt) => {
      const all = [...prompt.matchAll(instruction)];
      return all.filter(({ index }) => !instructions(prompt, index)).length;
    },
    areOwn: (prompt) => {
      for (let at = prompt.indexOf(phrase); at !== -1; at = prompt.indexOf(phrase, at + 1)) {
        if (!phrases(prompt, at)) return true;
      }
      return false;
    },
  };
}

function* listTexts({ graph, squad }: Comparison): Generator<string> {
  const { workflow } = graph;
  if (workflow.globalPrompt !== null) yield workflow.globalPrompt.value;
  for (const node of workflow.nodes) {
    const { firstMessage, systemPrompt, global, transfer, captures } = node;
    yield node.id;
    if (node.name !== null) yield node.name;
    const texts = [firstMessage, systemPrompt, global?.condition, transfer?.address];
    for (const text of texts) if (text) yield text.value;
    for (const { name, description, enum: values } of captures) {
      yield name;
      if (description !== null) yield description.value;
      yield* values ?? [];
    }
  }
  for (const { condition } of workflow.edges) if (condition !== null) yield condition.value;
  for (const { name } of squad.members) if (name !== null) yield name;
}

/** Whether what stands at this place of a prompt stands inside of one of the texts. */
type Covers = (prompt: string, at: number) => boolean;

function coverOf(texts: readonly string[], words: RegExp): Covers {
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
