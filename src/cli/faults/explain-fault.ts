/**
 * The long texts of the codes that are in no catalogue of diagnostics: what the commands that call
 * the platform say, and what the clients of the services and the rules of extraction schemas say.
 * Only a reader of `squadc explain` needs them, so the clients stay small.
 */
import type { Explanation } from '../../index.js';
import { journalCodes, platformCodes, pushCodes, rollbackCodes } from './platform-codes.js';
import { apiCodes, extractionCodes } from './services.js';

/** The fault, what to do now, and why it is one; a severity other than error stands in front. */
export type Rows<Codes extends string = string> = Readonly<
  Record<Codes, readonly [title: string, help: string, why?: string]>
>;

const ofPlatform = { ...platformCodes, ...pushCodes, ...rollbackCodes, ...journalCodes };

/** The codes of the commands that call the platform. */
export type PlatformCode = keyof typeof ofPlatform;

const rows: ReadonlyMap<string, Rows[string]> = new Map(
  Object.entries<Rows[string]>({ ...apiCodes, ...extractionCodes, ...ofPlatform }),
);

/** Why, where a row says nothing of its own, by area. */
const reasons: Readonly<Record<string, string>> = {
  api: 'The error’s outcome says what the service has done: not-sent, refused, applied or unknown.',
  extraction:
    'The documents service accepts only a restricted form of JSON Schema: it rejects the rest, or ignores what it does not know.',
  platform:
    'The answer says so, or there was none. Requests that are safe to repeat are tried up to four times.',
  push: 'If one file is invalid, nothing is sent for any of them.',
};

/** Every code that `explainFault` knows. */
export const faultCodes: readonly string[] = [...rows.keys()];

/** The long text of such a code; null for any other word. */
export function explainFault(code: string): Explanation | null {
  const row = rows.get(code);
  if (row === undefined) return null;
  const [, given, title = ''] = /^(?:(warning|info): )?(.*)$/.exec(row[0]) ?? [];
  const severity = given === 'warning' || given === 'info' ? given : 'error';
  const [, help, why = reasons[code.split('/')[0]!] ?? ''] = row;
  return { code, kind: 'diagnostic', severity, title, why, help };
}
