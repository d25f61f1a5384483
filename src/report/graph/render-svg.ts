/**
 * Picture and layout → SVG.
 *
 * Standalone it is an XML document with its own style; inside of a page it is the element alone,
 * and the page has the style. Every element carries its id (`data-id`), the ids that belong to it in
 * another picture (`data-links`) and its places in the document (`data-at`), separated by spaces:
 * none of the three holds one. Nothing is loaded, and nothing runs.
 */
import { counted } from '../words.js';
import type { Layout, PlacedEdge, PlacedNode } from './layout.js';
import type { Links } from './links.js';
import { badge, badgesWidth, fonts, lineHeights, padding } from './measure.js';
import { onlyGroup, type Picture, type PictureEdge, type PictureNode } from './picture.js';
import type { Point } from './routes.js';
import { element, hint, type Markup, shownText } from './svg-markup.js';
import { headPath, linePath } from './svg-paths.js';
import { pictureCss, type Theme, toneClass } from './svg-style.js';
import { beginning, textWidth } from './wrap-text.js';

export interface SvgOptions {
  /** What the style follows; `none` leaves it to the page around. */
  readonly theme: Theme | 'none';
  /** What belongs to an element in the picture beside this one, by id. */
  readonly links?: Links;
}

export function renderSvg(picture: Picture, layout: Layout, options: SvgOptions): string {
  const { width, height } = layout;
  const standalone = options.theme !== 'none';
  const root = element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      class: `picture picture-${picture.subject}`,
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      // In a page what is inside can be reached one by one; an image has no parts.
      role: standalone ? 'img' : 'group',
      'aria-label': nameOf(picture),
    },
    [
      hint(nameOf(picture)),
      element('desc', {}, [shownText(descriptionOf(picture))]),
      ...(options.theme === 'none' ? [] : styleAndGround(options.theme, width, height)),
      ...drawEdges(picture, layout, options),
      ...picture.nodes.map((node, index) => drawNode(node, layout.nodes[index]!, options)),
    ],
  );
  const head = standalone ? '<?xml version="1.0" encoding="UTF-8"?>\n' : '';
  return `${head}${root.markup}\n`;
}

function nameOf({ title, subject }: Picture): string {
  return beginning(`The ${subject} ${title ?? ''}`, 200);
}

function descriptionOf({ nodes, edges, groups }: Picture): string {
  const size = `${counted(nodes.length, 'node')}, ${counted(edges.length, 'edge')}`;
  if (groups.length === 0) return size;
  return `${size}, ${counted(groups.length, 'assistant')} by number and colour`;
}

function styleAndGround(theme: Theme, width: number, height: number): Markup[] {
  // The rules are ours alone; `>` and quotes in them may stand as they are.
  const style = { markup: `<style>\n${pictureCss(theme)}</style>` };
  return [style, element('rect', { class: 'ground', x: 0, y: 0, width, height })];
}

/** Lines first, then what stands at them, so that no line crosses a text. */
function drawEdges(picture: Picture, layout: Layout, options: SvgOptions): Markup[] {
  const anywhere = new Set(picture.nodes.flatMap((it) => (it.kind === 'anywhere' ? it.id : [])));
  const classOf = ({ from }: PictureEdge) => (anywhere.has(from) ? 'edge edge-anywhere' : 'edge');
  const lines = picture.edges.map((edge, index) =>
    element('g', { class: classOf(edge), ...dataOf(edge, options) }, [
      ...(edge.label === '' ? [] : [hint(edge.label)]),
      ...drawLine(layout.edges[index]!),
    ]),
  );
  const labels = picture.edges.flatMap((edge, index) => {
    const { label } = layout.edges[index]!;
    if (label === null) return [];
    return element('g', { class: 'edge-label', ...dataOf(edge, options) }, [
      hint(edge.label),
      ...drawLabel(label),
    ]);
  });
  return [...lines, ...labels];
}

function dataOf(
  { id, pointers }: PictureEdge | PictureNode,
  { links }: SvgOptions,
): Record<string, string | null> {
  const linked = [...(links?.get(id) ?? [])].join(' ');
  return {
    'data-id': id,
    'data-at': pointers.length === 0 ? null : pointers.join(' '),
    'data-links': linked === '' ? null : linked,
  };
}

function drawLine({ line }: PlacedEdge): Markup[] {
  return [
    element('path', { d: linePath(line) }),
    element('path', { class: 'head', d: headPath(line) }),
  ];
}

function drawLabel({ x, y, width, height, lines }: NonNullable<PlacedEdge['label']>): Markup[] {
  const top = y - height / 2;
  return [
    element('rect', { class: 'behind', x: x - width / 2, y: top, width, height, rx: 3 }),
    ...textLines(lines, 'condition', { x, y: top + 2 }, lineHeights.edge, fonts.edge),
  ];
}

function drawNode(node: PictureNode, placed: PlacedNode, options: SvgOptions): Markup {
  const classes = [
    'node',
    `kind-${node.kind}`,
    toneClass(onlyGroup(node)),
    node.isStart ? 'is-start' : '',
    node.isGlobal ? 'is-global' : '',
  ];
  return element(
    'g',
    { class: classes.filter((each) => each !== '').join(' '), ...dataOf(node, options) },
    [
      hint(`${node.label}${placed.caption === '' ? '' : ` (${placed.caption})`}`),
      ...drawBox(node, placed),
      ...drawTop(placed),
      ...drawName(placed),
    ],
  );
}

/** Talk is round, work is angular with a second line at its sides, an exit is a pill. */
function drawBox({ kind }: PictureNode, { x, y, width, height }: PlacedNode): Markup[] {
  const [left, top] = [x - width / 2, y - height / 2];
  const radius = { talk: 10, act: 2, many: 4, exit: height / 2, anywhere: height / 2 }[kind];
  const box = element('rect', { class: 'box', x: left, y: top, width, height, rx: radius });
  const line = (at: number) =>
    element('path', { class: 'mark', d: `M${at} ${top}V${top + height}` });
  if (kind === 'act') return [box, line(left + 5), line(left + width - 5)];
  if (kind !== 'many') return [box];
  const behind = { class: 'box', x: left + 5, y: top + 5, width, height, rx: radius };
  return [element('rect', behind), box];
}

/** The numbers of the assistants and what the node is. */
function drawTop({ x, y, height, badges, caption }: PlacedNode): Markup[] {
  const captionWidth = caption === '' ? 0 : textWidth(caption, fonts.caption);
  const all = badgesWidth(badges) + captionWidth;
  const top = y - height / 2 + padding.y - 1;
  let left = x - all / 2;
  const pills = badges.flatMap(({ text, width, group }) => {
    const at = left;
    left += width + badge.step;
    return [
      element('rect', {
        class: `pill ${toneClass(group)}`,
        x: tenth(at),
        y: top,
        width,
        height: badge.height,
        rx: badge.height / 2,
      }),
      textLine(text, 'badge', { x: at + width / 2, y: top + 11.5 }),
    ];
  });
  if (caption === '') return pills;
  return [...pills, textLine(caption, 'caption', { x: left + 2, y: top + 11.5 })];
}

function drawName({ x, y, height, lines }: PlacedNode): Markup[] {
  const top = y + height / 2 - padding.y - lines.length * lineHeights.label;
  return textLines(lines, 'label', { x, y: top }, lineHeights.label, fonts.label);
}

/** Lines below each other; the first has its upper edge at `y`. */
function textLines(
  lines: readonly string[],
  className: string,
  { x, y }: Point,
  height: number,
  size: number,
): Markup[] {
  const baseline = y + (height + size * 0.72) / 2;
  return lines.map((line, index) => textLine(line, className, { x, y: baseline + index * height }));
}

function textLine(text: string, className: string, { x, y }: Point): Markup {
  return element('text', { class: className, x: tenth(x), y: tenth(y) }, [shownText(text)]);
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
