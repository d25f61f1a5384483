/** A plan → a test script for a person, as plain Markdown. */
import { codeBlock, codeSpan, hasLines } from './markdown-text.js';
import type { TestPlan } from './plan-scenarios.js';
import type { Covered, Script, Turn } from './script.js';
import type { Sample } from './tools.js';
import { edgeText, howItEnds, whatToDo, whatToSay } from './wording.js';

/** `3 calls that take 7 edges and enter 1 global node`, in numbers. */
export function sizeOf({ scripts }: TestPlan): string {
  const covers = scripts.flatMap((script) => script.covers);
  const places = (global: boolean) =>
    new Set(covers.filter(({ from }) => (from === null) === global).map(({ at }) => at)).size;
  const globals = places(true);
  return (
    `${counted(scripts.length, 'call')} that ${scripts.length === 1 ? 'takes' : 'take'} ` +
    counted(places(false), 'edge') +
    (globals > 0
      ? ` and ${scripts.length === 1 ? 'enters' : 'enter'} ${counted(globals, 'global node')}`
      : '')
  );
}

export function toMarkdown(plan: TestPlan): string {
  const { title, scripts, leftOut } = plan;
  return [
    `# Test calls${title === null ? '' : ` for ${codeSpan(title)}`}`,
    `${sizeOf(plan)}: every edge that a call can take, every global node and every exit.`,
    ...(leftOut.length > 0
      ? ['No call can take these edges, or they are duplicates:', leftOut.map(edgeLine).join('\n')]
      : []),
    ...scripts.flatMap(sectionOf),
  ]
    .join('\n\n')
    .concat('\n');
}

function sectionOf({ number, turns, covers, mocks, supplied, end }: Script): string[] {
  const [first, last] = [turns[0]!.node, turns.at(-1)!.node];
  return [
    `## Call ${number}: ${codeSpan(first.id)} to ${codeSpan(last.id)}`,
    ...(supplied.size > 0
      ? ['The call begins with these variables:', [...supplied].map(variableLine).join('\n')]
      : []),
    turns.map((turn, at) => turnText(turn, at + 1)).join('\n'),
    `Expected end: ${howItEnds(end, last, codeSpan)}`,
    ...(mocks.length > 0
      ? [
          'Responses of the tools:',
          mocks.map(({ tool, result }) => `- ${codeSpan(tool)}: ${codeSpan(result)}`).join('\n'),
        ]
      : []),
    ...(covers.length > 0 ? ['Edges covered:', covers.map(edgeLine).join('\n')] : []),
  ];
}

function variableLine([name, value]: readonly [string, Sample]): string {
  return `- ${codeSpan(name)}: ${codeSpan(String(value))}`;
}

function edgeLine(covered: Covered): string {
  return `- ${codeSpan(covered.at)} ${edgeText(covered, codeSpan)}`;
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

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
