/** A plan → a test script for a person, as plain Markdown. */
import { counted } from '../text/counted.js';
import { codeBlock, codeSpan } from '../text/escape.js';
import type { Script, TestPlan, Turn } from './script.js';
import { howItEnds, whatToDo, whatToSay } from './wording.js';

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

function sectionOf(script: Script): string[] {
  const { number, turns, covers, mocks, supplied } = script;
  const [first, last] = [turns[0]!.node, turns.at(-1)!.node];
  const list = (title: string, lines: readonly string[]) =>
    lines.length > 0 ? [title, lines.map((line) => `- ${line}`).join('\n')] : [];
  const named = (name: string, value: unknown) => `${codeSpan(name)}: ${codeSpan(String(value))}`;
  const covered = covers.map(({ at, from, node, condition }) => {
    const ends = `${from === null ? 'anywhere' : codeSpan(from)} → ${codeSpan(node.id)}`;
    return `${codeSpan(at)} ${ends}${condition === null ? '' : `: ${codeSpan(condition.value)}`}`;
  });
  const begins = [...supplied].map(([name, value]) => named(name, value));
  return [
    `## Call ${number}: ${codeSpan(first.id)} to ${codeSpan(last.id)}`,
    ...list('The call begins with these variables:', begins),
    turns.map(turnText).join('\n'),
    `Expected end: ${howItEnds(script, codeSpan)}`,
    ...list(
      'Responses of the tools:',
      mocks.map(({ tool, result }) => named(tool, result)),
    ),
    ...list('Edges covered:', covered),
  ];
}

function turnText(turn: Turn, index: number): string {
  const { node, says, tools } = turn;
  const lead = `${index + 1}. `;
  const indent = ' '.repeat(lead.length);
  const item = (what: string, text: string | undefined) => {
    if (text === undefined) return [];
    return /[\r\n]/.test(text)
      ? `${what}:\n\n${codeBlock(text, `${indent}  `)}\n`
      : `${what}: ${codeSpan(text)}`;
  };
  const items = [
    item('The assistant says', node.firstMessage?.value),
    item('The assistant does', node.systemPrompt?.value),
    tools.map((tool) => `The assistant calls ${codeSpan(tool)}.`),
    says.map((each) => `You: ${whatToSay(each, codeSpan)}`),
    item('The assistant says before the transfer', node.transfer?.message?.value),
  ].flat();
  return [
    `${lead}${whatToDo(turn, codeSpan)} (${codeSpan(node.id)})`,
    ...items.map((text) => `${indent}- ${text}`),
  ].join('\n');
}
