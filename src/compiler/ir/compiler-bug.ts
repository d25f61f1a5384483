/** A fault of squadc's own. Faults of the input are diagnostics and never thrown. */
export class CompilerBug extends Error {
  override readonly name = 'CompilerBug';
}

/** Throws a bug with these words unless the condition holds. */
export function assertInvariant(holds: boolean, invariant: () => string): asserts holds {
  if (!holds) throw new CompilerBug(`broken invariant: ${invariant()}`);
}
