/** Bugs of squadc itself; faults of the input are diagnostics and never thrown. */
import type { CompileOptions } from './options.js';
import type { Verification } from './result.js';

/**
 * Thrown by `compile` if the verifier rejects the squad that it made; the squad is withheld.
 * `verification` lists the reasons and the calls that show them.
 */
export class VerificationRefuted extends Error {
  override readonly name = 'VerificationRefuted';

  /** What was compiled, as the caller passed it, and the reasons against the result. */
  constructor(
    readonly workflow: unknown,
    readonly options: CompileOptions,
    readonly verification: Verification,
  ) {
    const [first] = verification.diagnostics.filter(({ severity }) => severity === 'error');
    super(`the squad is not a faithful migration: ${first?.message ?? 'the check does not hold'}`);
  }
}
