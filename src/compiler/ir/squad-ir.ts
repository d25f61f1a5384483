/**
 * The squad before it is written in the shape of a target: every text and value with its origin.
 *
 * Invariants: assistants stand in the order of the members, the entry first; names are unique and
 * at most 40 characters; destinations name existing assistants other than their own.
 */
import type { EdgeIndex, JsonPointer, NodeIndex, RegionIndex } from './ids.js';
import type { Json, JsonObject } from './json.js';
import type { Origin, Traced } from './provenance.js';
import type { ToolBinding } from './result.js';
import type { VariableType } from './workflow.js';

export interface SquadIr {
  readonly name: Traced<string> | null;
  readonly assistants: readonly AssistantIr[];
  /** Settings shared by all members, by key. */
  readonly shared: readonly SettingIr[];
  readonly context: Traced<JsonObject>;
  /** Names that differ from what the source or the options asked for. */
  readonly renames: readonly {
    readonly at: JsonPointer;
    readonly from: string;
    readonly to: string;
  }[];
}

export interface AssistantIr {
  readonly index: RegionIndex;
  readonly name: Traced<string>;
  /**
   * The id of one that the platform keeps: it has no prompt, no line and no model here, and its
   * settings and tools are what is added to it.
   */
  readonly savedAs: Traced<string> | null;
  readonly firstMessage: Traced<string> | null;
  /** The system message. */
  readonly prompt: Composition;
  readonly model: Traced<JsonObject>;
  readonly settings: readonly SettingIr[];
  readonly tools: readonly ToolIr[];
  /** Ids of tools that the platform keeps, each once. */
  readonly savedTools: readonly Traced<string>[];
  /** Whether a call can end here without a transfer. */
  readonly endsCall: boolean;
  /** What the tool that ends the call is refused for. */
  readonly endRejections: Rejections;
}

export interface SettingIr {
  readonly key: string;
  readonly value: Traced<Json>;
}

/** A text; its pieces, with nothing between, are told apart when they are asked for. */
export interface Composition {
  readonly text: string;
  readonly segments: readonly Segment[];
}

/** A piece of a composed text. */
export interface Segment {
  readonly text: string;
  readonly origin: Origin;
}

export type ToolIr = HandoffToolIr | TransferToolIr | RequestToolIr | FunctionToolIr | GivenToolIr;

/** Ways out of one node, or to global nodes (`node` null), that one tool can offer together. */
export interface HandoffToolIr {
  readonly kind: 'handoff';
  readonly node: NodeIndex | null;
  /** They demand the same arguments; a guarded tool has one. */
  readonly destinations: readonly DestinationIr[];
  readonly rejections: Rejections;
}

/**
 * Liquid texts that print `true` or `false`; the platform refuses a call of the tool where all of
 * them print `true`. None where nothing is refused.
 */
export type Rejections = readonly Traced<string>[];

export interface DestinationIr {
  readonly region: RegionIndex;
  readonly edges: readonly EdgeIndex[];
  readonly globals: readonly NodeIndex[];
  readonly description: Composition;
  readonly plan: readonly PlanProperty[];
  /** What the plan derives when its properties are there, in this order. */
  readonly aliases: readonly PlanAlias[];
  /** What crosses as a required argument of the tool instead of by the plan. */
  readonly arguments: readonly PlanProperty[];
}

/** A variable that crosses by a handoff. */
export interface PlanProperty {
  readonly name: string;
  readonly type: VariableType;
  readonly description: Composition;
  readonly enum: readonly string[] | null;
  /** What a schema of the source says beside that; null where it says no more. */
  readonly details: Traced<JsonObject> | null;
  readonly captures: readonly JsonPointer[];
}

/** A variable that is derived at a handoff. */
export interface PlanAlias {
  readonly key: Traced<string>;
  readonly value: Traced<string>;
}

export interface TransferToolIr {
  readonly kind: 'transfer';
  readonly node: NodeIndex;
  readonly edges: readonly EdgeIndex[];
  /** At least one; the model chooses among several. */
  readonly destinations: readonly TransferDestinationIr[];
  readonly rejections: Rejections;
}

export interface TransferDestinationIr {
  readonly address: Traced<JsonObject>;
  readonly message: Traced<string> | null;
  readonly description: readonly Segment[];
  /** Further fields, in the platform's words. */
  readonly passed: readonly SettingIr[];
}

export interface RequestToolIr {
  readonly kind: 'request';
  readonly node: NodeIndex;
  readonly name: Traced<string>;
  /** When to call it; null where the prompt alone says so. */
  readonly description: readonly Segment[] | null;
  readonly url: Traced<string>;
  readonly method: Traced<string>;
  readonly headers: Traced<JsonObject> | null;
  readonly body: Traced<Json> | null;
  readonly timeoutSeconds: Traced<number> | null;
  readonly credentialId: Traced<string> | null;
  /** Arguments that are fixed beside the body. */
  readonly statics: readonly SettingIr[];
  /** Further fields of the tool, in the platform's words. */
  readonly passed: readonly SettingIr[];
  readonly responses: ResponsesIr;
  readonly rejections: Rejections;
}

/** What a tool takes from its response. */
export interface ResponsesIr {
  readonly schema: Traced<JsonObject> | null;
  readonly aliases: readonly AliasIr[];
}

/** A custom tool: its implementation is somebody else's. */
export interface FunctionToolIr {
  readonly kind: 'function';
  /** The request node that it stands for; null for a tool that an answer asked for. */
  readonly node: NodeIndex | null;
  readonly name: Traced<string>;
  readonly description: readonly Segment[];
  readonly parameters: Traced<JsonObject>;
  /** The operation that it stands for; null where only its name says what it does. */
  readonly binding: ToolBinding | null;
  /** Arguments that are fixed, and that the model neither sees nor fills. */
  readonly bound: readonly SettingIr[];
  /** Who answers its calls; null where nobody has said. */
  readonly server: Traced<JsonObject> | null;
  /** Further fields of the tool, in the platform's words. */
  readonly passed: readonly SettingIr[];
  readonly responses: ResponsesIr;
  readonly rejections: Rejections;
}

/** A tool in the platform's own words. */
export interface GivenToolIr {
  readonly kind: 'given';
  /** The first node of the assistant that has it. */
  readonly node: NodeIndex;
  /** What a model calls it by. */
  readonly name: Traced<string>;
  readonly value: Traced<JsonObject>;
  readonly rejections: Rejections;
}

export interface AliasIr {
  readonly key: string;
  readonly value: Traced<string>;
}
