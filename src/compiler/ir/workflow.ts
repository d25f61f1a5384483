/**
 * The workflow, as every dialect is read into it (spec/3, "Workflow (input)").
 *
 * Invariants: `nodes` and `edges` stand in source order; ids are unique; every edge joins two
 * existing nodes; texts are word for word those of the source.
 */
import type { EdgeIndex, JsonPointer, NodeIndex } from './ids.js';
import type { Json, JsonObject } from './json.js';
import type { Settled, ToolName } from './options.js';
import { type Origin, synthesized, type Traced, traced } from './provenance.js';

/** The shape that the document was written in. */
export type Dialect = 'spec' | 'vapi';

export interface Workflow {
  readonly dialect: Dialect;
  /** Where the workflow stands in the document: the root, but where it is wrapped. */
  readonly at: JsonPointer;
  readonly name: string | null;
  readonly nameAt: JsonPointer;
  readonly nodes: readonly WorkflowNode[];
  readonly edges: readonly WorkflowEdge[];
  /** The node that the dialect marks as start, where it has such a mark. */
  readonly markedStart: NodeIndex | null;
  readonly globalPrompt: Text | null;
  readonly settings: Settings;
  readonly shared: readonly NamedSetting[];
  /** Literals that authenticate: they stand in the squad and nowhere else. */
  readonly secrets: readonly string[];
  /** Places of fields that no rule reads; warned about and kept in the ledger. */
  readonly unknownFields: readonly JsonPointer[];
  /** What the reader has taken in without keeping it apart; kept in the ledger. */
  readonly absorbed: readonly Absorbed[];
}

/** A thing of the source that is no node or edge of the workflow any more, and why. */
export interface Absorbed {
  readonly at: JsonPointer;
  readonly kind: 'node' | 'edge' | 'field';
  readonly reason: string;
  /** What became of it; a field is dropped, all others are folded into something else. */
  readonly status?: 'dropped';
}

/** What a node is to the grouping: only talk nodes give rise to assistants. */
export type Role = 'talk' | 'act' | 'exit';

export type NodeType =
  | 'conversation'
  | 'gather'
  | 'apiRequest'
  | 'tool'
  | 'transferCall'
  | 'endCall'
  | 'hangup';

/** As far as the type alone says it; see `withRoles`. */
export const roleOf: Readonly<Record<NodeType, Role>> = {
  conversation: 'talk',
  gather: 'talk',
  apiRequest: 'act',
  tool: 'act',
  transferCall: 'exit',
  endCall: 'exit',
  hangup: 'exit',
};

export interface WorkflowNode {
  readonly index: NodeIndex;
  readonly id: string;
  readonly at: JsonPointer;
  readonly type: NodeType;
  readonly role: Role;
  readonly name: string | null;
  /** Where its name stands, or where it has none the id. */
  readonly nameAt: JsonPointer;
  readonly firstMessage: Text | null;
  readonly systemPrompt: Text | null;
  readonly captures: readonly Capture[];
  /** Present on a node that can be entered from anywhere. */
  readonly global: { readonly condition: Condition | null } | null;
  /** A condition that has no effect, because the node is not global. */
  readonly loneCondition: Text | null;
  readonly transfer: Transfer | null;
  readonly request: Request | null;
  /** Tools that an answer puts at the end of the node's work, before its conditions are read. */
  readonly calls: readonly ToolCall[];
  /** Tools in the platform's own words: the one that a tool node calls, those that a talk node has. */
  readonly tools: readonly GivenTool[];
  readonly settings: Settings;
  /** Those of them that not all nodes have. */
  readonly ownSettings: readonly SettingName[];
  /** Present on a node that is an assistant already. */
  readonly assistant: ReadyAssistant | null;
}

/** An assistant that the source brings: it stays a member of its own. */
interface ReadyAssistant {
  /** Its id, where the platform keeps it; null where the source holds all of it. */
  readonly savedAs: Traced<string> | null;
  readonly version: Traced<string> | null;
  readonly settings: readonly NamedSetting[];
}

export interface GivenTool {
  /** What a model calls it by. */
  readonly name: string;
  /** What the source says of it; null where it names a tool that the platform keeps. */
  readonly value: Traced<JsonObject> | null;
  readonly savedAs: Traced<string> | null;
  /** What somebody says that the platform knows of it. */
  readonly known?: ToolName;
  readonly version: Traced<string> | null;
  readonly texts: readonly Text[];
  readonly variables: readonly string[];
  readonly at: JsonPointer;
}

export interface NamedSetting {
  readonly key: string;
  readonly value: Traced<Json>;
}

export interface WorkflowEdge {
  readonly index: EdgeIndex;
  readonly at: JsonPointer;
  readonly from: NodeIndex;
  readonly to: NodeIndex;
  readonly condition: Condition | null;
  /** The question whose answer added it; absent where it is the source's. */
  readonly addedBy?: string;
}

/** A text of the source, word for word, with the variables that its Liquid reads. */
export interface Text {
  readonly value: string;
  readonly at: JsonPointer;
  readonly uses: readonly Use[];
  readonly sets?: readonly string[];
  /** Where several texts of the source stand in it, one behind the other: each of them. */
  readonly parts?: readonly TextPart[];
  /** The question whose answer changed the text; absent while it is word for word the source's. */
  readonly changedBy?: string;
  /** Parts that stand between `{% raw %}` and `{% endraw %}` in the squad, in order. */
  readonly raw?: readonly Span[];
  /** The rule that worded it, where the source says it by a mark and not in words. */
  readonly rule?: string;
}

export interface TextPart {
  readonly value: string;
  readonly at: JsonPointer;
  /** Offset in the whole, in UTF-16 units. */
  readonly start: number;
}

/** The texts of the source that a text is made of, without what they read. */
export function partsOf(text: Text): readonly Text[] {
  const { parts, raw = [] } = text;
  if (parts === undefined) return [text];
  return parts.map(({ value, at, start }) => {
    const own = raw.filter(([from, to]) => from >= start && to <= start + value.length);
    return { value, at, uses: [], raw: own.map(([from, to]): Span => [from - start, to - start]) };
  });
}

export type Span = readonly [start: number, end: number];

export interface Use {
  /** The root of the path: `a` of `{{ a.b[0] }}`. */
  readonly name: string;
  /** Whether the text reads into the variable (`a.b`) rather than the variable itself. */
  readonly nested: boolean;
  /** Offsets of the root identifier in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

export interface Condition extends Text {
  /** Whether the text is an expression rather than a sentence (1-read/logical.ts). */
  readonly logical: boolean;
  /** How a logical condition is met; null while nobody has said. */
  readonly routing: Routing | null;
  /** Where the platform decides: Liquid that prints `true` where the condition holds, else `false`. */
  readonly guard: string | null;
  /** The tool that gives the values, where that is how the condition is met. */
  readonly call: ToolCall | null;
}

export type Routing = 'extract' | 'tool' | 'guard' | 'prose';

export type VariableType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';

/** A variable that a node extracts from the conversation, or derives from others (an alias). */
export interface Capture {
  readonly name: string;
  readonly type: VariableType;
  readonly description: Text | null;
  readonly enum: readonly string[] | null;
  /** What a schema says of the value beside type and choices; null where it says no more. */
  readonly details: Traced<JsonObject> | null;
  /** The template that derives it from other variables; absent where it is found out. */
  readonly alias?: Text;
  readonly at: JsonPointer;
  readonly origin: Origin;
  /** Where its parts stand; `name` is null where the name is a key, or the platform's own. */
  readonly places: Readonly<Record<'type' | 'enum', JsonPointer> & { name: JsonPointer | null }>;
}

/** A variable that a tool's response sets. */
export interface ResponseVariable {
  readonly name: string;
  /** Path into the response, without the leading `$.`; empty where `value` or a schema says it. */
  readonly path: string;
  /** The template that makes the value; null where a path or the request's schema says it. */
  readonly value: Text | null;
  readonly at: JsonPointer;
  /** Where the path, the template or the schema's property stands. */
  readonly sourceAt: JsonPointer;
}

export interface Transfer {
  readonly destination: Traced<TransferDestination> | null;
  /** The number or address as a text, for the variables that it reads. */
  readonly address: Text | null;
  readonly message: Text | null;
  readonly description: Text | null;
  /** Further fields of the destination, in the platform's words, by key. */
  readonly passed: readonly NamedSetting[];
  readonly passedTexts: readonly Text[];
  readonly others: readonly Transfer[];
  /** What the tool says if the transfer fails, or takes long. */
  readonly messages: Traced<readonly Json[]> | null;
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
  readonly responses: readonly ResponseVariable[];
  /** The JSON Schema by which the platform takes variables from the response. */
  readonly responseSchema: Traced<JsonObject> | null;
  /** What the source calls the tool; null where the node's name has to do. */
  readonly toolName: Traced<string> | null;
  readonly description: Text | null;
  readonly statics: readonly NamedSetting[];
  /** Further fields of the tool, in the platform's words, by key. */
  readonly passed: readonly NamedSetting[];
  /** Every text of url, headers, body and what is passed on, for the variables that it reads. */
  readonly texts: readonly Text[];
  /** Those of them that no answer about url, headers or body changes. */
  readonly furtherTexts: readonly Text[];
  /** Whether the request authenticates: by a header, by a credential, or by answer "none". */
  readonly authenticated: boolean;
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
export const defaultModel = traced<JsonObject>(
  { provider: 'openai', model: 'gpt-4o' },
  synthesized('default-model'),
);

/** What a node wants: its own setting, else the workflow's, else the default; null where there is none. */
export function effectiveSetting(
  { settings }: Pick<WorkflowNode, 'settings'>,
  workflow: Pick<Workflow, 'settings'>,
  name: SettingName,
): Json {
  const { value = null } = settings[name] ?? workflow.settings[name] ?? {};
  // With sorted keys, as what is read.
  return name === 'model' && value === null ? { model: 'gpt-4o', provider: 'openai' } : value;
}

/** What a model of the target holds beside its settings: the prompt and the tools. */
export const writtenByCompiler: readonly string[] = ['messages', 'tools', 'toolIds', 'toolRefs'];

/** What tells two edges between the same nodes apart: the condition, and how it is met. */
export function conditionKey(condition: Condition | null): string {
  return condition === null ? '' : `${condition.routing ?? ''}=${condition.value}`;
}

/** The workflow with what is known of tools by their id. */
export function withToolNames(workflow: Workflow, { toolNames }: Settled): Workflow {
  if (toolNames.size === 0) return workflow;
  const nameTool = (tool: GivenTool): GivenTool => {
    const known = toolNames.get(tool.savedAs?.value ?? '');
    return known === undefined ? tool : { ...tool, known };
  };
  const nodes = workflow.nodes.map((node) => ({ ...node, tools: node.tools.map(nameTool) }));
  return { ...workflow, nodes };
}

/** What a prompt calls a tool by; null where nobody knows what it is called. */
export function functionOf({ name, value, known }: GivenTool): string | null {
  if (value === null) return known?.name ?? null;
  // The name that the dashboard gives, until somebody gives another one.
  return name === 'untitled_tool' ? null : name;
}

/** What tells two given tools apart: what they are, or the id that the platform knows them by. */
export function givenToolKey({ value, savedAs, version }: GivenTool): string {
  return JSON.stringify(value === null ? [savedAs?.value, version?.value] : value.value);
}

/**
 * The workflow with the role of each node: a conversation node that says a line and moves on by itself
 * acts as a tool does. An assistant that has spoken waits for the caller, so such a node must not be
 * one.
 */
export function withRoles<T extends Pick<Workflow, 'nodes' | 'edges'>>(workflow: T): T {
  const { nodes, edges } = workflow;
  const leaving = new Map<NodeIndex, Map<string, WorkflowEdge>>();
  for (const edge of edges) {
    const ways = leaving.get(edge.from) ?? new Map<string, WorkflowEdge>();
    leaving.set(edge.from, ways.set(`${edge.to} ${conditionKey(edge.condition)}`, edge));
  }
  const movesOn = ({ index }: WorkflowNode): boolean => {
    const [only, ...others] = leaving.get(index)?.values() ?? [];
    if (only === undefined || only.condition !== null || others.length > 0) return false;
    return !['endCall', 'hangup'].includes(nodes[only.to]!.type);
  };
  const roleIn = (node: WorkflowNode): Role =>
    node.type === 'conversation' && hasOnlyLine(node) && movesOn(node) ? 'act' : roleOf[node.type];
  return { ...workflow, nodes: nodes.map((node) => ({ ...node, role: roleIn(node) })) };
}

function hasOnlyLine(node: WorkflowNode): boolean {
  const { firstMessage, systemPrompt, captures, calls, tools, ownSettings, assistant } = node;
  const own = [...captures, ...calls, ...tools, ...ownSettings];
  const isBlank = (text: Text | null) => text === null || text.value.trim() === '';
  return !isBlank(firstMessage) && systemPrompt === null && own.length === 0 && assistant === null;
}

/** Whether the node says a line on the way through it, and does nothing else. */
export function onlySays({ type, role }: WorkflowNode): boolean {
  return type === 'conversation' && role === 'act';
}
