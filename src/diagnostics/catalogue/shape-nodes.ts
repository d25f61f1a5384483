/** Faults of what a workflow consists of: its name, nodes, ids, types. */
import { quote } from '../quote.js';
import { entry } from './entry.js';

const specRule = 'spec/3, “Workflow (input)”';

export const shapeOfNodes = {
  'shape/empty-id': entry({
    severity: 'error',
    title: 'A node has an empty id',
    message: () => 'The id of this node is empty.',
    why:
      'Edges, questions and answers name nodes by their ids. An empty id cannot be told apart ' +
      'from a forgotten one.',
    help: () => 'Give the node an id that no other node has, and use it in its edges.',
    example: {},
  }),
  'shape/no-nodes': entry({
    severity: 'error',
    title: 'The workflow has no nodes',
    message: () => 'The workflow has no nodes, so there is no call to convert.',
    why:
      'The first member of a squad is the workflow’s start. Without a node there is no start, ' +
      'and a squad needs at least one member.',
    help: () => 'Check that the right file was given and that its export is complete.',
    example: {},
  }),
  'shape/unsupported-tool': entry<{ type: string }>({
    severity: 'error',
    title: 'A tool leads the call to where nothing of it is seen',
    message: ({ type }) => `A tool of the type ${quote(type)} cannot be carried into a squad.`,
    why:
      'The tool takes the call to an assistant or a squad that is no part of the workflow. In ' +
      'the squad its destinations would lead nowhere, and no check could follow the call.',
    help: () =>
      'Put a node of the type `assistant` with that `assistantId` in its place, and an edge to it.',
    example: { type: 'handoff' },
  }),
  'shape/tool-by-id': entry<{ id: string }>({
    severity: 'info',
    title: 'A tool is named by its id only',
    message: ({ id }) =>
      `The tool ${quote(id)} is kept on the platform; the squad names it by its id too.`,
    why:
      'squadc sees nothing of such a tool: neither what a model calls it, nor the variables ' +
      'that it reads and sets. What stands in the workflow about it is carried as it is.',
    help: () =>
      'List variables that the tool sets in `dynamicVariables`, so that nobody is asked for them.',
    example: { id: 'tool-42' },
  }),
  'shape/saved-assistant': entry<{ id: string }>({
    severity: 'info',
    title: 'A node is an assistant that the platform keeps',
    message: ({ id }) => `The assistant ${quote(id)} becomes a member by its id.`,
    why:
      'Its prompt, its tools and its lines are on the platform and not in the workflow, so they ' +
      'are neither changed nor checked, and no handoff carries a variable because its prompt reads ' +
      'it. Conditions of edges that leave it can only stand in the descriptions of its handoffs.',
    help: () =>
      'See to it that the saved assistant does not end the call or hand off by itself, and that ' +
      'what its prompt reads is set by tools or by whoever starts the call.',
    example: { id: 'assistant-7' },
  }),
  'shape/assistant-id': entry<{ id: string }>({
    severity: 'error',
    title: 'The id of a saved assistant is none',
    message: ({ id }) => `No saved assistant has the id ${quote(id)}.`,
    why:
      'The platform finds a saved assistant by its id, which consists of letters, digits, dots, ' +
      'dashes and underscores. Members, destinations and prompts of the squad hold it as it is.',
    help: () => 'Copy the id of the assistant from the platform.',
    example: { id: 'the billing desk' },
  }),
  'shape/no-edges': entry({
    severity: 'info',
    title: 'The workflow has no edges',
    message: () => 'The workflow has no edges: a call stays at the node where it starts.',
    why:
      'Edges say what comes after a node. A workflow without any is taken as it stands: only ' +
      'the start and global nodes can be reached.',
    help: () => 'Nothing needs to be done if the call has one step; otherwise add the edges.',
    example: {},
  }),
  'shape/no-name': entry({
    severity: 'warning',
    title: 'The workflow has no name',
    message: () => 'The workflow has no name.',
    why:
      'The name tells one converted workflow from another in reports and on the platform. The ' +
      'conversion itself does not depend on it.',
    help: () => 'Add a `name` to the workflow.',
    example: {},
  }),
  'shape/unknown-node-type': entry<{ type: string; near: string | null }>({
    severity: 'error',
    title: 'A node has an unknown type',
    message: ({ type, near }) =>
      `${quote(type)} is not a node type${near === null ? '' : `; ${quote(near)} is close to it`}.`,
    why:
      `The node types are conversation, gather, apiRequest, transferCall, endCall and hangup ` +
      `(${specRule}). The type decides what a node becomes, so an unknown one cannot be converted.`,
    help: ({ near }) =>
      near === null
        ? 'Use one of the six types; a node that only speaks is a conversation.'
        : `Write ${quote(near)} if that is what was meant, or another of the six types.`,
    example: { type: 'converstion', near: 'conversation' },
  }),
  'shape/unknown-variable-type': entry<{ type: string; variable: string }>({
    severity: 'error',
    title: 'A variable has an unknown type',
    message: ({ type, variable }) =>
      `The variable ${quote(variable)} has the type ${quote(type)}, which does not exist.`,
    why:
      'An extracted variable is a string, a number or a boolean (spec/3, “Workflow (input)”). ' +
      'The type is carried into the extraction plan, where the platform checks it.',
    help: () => 'Use string, number or boolean; string fits whatever can be written down.',
    example: { type: 'date', variable: 'appointment_date' },
  }),
  'shape/unknown-condition-type': entry<{ type: string }>({
    severity: 'warning',
    title: 'A condition has an unknown type',
    message: ({ type }) =>
      `The type ${quote(type)} of this condition is unknown; its words are read as if it had none.`,
    why:
      'Exports mark what a model judges (`ai`), exact expressions (`logic`), the way of a failed ' +
      'tool (`failed`) and ways that always hold (`always`). What another type asks for beside ' +
      'its words is not known, so the way may be taken in other cases than before.',
    help: () =>
      'Write `ai` where a model is to judge the words, `logic` where they are an exact expression.',
    example: { type: 'sentiment' },
  }),
  'shape/unknown-method': entry<{ method: string }>({
    severity: 'error',
    title: 'A request has an unknown method',
    message: ({ method }) => `${quote(method)} is not a method that a request can use.`,
    why:
      'An apiRequest tool of the platform sends POST, GET, PUT, PATCH or DELETE. The method ' +
      'decides whether a request only reads or changes something, so it is not guessed.',
    help: () => 'Write one of GET, POST, PUT, PATCH and DELETE, in capitals.',
    example: { method: 'FETCH' },
  }),
  'shape/duplicate-id': entry<{ id: string }>({
    severity: 'error',
    title: 'Two nodes have the same id',
    message: ({ id }) => `The id ${quote(id)} is used by more than one node.`,
    why:
      'Edges name the node that they lead to by its id. With two nodes of one id nobody can ' +
      'say where such an edge leads.',
    help: () => 'Rename one of the nodes and correct the edges that mean it.',
    example: { id: 'greeting' },
  }),
  'shape/ambiguous-id': entry<{ id: string }>({
    severity: 'error',
    title: 'Two ids look the same',
    message: ({ id }) =>
      `Another node has an id that looks just like ${quote(id)} but is encoded differently.`,
    why:
      'Unicode can write one letter in two ways (é as one character, or as e with an accent). ' +
      'Programs that normalise texts take such ids for equal, others do not, and edges would ' +
      'lead to different nodes.',
    help: () => 'Rename one of the two nodes and correct the edges that mean it.',
    example: { id: 'café' },
  }),
};
