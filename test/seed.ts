/** The seed of every property test, and how many runs each makes. */

export const seed = 20260819;

/** `usual` runs, or as many as the environment variable SQUADC_RUNS asks for if that is more. */
export function runs(usual: number): number {
  const asked = Number(process.env.SQUADC_RUNS ?? 0);
  return Number.isSafeInteger(asked) ? Math.max(usual, asked) : usual;
}
