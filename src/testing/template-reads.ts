/** Which variables a text reads. */

/**
 * Names in `{{ name }}`, and before `==` in an expression: all that the generators write. Other
 * reads (tags of Liquid, arguments of filters, other expressions) are not found.
 */
export function readsOf(text: string): Set<string> {
  const found = [...text.matchAll(/\{\{-?\s*([A-Za-z_]\w*)|^\s*([A-Za-z_]\w*) == /g)];
  return new Set(found.map(([, read, compared]) => read ?? compared ?? ''));
}
