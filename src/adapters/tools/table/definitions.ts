/**
 * All tools, by operation.
 *
 * Some operations of the documents service have none: what they do is the business of people who
 * set a service up, not of somebody on the telephone.
 */
import { billsTools } from './bills-tools.js';
import { documentTools } from './documents-tools.js';
import type { ToolDefinition } from './tool.js';

/** Without a prototype: an operation that is called `constructor` is an unknown one. */
export const toolDefinitions: Readonly<Record<string, ToolDefinition>> = Object.assign(
  Object.create(null),
  Object.fromEntries([...billsTools, ...documentTools].map((tool) => [tool.operation, tool])),
);
