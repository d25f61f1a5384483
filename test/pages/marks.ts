/**
 * Pages of which a part is made and the rest is written. What is made stands between two marks, of
 * which the first says what to make:
 *
 *     <!-- made: questions -->
 *     …
 *     <!-- /made -->
 */

/** Makes what a mark asks for by these words; null where nobody knows them. */
export type Make = (words: readonly string[]) => Promise<string | null>;

const part = /<!-- made: ([^\n]+?) -->\n.*?<!-- \/made -->/gs;

/** The page with its made parts made anew. */
export async function fillMarks(page: string, make: Make): Promise<string> {
  const parts = [...page.matchAll(part)];
  const open = page.split('<!-- made:').length - 1;
  if (open !== parts.length) throw new Error('a made part has no end: <!-- /made --> is missing');
  const made = await Promise.all(parts.map(([, words = '']) => makePart(words, make)));
  return page.replace(part, () => made.shift() ?? '');
}

async function makePart(words: string, make: Make): Promise<string> {
  const text = await make(words.split(' '));
  if (text === null) throw new Error(`nobody knows how to make “${words}”`);
  return `<!-- made: ${words} -->\n\n${text.trim()}\n\n<!-- /made -->`;
}
