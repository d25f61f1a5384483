/** How large the elements of a picture are drawn, and what of their texts is shown. */
import type { PictureEdge, PictureNode } from './picture.js';
import { type Room, textWidth, wrapText } from './wrap-text.js';

export const fonts = { label: 13, caption: 11, edge: 11 } as const;
export const lineHeights = { label: 17, caption: 15, edge: 14 } as const;

/** Between the border and the text. */
export const padding = { x: 12, y: 8 } as const;

const nodeRoom: Room = { width: 170, size: fonts.label, lines: 3 };
const exitRoom: Room = { width: 130, size: fonts.label, lines: 2 };
const edgeRoom: Room = { width: 150, size: fonts.edge, lines: 3 };
const captionRoom: Room = { width: 170, size: fonts.caption, lines: 1 };

/** Of a badge with the number of an assistant, and from one to the next. */
export const badge = { height: 15, step: 3, padding: 4 } as const;

/** Assistants whose numbers are shown; of more, how many there are. */
const mostBadges = 4;

export interface MeasuredNode {
  readonly width: number;
  readonly height: number;
  readonly lines: readonly string[];
  /** Empty where there is nothing to say. */
  readonly caption: string;
  readonly badges: readonly Badge[];
}

export interface Badge {
  readonly text: string;
  readonly width: number;
  /** Null for the rest of many. */
  readonly group: number | null;
}

export interface MeasuredText {
  readonly width: number;
  readonly height: number;
  readonly lines: readonly string[];
}

export function measureNode(node: PictureNode): MeasuredNode {
  const room = node.kind === 'exit' || node.kind === 'anywhere' ? exitRoom : nodeRoom;
  const lines = wrapText(node.label, room);
  const [caption = ''] = wrapText(captionOf(node), captionRoom);
  const badges = badgesOf(node);
  const top = badgesWidth(badges) + (caption === '' ? 0 : textWidth(caption, fonts.caption) + 4);
  const widths = lines.map((line) => textWidth(line, fonts.label));
  const hasTop = top > 0;
  return {
    width: Math.ceil(Math.max(30, top, ...widths) + 2 * padding.x),
    height: lines.length * lineHeights.label + (hasTop ? lineHeights.caption : 0) + 2 * padding.y,
    lines,
    caption,
    badges,
  };
}

/** What it is and how it is entered. */
function captionOf({ caption, isStart, isGlobal }: PictureNode): string {
  const parts = [isStart ? 'start' : '', isGlobal ? 'global' : '', caption];
  return parts.filter((part) => part !== '').join(' · ');
}

function badgesOf({ groups }: PictureNode): Badge[] {
  const shown = groups.length > mostBadges ? groups.slice(0, mostBadges - 1) : groups;
  const badges = shown.map((group) => badgeOf(String(group + 1), group));
  const hidden = groups.length - shown.length;
  return hidden === 0 ? badges : [...badges, badgeOf(`+${hidden}`, null)];
}

function badgeOf(text: string, group: number | null): Badge {
  const width = Math.max(badge.height, textWidth(text, fonts.caption) + 2 * badge.padding);
  return { text, width: Math.ceil(width), group };
}

export function badgesWidth(badges: readonly Badge[]): number {
  return badges.reduce((sum, { width }) => sum + width + badge.step, 0);
}

/** Null where nothing stands at the edge. */
export function measureEdge({ label }: PictureEdge): MeasuredText | null {
  const lines = wrapText(label, edgeRoom);
  if (lines.length === 0) return null;
  const width = Math.max(...lines.map((line) => textWidth(line, fonts.edge)));
  return { width: Math.ceil(width) + 8, height: lines.length * lineHeights.edge + 4, lines };
}
