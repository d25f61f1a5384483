/**
 * Finds the values of auth-like keys in JSON text, so that an excerpt can hide them. It works on
 * a piece of text that may be broken or cut, and rather hides too much than too little.
 */

/** A part of a text, in UTF-16 units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** How far back from an excerpt the key is looked for whose value the excerpt may show. */
const reach = 20_000;

/** The parts between `from` and `to` that must not be shown. */
export function secretRanges(text: string, from: number, to: number): Range[] {
  const start = regionStart(text, from);
  const region = text.slice(start, to);
  const ranges = inRegion(region, cutLead(text, start, region));
  return ranges.map((range) => ({ start: range.start + start, end: range.end + start }));
}

/** Whether the value of a key or header may be a secret, by its name. */
export function isAuthLike(name: string): boolean {
  return /key|token|secret|auth/i.test(name);
}

/** The start of a line where one is near enough: strings of JSON never cross a line break. */
function regionStart(text: string, from: number): number {
  if (from <= reach) return 0;
  const lineBreak = text.indexOf('\n', from - reach);
  return lineBreak === -1 || lineBreak >= from ? from - reach : lineBreak + 1;
}

/** In a region that begins inside a line, what stands before the first quote may be a secret. */
function cutLead(text: string, start: number, region: string): number {
  if (start === 0 || text[start - 1] === '\n') return 0;
  const quote = region.indexOf('"');
  return quote === -1 ? region.length : quote;
}

function inRegion(region: string, lead: number): Range[] {
  const ranges = lead === 0 ? [] : [{ start: 0, end: lead }];
  const keys = /"((?:[^"\\\n]|\\.)*)"\s*:\s*/gu;
  for (let key = keys.exec(region); key !== null; key = keys.exec(region)) {
    const name = unescaped(key[1] ?? '');
    if (!isAuthLike(name) || isAnswer(name, region.slice(keys.lastIndex))) continue;
    const end = valueEnd(region, keys.lastIndex);
    ranges.push({ start: keys.lastIndex, end });
    keys.lastIndex = end;
  }
  return ranges;
}

/**
 * Whether this answers a question about authentication: one of its choices, or an object, in which
 * what may be a secret has a key of its own. Any other word may be the secret itself.
 */
function isAnswer(name: string, value: string): boolean {
  return /^missing-auth(?::|$)/.test(name) && /^(?:\{|"(?:none|header|credential)")/.test(value);
}

function unescaped(key: string): string {
  return key.replace(/\\u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(parseInt(code, 16)));
}

/** The end of the value that starts at `start`; of the region, where it is not closed there. */
function valueEnd(region: string, start: number): number {
  let depth = 0;
  const tokens = /"(?:[^"\\\n]|\\.)*(?:"|$|(?=\n))|[[{]|[\]}]|,|[^\s",[\]{}]+/gu;
  tokens.lastIndex = start;
  for (let token = tokens.exec(region); token !== null; token = tokens.exec(region)) {
    const [found] = token;
    if (depth === 0 && /^[,\]}]/.test(found)) return token.index;
    if (/^[[{]/.test(found)) depth++;
    if (/^[\]}]/.test(found)) depth--;
    if (depth === 0) return tokens.lastIndex;
  }
  return region.length;
}
