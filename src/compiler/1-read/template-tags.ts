/**
 * What is known of Liquid's tags before liquidjs sees them: which have an end, and how deep they
 * and their brackets nest.
 *
 * liquidjs recurses into nested tags, into the lines of a `liquid` tag and into brackets; what is
 * counted here is never less than the depth of that recursion.
 */

/** How many tags a text may have, and how deep tags and brackets may nest. */
export const maxTags = 1000;
export const maxLevels = 100;

/** Tags with an end tag; the body of `raw` is no Liquid and is taken at once. */
export const blockTags: ReadonlySet<string> = new Set([
  'if',
  'unless',
  'case',
  'for',
  'tablerow',
  'capture',
  'comment',
  'block',
]);

/** Whether a tag only has a meaning inside a block, or ends one. */
export function belongsToBlock(name: string): boolean {
  return /^(?:else|elsif|when|endraw)$/.test(name) || blockTags.has(name.replace(/^end/, ''));
}

/** How deep the lines of a `liquid` tag can nest at most: blocks, and `liquid` in a line. */
export function levelsOfLines(body: string): number {
  const words = body.match(/^\s*(?:liquid\s+)*\w+/gm) ?? [];
  let level = 0;
  let deepest = 0;
  for (const line of words) {
    const names = line.trim().split(/\s+/);
    const name = names[names.length - 1] as string;
    if (blockTags.has(name)) level++;
    else if (name.startsWith('end')) level = Math.max(level - 1, 0);
    deepest = Math.max(deepest, level + names.length);
  }
  return deepest;
}

/** Whether brackets nest too deep; the strings in it count too, which only makes it stricter. */
export function nestsTooDeep(value: string, start: number, end: number): boolean {
  if (end - start <= maxLevels) return false;
  let level = 0;
  for (let at = start; at < end; at++) {
    const character = value[at];
    if (character === '[' || character === '(') level++;
    else if ((character === ']' || character === ')') && level > 0) level--;
    if (level > maxLevels) return true;
  }
  return false;
}
