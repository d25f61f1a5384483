/**
 * The workflow, into which every dialect is read (spec/3, "Workflow (input)").
 *
 * Invariants: `nodes` and `edges` are in source order; ids are unique; every edge joins two
 * existing nodes; texts are word for word those of the source.
 */
import { groupBy } from '../../graph/lists.js';
import type { Json, JsonObject } from '../../text/json.js';
import type { JsonPointer } from '../../text/pointer.js';
import type { EdgeIndex, NodeIndex } from './ids.js';
import type { Settled, ToolName } from './options.js';
import { type Origin, synthesized, type Traced, traced } from './provenance.js';

/** The shape of the document. */
export type Dialect = 'spec' | 'vapi';

export interface Workflow {
  readonly dialect: Dialect;
  /** The workflow's place in the document: the root unless it is wrapped. */
  readonly at: JsonPointer;
  readonly name: string | null;
  readonly nameAt: JsonPointer;
  readonly nodes: readonly WorkflowNode[];
  readonly edges: readonly WorkflowEdge[];
  /** The node that the dialect marks as the start; null if it has no such mark. */
  readonly markedStart: NodeIndex | null;
  readonly globalPrompt: Text | null;
  readonly settings: Settings;
  readonly shared: readonly NamedSetting[];
  /** Literals that authenticate: they stand in the squad and nowhere else. */
  readonly secrets: readonly string[];
  /** Places of fields that squadc does not use; they are reported and listed in the ledger. */
  readonly unknownFields: readonly JsonPointer[];
  /** Items that the reader merged into others or dropped; listed in the ledger. */
  readonly absorbed: readonly Absorbed[];
  /** The first message of what is around the nodes. */
  readonly opening: Text | null;
}

/** An item of the source that is not a node or an edge of the workflow, and why. */
export interface Absorbed {
  readonly at: JsonPointer;
  readonly kind: 'node' | 'edge' | 'field' | 'line';
  readonly reason: string;
  /** What became of it; by default a field is dropped and all others are folded. */
  readonly status?: 'dropped';
}

/** A node's role in the grouping: only talk nodes become assistants. */
export type Role = 'talk' | 'act' | 'exit';

/** By type alone; see `withRoles`. */
export const roleOf = {
  conversation: 'talk',
  gather: 'talk',
  apiRequest: 'act',
  tool: 'act',
  transferCall: 'exit',
  endCall: 'exit',
  hangup: 'exit',
} as const satisfies Readonly<Record<string, Role>>;

export type NodeType = keyof typeof roleOf;

export interface WorkflowNode {
  readonly index: NodeIndex;
  readonly id: string;
  readonly at: JsonPointer;
  readonly type: NodeType;
  readonly role: Role;
  readonly name: string | null;
  /** The place of its name, or of its id if it has no name. */
  readonly nameAt: JsonPointer;
  readonly firstMessage: Text | null;
  /** The message of the tool that ends the call and says the line; null if the model says it. */
  readonly lineBy: Traced<JsonObject> | null;
  /** Of the start: what is around the nodes has another first message. */
  readonly otherOpening?: Text;
  readonly systemPrompt: Text | null;
  readonly captures: readonly Capture[];
  /** Present if the node can be entered from anywhere. */
  readonly global: { readonly condition: Condition | null } | null;
  /** A condition without effect, because the node is not global. */
  readonly loneCondition: Text | null;
  readonly transfer: Transfer | null;
  readonly request: Request | null;
  /** Tool calls that an answer adds to the node before its conditions are judged. */
  readonly calls: readonly ToolCall[];
  /** Given tools: the one that a tool node calls, or those that a talk node has. */
  readonly tools: readonly GivenTool[];
  readonly settings: Settings;
  /** The settings that are not common to all nodes. */
  readonly ownSettings: readonly SettingName[];
  /** Present if the node is already an assistant. */
  readonly assistant: ReadyAssistant | null;
}

/** An assistant that the source contains: it stays a member of its own. */
interface ReadyAssistant extends Saved {
  readonly settings: readonly NamedSetting[];
}

/** What is stored on the platform, by its id; null if the source contains all of it. */
export interface Saved {
  readonly savedAs: Traced<string> | null;
  readonly version: Traced<string> | null;
}

export interface GivenTool extends Saved {
  /** The name that a model calls it by. */
  readonly name: string;
  /** The source's definition; null if it refers to a saved tool. */
  readonly value: Traced<JsonObject> | null;
  /** What the caller of the compiler knows about the saved tool. */
  readonly known?: ToolName;
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
  /** The question whose answer added it; absent for an edge of the source. */
  readonly addedBy?: string;
}

/** A text of the source, word for word, with the variables that its Liquid reads. */
export interface Text {
  readonly value: string;
  readonly at: JsonPointer;
  readonly uses: readonly Use[];
  readonly sets?: readonly string[];
  /** The texts of the source that it is joined from, if there are several. */
  readonly parts?: readonly TextPart[];
  /** The question whose answer changed the text; absent if it is unchanged. */
  readonly changedBy?: string;
  /** Parts that stand between `{% raw %}` and `{% endraw %}` in the squad, in order. */
  readonly raw?: readonly Span[];
  /** The rule that worded it, if the source expresses it by a flag and not in words. */
  readonly rule?: string;
}

export interface TextPart extends Pick<Text, 'value' | 'at'> {
  /** Offset in the whole, in UTF-16 units. */
  readonly start: number;
}

/** The texts of the source that a text is joined from, without their reads. */
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
  /** Whether the text reads a part of the variable (`a.b`) rather than the variable itself. */
  readonly nested: boolean;
  /** Offsets of the root identifier in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

export interface Condition extends Text {
  /** Whether the text is an expression rather than a sentence (1-read/logical.ts). */
  readonly logical: boolean;
  /** How a logical condition is met; null until it is decided. */
  readonly routing: Routing | null;
  /** If the platform decides: Liquid that prints `true` if the condition holds, else `false`. */
  readonly guard: string | null;
  /** The tool that provides the values, if the condition is met that way. */
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
  /** What a schema says about the value beyond type and choices; null if nothing. */
  readonly details: Traced<JsonObject> | null;
  /** The template that derives it from other variables; absent if the model finds it out. */
  readonly alias?: Text;
  readonly at: JsonPointer;
  readonly origin: Origin;
  /** Places of its parts; `name` is null if the name is a key or the platform's own. */
  readonly places: Readonly<Record<'type' | 'enum', JsonPointer> & { name: JsonPointer | null }>;
}

/** A variable that a tool's response sets. */
export interface ResponseVariable {
  readonly name: string;
  /** Path into the response, without the leading `$.`; empty if `value` or a schema gives it. */
  readonly path: string;
  /** The template that makes the value; null if a path or the request's schema gives it. */
  readonly value: Text | null;
  readonly at: JsonPointer;
  /** The place of the path, the template or the schema's property. */
  readonly sourceAt: JsonPointer;
}

export interface Transfer {
  readonly destination: Traced<TransferDestination> | null;
  /** The number or address as a text, for the variables that it reads. */
  readonly address: Text | null;
  readonly message: Text | null;
  readonly description: Text | null;
  /** Other fields of the destination, in the platform's format, by key. */
  readonly passed: readonly NamedSetting[];
  readonly passedTexts: readonly Text[];
  readonly others: readonly Transfer[];
  /** What the tool says if the transfer fails or takes long. */
  readonly messages: Traced<readonly Json[]> | null;
}

/** All transfers that a node may make; none unless it transfers the call. */
export function destinationsOf({ transfer }: Pick<WorkflowNode, 'transfer'>): readonly Transfer[] {
  return transfer === null ? [] : [transfer, ...transfer.others];
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
  /** What the source calls the tool; null if it has only the node's name. */
  readonly toolName: Traced<string> | null;
  readonly description: Text | null;
  readonly statics: readonly NamedSetting[];
  /** Other fields of the tool, in the platform's format, by key. */
  readonly passed: readonly NamedSetting[];
  /** Every text of url, headers, body and passed fields, for the variables that it reads. */
  readonly texts: readonly Text[];
  /** Those of the texts that no answer about url, headers or body changes. */
  readonly furtherTexts: readonly Text[];
  /** Whether the request authenticates: by a header, by a credential, or by answer "none". */
  readonly authenticated: boolean;
}

/** A tool call that an answer requested: it sets `variables` before the node is left. */
export interface ToolCall {
  /** The tool to provide, or the request node's tool if `node` is given. */
  readonly tool: string;
  readonly node: NodeIndex | null;
  readonly variables: readonly string[];
  /** After the node's captures, or before an exact condition is judged. */
  readonly moment: 'captured' | 'judging';
  readonly question: string;
  readonly at: JsonPointer;
}

/** Settings that an export can have beside those of spec/3. */
export const planNames = [
  ...(['backgroundSound', 'backgroundSpeechDenoisingPlan', 'compliancePlan'] as const),
  ...(['endCallMessage', 'endCallPhrases', 'hooks', 'keypadInputPlan'] as const),
  ...(['maxDurationSeconds', 'startSpeakingPlan', 'stopSpeakingPlan'] as const),
  ...(['server', 'voicemailDetection', 'voicemailMessage'] as const),
];
export type Settings = {
  readonly model?: Traced<JsonObject>;
} & { readonly [Name in 'voice' | 'transcriber' | (typeof planNames)[number]]?: Traced<Json> };
export type SettingName = keyof Settings;
export const specSettings = ['model', 'voice', 'transcriber'] as const;
export const settingNames: readonly SettingName[] = [...specSettings, ...planNames];
export const defaultModel = traced<JsonObject>(
  { provider: 'openai', model: 'gpt-4o' },
  synthesized('default-model'),
);

/** What a node sets: its own, else the workflow's, which a node that only says a line does not need. */
export function settingOf<Name extends SettingName>(
  node: WorkflowNode,
  workflow: Pick<Workflow, 'settings'>,
  name: Name,
): Settings[Name] | undefined {
  const shared = workflow.settings[name];
  const isLine = shared !== undefined && hasOnlyLine({ ...node, ownSettings: [] });
  return node.settings[name] ?? (isLine ? undefined : shared);
}

/** The setting of an assistant with these talk nodes: that of the first that sets it. */
export function settingOfAll<Name extends SettingName>(
  nodes: readonly WorkflowNode[],
  workflow: Pick<Workflow, 'settings'>,
  name: Name,
): Settings[Name] | undefined {
  const [found] = nodes.flatMap((node) => settingOf(node, workflow, name) ?? []);
  return found ?? workflow.settings[name];
}

/** What a model of the target contains besides its settings: the prompt and the tools. */
export const writtenByCompiler: readonly string[] = ['messages', 'tools', 'toolIds', 'toolRefs'];

/** Distinguishes edges between the same nodes: the condition, and how it is met. */
export function conditionKey(condition: Condition | null): string {
  return condition === null ? '' : `${condition.routing ?? ''}=${condition.value}`;
}

/** The workflow with what is known about saved tools. */
export function withToolNames(workflow: Workflow, { toolNames }: Settled): Workflow {
  if (toolNames.size === 0) return workflow;
  const nameTool = (tool: GivenTool): GivenTool => {
    const known = toolNames.get(tool.savedAs?.value ?? '');
    return known === undefined ? tool : { ...tool, known };
  };
  const nodes = workflow.nodes.map((node) => ({ ...node, tools: node.tools.map(nameTool) }));
  return { ...workflow, nodes };
}

/** The name of a tool in a prompt; null if it is unknown. */
export function functionOf({ name, value, known }: GivenTool): string | null {
  if (value === null) return known?.name ?? null;
  // The dashboard's name for a tool that nobody has named.
  return name === 'untitled_tool' ? null : name;
}

/** Identifies a given tool: its definition, or the id of the saved tool. */
export function givenToolKey({ value, savedAs, version }: GivenTool): string {
  return JSON.stringify(value === null ? [savedAs?.value, version?.value] : value.value);
}

/**
 * The workflow with the role of each node. A conversation node that says a line and moves on by
 * itself acts like a tool: as an assistant it would wait for the caller after speaking. One whose
 * line asks has to wait.
 */
export function withRoles<T extends Pick<Workflow, 'nodes' | 'edges'>>(workflow: T): T {
  const { nodes, edges } = workflow;
  const leaving = groupBy(edges, ({ from }) => from);
  const movesOn = ({ index }: WorkflowNode): boolean => {
    const [first, ...others] = leaving.get(index) ?? [];
    if (first === undefined || first.condition !== null) return false;
    const isCopy = ({ to, condition }: WorkflowEdge) => to === first.to && condition === null;
    return others.every(isCopy) && !['endCall', 'hangup'].includes(nodes[first.to]!.type);
  };
  const roleIn = (node: WorkflowNode): Role =>
    node.type === 'conversation' && hasOnlyLine(node) && movesOn(node) ? 'act' : roleOf[node.type];
  return { ...workflow, nodes: nodes.map((node) => ({ ...node, role: roleIn(node) })) };
}

function hasOnlyLine(node: WorkflowNode): boolean {
  const { firstMessage, systemPrompt, captures, calls, tools, ownSettings, assistant } = node;
  const own = [...captures, ...calls, ...tools, ...ownSettings];
  const line = firstMessage?.value.trim() ?? '';
  const isSaid = line !== '' && !asksForAnswer(firstMessage!.value);
  return isSaid && systemPrompt === null && own.length === 0 && assistant === null;
}

/** Returns true for a line that ends in a question mark, so that the caller answers it. */
export function asksForAnswer(line: string): boolean {
  // White space, quotes, brackets and emoji may follow; Greek asks by a semicolon.
  const closing =
    /(?:[\s"'\p{Pi}\p{Pf}\p{Pe}\p{Extended_Pictographic}\p{Emoji_Modifier}]|\u200d|\ufe0f)+$/u;
  return /(?:[?？؟՞⸮]|\p{Script=Greek}[;\u037e])$/u.test(line.slice(-100).replace(closing, ''));
}

/** True if the node says a line in passing and does nothing else. */
export function onlySays({ type, role }: WorkflowNode): boolean {
  return type === 'conversation' && role === 'act';
}
