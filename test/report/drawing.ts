/** Pictures of workflows as the real compiler sees them, of made-up graphs, and what a drawing may hold. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { type CompileOptions, compile, type Json } from '../../src/index.js';
import type { Picture, PictureEdge, PictureNode } from '../../src/report/graph/picture.js';
import { picturesOf } from '../../src/report/graph/pictures.js';

export function goldenWorkflow(name: string): Json {
  return JSON.parse(readFileSync(`golden/${name}/input.json`, 'utf8'));
}

/** What a picture needs of a result, and the squad. */
export function compiledFacts(workflow: Json, options: CompileOptions = {}) {
  const { ledger, output, draft } = compile(workflow, options);
  const answers = options.answers?.answers ?? {};
  return { facts: { workflow, ledger, answers }, squad: output ?? draft };
}

/** Both pictures; of a workflow that compiles. */
export function compiledPictures(
  workflow: Json,
  options: CompileOptions = {},
): { readonly workflow: Picture; readonly squad: Picture } {
  const { facts, squad } = compiledFacts(workflow, options);
  const pictures = picturesOf(facts, squad);
  if (pictures.workflow === null || pictures.squad === null) throw new Error('nothing is drawn');
  return { workflow: pictures.workflow, squad: pictures.squad };
}

/** A picture of nodes by their labels, and of edges `[from, to, label]` by position. */
export function sketch(
  labels: readonly string[],
  edges: readonly (readonly [from: number, to: number, label?: string])[] = [],
  parts: (at: number) => Partial<PictureNode> = () => ({}),
): Picture {
  const nodes = labels.map(
    (label, at): PictureNode => ({
      id: `/nodes/${at}`,
      label,
      caption: 'conversation',
      kind: 'talk',
      isStart: at === 0,
      isGlobal: false,
      groups: [],
      pointers: [`/nodes/${at}`],
      ...parts(at),
    }),
  );
  const drawn = edges.map(
    ([from, to, label = ''], at): PictureEdge => ({
      id: `/edges/${at}`,
      from: nodes[from]!.id,
      to: nodes[to]!.id,
      label,
      pointers: [`/edges/${at}`],
    }),
  );
  return { title: null, subject: 'workflow', nodes, edges: drawn, groups: [] };
}

/** Parts of labels that try to leave the place where they stand. */
const pieces = [
  '</svg><script>alert(1)</script>',
  ']]><!--',
  '-->',
  '<style>*{display:none}</style>',
  '" onload="alert(1)',
  "' x='",
  '"]',
  '")',
  '"|',
  '#quot;',
  '#34;',
  '&quot;',
  '&#0;',
  '\\',
  '\\"',
  '\\N',
  '%%{init: {"theme":"dark"}}%%',
  'style n0 fill:#f00;',
  'classDef t0 fill:#f00;',
  'end',
  '`**bold**`',
  '\n  n0 --> n1\n',
  '\r',
  '\u2028',
  '\u202e',
  '\u2066',
  '\u0000',
  '\u001b[31m',
  '\ufffe',
  '\ud800',
  '\u0301'.repeat(200),
  '👩‍👩‍👧‍👦',
  '漢字かな',
  'مرحبا',
  '__proto__',
  'x'.repeat(400),
  ' ',
];

export function hostileLabel(): fc.Arbitrary<string> {
  const piece = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary' }), fc.string());
  return fc.array(piece, { maxLength: 5 }).map((parts) => parts.join(''));
}

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

/**
 * A strict reader of the SVG that we write: the few elements and attributes that there are, each
 * quoted and closed. Whatever else stands in a text is a fault, however a browser would take it.
 */
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

/** Every `&` begins an entity, and every character is one that XML allows. */
function plain(text: string): string {
  if (/(?![\n\t])\p{Cc}|\p{Cs}|[\ufffe\uffff]/u.test(text)) throw fault(text);
  return text.replace(/&[^;]*;?/g, (entity) => {
    const [, code] = /^&#(\d+);$/.exec(entity) ?? [];
    if (code === undefined) throw fault(entity);
    return String.fromCharCode(Number(code));
  });
}

function fault(where: string): Error {
  return new Error(`not what an SVG of ours may hold: ${JSON.stringify(where.slice(0, 80))}`);
}
