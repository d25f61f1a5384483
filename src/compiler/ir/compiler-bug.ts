/** Bugs of squadc itself; faults of the input are diagnostics and never thrown. */
import type { CompileOptions } from './options.js';
import type { Verification } from './result.js';

class CompilerBug extends Error {
  override readonly name: string = 'CompilerBug';
}

/** Throws a bug with this message unless the condition holds. */
export function assertInvariant(holds: boolean, invariant: () => string): asserts holds {
  if (!holds) throw new CompilerBug(`broken invariant: ${invariant()}`);
}

/**
 * Thrown by `compile` if the verifier rejects the squad that it made; the squad is withheld.
 * `verification` lists the reasons and the calls that show them.
 */
export class VerificationRefuted extends CompilerBug {
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
