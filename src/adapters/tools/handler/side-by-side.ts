/** Does the same with each of several things, some at a time; results in the order of the things. */
export async function sideBySide<Thing, Result>(
  things: readonly Thing[],
  width: number,
  act: (thing: Thing, index: number) => Promise<Result>,
): Promise<Result[]> {
  if (things.length <= width) return Promise.all(things.map(act));
  const results: Result[] = [];
  const left = things.entries();
  const lane = async () => {
    for (const [index, thing] of left) results[index] = await act(thing, index);
  };
  await Promise.all(Array.from({ length: width }, lane));
  return results;
}
