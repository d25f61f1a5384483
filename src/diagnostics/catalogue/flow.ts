/** Faults of the graph: edges, the start, what can be reached, global nodes. */
import { quote, quoteAll } from '../quote.js';
import { entry } from './entry.js';

export const flow = {
  'flow/missing-node': entry<{ id: string; end: 'from' | 'to'; near: string | null }>({
    severity: 'error',
    title: 'An edge names a node that does not exist',
    message: ({ id, end }) =>
      `This edge ${end === 'from' ? 'starts at' : 'leads to'} ${quote(id)}, but no node has that id.`,
    why:
      'Both ends of an edge are node ids (spec/3, “Workflow (input)”). An edge that hangs in the ' +
      'air is a step of the call that nobody can take, and leaving it out would drop a branch.',
    help: ({ near }) =>
      near === null
        ? 'Correct the id, add the missing node, or delete the edge.'
        : `Write ${quote(near)} if that is the node you mean; otherwise add the node or delete the edge.`,
    example: { id: 'colect', end: 'to', near: 'collect' },
  }),
  'flow/start-is-exit': entry<{ id: string }>({
    severity: 'error',
    title: 'The call starts where it ends',
    message: ({ id }) =>
      `The call would start at ${quote(id)}, a node that only ends or transfers it.`,
    why:
      'The start becomes the first member of the squad, and a member is an assistant that can ' +
      'talk or work. endCall, hangup and transferCall never become members; they are folded ' +
      'into the assistant before them, and before the start there is none.',
    help: () => 'Put a conversation node before it, or correct which node is the start.',
    example: { id: 'goodbye' },
  }),
  'flow/several-starts': entry<{ ids: readonly string[] }>({
    severity: 'warning',
    title: 'Several nodes are marked as the start',
    message: ({ ids }) =>
      `${quoteAll(ids)} are all marked as the start, so none of the marks counts.`,
    why:
      'A call begins at one node. Of several marks nobody can know which was meant, so the ' +
      'start is found as if there were none, and asked about where the edges do not tell.',
    help: () => 'Leave one mark.',
    example: { ids: ['greeting', 'welcome'] },
  }),
  'flow/unreachable': entry<{ id: string }>({
    severity: 'warning',
    title: 'A node cannot be reached',
    message: ({ id }) => `No call can reach ${quote(id)}; it is left out of the squad.`,
    why:
      'A call begins at the start and moves along edges, or into a global node. A node that ' +
      'neither way leads to takes no part in any call, so no assistant is made for it.',
    help: () => 'Add the edge that is missing, make the node global, or delete it.',
    example: { id: 'old-survey' },
  }),
  'flow/edge-out-of-exit': entry<{ id: string; type: string }>({
    severity: 'warning',
    title: 'An edge leaves a node that ends the call',
    message: ({ id, type }) =>
      `This edge leaves ${quote(id)}, a node of type ${quote(type)}; the call is over there, so the ` +
      'edge is dropped.',
    why:
      'A transferCall, endCall or hangup node ends the walk through the workflow. Nothing after it ' +
      'can happen in the same call.',
    help: () => 'Delete the edge, or let it start at the node before.',
    example: { id: 'goodbye', type: 'endCall' },
  }),
  'flow/endless': entry<{ ids: readonly string[] }>({
    severity: 'warning',
    title: 'A call can get stuck',
    message: ({ ids }) =>
      `A call that reaches ${quoteAll(ids)} can never end: no way leads from there to an end.`,
    why:
      'Nodes that only lead to each other keep the caller in a circle until they hang up ' +
      'themselves. It is converted as it stands, because some calls are meant to be like that.',
    help: () => 'Add an edge from one of these nodes to an endCall, hangup or transferCall node.',
    example: { ids: ['ask-again', 'check'] },
  }),
  'flow/same-condition': entry<{ condition: string | null; from: string }>({
    severity: 'warning',
    title: 'Two edges out of one node have the same condition',
    message: ({ condition, from }) =>
      condition === null
        ? `Several edges leave ${quote(from)} without a condition.`
        : `Several edges leave ${quote(from)} under the same condition, ${quote(condition)}.`,
    why:
      'A call leaves a node along one edge whose condition holds. Where two hold at the same ' +
      'time the assistant has to pick one, and may pick differently from call to call.',
    help: () => 'Make the conditions exclude each other, or delete the edge that is not meant.',
    example: { condition: 'wants an appointment', from: 'greeting' },
  }),
  'flow/copied-edge': entry<{ from: string; to: string }>({
    severity: 'info',
    title: 'An edge repeats another one',
    message: ({ from, to }) =>
      `This edge from ${quote(from)} to ${quote(to)} repeats an earlier one; it is counted once.`,
    why:
      'Two edges with the same ends and the same condition say the same thing. Making a second ' +
      'handoff of it would offer the assistant one choice twice.',
    help: () => 'Nothing needs to be done; delete the copy, or correct it if it should differ.',
    example: { from: 'greeting', to: 'collect' },
  }),
  'flow/condition-without-global': entry<{ id: string }>({
    severity: 'warning',
    title: 'A node has an entry condition but is not global',
    message: ({ id }) =>
      `${quote(id)} has a condition, but is not global, so the condition has no effect.`,
    why:
      'Only a global node is entered by a condition of its own; every other node is entered ' +
      'along edges, which carry their own conditions (spec/3, “Workflow (input)”).',
    help: () => 'Set `isGlobal` to true, or move the condition to the edges that lead to the node.',
    example: { id: 'operator' },
  }),
  'flow/global-returns': entry<{ from: string; to: string }>({
    severity: 'warning',
    title: 'Two assistants hand off to each other through a global node',
    message: ({ from, to }) =>
      `${quote(from)} and ${quote(to)} hand off to each other, because one can be entered from anywhere.`,
    why:
      'A global node becomes a handoff on every other assistant. If its own edges lead back, a ' +
      'call can go to and fro. The specification allows this for global nodes alone; elsewhere ' +
      'such stages stay in one assistant.',
    help: () =>
      'Check that the way back is wanted; if not, delete the edge out of the global node.',
    example: { from: 'operator', to: 'intake' },
  }),
  'flow/global-without-condition': entry<{ id: string }>({
    severity: 'warning',
    title: 'A global node has no condition',
    message: ({ id }) =>
      `The global node ${quote(id)} has no condition; assistants go there when the caller needs it.`,
    why:
      'The condition of a global node becomes the description of the handoffs to it (spec/3, ' +
      'quick reference). Without one the assistant has only the name to go by, and may hand ' +
      'over too early or never.',
    help: () => 'Add a `condition` that says when a call should move there.',
    example: { id: 'operator' },
  }),
  'flow/not-e164': entry<{ number: string }>({
    severity: 'warning',
    title: 'A phone number is not in international form',
    message: ({ number }) => `${quote(number)} is not a number in the form +4930123456 (E.164).`,
    why:
      'The platform dials numbers in the E.164 form: a plus sign, the country code and the ' +
      'number, at most 15 digits. Any other number is carried over as written, and the ' +
      'platform’s check is switched off for it where the target has one.',
    help: () =>
      'Write the number with plus sign and country code, unless it is an internal extension.',
    example: { number: '030 123456' },
  }),
};
