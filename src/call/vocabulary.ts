/** Reads prompts of a squad, given what they can quote: the texts of the workflow, and the names in the squad. */
import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import { nodeInPrompt } from '../compiler/ir/names.js';
import { startLineOf, textsOf } from '../compiler/ir/texts.js';
import type { Text, Transfer, WorkflowNode } from '../compiler/ir/workflow.js';
import { indexTexts, type Vocabulary } from './grammar.js';
import { lift } from './lift.js';
import { type ReadPrompt, type Unraw, unraw } from './prompt.js';
import type { Member, Squad } from './squad.js';

/** An assistant, and its prompt read back; null for prose and for saved assistants. */
export interface Reading extends Unraw {
  readonly member: Member;
  readonly prompt: ReadPrompt | null;
  /** Lines that could not be read. */
  readonly strange: readonly string[];
}

/** The prompts of the squad, read back. */
export function readPrompts(graph: FlowGraph, squad: Squad): Reading[] {
  const vocabulary = vocabularyOf(graph, squad);
  return squad.members.map((member) => {
    if (member.saved) return { member, prompt: null, strange: [], plain: '', raw: [] };
    const { readings, strange, plain, raw } = lift(member.prompt, vocabulary);
    return { member, prompt: readings[0] ?? null, strange, plain, raw };
  });
}

function vocabularyOf(
  { workflow, order }: FlowGraph,
  { members, destinations }: Squad,
): Vocabulary {
  const nodes = order.map((index) => workflow.nodes[index]!);
  const captures = nodes.flatMap((node) => node.captures);
  const transfers = nodes.flatMap(transfersOf);
  const edges = workflow.edges.flatMap(({ condition }) => condition ?? []);
  const conditions = [...edges, ...nodes.flatMap(({ global }) => global?.condition ?? [])];
  const texts = [...nodes.flatMap(textsOf).map(({ value }) => value), ...conditions];
  const read = [...texts, workflow.globalPrompt ?? []].flat().flatMap((text) => text.uses);
  const given = nodes.flatMap((node) => node.tools);
  const index = (some: readonly (Text | null)[]) =>
    indexTexts(some.flatMap((text) => (text === null ? [] : unraw(text.value).plain)));
  return {
    lines: index([
      ...nodes.flatMap((node) => [node.firstMessage, startLineOf(node)]),
      ...transfers.map(({ message }) => message),
    ]),
    instructions: index(nodes.map(({ systemPrompt }) => systemPrompt)),
    conditions: index(conditions),
    descriptions: index(captures.map(({ description }) => description)),
    globalPrompts: index([workflow.globalPrompt]),
    templates: index(captures.map(({ alias = null }) => alias)),
    choices: indexTexts(captures.flatMap((it) => it.enum?.join(', ') ?? [])),
    variables: indexTexts([...captures, ...read].map(({ name }) => name)),
    types: indexTexts(['string', 'number', 'integer', 'boolean', 'array', 'object']),
    numbers: indexTexts(transfers.flatMap(numbersOf)),
    assistants: indexTexts(
      members.flatMap(({ name, assistantId }) => [name ?? [], assistantId ?? []].flat()),
    ),
    functions: indexTexts([
      'endCall',
      ...members.flatMap(({ tools }) => tools.map(({ name }) => name)),
      ...given.flatMap(({ name, known }) => [name, known?.name ?? '']),
    ]),
    nodes: indexTexts(nodes.filter(({ role }) => role === 'act').map(nodeInPrompt)),
    whens: indexTexts(
      destinations.flatMap(({ description }) =>
        unraw(description)
          .plain.split('; or ')
          .map((it) => it.replace(/^otherwise, /, '')),
      ),
    ),
  };
}

export function transfersOf({ transfer }: WorkflowNode): readonly Transfer[] {
  return transfer === null ? [] : [transfer, ...transfer.others];
}

/** The number or the address of a transfer. */
export function numbersOf({ destination }: Transfer): readonly string[] {
  if (destination === null) return [];
  const { value } = destination;
  return [value.type === 'sip' ? value.sipUri : value.number];
}
