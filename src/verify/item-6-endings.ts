/**
 * Item 6. "endCall and hangup behavior is folded into terminal prompts."
 *
 * Where an edge of one of its nodes leads to an endCall or hangup node, or such a node is global,
 * an assistant can end the call: its prompt says "end the call", when, and what to say before; one
 * of squadc's says so once for each way. Target `vapi` needs the tool for it as well. Where no call
 * can end, a prompt of squadc's does not say it.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import { type Condition, conditionKey, type WorkflowNode } from '../compiler/ir/workflow.js';
import { ofEndings } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import { type Finding, finding, type Judgement, judge } from './item.js';
import type { Member } from './squad-reading.js';
import { type EndingWords, findEndingWords, phrase } from './tools/ending-words.js';
import { testTexts } from './tools/text-search.js';

export function checkEndings(comparison: Comparison): Judgement {
  const endings = listEndings(comparison);
  const words = findEndingWords(comparison);
  const findings: Finding[] = [];
  for (const member of comparison.squad.members) {
    const ending = endings.get(member.index);
    if (ending !== undefined) findings.push(...checkEnding(comparison, words, member, ending));
    else if (member.compiled && words.areOwn(member.prompt)) {
      findings.push(endsFalsely(comparison, member));
    }
  }
  const none = finding(true, ofEndings.none(), [], []);
  return judge(6, findings.length > 0 ? findings : [none], comparison);
}

/** How a call can end in one assistant. */
interface Ending {
  /** The ways, each once. */
  readonly ways: Set<string>;
  readonly source: Set<JsonPointer>;
  /** What the prompt must hold, and where the source has it. */
  readonly texts: Map<string, JsonPointer>;
}

function listEndings({ graph, owners, squad }: Comparison): ReadonlyMap<number, Ending> {
  const endings = new Map<number, Ending>();
  const add = (
    member: number,
    node: WorkflowNode,
    [way, at, condition]: readonly [string, JsonPointer, Condition | null],
  ): void => {
    const known = endings.get(member);
    const ending = known ?? { ways: new Set(), source: new Set(), texts: new Map() };
    if (known === undefined) endings.set(member, ending);
    ending.ways.add(way);
    ending.source.add(at);
    for (const text of [condition, node.firstMessage, node.systemPrompt]) {
      if (text !== null && !ending.texts.has(text.value)) ending.texts.set(text.value, text.at);
    }
  };
  for (const { at, from, to, condition } of graph.edges) {
    const node = graph.nodeAt(to);
    if (!isEnd(node)) continue;
    // Equal nodes are one, and so are their edges.
    const way = `${owners.standsFor(from)} ${owners.standsFor(to)} ${conditionKey(condition)}`;
    for (const member of owners.of(from)) add(member, node, [way, at, condition]);
  }
  for (const node of graph.globals.filter(isEnd)) {
    const condition = node.global?.condition ?? null;
    for (const { index } of squad.members) {
      add(index, node, [`global ${node.index}`, node.at, condition]);
    }
  }
  return endings;
}

function isEnd({ type }: WorkflowNode): boolean {
  return type === 'endCall' || type === 'hangup';
}

function checkEnding(
  { squad, nameOf }: Comparison,
  words: EndingWords,
  member: Member,
  { ways, source, texts }: Ending,
): Finding[] {
  const { prompt, promptAt, tools } = member;
  const name = nameOf(member.index);
  const sources = [...source];
  const hasTool = squad.wrapped || tools.some(({ type }) => type === 'endCall');
  if (member.saved && member.prompts.length === 0 && (member.unseen || hasTool)) {
    return [finding(true, () => ofEndings.unseen(name), sources, [member.at])];
  }
  const faults: Finding[] = [];
  const fault = (text: () => string, at: JsonPointer): void => {
    faults.push(finding(false, text, sources, [at]));
  };
  if (!member.compiled) {
    if (!prompt.includes(phrase)) fault(() => ofEndings.endsNot(name), promptAt);
  } else {
    const said = countSaid(words, prompt, ways.size);
    if (said === 0) fault(() => ofEndings.endsNot(name), promptAt);
    else if (said !== ways.size) {
      fault(() => ofEndings.endsOtherwise(name, ways.size, said), promptAt);
    }
  }
  if (!hasTool) fault(() => ofEndings.lacksTool(name), member.at);
  const isThere = testTexts(prompt, texts);
  for (const [text, at] of texts) {
    if (isThere(text)) continue;
    faults.push(finding(false, () => ofEndings.lacksText(name, text), [at], [promptAt]));
  }
  if (faults.length > 0) return faults;
  return [finding(true, () => ofEndings.ends(name), sources, [promptAt])];
}

/** How often the prompt says that the call is to end; what the source may have said only if wanted. */
function countSaid(words: EndingWords, prompt: string, wanted: number): number {
  const possible = words.count(prompt);
  return possible > wanted ? Math.max(wanted, words.countSure(prompt)) : possible;
}

/** Where no call can end, nobody is told to end it. */
function endsFalsely({ nameOf }: Comparison, { index, promptAt }: Member): Finding {
  return finding(false, () => ofEndings.endsFalsely(nameOf(index)), [], [promptAt]);
}
