/**
 * Where the texts of a node stand in the squad: for nodes that no way leads to any more, and for
 * ways that lead to the wrong place.
 */
import type { WorkflowNode } from '../../compiler/ir/workflow.js';
import { idOf } from '../ready-assistants.js';
import { fitsHead } from './block.js';
import type { Ground } from './ground.js';
import { holdsTexts } from './loose.js';
import { captureLine } from './step-texts.js';
import { indexWords, type WordIndex, type WordSource } from './words.js';

export interface Position {
  readonly member: number;
  readonly step: number;
}

/** The positions that begin as the node does; none for a node without texts. */
export type Finder = (node: WorkflowNode) => readonly Position[];

export function createFinder(ground: Ground): Finder {
  // Where every way leads to its node, nobody looks for any.
  let known: Map<number, readonly Position[]> | null = null;
  let index: ReadonlyMap<string, readonly Position[]> | null = null;
  let words: WordIndex | null = null;
  const find = (node: WorkflowNode): Position[] => {
    const id = idOf(node);
    if (id !== null) return findSaved(ground, id);
    index ??= indexSteps(ground);
    words ??= indexWords(listLoose(ground));
    const heads = headLines(node).flatMap((line) => index?.get(line) ?? []);
    const inSteps = heads.filter(({ member, step }) => fitsHead(ground, member, step, node));
    return [...inSteps, ...findLoosely(ground, words, node)];
  };
  return (node) => {
    known ??= new Map();
    const positions = known.get(node.index) ?? find(node);
    known.set(node.index, positions);
    return positions;
  };
}

function findSaved({ squad }: Ground, id: string): Position[] {
  return squad.members
    .filter(({ saved, assistantId }) => saved && assistantId === id)
    .map(({ index }) => ({ member: index, step: 0 }));
}

/** By the first line of each step. */
function indexSteps({ prompts }: Ground): Map<string, Position[]> {
  const index = new Map<string, Position[]>();
  prompts.forEach(({ text, steps }, member) => {
    steps.forEach(({ start, end }, at) => {
      const newline = text.indexOf('\n', start);
      const line = text.slice(start, newline === -1 ? end : Math.min(newline, end));
      const known = index.get(line);
      if (known === undefined) index.set(line, [{ member, step: at + 1 }]);
      else known.push({ member, step: at + 1 });
    });
  });
  return index;
}

/** The lines that a step of the node can begin with: the first of its texts, or of the next. */
function headLines({ firstMessage, systemPrompt, captures }: WorkflowNode): string[] {
  const [capture] = captures;
  const texts = [
    ...(firstMessage === null ? [] : [`Say: "${firstMessage.value}"`]),
    ...(systemPrompt === null ? [] : [systemPrompt.value]),
    ...(capture === undefined ? [] : [captureLine(capture)]),
  ];
  return [...new Set(texts.slice(0, 2).map((text) => text.split('\n', 1)[0] ?? ''))];
}

/** The members whose prompts have no steps, with what they say. */
function listLoose({ squad, prompts }: Ground): WordSource[] {
  return squad.members
    .filter(({ index, saved }) => !saved && prompts[index]!.steps.length === 0)
    .map(({ index, prompt, firstMessage }) => ({
      member: index,
      texts: [prompt, firstMessage ?? ''],
    }));
}

/** In prompts that have no steps: those with the rarest word of the node's texts are looked at. */
function findLoosely({ squad }: Ground, words: WordIndex, node: WorkflowNode): Position[] {
  const texts = [node.firstMessage?.value ?? '', node.systemPrompt?.value ?? ''];
  return words
    .membersWith(texts)
    .filter((member) => holdsTexts(squad.members[member]!, node))
    .map((member) => ({ member, step: 0 }));
}
