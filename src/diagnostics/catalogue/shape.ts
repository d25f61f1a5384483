/** Faults of the document's form. */
import { shapeOfFields } from './shape-fields.js';
import { shapeOfNodes } from './shape-nodes.js';
import { shapeOfText } from './shape-text.js';

export const shape = { ...shapeOfText, ...shapeOfFields, ...shapeOfNodes };
