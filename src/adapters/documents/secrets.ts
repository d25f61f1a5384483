/**
 * What a call hands over in confidence, so that it can be taken out of what the service says.
 *
 * In: the body of a call, unchecked. Out: the texts under `secrets`, of a run or of each of a batch.
 */
export function secretsIn(body: unknown): string[] {
  const { secrets, inputs } = Object(body) as Record<string, unknown>;
  const inBatch = Array.isArray(inputs) ? inputs.map((each) => Object(each).secrets) : [];
  return [secrets, ...inBatch]
    .flatMap((each) => Object.values(Object(each)))
    .filter((each) => typeof each === 'string');
}
