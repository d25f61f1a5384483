/**
 * Picture and layout → SVG.
 *
 * Standalone it is an XML document with its own style; inside of a page it is the element alone,
 * and the page has the style. Every element carries its id (`data-id`), the ids that belong to it in
 * another picture (`data-links`) and its places in the document (`data-at`), separated by spaces:
 * none of the three holds one. Nothing is loaded, and nothing runs.
 */
import { html, type Markup, trusted } from '../html.js';
import { counted } from '../words.js';
import {
  badge,
  badgesWidth,
  fonts,
  type Layout,
  lineHeights,
  type PlacedEdge,
  type PlacedNode,
  padding,
} from './layout.js';
import type { Links } from './links.js';
import { onlyGroup, type Picture, type PictureEdge, type PictureNode } from './picture.js';
import { pictureCss, type Theme, toneClass } from './style.js';
import { beginning, plainText, textWidth } from './text.js';

export interface SvgOptions {
  /** What the style follows; `none` leaves it to the page around. */
  readonly theme: Theme | 'none';
  /** What belongs to an element in the picture beside this one, by id. */
  readonly links?: Links;
}

export function renderSvg(picture: Picture, layout: Layout, { theme, links }: SvgOptions): string {
  const { subject, title, nodes, edges, groups } = picture;
  const { width, height } = layout;
  const name = beginning(`The ${subject} ${title ?? ''}`, 200);
  const size = `${counted(nodes.length, 'node')}, ${counted(edges.length, 'edge')}`;
  const owners =
    groups.length > 0 && `, ${counted(groups.length, 'assistant')} by number and colour`;
  const anywhere = new Set(nodes.flatMap(({ id, kind }) => (kind === 'anywhere' ? id : [])));
  const dataOf = ({ id, pointers }: PictureEdge | PictureNode) => {
    const linked = [...(links?.get(id) ?? [])].join(' ');
    return html` data-id="${id}"${pointers.length > 0 && html` data-at="${pointers.join(' ')}"`}${
      linked !== '' && html` data-links="${linked}"`
    }`;
  };
  // Lines first, then what stands at them, so that no line crosses a text. In a page what is inside
  // can be reached one by one; an image has no parts.
  const drawn = html`<svg xmlns="http://www.w3.org/2000/svg" class="picture picture-${subject}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="${theme === 'none' ? 'group' : 'img'}" aria-label="${name}"><title>${name}</title><desc>${size}${owners}</desc>${
    theme !== 'none' &&
    html`<style>\n${trusted(pictureCss(theme))}</style><rect class="ground" x="0" y="0" width="${width}" height="${height}"/>`
  }${edges.map((edge, at) => {
    const { path, head } = layout.edges[at]!;
    return html`<g class="edge${anywhere.has(edge.from) && ' edge-anywhere'}"${dataOf(edge)}>${
      edge.label !== '' && hint(edge.label)
    }<path d="${path}"/><path class="head" d="${head}"/></g>`;
  })}${edges.map((edge, at) => {
    const { label } = layout.edges[at]!;
    return (
      label && html`<g class="edge-label"${dataOf(edge)}>${hint(edge.label)}${drawLabel(label)}</g>`
    );
  })}${nodes.map((node, at) => {
    const placed = layout.nodes[at]!;
    const marks = [node.isStart && ' is-start', node.isGlobal && ' is-global'];
    const title = `${node.label}${placed.caption === '' ? '' : ` (${placed.caption})`}`;
    return html`<g class="node kind-${node.kind} ${toneClass(onlyGroup(node))}${marks}"${dataOf(node)}>${hint(
      title,
    )}${drawBox(node, placed)}${drawName(placed)}${drawTop(placed)}</g>`;
  })}</svg>`;
  return `${theme === 'none' ? '' : '<?xml version="1.0" encoding="UTF-8"?>\n'}${drawn}\n`;
}

/** The text as a browser shows it over an element. */
function hint(text: string): Markup {
  return html`<title>${beginning(text, 2000)}</title>`;
}

function drawLabel({ x, y, width, height, lines }: NonNullable<PlacedEdge['label']>): Markup {
  const top = y - height / 2;
  return html`<rect class="behind" x="${tenth(x - width / 2)}" y="${tenth(top)}" width="${width}" height="${height}" rx="3"/>${textLines(
    lines,
    'condition',
    { x, y: top + 2 },
    lineHeights.edge,
    fonts.edge,
  )}`;
}

/** Talk is round, work is angular with a second line at its sides, an exit is a pill. */
function drawBox({ kind }: PictureNode, { x, y, width, height }: PlacedNode): Markup {
  const [left, top] = [tenth(x - width / 2), tenth(y - height / 2)];
  const radius = { talk: 10, act: 2, many: 4, exit: height / 2, anywhere: height / 2 }[kind];
  const box = (by: number) =>
    html`<rect class="box" x="${left + by}" y="${top + by}" width="${width}" height="${height}" rx="${radius}"/>`;
  if (kind === 'many') return html`${box(5)}${box(0)}`;
  if (kind !== 'act') return box(0);
  const mark = (at: number) =>
    html`<path class="mark" d="M${tenth(at)} ${top}V${tenth(top + height)}"/>`;
  return html`${box(0)}${mark(left + 5)}${mark(left + width - 5)}`;
}

/** The numbers of the assistants and what the node is. */
function drawTop({ x, y, height, badges, caption }: PlacedNode): Markup {
  const captionWidth = caption === '' ? 0 : textWidth(caption, fonts.caption);
  const top = tenth(y - height / 2 + padding.y - 1);
  let left = x - (badgesWidth(badges) + captionWidth) / 2;
  const pills = badges.map(({ text, width, group }) => {
    const at = left;
    left += width + badge.step;
    return html`<rect class="pill ${toneClass(group)}" x="${tenth(at)}" y="${top}" width="${width}" height="${badge.height}" rx="${badge.height / 2}"/>${textLine(
      text,
      'badge',
      at + width / 2,
      top + 11.5,
    )}`;
  });
  return html`${pills}${caption !== '' && textLine(caption, 'caption', left + 2, top + 11.5)}`;
}

function drawName({ x, y, height, lines }: PlacedNode): readonly Markup[] {
  const top = y + height / 2 - padding.y - lines.length * lineHeights.label;
  return textLines(lines, 'label', { x, y: top }, lineHeights.label, fonts.label);
}

/** Lines below each other; the first has its upper edge at `y`. */
function textLines(
  lines: readonly string[],
  className: string,
  { x, y }: { readonly x: number; readonly y: number },
  height: number,
  size: number,
): Markup[] {
  const baseline = y + (height + size * 0.72) / 2;
  return lines.map((text, index) => textLine(text, className, x, baseline + index * height));
}

/** A space parts it from the next for those who are read to. */
function textLine(text: string, className: string, x: number, y: number): Markup {
  return html`<text class="${className}" x="${tenth(x)}" y="${tenth(y)}">${plainText(text)}</text> `;
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
