/**
 * Picture → Mermaid flowchart.
 *
 * Ids are numbered, never taken from a text. Of a label only letters, digits and harmless signs
 * stand as they are; all else is written by its number (`#34;`), so that no label can end its quotes,
 * open a directive, which Mermaid looks for inside of quotes too, or count as Markdown.
 */

import type { Picture, PictureEdge, PictureNode } from './picture.js';
import { clustersOf, clusterTitle } from './picture.js';
import { toneCount, toneOf } from './svg-style.js';
import { beginning } from './wrap-text.js';

export function renderMermaid(picture: Picture): string {
  const { clusters, free } = clustersOf(picture);
  const numbers = new Map(picture.nodes.map(({ id }, at) => [id, at]));
  const node = (at: number) => drawNode(picture.nodes[at]!, at);
  const lines = [
    'flowchart TD',
    ...clusters.flatMap((cluster) => [
      `  subgraph g${cluster.group}["${quoted(clusterTitle(cluster))}"]`,
      ...cluster.nodes.map((at) => `    ${node(at)}`),
      '  end',
    ]),
    ...free.map((at) => `  ${node(at)}`),
    ...picture.edges.map((edge) => `  ${drawEdge(edge, numbers, picture)}`),
    ...styles(picture),
  ];
  return `${lines.join('\n')}\n`;
}

/** Brackets by what a node is; the label stands between them in quotes. */
const brackets: Readonly<Record<PictureNode['kind'], readonly [open: string, close: string]>> = {
  talk: ['(', ')'],
  act: ['[[', ']]'],
  exit: ['([', '])'],
  anywhere: ['((', '))'],
  many: ['[', ']'],
};

function drawNode({ label, caption, kind, isStart, isGlobal }: PictureNode, at: number): string {
  const [open, close] = brackets[kind];
  const notes = [isStart ? 'start' : '', isGlobal ? 'global' : '', caption];
  const shown = notes.filter((note) => note !== '').join(', ');
  const text = shown === '' ? quoted(label) : `${quoted(label)}<br/>${quoted(shown)}`;
  return `n${at}${open}"${text}"${close}`;
}

function drawEdge(
  { from, to, label }: PictureEdge,
  numbers: ReadonlyMap<string, number>,
  { nodes }: Picture,
): string {
  const [source, target] = [numbers.get(from)!, numbers.get(to)!];
  const arrow = nodes[source]!.kind === 'anywhere' ? '-.->' : '-->';
  const text = quoted(label);
  return `n${source} ${arrow}${text === '' ? '' : `|"${text}"|`} n${target}`;
}

/** One class for each colour that is used. */
function styles({ nodes }: Picture): string[] {
  const byTone = Array.from({ length: toneCount }, (): string[] => []);
  for (const [at, { groups }] of nodes.entries()) {
    if (groups.length === 1) byTone[groups[0]! % toneCount]!.push(`n${at}`);
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

function quoted(text: string): string {
  return beginning(text, 300).replace(
    /(?<![\p{L}\p{N}])[-_]|[-_](?![\p{L}\p{N}])|[^\p{L}\p{N}\p{M} ,'()?!/_…-]/gu,
    (sign) => `#${sign.codePointAt(0)};`,
  );
}
