/**
 * Picture → Graphviz DOT, with a cluster for each assistant.
 *
 * Ids are numbered, never taken from a text. Labels are quoted strings; the quote and the backslash,
 * which begins an escape, get one before them, and `&`, which begins an entity, is written as one.
 */
import {
  clustersOf,
  clusterTitle,
  onlyGroup,
  type Picture,
  type PictureEdge,
  type PictureNode,
} from './picture.js';
import { toneOf } from './svg-style.js';
import { beginning, plainText, wrapText } from './wrap-text.js';

const room = { width: 170, size: 13, lines: 3 } as const;

export function renderDot(picture: Picture): string {
  const { clusters, free } = clustersOf(picture);
  const numbers = new Map(picture.nodes.map(({ id }, at) => [id, at]));
  const node = (at: number) => drawNode(picture.nodes[at]!, at);
  const lines = [
    'digraph {',
    `  graph [rankdir=TB, fontname="Helvetica", label=${quoted(picture.title ?? '')}];`,
    '  node [fontname="Helvetica", fontsize=12, style="filled", fillcolor="#f6f6f8"];',
    '  edge [fontname="Helvetica", fontsize=10];',
    ...clusters.flatMap((cluster) => [
      `  subgraph cluster_${cluster.group} {`,
      `    label=${quoted(clusterTitle(cluster))};`,
      `    color="${toneOf(cluster.group).light[0]}";`,
      ...cluster.nodes.map((at) => `    ${node(at)}`),
      '  }',
    ]),
    ...free.map((at) => `  ${node(at)}`),
    ...picture.edges.map((edge) => `  ${drawEdge(edge, numbers, picture)}`),
    '}',
  ];
  return `${lines.join('\n')}\n`;
}

const shapes: Readonly<Record<PictureNode['kind'], string>> = {
  talk: 'shape=box, style="filled,rounded"',
  act: 'shape=box',
  exit: 'shape=oval',
  anywhere: 'shape=oval, style="filled,dashed"',
  many: 'shape=box3d',
};

function drawNode(node: PictureNode, at: number): string {
  const { label, caption, kind, isStart, isGlobal } = node;
  const group = onlyGroup(node);
  const [border, fill] = group === null ? ['#6b6b76', '#f6f6f8'] : toneOf(group).light;
  const notes = [isStart ? 'start' : '', isGlobal ? 'global' : '', caption];
  const shown = notes.filter((note) => note !== '').join(', ');
  const lines = shown === '' ? wrapText(label, room) : [...wrapText(label, room), shown];
  const attributes = [
    `label=${quotedLines(lines)}`,
    `tooltip=${quoted(label)}`,
    shapes[kind],
    `color="${border}"`,
    `fillcolor="${fill}"`,
    ...(isStart ? ['penwidth=2.5'] : []),
  ];
  return `n${at} [${attributes.join(', ')}];`;
}

function drawEdge(
  { from, to, label }: PictureEdge,
  numbers: ReadonlyMap<string, number>,
  { nodes }: Picture,
): string {
  const [source, target] = [numbers.get(from)!, numbers.get(to)!];
  const lines = wrapText(label, room);
  const attributes = [
    ...(lines.length === 0 ? [] : [`label=${quotedLines(lines)}`, `tooltip=${quoted(label)}`]),
    ...(nodes[source]!.kind === 'anywhere' ? ['style=dashed'] : []),
  ];
  const written = attributes.length === 0 ? '' : ` [${attributes.join(', ')}]`;
  return `n${source} -> n${target}${written};`;
}

function quoted(text: string): string {
  return `"${escaped(beginning(text, 1000))}"`;
}

function quotedLines(lines: readonly string[]): string {
  return `"${lines.map((line) => escaped(plainText(line))).join('\\n')}"`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}
