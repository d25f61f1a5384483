/** Messages for faults of the platform, with the sentences from the table in ../faults.ts. */
import type { ApiError } from '../../adapters/http/error.js';
import { reasonOf } from '../../batch/values.js';
import { shorten } from '../../diagnostics/quote.js';
import type { JournalFault } from '../../platform/journal.js';
import { type ExitCode, exitCodes, Refusal } from '../exit.js';
import { explainFault, type PlatformCode } from '../faults.js';
import { printable } from '../output/terminal.js';

export interface FaultFacts {
  /** Replaces the title. */
  readonly what?: string;
  readonly facts?: readonly string[];
  /** The server's message. */
  readonly said?: string;
  /** Replaces the usual help. */
  readonly help?: string;
}

/** A fault in two or three lines: subject, what happened, the server's message, what to do. */
export function faultText(
  subject: string | null,
  code: PlatformCode,
  { what, facts = [], said = '', help }: FaultFacts = {},
): string {
  const { title, severity, help: usual } = explainFault(code)!;
  const sentence = what ?? title.charAt(0).toLowerCase() + title.slice(1);
  const warning = severity === 'warning' ? 'warning: ' : '';
  const brackets = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
  const server = said === '' ? '' : `  the server says: ${said}\n`;
  const about = subject === null ? '' : `${subject}: `;
  return printable(
    `${about}${code}: ${warning}${sentence}${brackets}\n${server}  help: ${help ?? usual}\n`,
  );
}

/** The same message as a refusal, which ends the command. */
export function refusal(code: PlatformCode, exitCode: ExitCode, facts: FaultFacts = {}): Refusal {
  return new Refusal(faultText(null, code, facts).trimEnd(), exitCode);
}

/** The names of request errors that differ from the codes here. */
const codes: Readonly<Record<string, string>> = {
  'bad-request': 'refused',
  conflict: 'refused',
  'not-found': 'missing',
  'rate-limited': 'limited',
  'server-error': 'server',
  deadline: 'timeout',
  'connection-lost': 'broken',
  'wrong-type': 'not-json',
  malformed: 'not-json',
};

/** The message for a failed request to the platform. */
export function requestFault(subject: string, error: ApiError, keySource: string): string {
  const { status, attempts = 1, serviceMessage = '' } = error;
  const name = error.code.replace('api/', '');
  const facts: string[] = [];
  if (status !== undefined) facts.push(`status ${status}`);
  if (attempts > 1) facts.push(`${attempts} attempts`);
  if (name === 'unauthorized' || name === 'forbidden') {
    facts.push(`the key is that of ${keySource}`);
  }
  // Shortened to one line.
  const said = shorten(serviceMessage.replaceAll(/\s+/g, ' ').trim(), 300);
  return faultText(subject, `platform/${codes[name] ?? name}` as PlatformCode, { facts, said });
}

/** The refusal if the journal cannot be used. */
export function journalRefusal(file: string, fault: JournalFault): Refusal {
  const refused = (facts: FaultFacts) =>
    refusal(`journal/${fault.fault}`, exitCodes.invalid, facts);
  switch (fault.fault) {
    case 'line':
      return refused({
        what: `${file}:${fault.line}: this line is no entry of a journal of squadc push`,
      });
    case 'locked':
      return refused({
        what: `another run uses the journal ${file}`,
        help: `Wait until it has ended. If there is none, remove ${fault.holder.file}.`,
      });
    case 'missing':
      return refused({ what: `there is no journal ${file}` });
    case 'file':
      return refused({ what: `cannot use the journal ${file}: ${reasonOf(fault.error)}` });
  }
}
