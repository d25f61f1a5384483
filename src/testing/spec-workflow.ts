/** The workflow as spec/3 writes it, with the optional fields that the generators use. */

export interface SpecWorkflow {
  name?: string;
  globalPrompt?: string;
  nodes: SpecNode[];
  edges: SpecEdge[];
  [unknownField: string]: unknown;
}

/** The types of nodes of spec/3, section "Workflow (input)". */
export type SpecNodeType =
  | 'conversation'
  | 'gather'
  | 'apiRequest'
  | 'transferCall'
  | 'endCall'
  | 'hangup';

/** A node; which fields count depends on its type. */
export interface SpecNode {
  id: string;
  type: SpecNodeType;
  name?: string;
  firstMessage?: string;
  systemPrompt?: string;
  extractVariables?: SpecCapture[];
  isGlobal?: boolean;
  condition?: string;
  destination?: string;
  transferPlan?: { message: string };
  url?: string;
  method?: string;
  headers?: Record<string, unknown>;
  body?: unknown;
  timeoutSeconds?: number;
  responseVariables?: SpecResponse[];
  [unknownField: string]: unknown;
}

/** A variable that a node finds out from the caller. */
export interface SpecCapture {
  name: string;
  type: 'string' | 'number' | 'boolean';
  description: string;
  enum?: string[];
}

/** A variable that is taken out of the response to a request. */
export interface SpecResponse {
  name: string;
  type: 'string';
  description: string;
  path: string;
}

/** A way from one node to another; without a condition it is taken always. */
export interface SpecEdge {
  from: string;
  to: string;
  condition?: string;
  [unknownField: string]: unknown;
}

const exitTypes: ReadonlySet<string> = new Set(['transferCall', 'endCall', 'hangup']);

/** Whether the node ends the walk. */
export function isExit(node: { readonly type: SpecNodeType }): boolean {
  return exitTypes.has(node.type);
}

/** Whether the node talks with the caller; what neither talks nor ends the walk is a tool. */
export function isTalk(node: { readonly type: SpecNodeType }): boolean {
  return node.type === 'conversation' || node.type === 'gather';
}

/** What a field says; an empty text says nothing. */
export function said(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** What a condition says; a blank one says nothing. */
export function saidCondition(text: string | undefined): string | undefined {
  return text?.trim() === '' ? undefined : text;
}

/** The element at this position, which the caller knows to exist. */
export function nth<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new RangeError(`no element ${index} of ${list.length}`);
  return found;
}

/** The element that a random number falls on. */
export function wheel<T>(list: readonly T[], number: number): T {
  return nth(list, number % list.length);
}
