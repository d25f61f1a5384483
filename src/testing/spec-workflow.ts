/** The workflow of spec/3, with the optional fields that the generators use. */

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

/** A node; its type determines which fields count. */
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
  /** What a request says when it is called. */
  messages?: { type: 'request-start'; content: string }[];
  [unknownField: string]: unknown;
}

/** A variable that a node captures from the conversation. */
export interface SpecCapture {
  name: string;
  type: 'string' | 'number' | 'boolean';
  description: string;
  enum?: string[];
}

/** A variable that is taken from the response to a request. */
export interface SpecResponse {
  name: string;
  type: 'string';
  description: string;
  path: string;
}

/** An edge; without a condition it is taken when the node's work is done. */
export interface SpecEdge {
  from: string;
  to: string;
  condition?: string;
  [unknownField: string]: unknown;
}

type Typed = { readonly type: SpecNodeType };

/** True if the node ends the call. */
export const isExit = ({ type }: Typed) => /^(?:transferCall|endCall|hangup)$/.test(type);

/** True if the node talks with the caller; one that neither talks nor ends the call is a tool. */
export const isTalk = ({ type }: Typed) => /^(?:conversation|gather)$/.test(type);

/** The text of a condition; a blank one counts as absent. */
export const saidCondition = (text: string | undefined): string | undefined =>
  text?.trim() === '' ? undefined : text;

/** Nodes that are neither global nor exits and that no edge of another such node leads to. */
export function startCandidates({ nodes, edges }: SpecWorkflow): number[] {
  const exits = new Set(nodes.filter(isExit).map(({ id }) => id));
  const onward = edges.filter(({ from, to }) => from !== to && !exits.has(from));
  const entered = new Set([...exits, ...onward.map(({ to }) => to)]);
  return nodes.flatMap(({ id, isGlobal }, index) => (isGlobal || entered.has(id) ? [] : [index]));
}
