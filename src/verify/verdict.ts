/** The verdict on a squad, from what was found. */
import type { Verification } from '../compiler/ir/result.js';

/** What the documents do not show. */
const openCodes: ReadonlySet<string> = new Set([
  ...['check/open-question', 'check/not-decided', 'check/not-seen'],
  ...['check/setting-unknown', 'check/setting-open', 'check/undecided'],
]);

/** Adds the verdict. Anything wrong decides; without it, anything that is not shown. */
export function verdictOf({
  checklist,
  counterexamples,
  diagnostics,
}: Pick<Verification, 'checklist' | 'counterexamples' | 'diagnostics'>): Verification {
  const fails = diagnostics.some(({ severity }) => severity === 'error');
  const undecided = diagnostics.flatMap(({ code, at, related, in: document, message, help }) => {
    const place =
      document === 'squad' ? { at: [at], in: 'squad' as const } : { at: [at, ...related] };
    return openCodes.has(code) ? [{ ...place, text: `${message} ${help}` }] : [];
  });
  const isOpen = undecided.length > 0 || checklist.some(({ decided }) => !decided);
  const verdict = fails ? 'fails' : isOpen ? 'undecided' : 'holds';
  return {
    verdict,
    holds: verdict === 'holds',
    checklist,
    counterexamples,
    undecided,
    diagnostics,
  };
}
