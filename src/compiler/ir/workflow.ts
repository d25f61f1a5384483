/**
 * The workflow, as every dialect is read into it (spec/3, "Workflow (input)").
 *
 * Invariants: `nodes` and `edges` stand in source order; ids are unique; every edge joins two
 * existing nodes; texts are word for word those of the source.
 */
import type { EdgeIndex, JsonPointer, NodeIndex } from './ids.js';
import type { Json, JsonObject } from './json.js';
import type { Origin, Traced } from './provenance.js';

/** The shape that the document was written in. */
export type Dialect = 'spec' | 'vapi';

export interface Workflow {
  readonly dialect: Dialect;
  readonly name: string | null;
  readonly nodes: readonly WorkflowNode[];
  readonly edges: readonly WorkflowEdge[];
  /** The node that the dialect marks as start, where it has such a mark. */
  readonly markedStart: NodeIndex | null;
  readonly globalPrompt: Text | null;
  readonly settings: Settings;
  /** Places of fields that no rule reads; warned about and kept in the ledger. */
  readonly unknownFields: readonly JsonPointer[];
}

export type NodeType =
  | 'conversation'
  | 'gather'
  | 'apiRequest'
  | 'transferCall'
  | 'endCall'
  | 'hangup';

/** What a node is to the grouping: only talk nodes give rise to assistants. */
export type Role = 'talk' | 'act' | 'exit';

export interface WorkflowNode {
  readonly index: NodeIndex;
  readonly id: string;
  readonly at: JsonPointer;
  readonly type: NodeType;
  readonly role: Role;
  readonly name: string | null;
  readonly firstMessage: Text | null;
  readonly systemPrompt: Text | null;
  readonly captures: readonly Capture[];
  /** Present on a node that can be entered from anywhere. */
  readonly global: { readonly condition: Condition | null } | null;
  /** Present on transferCall nodes. */
  readonly transfer: Transfer | null;
  /** Present on apiRequest nodes. */
  readonly request: Request | null;
  /** Tools that an answer puts at the end of the node's work, before its conditions are read. */
  readonly calls: readonly ToolCall[];
  readonly settings: Settings;
}

export interface WorkflowEdge {
  readonly index: EdgeIndex;
  readonly at: JsonPointer;
  readonly from: NodeIndex;
  readonly to: NodeIndex;
  readonly condition: Condition | null;
}

/** A text of the source, word for word, with the variables that its Liquid reads. */
export interface Text {
  readonly value: string;
  readonly at: JsonPointer;
  readonly uses: readonly Use[];
  /** The question whose answer changed the text; absent while it is word for word the source's. */
  readonly changedBy?: string;
}

/** One read of a variable. */
export interface Use {
  /** The root of the path: `a` of `{{ a.b[0] }}`. */
  readonly name: string;
  /** Whether the text reads into the variable (`a.b`) rather than the variable itself. */
  readonly nested: boolean;
  /** Offsets of the root identifier in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** The condition of an edge or of a global node. */
export interface Condition extends Text {
  /** Whether the text is an expression rather than a sentence (DESIGN section 6). */
  readonly logical: boolean;
  /** How a logical condition is met; null while nobody has said. */
  readonly routing: Routing | null;
  /** Where the platform decides: Liquid that prints `true` where the condition holds, else `false`. */
  readonly guard: string | null;
  /** The tool that gives the values, where that is how the condition is met. */
  readonly call: ToolCall | null;
}

export type Routing = 'extract' | 'tool' | 'guard' | 'prose';

export type VariableType = 'string' | 'number' | 'boolean';

/** A variable that a node extracts from the conversation. */
export interface Capture {
  readonly name: string;
  readonly type: VariableType;
  readonly description: Text | null;
  readonly enum: readonly string[] | null;
  readonly at: JsonPointer;
  readonly origin: Origin;
}

/** A variable that a tool's response sets. */
export interface ResponseVariable {
  readonly name: string;
  /** Path into the response, without the leading `$.`. */
  readonly path: string;
  readonly at: JsonPointer;
}

export interface Transfer {
  readonly destination: Traced<TransferDestination> | null;
  /** The number or address as a text, for the variables that it reads. */
  readonly address: Text | null;
  readonly message: Text | null;
}

export type TransferDestination =
  | { readonly type: 'number'; readonly number: string }
  | { readonly type: 'sip'; readonly sipUri: string };

export type RequestMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Request {
  readonly url: Traced<string> | null;
  readonly method: Traced<RequestMethod> | null;
  readonly headers: Traced<JsonObject> | null;
  readonly body: Traced<Json> | null;
  readonly timeoutSeconds: Traced<number> | null;
  readonly credentialId: Traced<string> | null;
  /** An operation of an adapter that stands in for url and method. */
  readonly operation: Traced<Operation> | null;
  readonly responses: readonly ResponseVariable[];
  /** Every text of url, headers and body, for the variables that it reads. */
  readonly texts: readonly Text[];
  /** Whether the request authenticates: by a header, by a credential, or by answer "none". */
  readonly authenticated: boolean;
}

export interface Operation {
  readonly operation: string;
  readonly bind: JsonObject;
}

/** A tool call that an answer asked for: it sets `variables` before the node is left. */
export interface ToolCall {
  /** Name of the tool to provide, or of the request node's tool where `node` is given. */
  readonly tool: string;
  readonly node: NodeIndex | null;
  readonly variables: readonly string[];
  /** Behind the node's captures, or before an exact condition is judged. */
  readonly moment: 'captured' | 'judging';
  readonly question: string;
  /** What the question is about. */
  readonly at: JsonPointer;
}

/** Settings that shape an assistant; absent where the source says nothing. */
export interface Settings {
  readonly model?: Traced<JsonObject>;
  readonly voice?: Traced<Json>;
  readonly transcriber?: Traced<Json>;
}
export type SettingName = keyof Settings;
export const settingNames: readonly SettingName[] = ['model', 'voice', 'transcriber'];

/** What tells two edges between the same nodes apart: the condition, and how it is met. */
export function conditionKey(condition: Condition | null): string {
  return condition === null ? '' : `${condition.routing ?? ''}=${condition.value}`;
}

export const roleOf: Readonly<Record<NodeType, Role>> = {
  conversation: 'talk',
  gather: 'talk',
  apiRequest: 'act',
  transferCall: 'exit',
  endCall: 'exit',
  hangup: 'exit',
};
