/**
 * Picture → SVG, laid out. Nothing in it is loaded and nothing runs.
 *
 * Each shape has its id (`data-id`) and the ids of its partners in the other picture (`data-links`),
 * separated by spaces: ids contain none.
 */
import { counted } from '../../text/counted.js';
import { html, type Markup, trusted } from '../html.js';
import {
  badge,
  badgesWidth,
  fonts,
  layOut,
  lineHeights,
  type PlacedLabel,
  type PlacedNode,
  padding,
  tenth,
} from './layout.js';
import { onlyGroup, type Picture, type PictureEdge, type PictureNode } from './picture.js';
import { pictureCss, toneClass } from './style.js';
import { beginning, plainText, textWidth } from './text.js';

/** Ids of the other picture, by id. */
export type Links = ReadonlyMap<string, ReadonlySet<string>>;

/** With links an element for a page, which has the style; without, an XML document on its own. */
export function renderSvg(picture: Picture, links?: Links): string {
  const { subject, title, nodes, edges, groups } = picture;
  const layout = layOut(picture);
  const { x, y, width, height } = layout;
  const name = beginning(`The ${subject} ${title ?? ''}`, 200);
  const size = `${counted(nodes.length, 'node')}, ${counted(edges.length, 'edge')}`;
  const owners =
    groups.length > 0 && `, ${counted(groups.length, 'assistant')} by number and colour`;
  const fromAnywhere = new Set(nodes.flatMap(({ id, kind }) => (kind === 'anywhere' ? id : [])));
  const dataOf = ({ id }: PictureEdge | PictureNode) => {
    const linked = [...(links?.get(id) ?? [])].join(' ');
    return html` data-id="${id}"${linked !== '' && html` data-links="${linked}"`}`;
  };
  // Lines first, so that none crosses a text.
  const lines = edges.map((edge, at) => {
    const { path, head } = layout.edges[at]!;
    return html`<g class="edge${fromAnywhere.has(edge.from) && ' edge-anywhere'}"${dataOf(edge)}>${
      edge.label !== '' && hint(edge.label)
    }<path d="${path}"/><path class="head" d="${head}"/></g>`;
  });
  const labels = edges.map((edge, at) => {
    const { label } = layout.edges[at]!;
    if (label.lines.length === 0) return null;
    return html`<g class="edge-label"${dataOf(edge)}>${hint(edge.label)}${drawLabel(label)}</g>`;
  });
  const boxes = nodes.map((node, at) => {
    const placed = layout.nodes[at]!;
    const marks = [node.isStart && ' is-start', node.isGlobal && ' is-global'];
    const caption = placed.caption === '' ? '' : ` (${placed.caption})`;
    return html`<g class="node kind-${node.kind} ${toneClass(onlyGroup(node))}${marks}"${dataOf(node)}>${hint(
      node.label + caption,
    )}${drawBox(node, placed)}${drawName(placed)}${drawTop(placed)}</g>`;
  });
  const isAlone = links === undefined;
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" class="picture picture-${subject}" viewBox="${x} ${y} ${width} ${height}" width="${width}" height="${height}" role="${isAlone ? 'img' : 'group'}" aria-label="${name}"><title>${name}</title><desc>${size}${owners}</desc>${
    isAlone &&
    html`<style>\n${trusted(pictureCss)}</style><rect class="ground" x="${x}" y="${y}" width="${width}" height="${height}"/>`
  }${lines}${labels}${boxes}</svg>`;
  return `${isAlone ? '<?xml version="1.0" encoding="UTF-8"?>\n' : ''}${svg}\n`;
}

/** What a browser shows when the pointer rests on the shape. */
function hint(text: string): Markup {
  return html`<title>${beginning(text, 2000)}</title>`;
}

function drawLabel({ x, y, width, height, lines }: PlacedLabel): Markup {
  const top = y - height / 2;
  return html`<rect class="behind" x="${tenth(x - width / 2)}" y="${tenth(top)}" width="${width}" height="${height}" rx="3"/>${drawText(lines, 'condition', x, top + 2)}`;
}

/** Talk is round, a tool is square with a second line at its sides, an exit is a pill. */
function drawBox({ kind }: PictureNode, { x, y, width, height }: PlacedNode): Markup {
  const [left, top] = [tenth(x - width / 2), tenth(y - height / 2)];
  const radius = { talk: 10, act: 2, many: 4, exit: height / 2, anywhere: height / 2 }[kind];
  const box = (by: number) =>
    html`<rect class="box" x="${left + by}" y="${top + by}" width="${width}" height="${height}" rx="${radius}"/>`;
  const mark = (at: number) =>
    html`<path class="mark" d="M${tenth(at)} ${top}V${tenth(top + height)}"/>`;
  if (kind === 'many') return html`${box(5)}${box(0)}`;
  return html`${box(0)}${kind === 'act' && [mark(left + 5), mark(left + width - 5)]}`;
}

/** The numbers of the assistants, and the caption. */
function drawTop({ x, y, height, badges, caption }: PlacedNode): Markup {
  const captionWidth = caption === '' ? 0 : textWidth(caption, fonts.caption);
  const top = tenth(y - height / 2 + padding.y - 1);
  let left = x - (badgesWidth(badges) + captionWidth) / 2;
  const pills = badges.map(({ text, width, group }) => {
    const at = left;
    left += width + badge.step;
    return html`<rect class="pill ${toneClass(group)}" x="${tenth(at)}" y="${top}" width="${width}" height="${badge.height}" rx="${badge.height / 2}"/>${drawLine(
      text,
      'badge',
      at + width / 2,
      top + 11.5,
    )}`;
  });
  return html`${pills}${caption !== '' && drawLine(caption, 'caption', left + 2, top + 11.5)}`;
}

function drawName({ x, y, height, lines }: PlacedNode): readonly Markup[] {
  const top = y + height / 2 - padding.y - lines.length * lineHeights.label;
  return drawText(lines, 'label', x, top);
}

/** `top` is the upper edge of the first line. */
function drawText(
  lines: readonly string[],
  kind: 'label' | 'condition',
  x: number,
  top: number,
): Markup[] {
  const key = kind === 'label' ? 'label' : 'edge';
  const baseline = top + (lineHeights[key] + fonts[key] * 0.72) / 2;
  return lines.map((text, at) => drawLine(text, kind, x, baseline + at * lineHeights[key]));
}

/** The space after it separates it from the next one when the picture is read aloud. */
function drawLine(text: string, className: string, x: number, y: number): Markup {
  return html`<text class="${className}" x="${tenth(x)}" y="${tenth(y)}">${plainText(text)}</text> `;
}
