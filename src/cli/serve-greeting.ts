/** What `squadc serve` says when it listens: where, for whom, and what to try. */
import { indented, printable } from './output/terminal.js';

export interface Greeting {
  readonly url: string;
  readonly operations: readonly string[];
  /** Absent where there is none. */
  readonly secret?: { readonly header: string; readonly variable: string } | undefined;
  /** Where the services are a sandbox. */
  readonly sandbox: boolean;
  /** Of a bill to ask for. */
  readonly idBill?: number | undefined;
}

const column = 12;

/** The text, for a terminal of this width. */
export function greeting(facts: Greeting, width: number): string {
  const { url, operations, secret, sandbox, idBill } = facts;
  const entry = (name: string, text: string): string =>
    `${name}${indented(text, width, column).slice(name.length)}\n`;
  const parts = [
    entry('tools', `${url}\n${url}/health says whether calls are taken`),
    entry('operations', operationsText(operations)),
    entry('secret', secret ? `in the header ${secret.header}` : noSecret),
    sandbox ? entry('services', sandboxText) : '',
    'Ctrl-C ends it.\n',
    idBill === undefined ? '' : trial(facts, idBill),
  ];
  return printable(parts.join(''));
}

const noSecret = 'none: every program of this machine may call';
const sandboxText = 'a sandbox: nothing in it is real, and all of it goes with this command';

function operationsText(operations: readonly string[]): string {
  if (operations.length === 0) return 'none: "allow" in the configuration names them';
  return operations.length > 6 ? `${operations.length}` : operations.join(', ');
}

/** A call as the platform sends it, in lines that a shell takes as they are. */
function trial({ url, secret }: Greeting, idBill: number): string {
  return `
Try this (a call with another id is another call):
curl ${url} ${secret ? `${headerOf(secret)} \\\n  ` : ''}-d '
  {"message":{"type":"tool-calls","call":{"id":"trial"},"toolCallList":[
  {"id":"1","name":"get_bill","arguments":{"idBill":${idBill}}}]}}'
`;
}

/** The shell puts the secret in; it is not shown. */
function headerOf({ header, variable }: NonNullable<Greeting['secret']>): string {
  const scheme = header.toLowerCase() === 'authorization' ? 'Bearer ' : '';
  return `-H "${header}: ${scheme}$${variable}"`;
}
