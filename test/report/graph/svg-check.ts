/**
 * A strict reader of the SVG that we write: the few elements and attributes that there are, each
 * quoted and closed. Whatever else stands in a text is a fault, however a browser would take it.
 */

const elements = new Set(['svg', 'title', 'desc', 'style', 'rect', 'path', 'g', 'text']);
const attributes = new Set([
  ...['xmlns', 'class', 'viewBox', 'width', 'height', 'role', 'aria-label', 'x', 'y', 'rx', 'd'],
  ...['data-id', 'data-at', 'data-links'],
]);

export interface ReadSvg {
  /** The text of each element of a kind, in order, with entities read. */
  readonly texts: readonly { readonly element: string; readonly text: string }[];
  readonly count: number;
}

/** Throws where the document is anything but what it may be. */
export function readSvg(document: string): ReadSvg {
  const texts: { element: string; text: string }[] = [];
  const open: string[] = [];
  let count = 0;
  let rest = document.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '');
  while (rest !== '\n') {
    const tag = /^<(\/?)([a-z]+)((?: [a-zA-Z-]+="[^"<>]*")*)(\/?)>/.exec(rest);
    if (tag === null) {
      const [text] = /^[^<>]+/.exec(rest) ?? [];
      if (text === undefined || open.length === 0) throw fault(rest);
      texts.push({ element: open.at(-1)!, text: plain(text) });
      rest = rest.slice(text.length);
      continue;
    }
    const [all, close, name, written, empty] = tag;
    rest = rest.slice(all.length);
    if (close !== '') {
      if (open.pop() !== name || written !== '') throw fault(all);
      continue;
    }
    if (!elements.has(name!)) throw fault(all);
    for (const [, key, value] of written!.matchAll(/ ([a-zA-Z-]+)="([^"]*)"/g)) {
      if (!attributes.has(key!)) throw fault(all);
      plain(value!);
    }
    count += 1;
    if (empty === '') open.push(name!);
  }
  if (open.length > 0) throw fault(open.join(' '));
  return { texts, count };
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** Every `&` begins an entity, and every character is one that XML allows. */
function plain(text: string): string {
  if (/(?![\n\t])\p{Cc}|\p{Cs}|[\ufffe\uffff]/u.test(text)) throw fault(text);
  return text.replace(/&[^;]*;?/g, (entity) => {
    const character = entities[entity];
    if (character === undefined) throw fault(entity);
    return character;
  });
}

function fault(where: string): Error {
  return new Error(`not what an SVG of ours may hold: ${JSON.stringify(where.slice(0, 80))}`);
}
