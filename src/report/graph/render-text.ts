/**
 * Picture → Mermaid flowchart, or Graphviz DOT, with a cluster for each assistant.
 *
 * Ids are numbered, never taken from a text, and no label can end its quotes.
 */
import { append } from '../../graph/lists.js';
import { noteOf, onlyGroup, type Picture, type PictureNode } from './picture.js';
import { toneCount, toneOf } from './style.js';
import { beginning, plainText, wrapText } from './text.js';

interface Clusters {
  /** By assistant, with its number and name: positions of the nodes that belong to it alone. */
  readonly clusters: readonly {
    readonly group: number;
    readonly title: string;
    readonly nodes: readonly number[];
  }[];
  /** Positions of the others. */
  readonly free: readonly number[];
}

function clustersOf({ nodes, groups }: Picture): Clusters {
  const members = new Map<number, number[]>();
  const free: number[] = [];
  for (const [at, node] of nodes.entries()) {
    const group = onlyGroup(node);
    if (group === null) free.push(at);
    else append(members, group, at);
  }
  const ordered = [...members].sort(([a], [b]) => a - b);
  const clusters = ordered.map(([group, held]) => {
    return { group, title: `${group + 1} ${groups[group] ?? ''}`.trim(), nodes: held };
  });
  return { clusters, free };
}

/** The ends of each edge by number, and whether it comes from anywhere. */
function linesOf({ nodes, edges }: Picture) {
  const numbers = new Map(nodes.map(({ id }, at) => [id, at]));
  return edges.map(({ from, to, label }) => {
    const [source, target] = [numbers.get(from)!, numbers.get(to)!];
    return { source, target, label, isAnywhere: nodes[source]!.kind === 'anywhere' };
  });
}

/** Brackets by what a node is; the label stands between them in quotes. */
const brackets: Readonly<Record<PictureNode['kind'], readonly [open: string, close: string]>> = {
  talk: ['(', ')'],
  act: ['[[', ']]'],
  exit: ['([', '])'],
  anywhere: ['((', '))'],
  many: ['[', ']'],
};

export function renderMermaid(picture: Picture): string {
  const { clusters, free } = clustersOf(picture);
  const node = (at: number) => {
    const drawn = picture.nodes[at]!;
    const [open, close] = brackets[drawn.kind];
    const texts = [drawn.label, noteOf(drawn, ', ')].map(mermaidText);
    return `n${at}${open}"${texts.filter((text) => text !== '').join('<br/>')}"${close}`;
  };
  const lines = [
    'flowchart TD',
    ...clusters.flatMap(({ group, title, nodes }) => [
      `  subgraph g${group}["${mermaidText(title)}"]`,
      ...nodes.map((at) => `    ${node(at)}`),
      '  end',
    ]),
    ...free.map((at) => `  ${node(at)}`),
    ...linesOf(picture).map(({ source, target, label, isAnywhere }) => {
      const text = mermaidText(label);
      const arrow = isAnywhere ? '-.->' : '-->';
      return `  n${source} ${arrow}${text === '' ? '' : `|"${text}"|`} n${target}`;
    }),
    ...mermaidStyles(picture),
  ];
  return `${lines.join('\n')}\n`;
}

/** One class for each colour that is used. */
function mermaidStyles({ nodes }: Picture): string[] {
  const byTone = Array.from({ length: toneCount }, (): string[] => []);
  for (const [at, node] of nodes.entries()) {
    const group = onlyGroup(node);
    if (group !== null) byTone[group % toneCount]!.push(`n${at}`);
  }
  return byTone.flatMap((ids, tone) => {
    if (ids.length === 0) return [];
    const [border, fill] = toneOf(tone).light;
    return [
      `  classDef t${tone} fill:${fill},stroke:${border},color:#1b1b1f`,
      `  class ${ids.join(',')} t${tone}`,
    ];
  });
}

/**
 * Only letters, digits and harmless signs stand as they are; all else is written by its number
 * (`#34;`): Mermaid looks for directives and Markdown inside of quotes too.
 */
function mermaidText(text: string): string {
  return beginning(text, 300).replace(
    /(?<![\p{L}\p{N}])[-_]|[-_](?![\p{L}\p{N}])|[^\p{L}\p{N}\p{M} ,'()?!/_…-]/gu,
    (sign) => `#${sign.codePointAt(0)};`,
  );
}

const shapes: Readonly<Record<PictureNode['kind'], string>> = {
  talk: 'shape=box, style="filled,rounded"',
  act: 'shape=box',
  exit: 'shape=oval',
  anywhere: 'shape=oval, style="filled,dashed"',
  many: 'shape=box3d',
};

const room = { width: 170, size: 13, lines: 3, cut: 'end' } as const;

export function renderDot(picture: Picture): string {
  const { clusters, free } = clustersOf(picture);
  const node = (at: number) => dotNode(picture.nodes[at]!, at);
  const lines = [
    'digraph {',
    `  graph [rankdir=TB, fontname="Helvetica", label=${quoted([beginning(picture.title ?? '', 1000)])}];`,
    '  node [fontname="Helvetica", fontsize=12, style="filled", fillcolor="#f6f6f8"];',
    '  edge [fontname="Helvetica", fontsize=10];',
    ...clusters.flatMap(({ group, title, nodes }) => [
      `  subgraph cluster_${group} {`,
      `    label=${quoted([beginning(title, 1000)])};`,
      `    color="${toneOf(group).light[0]}";`,
      ...nodes.map((at) => `    ${node(at)}`),
      '  }',
    ]),
    ...free.map((at) => `  ${node(at)}`),
    ...linesOf(picture).map(({ source, target, label, isAnywhere }) => {
      const shown = plainText(label) === '' ? [] : labelled(label, []);
      const attributes = [...shown, ...(isAnywhere ? ['style=dashed'] : [])];
      const written = attributes.length === 0 ? '' : ` [${attributes.join(', ')}]`;
      return `  n${source} -> n${target}${written};`;
    }),
    '}',
  ];
  return `${lines.join('\n')}\n`;
}

function dotNode(node: PictureNode, at: number): string {
  const [border, fill] = toneOf(onlyGroup(node)).light;
  const note = noteOf(node, ', ');
  const attributes = [
    ...labelled(node.label, note === '' ? [] : [note]),
    shapes[node.kind],
    `color="${border}"`,
    `fillcolor="${fill}"`,
    ...(node.isStart ? ['penwidth=2.5'] : []),
  ];
  return `n${at} [${attributes.join(', ')}];`;
}

/** What is shown, and the text as it is read over it. */
function labelled(text: string, notes: readonly string[]): string[] {
  const shown = quoted([...wrapText(text, room), ...notes]);
  return [`label=${shown}`, `tooltip=${quoted([beginning(text, 1000)])}`];
}

/** A backslash begins an escape, and `&` an entity. */
function quoted(lines: readonly string[]): string {
  const escaped = lines.map((line) =>
    plainText(line).replaceAll('&', '&amp;').replaceAll('\\', '\\\\').replaceAll('"', '\\"'),
  );
  return `"${escaped.join('\\n')}"`;
}
