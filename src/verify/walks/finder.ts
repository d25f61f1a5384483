/**
 * Where the texts of a node stand in the squad: for nodes that no way leads to any more, and for
 * ways that lead to the wrong place.
 */
import type { WorkflowNode } from '../../compiler/ir/workflow.js';
import { captureLine, fitsHead } from './block.js';
import type { Ground } from './ground.js';
import { holdsTexts } from './loose.js';

export interface Position {
  readonly member: number;
  readonly step: number;
}

/** The positions that begin as the node does; none for a node without texts. */
export type Finder = (node: WorkflowNode) => readonly Position[];

export function createFinder(ground: Ground): Finder {
  let index: ReadonlyMap<string, readonly Position[]> | null = null;
  return (node) => {
    index ??= indexSteps(ground);
    const heads = headLines(node).flatMap((line) => index?.get(line) ?? []);
    const inSteps = heads.filter(({ member, step }) => fitsHead(ground, member, step, node));
    return [...inSteps, ...findLoosely(ground, node)];
  };
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

/** In prompts that have no steps. */
function findLoosely({ squad, prompts }: Ground, node: WorkflowNode): Position[] {
  return squad.members.flatMap((member) =>
    prompts[member.index]!.steps.length === 0 && holdsTexts(member, node)
      ? [{ member: member.index, step: 0 }]
      : [],
  );
}
