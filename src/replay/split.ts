/**
 * The calls in a text that comes in pieces, of any length: a list, the platform's
 * `{ "results": [...] }`, or one object after the other, as in JSON Lines. One call is held at a time.
 */

/** A call that is not JSON or too long. The reason is not quoted: it would quote the call. */
export class UnreadableCall extends Error {}

/** The most characters of a call. */
const maxLength = 32 * 1024 * 1024;

export async function* splitCalls(pieces: AsyncIterable<string>): AsyncGenerator<unknown> {
  let [held, at, start, depth, base, count] = ['', 0, -1, 0, 0, 0];
  let inText = false;
  const signs = /["{}[\]]|\\./gs;
  const parse = (text: string): unknown => {
    count += 1;
    try {
      return JSON.parse(text);
    } catch {
      throw new UnreadableCall(`call ${count} is not JSON`);
    }
  };
  for await (const piece of pieces) {
    // What belongs to no call is dropped, but for what an escape or a key may need.
    const kept = start < 0 ? at : start;
    held = held.slice(kept) + piece;
    at -= kept;
    if (start > 0) start = 0;
    if (held.length > maxLength) throw new UnreadableCall(`call ${count + 1} is too long`);
    signs.lastIndex = at;
    let end = at;
    for (const { 0: sign, index } of held.matchAll(signs)) {
      end = index + sign.length;
      if (sign === '"') inText = !inText;
      else if (inText || end > index + 1) continue;
      else if (sign === '{') {
        if (start < 0 && depth === base) start = index;
        depth += 1;
      } else if (sign === '[') {
        const before = held.slice(Math.max(0, index - 99), index);
        const isList =
          depth === 0 || (depth === 1 && base === 0 && /"results"\s*:\s*$/.test(before));
        if (isList) [base, start] = [depth + 1, -1];
        depth += 1;
      } else {
        depth = Math.max(0, depth - 1);
        if (depth < base) base = 0;
        if (start < 0 || depth !== base) continue;
        yield parse(held.slice(start, end));
        start = -1;
      }
    }
    // The next piece completes an escape.
    at = held.length - (end < held.length && held.endsWith('\\') ? 1 : 0);
  }
  if (start >= 0) parse(held.slice(start));
}
