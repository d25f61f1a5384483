/** Names under which the model calls tools: what a tool may be called, and what it must be. */

/** What the platform takes for the tool of a request. */
const legal = /^[A-Za-z0-9_-]{1,40}$/;
const longest = 40;

/** Most names are as they should be. */
const plain = /^[A-Za-z0-9-](?:[A-Za-z0-9_-]{0,38}[A-Za-z0-9-])?$/;

export interface WantedName {
  /** What the source or an answer calls the tool. */
  readonly wanted: string;
  /** The same with nothing in it that a name cannot hold; null where it is too long as well. */
  readonly form: string | null;
  /** Whether somebody else provides the tool under this name, so that no squad is free to choose. */
  readonly isFixed: boolean;
}

export function wantName(wanted: string, isFixed: boolean): WantedName {
  const form = plain.test(wanted) ? wanted : legalForm(wanted);
  return { wanted, form: form.length > longest ? null : form, isFixed };
}

/** Whether the name is what the tool is to be called. */
export function isWanted(name: string, { wanted, form }: WantedName): boolean {
  return name === form || (name === wanted && legal.test(name));
}

export function isLegal(name: string): boolean {
  return legal.test(name);
}

/** Names that differ in case alone count as one where squadc gives them. */
export function caseless(name: string): string {
  return name.toLowerCase();
}

/** Braces are Liquid's, and white space and signs become underscores. */
function legalForm(wanted: string): string {
  const bare = wanted.replaceAll(/%(?=\})|[{}]/g, '');
  const visible = /[\p{L}\p{N}\p{P}\p{S}]/u.test(bare) ? bare : 'assistant';
  return trimUnderscores(visible.replaceAll(/[^A-Za-z0-9_-]+/g, '_')) || 'tool';
}

function trimUnderscores(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === '_') start += 1;
  while (end > start && text[end - 1] === '_') end -= 1;
  return text.slice(start, end);
}
