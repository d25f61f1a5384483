/** What a prompt of the squad can quote: the texts of the workflow, and the names in the squad. */
import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import { startLineOf, textsOf } from '../compiler/ir/texts.js';
import type { Text } from '../compiler/ir/workflow.js';
import { indexTexts, type Vocabulary } from './grammar.js';
import { unraw } from './prompt.js';
import type { Squad } from './squad.js';

export function vocabularyOf(
  { workflow, order }: FlowGraph,
  { members, destinations }: Squad,
): Vocabulary {
  const nodes = order.map((index) => workflow.nodes[index]!);
  const captures = nodes.flatMap((node) => node.captures);
  const transfers = nodes.flatMap(({ transfer }) =>
    transfer === null ? [] : [transfer, ...transfer.others],
  );
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
    numbers: indexTexts(
      transfers.flatMap(({ destination }) => {
        if (destination === null) return [];
        const { value } = destination;
        return value.type === 'sip' ? value.sipUri : value.number;
      }),
    ),
    assistants: indexTexts(
      members.flatMap(({ name, assistantId }) => [name ?? [], assistantId ?? []].flat()),
    ),
    functions: indexTexts([
      'endCall',
      ...members.flatMap(({ tools }) => tools.map(({ name }) => name)),
      ...given.flatMap(({ name, known }) => [name, known?.name ?? '']),
    ]),
    whens: indexTexts(
      destinations.flatMap(({ description }) =>
        unraw(description)
          .plain.split('; or ')
          .map((it) => it.replace(/^otherwise, /, '')),
      ),
    ),
  };
}
