/** Names of variables: what a template can read, and what must never become a key. */
import { diagnose } from '../../diagnostics/diagnose.js';
import { child, type JsonPointer } from '../ir/ids.js';
import type { Diagnostic } from '../ir/result.js';
import { isReservedKey } from './json-plain.js';

/** Would end a line or open a template where the name stands in a text. */
const unsafe = /[{}\p{Cc}\p{Zl}\p{Zp}]/u;
const readable = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** Of the variables of one node that have one name the last counts; the others are told. */
export function checkSetOnce(
  variables: readonly { readonly name: string; readonly at: JsonPointer }[],
  faults: Diagnostic[],
): void {
  if (variables.length < 2) return;
  const earlier = new Map<string, JsonPointer>();
  for (const { name, at } of variables) {
    const first = earlier.get(name);
    if (first === undefined) earlier.set(name, at);
    else faults.push(diagnose('data/set-twice', at, { variable: name }, { related: [first] }));
  }
}

/** A choice stands in a prompt beside its variable. */
export function checkChoices(
  choices: readonly string[],
  at: JsonPointer,
  faults: Diagnostic[],
): void {
  choices.forEach((name, index) => {
    if (unsafe.test(name)) faults.push(diagnose('shape/unsafe-name', child(at, index), { name }));
  });
}

/** Whether there is nothing to say about a name, as about most: nobody needs its place then. */
export function isPlainName(name: string): boolean {
  return readable.test(name) && !isReservedKey(name);
}

export function checkVariableName(name: string, at: JsonPointer, faults: Diagnostic[]): void {
  if (isReservedKey(name)) faults.push(diagnose('shape/reserved-name', at, { name }));
  else if (unsafe.test(name)) faults.push(diagnose('shape/unsafe-name', at, { name }));
  else if (!readable.test(name)) {
    faults.push(diagnose('data/unreadable-name', at, { variable: name }));
  }
}
