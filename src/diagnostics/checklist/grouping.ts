/** What the evidence of item 2 says: how nodes became assistants. */
import { quote, quoteAll } from '../quote.js';
import { count, type Name } from './words.js';

/** Item 2. */
export const ofGrouping = {
  counted: (assistants: number, nodes: number) =>
    `${count(nodes, 'node')} that a call can reach became ${count(assistants, 'assistant')}.`,
  justified: (from: Name, to: Name, because: 'branch' | 'join' | 'entry' | 'tools' | 'ready') =>
    `${quote(from)} hands off to ${quote(to)}: ${reasons[because]}.`,
  leftApart: (one: Name, other: Name, nodes: readonly [Name, Name], bond: keyof typeof bonds) =>
    `${quote(one)} and ${quote(other)} could be one: ${bonds[bond](...nodes)}.`,
  merged: (assistant: Name, nodes: readonly [Name, Name], answered: boolean) =>
    `${quote(assistant)} has ${quote(nodes[0])} and ${quote(nodes[1])}, ` +
    (answered ? 'which an answer keeps apart.' : 'which are for two assistants.'),
  repeated: (node: Name, assistants: readonly Name[]) =>
    `Several assistants have ${quote(node)}: ${quoteAll(assistants)}.`,
  equalLeftApart: (nodes: readonly Name[], assistants: readonly Name[]) =>
    `${quoteAll(nodes)} behave the same and could be one; ${quoteAll(assistants)} have them.`,
  nobodys: (node: Name) => `No assistant has ${quote(node)}.`,
  lacksTool: (assistant: Name, tool: Name) =>
    `${quote(assistant)} does not call ${quote(tool)}, which is among the tools of its nodes.`,
  hasTool: (assistant: Name, tool: Name) =>
    `${quote(assistant)} calls ${quote(tool)}, which is not among the tools of its nodes.`,
  keptApart: (from: Name, to: Name) =>
    `${quote(from)} hands off to ${quote(to)} and they could be one; an answer keeps them apart.`,
  talks: (assistants: number) =>
    `Every assistant but a start that is only a tool talks with the caller: ${count(assistants, 'assistant')}.`,
  talksNot: (assistant: Name) => `No conversation or gather node belongs to ${quote(assistant)}.`,
  acyclic: () => 'No assistants hand off to each other in a circle along edges.',
  cyclic: (assistants: readonly Name[]) =>
    `${quoteAll(assistants)} hand off to each other in a circle.`,
  cycleKept: (assistants: readonly Name[]) =>
    `${quoteAll(assistants)} hand off to each other in a circle, as an answer wants it.`,
  cycleOfReady: (assistants: readonly Name[]) =>
    `${quoteAll(assistants)} hand off to each other in a circle; one of them is an assistant in ` +
    'the workflow already.',
  saved: (node: Name, id: Name) => `${quote(node)} is the saved assistant ${quote(id)}.`,
  notSaved: (node: Name, id: Name) =>
    `${quote(node)} is the saved assistant ${quote(id)}, and no call comes to a member of that id.`,
  elsewhere: (assistant: Name, node: Name) =>
    `${quote(assistant)} is saved elsewhere, and ${quote(node)} is not that assistant.`,
  returns: (home: Name, others: readonly Name[]) =>
    `${quoteAll(others)} and ${quote(home)} hand off to and fro, because a global node leads to ` +
    `${quote(home)} from anywhere.`,
};

/** Why two nodes are for one assistant. */
const bonds = {
  cycle: (one: Name, other: Name) => `${quote(one)} and ${quote(other)} lead to each other`,
  chain: (one: Name, other: Name) => `${quote(one)} and ${quote(other)} are of one chain`,
  tools: (one: Name, other: Name) => `no tools set ${quote(one)} and ${quote(other)} apart`,
};

const reasons = {
  branch: 'it can also hand off elsewhere',
  join: 'others hand off there too',
  entry: 'that assistant is entered by itself, as the start or from anywhere',
  tools: 'their tools differ',
  ready: 'one of them is an assistant in the workflow already',
};
