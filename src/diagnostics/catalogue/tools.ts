/** What there is to say about tools that stand for operations of the bills and documents APIs. */
import { escapeControls, quote, quoteAll, shorten } from '../quote.js';
import { entry } from './entry.js';
import { phrase } from './words.js';

const meant = (near: string | null) => (near === null ? '' : `; ${quote(near)} was probably meant`);

export const tools = {
  'tools/unknown-operation': entry<{ operation: string; near: string | null }>({
    severity: 'error',
    title: 'An operation does not exist',
    message: ({ operation, near }) => `There is no operation ${quote(operation)}${meant(near)}.`,
    why:
      'A tool can only stand for an operation that makes sense in a call. Which there are, and ' +
      'what each of them does, stands in one table.',
    help: () => 'Take one of those that `squadc tools list` shows.',
    example: { operation: 'bills.fetch', near: 'bills.get' },
  }),
  'tools/unknown-node': entry<{ node: string; near: string | null }>({
    severity: 'error',
    title: 'A binding names no request',
    message: ({ node, near }) => `No request node has the id ${quote(node)}${meant(near)}.`,
    why:
      'A binding says which operation the request of a node calls. Of a node that is not there, ' +
      'or that sends no request, it would say nothing without a word.',
    help: () => 'Correct the id, or remove the binding.',
    example: { node: 'find-bil', near: 'find-bill' },
  }),
  'tools/bad-value': entry<{ operation: string; parameter: string; problem: string }>({
    severity: 'error',
    title: 'A fixed value does not fit the operation',
    message: ({ operation, parameter, problem }) =>
      `${quote(parameter)} of ${operation} cannot be bound: ${phrase(problem)}.`,
    why:
      'A value that is bound goes out with every call. One that the operation does not take ' +
      'would make every call fail, and only then would it be seen.',
    help: ({ operation }) => `Look at what \`squadc tools show ${operation}\` takes.`,
    example: { operation: 'bills.get', parameter: 'idBill', problem: 'it must be of type integer' },
  }),
  'tools/needs-server': entry<{ node: string; operation: string; why: string }>({
    severity: 'error',
    title: 'An operation cannot be called by the platform itself',
    message: ({ node, operation, why }) =>
      `${quote(node)} calls ${operation}, which needs a server: ${phrase(why)}.`,
    why:
      'Without a server the platform sends the request itself. It can read an answer of JSON, and ' +
      'that is all: it cannot keep a change from happening twice, check whose bill it is, or ' +
      'wait for a document.',
    help: () =>
      'Leave the option `tools` at `server`; where only the address is missing, give it in ' +
      '`serviceUrls`.',
    example: { node: 'pay', operation: 'bills.create', why: 'it does more than read' },
  }),
  'tools/known-operation': entry<{ node: string; operation: string; binding: string }>({
    severity: 'info',
    title: 'A request calls an operation that squadc knows',
    message: ({ node, operation }) => `The request of ${quote(node)} is ${operation}.`,
    why:
      'A tool of the operation checks what the model gives it, never acts twice, says only what ' +
      'may be said and keeps the secrets away from the platform. A plain request does none of this.',
    help: ({ binding }) =>
      `Put ${escapeControls(shorten(binding, 600))} into \`bindings\` to get that tool.`,
    example: {
      node: 'find-bill',
      operation: 'bills.get',
      binding: '{"find-bill":{"operation":"bills.get","bind":{"idBill":"{{bill}}"}}}',
    },
  }),
  'tools/account-unchecked': entry<{
    node: string;
    operation: string;
    names: readonly string[];
  }>({
    severity: 'warning',
    title: 'Nobody checks whose bill it is',
    message: ({ node, operation, names }) =>
      `${quoteAll(names)} of ${quote(node)} ${names.length > 1 ? 'are' : 'is'} not used: the ` +
      `platform calls ${operation} itself, and nobody checks whose bill it is.`,
    why:
      'A server looks whose bill it is before it says or does something with it. The platform ' +
      'does not: a caller hears of any bill that the credential of the request reaches.',
    help: ({ names }) =>
      `Set \`tools\` to server, or use a credential that reaches no other account and remove ` +
      `${quoteAll(names)} from \`bind\`.`,
    example: { node: 'find-bill', operation: 'bills.get', names: ['entry'] },
  }),
  'tools/headers-left-out': entry<{ node: string; operation: string; names: readonly string[] }>({
    severity: 'info',
    title: 'The server of a tool sends headers of its own',
    message: ({ node, operation, names }) =>
      `${quoteAll(names)} of ${quote(node)} ${names.length > 1 ? 'are' : 'is'} left out: the ` +
      `server that answers ${operation} sends headers of its own.`,
    why:
      'The platform calls the server of a tool, not the service behind it, so what proves to the ' +
      'service who is calling stays with the server and never reaches the platform.',
    help: () =>
      'Give the server what it needs: secrets in its own configuration, the account in `bind`.',
    example: { node: 'find-bill', operation: 'bills.get', names: ['requestToken'] },
  }),
  'tools/no-such-value': entry<{ node: string; operation: string; field: string; why: string }>({
    severity: 'warning',
    title: 'A value of the request is left out',
    message: ({ node, operation, field, why }) =>
      `${quote(node)} sends ${quote(field)}, which ${operation} leaves out: ${phrase(why)}.`,
    why:
      'The tool of an operation takes the parameters of the operation and no others. What else ' +
      'the request sent is left out.',
    help: ({ operation }) =>
      `Look at what \`squadc tools show ${operation}\` takes, and bind what is needed.`,
    example: {
      node: 'find-bill',
      operation: 'bills.get',
      field: 'colour',
      why: 'it has no parameter for it',
    },
  }),
  'tools/never-told': entry<{ variable: string; operation: string; sayable: readonly string[] }>({
    severity: 'warning',
    title: 'A variable is read from what is never told',
    message: ({ variable, operation }) =>
      `${quote(variable)} stays empty: the tool of ${operation} does not tell what it is read from.`,
    why:
      'The tool of an operation tells what may be said in a call and nothing else: free text of ' +
      'records could instruct the assistant, and account numbers are for nobody to hear.',
    help: ({ sayable }) => `Read it from one of ${quoteAll(sayable, 'or')}.`,
    example: { variable: 'note', operation: 'bills.get', sayable: ['netAmount', 'dueDate'] },
  }),
};
