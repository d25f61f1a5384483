/**
 * Picture → Mermaid flowchart or Graphviz DOT, with a cluster for each assistant.
 *
 * Ids are numbers, never texts of the document, and no label can end its quotes.
 */
import { groupBy } from '../../graph/lists.js';
import { noteOf, onlyGroup, type Picture, type PictureNode } from './picture.js';
import { toneCount, toneOf } from './style.js';
import { beginning, plainText, wrapText } from './text.js';

type Numbered = ReturnType<typeof outlineOf>['free'][number];

/** Nodes numbered and grouped by assistant; `free` are those of no assistant, or of several. */
function outlineOf({ nodes, edges, groups }: Picture) {
  const numbered = nodes.map((node, at) => ({ ...node, id: `n${at}`, group: onlyGroup(node) }));
  const byId = new Map(nodes.map(({ id }, at) => [id, numbered[at]!]));
  const byGroup = [...groupBy(numbered, ({ group }) => group)];
  const clusters = byGroup.flatMap(([group, held]) => {
    if (group === null) return [];
    return [{ group, title: `${group + 1} ${groups[group] ?? ''}`.trim(), nodes: held }];
  });
  return {
    clusters: clusters.sort((a, b) => a.group - b.group),
    free: numbered.filter(({ group }) => group === null),
    edges: edges.map(({ from, to, label }) => {
      const source = byId.get(from)!;
      const isFromAnywhere = source.kind === 'anywhere';
      return { from: source.id, to: byId.get(to)!.id, label, isFromAnywhere };
    }),
  };
}

/** How each kind is drawn: brackets of Mermaid, attributes of DOT. */
const shapes: Readonly<
  Record<PictureNode['kind'], readonly [open: string, close: string, dot: string]>
> = {
  talk: ['(', ')', 'shape=box, style="filled,rounded"'],
  act: ['[[', ']]', 'shape=box'],
  exit: ['([', '])', 'shape=oval'],
  anywhere: ['((', '))', 'shape=oval, style="filled,dashed"'],
  many: ['[', ']', 'shape=box3d'],
};

export function renderMermaid(picture: Picture): string {
  const { clusters, free, edges } = outlineOf(picture);
  const line = (node: Numbered) => {
    const [open, close] = shapes[node.kind];
    const texts = [node.label, noteOf(node, ', ')].map(mermaidText).filter((text) => text !== '');
    return `${node.id}${open}"${texts.join('<br/>')}"${close}`;
  };
  const tones = groupBy(clusters, ({ group }) => group % toneCount);
  const lines = [
    'flowchart TD',
    ...clusters.flatMap(({ group, title, nodes }) => [
      `  subgraph g${group}["${mermaidText(title)}"]`,
      ...nodes.map((node) => `    ${line(node)}`),
      '  end',
    ]),
    ...free.map((node) => `  ${line(node)}`),
    ...edges.map(({ from, to, label, isFromAnywhere }) => {
      const text = mermaidText(label);
      const arrow = isFromAnywhere ? '-.->' : '-->';
      return `  ${from} ${arrow}${text === '' ? '' : `|"${text}"|`} ${to}`;
    }),
    ...[...tones].flatMap(([tone, all]) => {
      const [border, fill] = toneOf(tone).light;
      const ids = all.flatMap(({ nodes }) => nodes.map(({ id }) => id));
      return [
        `  classDef t${tone} fill:${fill},stroke:${border},color:#1b1b1f`,
        `  class ${ids.join(',')} t${tone}`,
      ];
    }),
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * Everything but letters, digits and harmless signs is written by its number (`#34;`): Mermaid reads
 * directives and Markdown inside quotes too.
 */
function mermaidText(text: string): string {
  return beginning(text, 300).replace(
    /(?<![\p{L}\p{N}])[-_]|[-_](?![\p{L}\p{N}])|[^\p{L}\p{N}\p{M} ,'()?!/_…-]/gu,
    (sign) => `#${sign.codePointAt(0)};`,
  );
}

export function renderDot(picture: Picture): string {
  const { clusters, free, edges } = outlineOf(picture);
  const lines = [
    'digraph {',
    `  graph [rankdir=TB, fontname="Helvetica", label=${quoted([beginning(picture.title ?? '', 1000)])}];`,
    '  node [fontname="Helvetica", fontsize=12, style="filled", fillcolor="#f6f6f8"];',
    '  edge [fontname="Helvetica", fontsize=10];',
    ...clusters.flatMap(({ group, title, nodes }) => [
      `  subgraph cluster_${group} {`,
      `    label=${quoted([beginning(title, 1000)])};`,
      `    color="${toneOf(group).light[0]}";`,
      ...nodes.map((node) => `    ${dotNode(node)}`),
      '  }',
    ]),
    ...free.map((node) => `  ${dotNode(node)}`),
    ...edges.map(({ from, to, label, isFromAnywhere }) => {
      const shown = plainText(label) === '' ? [] : dotLabel(label);
      const attributes = [...shown, ...(isFromAnywhere ? ['style=dashed'] : [])];
      return `  ${from} -> ${to}${attributes.length > 0 ? ` [${attributes.join(', ')}]` : ''};`;
    }),
    '}',
  ];
  return `${lines.join('\n')}\n`;
}

function dotNode(node: Numbered): string {
  const [border, fill] = toneOf(node.group).light;
  const note = noteOf(node, ', ');
  const attributes = [
    ...dotLabel(node.label, ...(note === '' ? [] : [note])),
    shapes[node.kind][2],
    `color="${border}"`,
    `fillcolor="${fill}"`,
    ...(node.isStart ? ['penwidth=2.5'] : []),
  ];
  return `${node.id} [${attributes.join(', ')}];`;
}

const room = { width: 170, size: 13, lines: 3, cut: 'end' } as const;

/** A few lines, and the whole text where the pointer rests. */
function dotLabel(text: string, ...notes: readonly string[]): string[] {
  const shown = quoted([...wrapText(text, room), ...notes]);
  return [`label=${shown}`, `tooltip=${quoted([beginning(text, 1000)])}`];
}

/** DOT reads `\` as an escape and `&` as an entity. */
function quoted(lines: readonly string[]): string {
  const escaped = lines.map((line) =>
    plainText(line).replaceAll('&', '&amp;').replaceAll('\\', '\\\\').replaceAll('"', '\\"'),
  );
  return `"${escaped.join('\\n')}"`;
}
