/** Where a variable stands in a tool's response, and a response that has values at such places. */
import type { Sample } from './samples.js';

/** Keys of objects and positions in lists, from the root. */
export type ResponsePath = readonly (string | number)[];

/** Lists are filled up to the position that is asked for; beyond this nobody means a sample. */
const longestList = 1000;
const deepest = 100;

/**
 * The steps of `$.a.b[0]`, with or without `$.` and Liquid's braces round it; null for what is more
 * than a path.
 */
export function readResponsePath(text: string): ResponsePath | null {
  const path = withoutBraces(text.trim()).replace(/^\$\.?/, '');
  const step = /\.?([\p{L}_][\p{L}\p{N}_-]*)|\[(\d{1,9})\]/uy;
  const steps: (string | number)[] = [];
  while (step.lastIndex < path.length) {
    const found = step.exec(path);
    if (found === null || steps.length === deepest) return null;
    const [, key, position] = found;
    steps.push(key ?? Number(position));
  }
  const isSmall = steps.every((each) => typeof each === 'string' || each < longestList);
  return steps.length > 0 && isSmall ? steps : null;
}

function withoutBraces(text: string): string {
  if (!text.startsWith('{{') || !text.endsWith('}}')) return text;
  return text.slice(2, -2).trim();
}

/**
 * The JSON text of a response with these values. Where one place lies inside of another the inner
 * one wins; objects and lists cannot stand in one place, the first that is asked for does.
 */
export function writeResponse(values: readonly (readonly [ResponsePath, Sample])[]): string {
  const root: Branch = { kind: 'object', parts: new Map() };
  for (const [path, value] of values) plant(startOf(root, path), path, value);
  return write(root);
}

type Tree = Branch | { readonly kind: 'value'; readonly value: Sample };
interface Branch {
  kind: 'object' | 'list';
  readonly parts: Map<string | number, Tree>;
}

/** A response that is asked for a position at its root is a list. */
function startOf(root: Branch, [step]: ResponsePath): Branch {
  if (root.parts.size === 0 && typeof step === 'number') root.kind = 'list';
  return root;
}

function plant(root: Branch, path: ResponsePath, value: Sample): void {
  let branch = root;
  for (const [depth, step] of path.entries()) {
    if ((branch.kind === 'list') !== (typeof step === 'number')) return;
    const known = branch.parts.get(step);
    const next = path[depth + 1];
    if (next === undefined) {
      if (known === undefined) branch.parts.set(step, { kind: 'value', value });
      return;
    }
    const inner: Branch =
      known !== undefined && known.kind !== 'value'
        ? known
        : { kind: typeof next === 'number' ? 'list' : 'object', parts: new Map() };
    branch.parts.set(step, inner);
    branch = inner;
  }
}

/** Written by hand, so that a key such as `__proto__` is a key like any other. */
function write(tree: Tree): string {
  if (tree.kind === 'value') return JSON.stringify(tree.value);
  if (tree.kind === 'object') {
    const parts = [...tree.parts].map(([key, part]) => `${JSON.stringify(key)}:${write(part)}`);
    return `{${parts.join(',')}}`;
  }
  const length = Math.max(-1, ...[...tree.parts.keys()].map(Number)) + 1;
  const items = Array.from({ length }, (_, at) => {
    const part = tree.parts.get(at);
    return part === undefined ? 'null' : write(part);
  });
  return `[${items.join(',')}]`;
}
