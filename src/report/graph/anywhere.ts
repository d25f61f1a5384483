/** The node that stands for every other one: what leads out of it can happen at any time. */
import type { PictureNode } from './picture.js';

export const anywhereId = '#anywhere';

export function anywhereNode(label: string): PictureNode {
  return {
    id: anywhereId,
    label,
    caption: '',
    kind: 'anywhere',
    isStart: false,
    isGlobal: false,
    groups: [],
    pointers: [],
  };
}
