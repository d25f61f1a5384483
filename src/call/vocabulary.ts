/** What a prompt of the squad can quote: the texts of the workflow, and the names in the squad. */

import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import { startLineOf } from '../compiler/ir/texts.js';
import type { Text } from '../compiler/ir/workflow.js';
import type { Squad } from '../verify/squad.js';
import { unraw, type Vocabulary } from './lift.js';

export function vocabularyOf({ workflow, order }: FlowGraph, squad: Squad): Vocabulary {
  const nodes = order.map((index) => workflow.nodes[index]!);
  const captures = nodes.flatMap((node) => node.captures);
  const transfers = nodes.flatMap(({ transfer }) =>
    transfer === null ? [] : [transfer, ...transfer.others],
  );
  const calls = nodes.flatMap((node) => [...node.calls, node.global?.condition?.call ?? []].flat());
  const edges = workflow.edges.flatMap(({ condition }) => condition ?? []);
  const conditions = [...edges, ...nodes.flatMap(({ global }) => global?.condition ?? [])];
  const plain = (texts: readonly (Text | null)[]) =>
    texts.flatMap((text) => (text === null ? [] : unraw(text.value).plain));
  const reads = conditions.flatMap(({ uses }) => uses.map(({ name }) => name));
  const tools = squad.members.flatMap((member) => member.tools.map(({ name }) => name));
  const asked = squad.destinations.map(({ description }) => unraw(description).plain);
  return {
    lines: plain([
      ...nodes.flatMap((node) => [node.firstMessage, startLineOf(node)]),
      ...transfers.map(({ message }) => message),
    ]),
    instructions: plain(nodes.map(({ systemPrompt }) => systemPrompt)),
    conditions: plain(conditions),
    descriptions: plain(captures.map(({ description }) => description)),
    globalPrompts: plain([workflow.globalPrompt]),
    templates: plain(captures.map(({ alias }) => alias ?? null)),
    choices: captures.flatMap((it) => it.enum?.join(', ') ?? []),
    variables: [
      ...captures.map(({ name }) => name),
      ...reads,
      ...calls.flatMap((it) => it.variables),
      ...everyName(
        workflow.globalPrompt,
        nodes.flatMap((n) => [
          n.firstMessage,
          n.systemPrompt,
          ...n.captures.map((c) => c.description),
          ...(n.request?.texts ?? []),
          ...n.tools.flatMap((t) => t.texts),
          ...(n.transfer
            ? [n.transfer, ...n.transfer.others].flatMap((t) => [
                t.message,
                t.description,
                t.address,
                ...t.passedTexts,
              ])
            : []),
        ]),
      ),
    ],
    types: ['string', 'number', 'integer', 'boolean', 'array', 'object'],
    numbers: transfers.flatMap(({ destination }) => {
      if (destination === null) return [];
      const { value } = destination;
      return value.type === 'sip' ? value.sipUri : value.number;
    }),
    assistants: squad.members.flatMap(
      ({ name, assistantId }) => [name, assistantId].filter((it) => it !== null) as string[],
    ),
    functions: [
      ...tools,
      'endCall',
      ...nodes.flatMap((node) => node.tools.flatMap((tool) => [tool.name, tool.known?.name ?? ''])),
    ],
    whens: asked.flatMap((text) => text.split('; or ').map((it) => it.replace(/^otherwise, /, ''))),
  };
}
const everyName = (a: Text | null, all: readonly (Text | null)[]) =>
  [a, ...all].flatMap((t) => t?.uses.map((u) => u.name) ?? []);
