/** A plan → a test script for a person, as plain Markdown. */
import { counted } from '../text/counted.js';
import { codeBlock, codeSpan } from '../text/escape.js';
import type { TestPlan } from './plan-scenarios.js';
import type { Script, Turn } from './script.js';
import { edgeText, howItEnds, whatToDo, whatToSay } from './wording.js';

/** `3 calls, 7 edges, 1 global node`. */
export function sizeOf({ scripts }: TestPlan): string {
  const covers = scripts.flatMap((script) => script.covers);
  const places = (isGlobal: boolean) =>
    new Set(covers.filter(({ from }) => (from === null) === isGlobal).map(({ at }) => at)).size;
  return [
    counted(scripts.length, 'call'),
    counted(places(false), 'edge'),
    counted(places(true), 'global node'),
  ].join(', ');
}

export function toMarkdown(plan: TestPlan): string {
  const { title, scripts } = plan;
  const parts = [
    `# Test calls${title === null ? '' : ` for ${codeSpan(title)}`}`,
    `${sizeOf(plan)}: every edge that a call can take, every global node and every exit.`,
    ...scripts.flatMap(sectionOf),
  ];
  return `${parts.join('\n\n')}\n`;
}

function sectionOf({ number, turns, covers, mocks, supplied, end }: Script): string[] {
  const [first, last] = [turns[0]!.node, turns.at(-1)!.node];
  const list = (title: string, lines: readonly string[]) =>
    lines.length > 0 ? [title, lines.map((line) => `- ${line}`).join('\n')] : [];
  const named = (name: string, value: unknown) => `${codeSpan(name)}: ${codeSpan(String(value))}`;
  return [
    `## Call ${number}: ${codeSpan(first.id)} to ${codeSpan(last.id)}`,
    ...list(
      'The call begins with these variables:',
      [...supplied].map(([name, value]) => named(name, value)),
    ),
    turns.map((turn, at) => turnText(turn, at + 1)).join('\n'),
    `Expected end: ${howItEnds(end, last, codeSpan)}`,
    ...list(
      'Responses of the tools:',
      mocks.map(({ tool, result }) => named(tool, result)),
    ),
    ...list(
      'Edges covered:',
      covers.map((each) => `${codeSpan(each.at)} ${edgeText(each, codeSpan)}`),
    ),
  ];
}

function turnText(turn: Turn, number: number): string {
  const { node, says, tools } = turn;
  const lead = `${number}. `;
  const indent = ' '.repeat(lead.length);
  const items = [
    textItem('The assistant says', node.firstMessage?.value, indent),
    textItem('The assistant does', node.systemPrompt?.value, indent),
    ...tools.map((tool) => `The assistant calls ${codeSpan(tool)}.`),
    ...says.map((each) => `You: ${whatToSay(each, codeSpan)}`),
    textItem('The assistant says before the transfer', node.transfer?.message?.value, indent),
  ].filter((item) => item !== null);
  return [
    `${lead}${whatToDo(turn, codeSpan)} (${codeSpan(node.id)})`,
    ...items.map((item) => `${indent}- ${item}`),
  ].join('\n');
}

function textItem(what: string, text: string | undefined, indent: string): string | null {
  if (text === undefined) return null;
  return hasLines(text)
    ? `${what}:\n\n${codeBlock(text, `${indent}  `)}\n`
    : `${what}: ${codeSpan(text)}`;
}

function hasLines(text: string): boolean {
  return /[\r\n]/.test(text);
}
