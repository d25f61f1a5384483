/**
 * The long texts of the codes that are in no catalogue of diagnostics: what the commands that call
 * the platform say, and what the clients of the services and the rules of extraction schemas say.
 *
 * They stand here and not where they are reported, because only a reader of `squadc explain` needs
 * them: the clients stay small.
 */
import type { Explanation } from '../../index.js';
import { ofExtraction } from './extraction.js';
import type { Fault } from './fault.js';
import { ofPlatform } from './platform.js';
import { ofJournals, ofPushes, ofRollbacks } from './pushes.js';
import { ofServices } from './services.js';

const faults: ReadonlyMap<string, Fault> = new Map(
  Object.entries<Fault>({
    ...ofServices,
    ...ofExtraction,
    ...ofPlatform,
    ...ofPushes,
    ...ofRollbacks,
    ...ofJournals,
  }),
);

/** Every code that `explainFault` knows. */
export const faultCodes: readonly string[] = [...faults.keys()];

/** The long text of such a code; null for any other word. */
export function explainFault(code: string): Explanation | null {
  const fault = faults.get(code);
  return fault === undefined ? null : { code, kind: 'diagnostic', severity: 'error', ...fault };
}
