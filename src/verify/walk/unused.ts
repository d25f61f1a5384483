/** Differences of a prompt: at a place, and what it says that no call comes to. */
import type { ReadBranch } from '../../call/prompt.js';
import { ofDifferences } from '../../diagnostics/checklist.js';
import { groupBy } from '../../graph/lists.js';
import { fault } from '../finding.js';
import type { Walk } from './find.js';
import type { Report } from './step.js';

/** Reports differences of an assistant. */
export function reporter({ differences, readings }: Walk, index: number): Report {
  const { called, promptAt } = readings[index]!.member;
  const note: Report['note'] = (text, source, item = null, at = promptAt) => {
    differences.push(fault(text, source, [at], item));
  };
  return { called, note };
}

/** Reports a branch that no transition of a node is, once. */
export function reportBranch(walk: Walk, index: number, branch: ReadBranch): void {
  const { readings, reported } = walk;
  if (reported.has(branch)) return;
  reported.add(branch);
  const words = readings[index]!.plain.slice(branch.at, branch.end).trimEnd();
  const item = words.includes('end the call') ? 6 : null;
  const { called, note } = reporter(walk, index);
  note(ofDifferences.unaccounted(called, words), [], item);
}

/** What prompts say that no call comes to. */
export function reportUnused(walk: Walk): void {
  const { readings, used, pairs } = walk;
  const visited = groupBy(pairs, ({ member }) => member);
  for (const { prompt, member, plain: text } of readings) {
    // Whether a call reaches the assistant at all is another question.
    if (prompt === null || !visited.has(member.index)) continue;
    const { called, note } = reporter(walk, member.index);
    const unaccounted = (words: string) => note(ofDifferences.unaccounted(called, words), []);
    const firstLineAt = (at: number) => text.slice(at).split('\n', 1)[0]!;
    for (const [index, step] of prompt.steps.entries()) {
      if (used.has(step)) continue;
      unaccounted(prompt.isNumbered ? `Step ${index + 1}` : firstLineAt(step.at));
      for (const it of step.branches)
        if (it.action.kind === 'end') reportBranch(walk, member.index, it);
    }
    for (const it of prompt.anyTime) if (!used.has(it)) reportBranch(walk, member.index, it);
    for (const it of prompt.entries) {
      if (!used.has(it)) unaccounted(firstLineAt(it.at));
      else
        for (const each of it.conditions)
          if (!used.has(each) && it.when === null) unaccounted(each.value);
    }
  }
}
