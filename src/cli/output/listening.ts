/** Shared by commands that listen until they are told to stop. */
import { reasonOf } from '../../io/digest.js';
import { type Io, Refusal } from '../io.js';
import { indented } from './terminal.js';

const listenFaults: ReadonlyMap<unknown, string> = new Map([
  ['EADDRINUSE', 'it is in use'],
  ['EACCES', 'permission denied'],
  ['EADDRNOTAVAIL', 'this machine has no such address'],
  ['ENOTFOUND', 'there is no such address'],
]);

/** The refusal if the address cannot be used. Throws any other error unchanged. */
export function cannotListen(error: unknown, where: string): Refusal {
  if (!(error instanceof Error && 'code' in error)) throw error;
  const reason = listenFaults.get(error.code) ?? reasonOf(error);
  return new Refusal(`cannot listen on ${where}: ${reason}`);
}

/** Waits for Ctrl-C or SIGTERM. */
export async function untilEnded(io: Io): Promise<void> {
  let ignore = () => {};
  await new Promise<void>((resolve) => {
    ignore = io.onInterrupt(resolve);
  });
  ignore();
}

/** A name and its description, in two columns. */
export function entry(name: string, text: string, column: number, columns = 80): string {
  return `${name}${indented(text, columns, column).slice(name.length)}\n`;
}
