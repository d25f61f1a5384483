/**
 * SVG as text, in which no text of a document can become markup.
 *
 * Elements are made by one function that escapes every attribute and takes content only as
 * markup that was made here.
 */
import { beginning, plainText } from './wrap-text.js';

/** Markup that was made here; a plain string is none. */
export interface Markup {
  readonly markup: string;
}

type Attributes = Readonly<Record<string, string | number | null>>;

/** An element; attributes that are null are left out. */
export function element(
  name: string,
  attributes: Attributes,
  content: readonly Markup[] = [],
): Markup {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => ` ${key}="${escaped(String(value))}"`)
    .join('');
  if (content.length === 0) return { markup: `<${name}${written}/>` };
  const inner = content.map(({ markup }) => markup).join('');
  return { markup: `<${name}${written}>${inner}</${name}>` };
}

/** A text that is shown, on one line. */
export function shownText(text: string): Markup {
  return { markup: escaped(plainText(text)) };
}

/** Characters of a text that is shown when asked for. */
const longest = 2000;

/** The whole text, as a browser shows it over an element. */
export function hint(text: string): Markup {
  return element('title', {}, [{ markup: escaped(beginning(text, longest)) }]);
}

/** Tabs and line ends in attributes are not kept by parsers; what XML does not allow is left out. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\ufffe\uffff]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
