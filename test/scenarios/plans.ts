/** Plans of test calls, from workflows that settle by their proposals, and what a plan's Markdown is made of. */
import type { CompileOptions } from '../../src/compiler/ir/options.js';
import { planScenarios } from '../../src/scenarios/script.js';
import { proposed, settle } from '../../src/testing.js';

/** The proposals, but for a rename: it would change what a condition says. */
const withoutRenames: typeof proposed = (question) =>
  question.kind === 'undefined-variable' ? { choice: 'caller' } : proposed(question);

/** The plan and the options that it is made with; null where the workflow does not compile. */
export function planned(workflow: unknown, given: CompileOptions = {}) {
  const { result, options } = settle(workflow, given, withoutRenames);
  if (result.status !== 'complete') return null;
  return { ...planScenarios(workflow, options)!, options };
}

/**
 * Markdown without what stands in code: fenced blocks and code spans by the rules of CommonMark
 * (4.5 and 6.1). What a text could do to the document beside shows in what is left.
 */
export function skeleton(markdown: string): string {
  // A span ends at the next run of as many backticks; without one the backticks are text.
  const span = /(?<!`)(`+)(?!`)(?:.*?[^`])?\1(?!`)/g;
  const left = withoutFences(markdown).map((line) => line.replaceAll(span, '`'));
  return left.join('\n');
}

/** A fence ends at one of the same character that is at least as long, however it is indented. */
function withoutFences(markdown: string): string[] {
  const left: string[] = [];
  let open: { fence: string; indent: number } | null = null;
  for (const line of markdown.split(/\r\n|\n|\r/)) {
    const [, indent = '', fence = '', rest = ''] = /^( *)(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (open === null) {
      if (fence === '' || rest.includes('`')) left.push(line);
      else open = { fence, indent: indent.length };
      continue;
    }
    // A line that is indented less would leave the list item, and with it the block.
    const leaves = line.trim() !== '' && line.search(/\S/) < open.indent;
    if (leaves) left.push(`left by: ${line}`);
    if (leaves || (fence.startsWith(open.fence) && rest.trim() === '')) open = null;
  }
  return left;
}
