/** Does the same with each of several things, some at a time; results in the order of the things. */
export async function sideBySide<Thing, Result>(
  things: readonly Thing[],
  width: number,
  act: (thing: Thing) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = things.entries();
  const lane = async () => {
    for (const [index, thing] of left) results[index] = await act(thing);
  };
  await Promise.all(Array.from({ length: Math.min(width, things.length) }, lane));
  return results;
}
